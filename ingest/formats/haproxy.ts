import { unescapeHash } from './escapes'
import { badTime, noRequest, type Reading, requestLine, statusOf } from './reading'
import { clfInstant } from './time'

const line =
  /^(\S+) \[([^\]]+)\] \S+ \S+ \S+ (-?\d+) \S+ \S+ \S+ \S+ \S+ \S+ (?:\{(.*?)\} (?:\{.*?\} )?)?"(.*)"$/

/**
 * Reads HAProxy's `option httplog`, whose first captured headers are User-Agent, Referer and Host, in this order.
 * Its times bear no zone: they are taken for UTC. Null where the line is none.
 */
export function readHaproxy(text: string): Reading | null {
  const match = line.exec(text)
  if (!match) return null
  const [, client = '', time = '', status, captures = '', request = ''] = match
  const ts = clfInstant(time, 0)
  if (ts === null) return badTime
  const found = requestLine(unescapeHash(request))
  if (!found) return noRequest
  const { ua, referer, host } = captured(captures)
  return {
    ts,
    ip: client.slice(0, client.lastIndexOf(':')) || null,
    method: found.method,
    target: found.target,
    host: host || undefined,
    ua,
    referer: referer || undefined,
    status: statusOf(status),
  }
}

/** Bars and braces inside a header are escaped; some versions did not, and what is too many is the user agent's. */
function captured(text: string): { ua: string; referer: string; host: string } {
  const parts = text.split('|').map(unescapeHash)
  if (parts.length < 3) return { ua: parts[0] ?? '', referer: parts[1] ?? '', host: '' }
  return { ua: parts.slice(0, -2).join('|'), referer: parts.at(-2) ?? '', host: parts.at(-1) ?? '' }
}
