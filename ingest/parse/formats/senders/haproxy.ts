import { isAddressList } from '../text/client'
import { unescapeHash } from '../text/escapes'
import { badTime, noRequest, type ParsedHit, requestLine, statusOf } from '../text/reading'
import { clfInstant, isZoneless } from '../text/time'

/**
 * Reads HAProxy's `option httplog`, with User-Agent, Referer and Host as the first captured headers, in this
 * order, and `option httpslog`. Its times have no zone, so they count as UTC and are marked. Returns null for any other line.
 */
export function readHaproxy(text: string): ParsedHit | null {
  const found = fieldsOf(text)
  if (!found) return null
  const { client, time, status, captures, request: written } = found
  const ts = clfInstant(time, 0)
  if (ts === null) return badTime
  const request = requestLine(unescapeHash(written))
  if (!request) return noRequest
  const { ua, referer, host } = captured(captures)
  return {
    ts,
    ip: client.slice(0, client.lastIndexOf(':')) || null,
    method: request.method,
    target: request.target,
    host: host || undefined,
    ua,
    referer: referer || undefined,
    status: statusOf(status),
    zoneless: isZoneless(time) || undefined,
  }
}

interface HaproxyFields {
  readonly client: string
  readonly time: string
  readonly status: string
  readonly captures: string
  readonly request: string
}

/** `client [time] frontend backend timers status …`, six more fields, captured headers in braces, and the quoted request. */
function fieldsOf(text: string): HaproxyFields | null {
  const end = text.endsWith('"') ? text.length - 1 : requestEnd(text)
  if (end === -1) return null
  const bracket = text.indexOf(' [')
  const close = text.indexOf('] ', bracket)
  const client = text.slice(0, Math.max(0, bracket))
  const time = text.slice(bracket + 2, close)
  if (bracket <= 0 || close <= bracket + 2 || /\s/.test(client) || time.includes(']')) return null
  const fields: string[] = []
  let at = close + 2
  while (fields.length < 10) {
    const space = text.indexOf(' ', at)
    const field = text.slice(at, space)
    if (space <= at || /\s/.test(field)) return null
    fields.push(field)
    at = space + 1
  }
  const [, , , status = ''] = fields
  const found = text.charCodeAt(at) === 34 ? { captures: '', quote: at } : capturesAt(text, at)
  if (!found || found.quote >= end || !/^-?\d+$/.test(status)) return null
  return { client, time, status, captures: found.captures, request: text.slice(found.quote + 1, end) }
}

const columnsMax = 600

/**
 * Returns the index of the quote that ends the request, or -1. `option httpslog` writes columns about TLS after it, and
 * formats of one's own may have others.
 */
function requestEnd(text: string): number {
  const end = text.lastIndexOf('" ')
  if (end === -1 || text.length - end > columnsMax || !/^ [^"\S]*[^"\s][^"]*$/.test(text.slice(end + 1)))
    return -1
  return /(?: HTTP\/\d(?:\.\d)?|"<BADREQ>)$/.test(text.slice(Math.max(0, end - 20), end)) ? end : -1
}

/**
 * Reads one or two groups of captured headers in braces. Returns the first group, and the index of the quote
 * after them.
 */
function capturesAt(text: string, at: number): { readonly captures: string; readonly quote: number } | null {
  if (text.charCodeAt(at) !== 123) return null
  for (let end = text.indexOf('} ', at); end !== -1; end = text.indexOf('} ', end + 1)) {
    const next = text.charCodeAt(end + 2)
    if (next !== 34 && next !== 123) continue
    const last = text.indexOf('} "', end)
    return last === -1 ? null : { captures: text.slice(at + 1, end), quote: last + 2 }
  }
  return null
}

interface Captured {
  readonly ua: string
  readonly referer: string | undefined
  readonly host: string | undefined
}

/**
 * Bars and braces inside a header are escaped. Some versions did not escape them, so extra bars belong to the
 * user agent.
 */
function captured(text: string): Captured {
  const parts = text.split('|').map(unescapeHash)
  const inAnotherOrder = inOrderOfTheirOwn(parts)
  if (inAnotherOrder) return inAnotherOrder
  const host = parts.length > 2 ? parts.pop() : undefined
  const referer = parts.length > 1 ? parts.pop() : undefined
  return { ua: parts.join('|'), referer, host }
}

const hostForm = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/i
const urlForm = /^[a-z][a-z0-9+-]*:\/\//i

/** Whether a header is a user agent for sure: it has a version, and is nothing else. */
const isAgentForm = (part: string) =>
  /[a-z_-]\/v?\d/i.test(part) && !urlForm.test(part) && !isAddressList(part)

/**
 * Reads headers that were captured in another order. Then the first is empty, a host, an address or a URL, and a later one is a
 * user agent for sure. Returns null for any other captures.
 */
function inOrderOfTheirOwn(parts: readonly string[]): Captured | null {
  const [first = '', ...others] = parts
  const isElse = first === '' || hostForm.test(first) || urlForm.test(first) || isAddressList(first)
  const ua = isElse ? others.find(isAgentForm) : undefined
  if (ua === undefined) return null
  return {
    ua,
    referer: parts.find((part) => urlForm.test(part)),
    host: parts.find((part) => hostForm.test(part) && !isAddressList(part)),
  }
}
