import { parseAddress } from '../../address'
import { unescapeC } from '../text/escapes'
import { badTime, noRequest, type ParsedHit, requestLine, signedOf, statusOf } from '../text/reading'
import { clfInstant } from '../text/time'

/**
 * Reads a line of an access log: common, combined, or combined after the virtual host, quoted like nginx and
 * Apache. After the user agent only a signature and an id are read. Returns null for any other line.
 */
export function readCombined(line: string): ParsedHit | null {
  const open = line.indexOf(' [')
  if (open === -1) return null
  const quote = line.indexOf('] "', open)
  if (quote === -1) return null
  // A user name may contain brackets, but no bare quote, so the last bracket before the request belongs to
  // the time.
  const bracket = line.lastIndexOf('[', quote)
  const ts = clfInstant(line, bracket + 1)
  if (ts === null) return line.charCodeAt(bracket + 3) === 47 ? badTime : null
  const client = clientOf(line, bracket)
  if (!client) return null
  const isEscaped = line.includes('\\')
  const first = quoted(line, quote + 3, isEscaped)
  if (!first) return null
  const request = requestLine(first.text)
  if (!request) return noRequest
  const { end } = first
  const status = statusOf(line.slice(end + 2, end + 5))
  const space = line.indexOf(' "', end)
  const referer = space === -1 ? null : quoted(line, space + 2, isEscaped)
  const ua = referer ? quoted(line, referer.end + 3, isEscaped) : null
  const signed = ua ? signedAt(line, ua.end + 1, isEscaped) : null
  return {
    ts,
    ip: client.ip,
    method: request.method,
    target: request.target,
    host: client.host,
    ua: ua?.text ?? '',
    referer: referer?.text || undefined,
    status,
    id: ua ? idAt(line, signed?.end ?? ua.end + 1) : undefined,
    signed: signed?.headers,
  }
}

/** The text between the user agent and the three quoted fields of a signature. */
export const signedPrefix = ' sig='

/** Returns the fields of a signature, which a log format adds as ` sig="…" "…" "…"`, and where they end. */
function signedAt(line: string, from: number, isEscaped: boolean) {
  if (!line.startsWith(signedPrefix, from)) return null
  const agent = quoted(line, from + signedPrefix.length + 1, isEscaped)
  const input = agent && quoted(line, agent.end + 3, isEscaped)
  const signature = input && quoted(line, input.end + 3, isEscaped)
  if (!signature) return null
  return { headers: signedOf(agent.text, input.text, signature.text), end: signature.end + 1 }
}

/** The text between the user agent or signature and a request's id. */
export const idPrefix = ' id='
const idOnly = /^[\w@.-]{8,128}$/

/**
 * Returns the id at the end of a line, which a log format adds as ` id=`. A server without one writes `-`.
 */
function idAt(line: string, from: number): string | undefined {
  if (!line.startsWith(idPrefix, from)) return undefined
  const id = line.slice(from + idPrefix.length)
  return idOnly.test(id) ? id : undefined
}

/** A column has no tab or other control character, and does not begin like the priority of a syslog line. */
const isColumn = /^(?!<)[^\s\p{Cc}]+$/u

interface Client {
  readonly ip: string | null
  readonly host: string | undefined
}

/** Returns the client. The first column is the client, or the virtual host if the second is the client's address. */
function clientOf(line: string, bracket: number): Client | null {
  const first = line.indexOf(' ')
  // Before the time there are two columns at least.
  if (first === 0 || line.lastIndexOf(' ', bracket) === first) return null
  const head = line.slice(0, first)
  if (!isColumn.test(head)) return null
  const next = line.slice(first + 1, line.indexOf(' ', first + 1))
  if (parseAddress(next)) return { ip: next, host: head.replace(/:\d+$/, '') }
  return { ip: head === '-' ? null : head, host: undefined }
}

interface Quoted {
  readonly text: string
  /** Index of the closing quote. */
  readonly end: number
}

/** Returns the text of a quoted field whose first character is at `from`. `-` counts as empty. */
function quoted(line: string, from: number, isEscaped: boolean): Quoted | null {
  if (line.charCodeAt(from - 1) !== 34) return null
  const end = isEscaped ? closingQuote(line, from) : line.indexOf('"', from)
  if (end === -1) return null
  if (end === from + 1 && line.charCodeAt(from) === 45) return { text: '', end }
  const text = line.slice(from, end)
  return { text: isEscaped ? unescapeC(text) : text, end }
}

function closingQuote(line: string, from: number): number {
  for (let end = line.indexOf('"', from); end !== -1; end = line.indexOf('"', end + 1)) {
    let slashes = 0
    // The quote before `from` ends this at the latest.
    while (line.charCodeAt(end - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return end
  }
  return -1
}
