import { parseAddress } from '../parse/address'

const word = /[^\s"'`,;()[\]{}<>=|/\\@]+/g
const dotted = /\d{1,3}(?:\.\d{1,3}){3}/g
/** What an IPv6 address can be made of. A word may have more after it, such as a dot, a zone or a port. */
const v6Form = /[0-9a-f:]{1,40}:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]{1,40}/iy
const v4 = '192.0.2.1'
const v6 = '2001:db8::1'

/**
 * Replaces every IP address in a text by one of documentation, so that the text can be shown again. Versions such as
 * `142.0.0.0` look like addresses and are replaced too.
 */
export const maskAddresses = (text: string): string => text.replace(word, maskWord).replace(dotted, v4)

/** Replaces the IPv6 addresses in a word, also behind a name and a colon. */
function maskWord(token: string): string {
  let masked = ''
  let from = 0
  for (let at = 0; ; ) {
    const colon = token.indexOf(':', at)
    if (colon === -1 || token.indexOf(':', colon + 1) === -1) return masked + token.slice(from)
    const found = addressAt(token, at) ?? addressAt(token, groupBefore(token, at, colon))
    if (found === null) at = colon + 1
    else {
      masked += token.slice(from, found.start) + v6
      at = found.end
      from = at
    }
  }
}

/** Returns where the address at an index ends, or null if there is none. */
function addressAt(token: string, start: number): { readonly start: number; readonly end: number } | null {
  v6Form.lastIndex = start
  const [found = ''] = v6Form.exec(token) ?? []
  const forms = [token.length - start > addressMax ? '' : token.slice(start), found, found.replace(/:$/, '')]
  const address = forms.find((form) => form.split(':', 3).length === 3 && parseAddress(form))
  return address === undefined ? null : { start, end: start + address.length }
}

const addressMax = 100

/** Returns where the group of digits before a colon begins, unless it is the end of a name. */
function groupBefore(token: string, least: number, colon: number): number {
  let start = colon
  while (start > least && /[0-9a-f]/i.test(token.charAt(start - 1))) start--
  return /[a-z]/i.test(token.charAt(start - 1)) ? least : start
}
