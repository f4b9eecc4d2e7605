const utf8 = new TextEncoder()
const unreserved = /[A-Za-z0-9\-._~]/
const plainCharacter = /[A-Za-z0-9\-._~!$&'()*+,;=:@/]/

/**
 * Returns a path with escapes as in RFC 3986 §6.2.2: in capitals, and only where needed. The result is ASCII. Paths of hits
 * are stored in this form, so everything that is compared with them has it too.
 */
export const escapedPath = (path: string): string =>
  path.replace(/%([0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]+|%/g, (text, hex: string | undefined) => {
    if (hex === undefined) return [...text].map(escapeCharacter).join('')
    const char = String.fromCharCode(Number.parseInt(hex, 16))
    return unreserved.test(char) ? char : text.toUpperCase()
  })

function escapeCharacter(char: string): string {
  if (plainCharacter.test(char)) return char
  let text = ''
  for (const byte of utf8.encode(char)) text += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return text
}
