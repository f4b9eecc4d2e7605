/** Keys that every page has. Those with Ctrl or ⌘ work for everybody, single ones for people who switched them on. */
export const everywhere = [
  ['Ctrl K', 'Find a workspace (⌘ K on a Mac)'],
  ['?', 'Show the keys of the page'],
  ['/', 'Go to the search field of the page'],
] as const
