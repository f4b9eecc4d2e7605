/**
 * Keys that every page has. Those with Ctrl or ⌘ work for everybody, single keys only for people who turned them on.
 */
export const everywhere = [
  ['Ctrl K', 'Find a workspace (⌘ K on a Mac)'],
  ['?', 'Show the keys of the page'],
  ['/', 'Go to the search field of the page'],
] as const
