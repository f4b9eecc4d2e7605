import { clientBehind, isAddressList } from '../text/client'
import { quoted } from '../text/quoted'
import { badTime, noRequest, type ParsedHit, requestLine, signedOf, statusOf } from '../text/reading'
import { clfInstant } from '../text/time'
import { clientOf } from './client-columns'

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
    ip: ua ? clientBefore(client.ip, line, ua.end + 1, isEscaped) : client.ip,
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

/** Returns the client of a line of nginx's format `main`, which ends in the quoted value of `X-Forwarded-For`. */
function clientBefore(ip: string | null, line: string, from: number, isEscaped: boolean): string | null {
  if (ip === null || !line.startsWith(' "', from)) return ip
  const forwarded = quoted(line, from + 2, isEscaped)?.text
  return forwarded && isAddressList(forwarded) ? clientBehind(ip, forwarded) : ip
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

/** Length of the id at the end of a line of ingress-nginx, in hexadecimal. */
export const ingressIdLength = 32
const ingressTail = /^ \d{1,10} [\d.]{1,20} \[.* [\da-f]{32}$/

/**
 * Returns the id at the end of a line, which a log format adds as ` id=`, or which ingress-nginx writes last. A
 * server without one writes `-`.
 */
function idAt(line: string, from: number): string | undefined {
  if (line.charCodeAt(from) !== 32) return undefined
  if (line.startsWith(idPrefix, from)) {
    const id = line.slice(from + idPrefix.length)
    return idOnly.test(id) ? id : undefined
  }
  const start = line.length - ingressIdLength
  return start > from && ingressTail.test(line.slice(from)) ? line.slice(start) : undefined
}
