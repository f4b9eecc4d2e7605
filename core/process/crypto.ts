import { parseCookies, serializeCookie } from 'oslo/cookie'
import { alphabet, constantTimeEqual, generateRandomString } from 'oslo/crypto'
import { base32 } from 'oslo/encoding'
import { createTOTPKeyURI, generateHOTP } from 'oslo/otp'

export { base32, createTOTPKeyURI, generateHOTP, parseCookies, serializeCookie }

const base62 = alphabet('0-9', 'A-Z', 'a-z')
const encoder = new TextEncoder()

/** Returns SHA-256 as lower case hex. Uses Bun's own implementation, because every request needs it. */
export const sha256HexSync = (text: string): string => Bun.SHA256.hash(text, 'hex')

/** Returns SHA-256 as lower case hex. */
export async function sha256Hex(text: string): Promise<string> {
  return sha256HexSync(text)
}

/** Compares two texts in constant time. */
export const equalSecrets = (a: string, b: string): boolean =>
  constantTimeEqual(encoder.encode(a), encoder.encode(b))

/** Returns this number of random base62 characters, with just under six bits each. */
export const randomText = (length: number): string => generateRandomString(length, base62)

const crockford = alphabet('0-9', 'a-z').replace(/[ilou]/g, '')

/** Returns random characters of five bits each. None looks or sounds like another. */
export const randomCode = (length: number): string => generateRandomString(length, crockford)

/**
 * Creates a bearer secret: `<prefix>` + 40 base62 characters + 6 base62 characters of the CRC-32 of the rest. The
 * checksum detects a mistyped token without reading the database.
 */
export async function mintToken(prefix: string): Promise<{ token: string; hash: string; last4: string }> {
  const body = `${prefix}${randomText(40)}`
  const token = `${body}${checksum(body)}`
  return { token, hash: await sha256Hex(token), last4: token.slice(-4) }
}

/** Whether a token has this prefix, the right length and a correct checksum. */
export function isWellFormedToken(prefix: string, token: string): boolean {
  if (!token.startsWith(prefix) || token.length !== prefix.length + 46) return false
  const body = token.slice(0, -6)
  return checksum(body) === token.slice(-6)
}

function checksum(body: string): string {
  let rest = Bun.hash.crc32(body)
  let text = ''
  for (let place = 0; place < 6; place++) {
    text = base62.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}
