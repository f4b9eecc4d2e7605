import { parseAddress } from '../../address'
import { clientIn, isAddressList } from '../text/client'

/** The client of a line, and the virtual host if the line has one. */
export interface LineClient {
  readonly ip: string | null
  readonly host: string | undefined
  /** `ip` is null because several addresses may be the client's. */
  readonly isOneOfMany?: true
}

/** A column has no tab or other control character, and does not begin like the priority of a syslog line. */
const isColumn = /^(?!<)[^\s\p{Cc}]+$/u
/** A time, a number or a path is no host. Forwarders put such columns before a line. */
const isNoHost = /^\d{4}-\d\d-\d\d|^[\d.]{1,20}$|[/|]/
const hasPort = /:\d{1,5}$/
const isBareV6 = /^[^[:]*:[^:]*:/

/**
 * Returns the client from the columns before the time. Usually they are `client ident user`. The virtual host
 * can be before the client, or instead of `ident` (lighttpd). A forwarder may have put other words first.
 */
export function clientOf(line: string, bracket: number): LineClient | null {
  const first = line.indexOf(' ')
  if (first === 0) return null
  // Before the time there are two columns at least, or a client alone.
  if (first === bracket - 1) return aloneIn(line.slice(0, first))
  const head = line.slice(0, first)
  if (!isColumn.test(head)) return null
  const second = line.indexOf(' ', first + 1)
  const next = line.slice(first + 1, second)
  // Most lines have three columns, of which the second is `-`. Then the address is checked later.
  if (next === '-' && line.indexOf(' ', second + 1) === bracket - 1)
    return { ip: head === '-' ? null : head, host: undefined }
  const isHeadAddress = parseAddress(head) !== null
  // `host client ident user`, where the host is an address, has one column more than `client host user`.
  if (!head.endsWith(',') && parseAddress(next) && !(isHeadAddress && columnsBefore(line, bracket) <= 3))
    return { ip: next, host: hostIn(head) }
  if (isHeadAddress && (next === '-' || next.includes('.') || parseAddress(next)))
    return { ip: head, host: next === '-' ? undefined : hostIn(next) }
  const words = line.slice(0, Math.min(bracket, wordsLengthMax)).trimEnd().split(' ')
  return (
    clientAmong(words) ?? {
      ip: head === '-' || (words.length > 3 && !isHeadAddress) ? null : head,
      host: undefined,
    }
  )
}

/** Returns the only column before the time, if it is an address. */
const aloneIn = (head: string): LineClient | null =>
  parseAddress(head) ? { ip: head, host: undefined } : null

/** A client's words are searched only up to this number of characters. */
const wordsLengthMax = 1_024

function columnsBefore(line: string, bracket: number): number {
  let columns = 0
  for (let at = line.indexOf(' '); at !== -1 && at < bracket && columns < 4; at = line.indexOf(' ', at + 1))
    columns++
  return columns
}

/** Returns a virtual host without its port. The end of an IPv6 address without brackets is none. */
function hostIn(text: string): string | undefined {
  const isAddress = parseAddress(text) !== null
  if (isNoHost.test(text) && !isAddress) return undefined
  return isAddress && isBareV6.test(text) ? text : text.replace(hasPort, '')
}

/**
 * Searches the client behind words of a forwarder: the first address before a `-` or a virtual host. What
 * follows, such as the user name, comes from the client. An address before another word is a machine's own.
 */
function clientAmong(words: readonly string[]): LineClient | null {
  for (const [at, word] of words.entries()) {
    const forwarded = word.endsWith(',') ? forwardedFrom(words, at) : null
    if (forwarded) return forwarded
    const next = words[at + 1]
    if (next === undefined || !parseAddress(word)) continue
    const before = words[at - 1] ?? ''
    if (next === '-') return { ip: word, host: hasPort.test(before) ? hostIn(before) : undefined }
    if (next.includes('.') && !parseAddress(next)) return { ip: word, host: hostIn(next) }
  }
  return null
}

/** Reads the value of `X-Forwarded-For`, whose addresses are separated by a comma and a space. */
function forwardedFrom(words: readonly string[], from: number): LineClient | null {
  let end = from
  while (words[end]?.endsWith(',')) end++
  const list = words.slice(from, end + 1).join('')
  if (!isAddressList(list)) return null
  const ip = clientIn(list)
  return ip === null ? { ip, host: undefined, isOneOfMany: true } : { ip, host: undefined }
}
