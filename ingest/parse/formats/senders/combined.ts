import type { Hit } from 'renown/contracts'
import { parseAddress } from '../../address'
import { clientBehind, isAddressList } from '../text/client'
import { type Quoted, quoted } from '../text/quoted'
import { badTime, noRequest, type ParsedHit, requestLine, signedOf, statusOf } from '../text/reading'
import { clfInstant, instantOf, isZoneless } from '../text/time'
import { clientOf } from './client-columns'
import { marked } from './flat'

/**
 * Reads a line of an access log: common, combined, or combined after the virtual host, quoted like nginx and
 * Apache. After the user agent only a signature and an id are read. Returns null for any other line.
 */
export function readCombined(line: string): ParsedHit | null {
  const open = line.indexOf(' [')
  if (line.charCodeAt(0) === 91) {
    const turned = timeBehind(line)
    if (turned) return readCombined(turned)
  }
  if (open === -1) return null
  const quote = line.indexOf('] "', open)
  if (quote === -1) return null
  // A user name may contain brackets, but no bare quote, so the last bracket before the request belongs to
  // the time.
  const bracket = line.lastIndexOf('[', quote)
  // What is between the brackets is the time alone. Another line may have a bracket far behind its time.
  if (quote - bracket > timeMax && line.indexOf(']', bracket) !== quote) return null
  const usual = clfInstant(line, bracket + 1)
  const ts = usual ?? otherInstant(line.slice(bracket + 1, quote))
  if (ts === null) return line.charCodeAt(bracket + 3) === 47 ? badTime : null
  const client = clientOf(line, bracket)
  if (!client) return null
  // Such times are in other lines too, so only an address makes this an access log.
  if (usual === null && !(client.ip !== null && parseAddress(client.ip))) return null
  const isEscaped = line.includes('\\')
  const first = quoted(line, quote + 3, isEscaped)
  if (!first) return null
  const asked = askedAt(line, first, isEscaped)
  if (!asked) return noRequest
  const { request, end } = asked
  const answer = answerAt(line, end)
  const referer = answer.next === -1 ? null : quoted(line, answer.next, isEscaped)
  const ua = referer ? quoted(line, referer.end + 3, isEscaped) : null
  const signed = ua ? signedAt(line, ua.end + 1, isEscaped) : null
  const ip = ua ? clientBefore(client.ip, line, ua.end + 1, isEscaped) : client.ip
  const hit: Hit = {
    ts,
    ip,
    method: request.method,
    target: request.target,
    host: client.host ?? asked.host,
    ...named(referer?.text, ua?.text),
    status: answer.status,
    id: ua ? idAt(line, signed?.end ?? ua.end + 1) : undefined,
    signed: signed?.headers,
  }
  const isOneOfMany = ip === null && (client.ip !== null || client.isOneOfMany === true)
  // Nearly all times have a zone behind a space.
  const hasSpace = line.charCodeAt(bracket + 21) === 32
  return marked(hit, false, isOneOfMany, !hasSpace && isZoneless(line.slice(bracket + 1, quote)))
}

const timeMax = 40

/** Returns the time of a format of one's own, with the numbers or the letters of another clock. */
const otherInstant = (time: string): number | null =>
  time.length >= 10 && time.length <= 35 && /^\d[\d:.,TZ+ -]*$/.test(time) ? instantOf(time) : null

/** Returns the request of a line. A format of one's own may have the host in quotes before it. */
function askedAt(line: string, first: Quoted, isEscaped: boolean) {
  const { end } = first
  const request = requestLine(first.text)
  if (request) return { request, end, host: undefined }
  const second = isHost.test(first.text) ? quoted(line, end + 3, isEscaped) : null
  const behind = second?.text.includes(' HTTP/') ? requestLine(second.text) : null
  return second && behind
    ? { request: behind, end: second.end, host: first.text.replace(/:\d{1,5}$/, '') }
    : null
}

const isHost = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?::\d{1,5})?$/
const isProduct = /^[\w.-]+\/\d/
const isPage = /^https?:\/\//

/** Returns the referrer and the user agent. A format of one's own may have them the other way round. */
function named(referer = '', ua = '') {
  const isTurned = isProduct.test(referer) && (ua === '' || isPage.test(ua))
  return isTurned ? { ua: referer, referer: ua || undefined } : { ua, referer: referer || undefined }
}

/** The columns before the request of a line that begins with its time: a client, perhaps with names. */
const firstColumns = /^\[[^\]]{20,40}\] ([^"[\]]{1,600}) "/

/** Returns a line that begins with its time as if the time were behind the client, as usual. Null for any other line. */
function timeBehind(line: string): string | null {
  const columns = clfInstant(line, 1) === null ? null : (firstColumns.exec(line)?.[1]?.trim() ?? null)
  if (columns === null || !columns.split(' ').some((word) => parseAddress(word))) return null
  const time = line.slice(0, line.indexOf(']') + 1)
  const request = line.indexOf('"', time.length)
  return `${columns.includes(' ') ? columns : `${columns} - -`} ${time} ${line.slice(request)}`
}

/** A number between quotes: the status or the size, in formats that quote every field. */
const quotedNumber = /^ "(\d{1,15}|-)"/

/** Returns the status after a request, and where the next quoted text begins. Quoted numbers are skipped. -1 if there is none. */
function answerAt(line: string, end: number): { readonly status: number | undefined; readonly next: number } {
  const written = line.charCodeAt(end + 2) === 34 ? quotedNumber.exec(line.slice(end + 1, end + 24)) : null
  if (written === null) {
    const space = line.indexOf(' "', end)
    return { status: statusOf(line.slice(end + 2, end + 5)), next: space === -1 ? -1 : space + 2 }
  }
  const after = end + 1 + written[0].length
  // The size is quoted as the status is. It may be a `-`, as the referrer behind it.
  const size = quotedNumber.exec(line.slice(after, after + 24))
  const space = line.indexOf(' "', after + (size?.[0].length ?? 0))
  return { status: statusOf(written[1]), next: space === -1 ? -1 : space + 2 }
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
