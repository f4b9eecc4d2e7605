/**
 * Keys that every page has, with the key of what they do. Those with Ctrl or ⌘ work for everybody, single keys only for
 * people who turned them on.
 */
export const everywhere = [
  ['Ctrl K', 'keyFind'],
  ['?', 'keyHelp'],
  ['/', 'keySearch'],
] as const
