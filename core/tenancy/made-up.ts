/** Default names of the first start. */
export const madeUp = { agency: 'My agency', location: 'My business', domain: 'localhost' } as const
