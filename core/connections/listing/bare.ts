/** Returns the last part of a name such as `accounts/1/locations/2`, which identifies a location in any account. */
export const bare = (name: string) => name.split('/').at(-1) ?? ''
