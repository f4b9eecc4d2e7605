/** Returns a header, or empty text if it was not sent. */
export const headerText = (headers: Headers, name: string): string => headers.get(name) ?? ''

/** Returns the media type of a body in small letters, without its parameters. Empty if none was sent. */
export function mediaType(headers: Headers): string {
  const [type = ''] = headerText(headers, 'content-type').split(';')
  return type.trim().toLowerCase()
}
