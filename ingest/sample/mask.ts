import { parseAddress } from '../parse/address'

const word = /[^\s"'`,;()[\]{}<>=|/\\@]+/g
const dotted = /\d{1,3}(?:\.\d{1,3}){3}/g
const [v4, v6] = ['192.0.2.1', '2001:db8::1']

/**
 * Replaces every IP address in a text by one of documentation, so that the text can be shown again. Versions such as
 * `142.0.0.0` look like addresses and are replaced too.
 */
export const maskAddresses = (text: string): string => text.replace(word, maskWord).replace(dotted, v4)

/** Replaces an IPv6 address, also behind a name and a colon. */
function maskWord(token: string): string {
  let at = 0
  for (let rest = token; rest.split(':', 3).length === 3; rest = token.slice(at)) {
    if (parseAddress(rest)) return token.slice(0, at) + v6
    at += rest.indexOf(':') + 1
  }
  return token
}
