import { parseAddress } from '../../address'

/**
 * Returns the message of a syslog line (RFC 5424, RFC 3164, or RFC 3164 with an ISO time), or null for any
 * other line.
 */
export function syslogMessage(line: string): string | null {
  const framed = /^<\d{1,3}>/.exec(line)?.[0].length ?? 0
  const start = framed > 0 ? structuredStart(line, framed) : -1
  const from = start !== -1 ? start : traditionalStart(line, framed)
  if (from === -1) return null
  const message = line.slice(from)
  return (message.startsWith('\ufeff') ? message.slice(1) : message).trim() || null
}

/**
 * Returns where the message of RFC 5424 begins, or -1. Before it are version, time, host, app, process, id
 * and structured data.
 */
function structuredStart(line: string, from: number): number {
  if (!line.startsWith('1 ', from)) return -1
  let at = from + 2
  for (let field = 0; field < 5; field++) {
    const end = wordEnd(line, at)
    if (end <= at) return -1
    at = end + 1
  }
  const end = line.charCodeAt(at) === 45 ? at + 1 : dataEnd(line, at)
  return end > at && line.charCodeAt(end) === 32 && end + 1 < line.length ? end + 1 : -1
}

/**
 * Returns where elements of structured data that begin at `at` end, or -1. Their values may contain brackets,
 * and quotes after a backslash.
 */
function dataEnd(line: string, from: number): number {
  let at = from
  while (line.charCodeAt(at) === 91) {
    let inQuotes = false
    for (at++; at < line.length; at++) {
      const code = line.charCodeAt(at)
      if (code === 92) at++
      else if (code === 34) inQuotes = !inQuotes
      else if (code === 93 && !inQuotes) break
    }
    if (at >= line.length) return -1
    at++
  }
  return at === from ? -1 : at
}

const bsdTime = /[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d /y
const isoDay = /\d{4}-\d\d-\d\d[T ]/y

/** Returns the end of what a sticky pattern matches at an index, or -1. */
function endOf(pattern: RegExp, line: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(line) ? pattern.lastIndex : -1
}

/**
 * Returns where the message of RFC 3164 begins, or -1. Before it are the time, possibly a host, and a tag
 * that ends in a colon. Some programs write no colon: then the message is a JSON object or a line of HAProxy,
 * or after a priority the whole line, in which the formats find their own columns.
 */
function traditionalStart(line: string, from: number): number {
  const day = endOf(isoDay, line, from)
  const at = day === -1 ? endOf(bsdTime, line, from) : wordEnd(line, day) + 1
  if (at <= 0) return -1
  const end = wordEnd(line, at)
  const hasHost = end > at && line.charCodeAt(end - 1) !== 58
  const afterHost = hasHost ? afterTag(line, end + 1) : -1
  const tagged = afterHost !== -1 ? afterHost : afterTag(line, at)
  const found = tagged !== -1 ? tagged : messageAfter(line, at)
  return found === -1 && from > 0 ? from : found
}

/** Words of a syslog line before its message: host and program. */
const wordsMax = 2

/** Returns where an object, or HAProxy's `client:port [time]`, begins behind words without a colon, or -1. */
function messageAfter(line: string, from: number): number {
  let at = from
  for (let word = 0; word <= wordsMax; word++) {
    if (line.charCodeAt(at) === 123) return at
    const end = wordEnd(line, at)
    if (end === -1) return -1
    if (line.charCodeAt(end + 1) === 91 && parseAddress(line.slice(at, Math.min(end, at + placeMax))))
      return at
    at = end + 1
  }
  return -1
}

/** Returns the index of the space that ends the word at `from`, or -1. */
function wordEnd(line: string, from: number): number {
  const end = line.indexOf(' ', from)
  return end <= from || /\s/.test(line.slice(from, end)) ? -1 : end
}

/**
 * Returns where the message after the tag at `from` begins, or -1. A tag ends in a colon, and a space may
 * follow it. An address, a host with a port and the beginning of JSON are no tags, although they have a colon.
 */
function afterTag(line: string, from: number): number {
  const colon = line.indexOf(':', from)
  if (colon <= from || /\s/.test(line.slice(from, colon)) || !isTag(line, from, colon)) return -1
  const hasSpace = line.charCodeAt(colon + 1) === 32 && colon + 2 < line.length
  const start = hasSpace ? colon + 2 : colon + 1
  return start < line.length ? start : -1
}

/** Longest word that can be an address or a host with a port. */
const placeMax = 262

function isTag(line: string, from: number, colon: number): boolean {
  const first = line.charCodeAt(from)
  if (first === 123 || first === 34 || first === 91) return false
  if (line.charCodeAt(colon + 1) === 32) return true
  const word = line.slice(from, from + placeMax).split(' ', 1)[0] ?? ''
  return !/^[^:\]]*:\d{1,5}$/.test(word) && parseAddress(word) === null
}
