/** What the first run calls things that nobody has named yet. */
export const madeUp = { agency: 'My agency', location: 'My business', domain: 'localhost' } as const
