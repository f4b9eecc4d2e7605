/** Returns the last part of a name such as `accounts/1/locations/2`, which identifies a location whoever holds it. */
export const bare = (name: string) => name.split('/').at(-1) ?? ''
