/** Returns a header of a request, or an empty text. */
export const headerOf = (headers: Headers, name: string): string => headers.get(name) ?? ''
