import type { Hit } from 'renown/contracts'
import { hasSlash, type Lines } from './text/lines'
import { statusOf } from './text/reading'
import { instantOf, isZoneless } from './text/time'

/**
 * Reads a line of Renown's own format directly from its body, if it has the usual simple form: only known
 * fields, texts without a backslash and whole numbers. If a name occurs twice, the last counts. Returns null
 * for other lines: `JSON.parse` and `generic` read those, and give the same result for simple ones.
 */
export function readPlainRecord(lines: Lines, now: number): Hit | null {
  if (!findFields(lines)) return null
  const { text } = lines
  const target = textAt(text, field.path) ?? textAt(text, field.url)
  if (starts[field.ua] === absent || target === undefined || isSigned()) return null
  const written = starts[field.ts] === absent ? '' : valueAt(text, field.ts)
  const ts = written === '' ? now : instantOf(written)
  // A time without a zone and an address without a public one are marked, and `generic` does that.
  if (ts === null || isZoneless(written)) return null
  const hit: Hit = {
    ts,
    ip: textAt(text, field.ip) ?? null,
    method: isGet(text) ? 'GET' : (textAt(text, field.method) ?? 'GET'),
    target,
    host: textAt(text, field.host),
    ua: lines.ua === '-' ? '' : lines.ua,
    referer: textAt(text, starts[field.referer] === absent ? field.referrer : field.referer),
    status: starts[field.status] === absent ? undefined : statusOf(valueAt(text, field.status)),
    id: textAt(text, field.id),
  }
  return written === '' ? { ...hit, undated: true } : hit
}

const names = [
  'ts',
  'ip',
  'method',
  'path',
  'url',
  'host',
  'status',
  'ua',
  'referer',
  'referrer',
  'id',
  'signature_agent',
  'signature_input',
  'signature',
] as const
const field = Object.fromEntries(names.map((name, at) => [name, at])) as Record<
  (typeof names)[number],
  number
>
const absent = -1
// Positions of the fields of the current line. Lines are read one at a time, so this memory is reused.
const starts = new Int32Array(names.length)
const ends = new Int32Array(names.length)

/** Finds every field of the line. False if the line is not simple. */
function findFields(lines: Lines): boolean {
  const { text, start, end } = lines
  if (text.charCodeAt(start) !== 123 || hasSlash(lines, end)) return false
  starts.fill(absent)
  let last = 0
  for (let at = start + 1; ; ) {
    const found = fieldAt(text, at, last)
    if (found === -1) return false
    last = found + 1
    const value = at + (keys[found] as string).length
    at = valueEnd(lines, text.charCodeAt(value) === 32 ? value + 1 : value, found)
    if (at === -1) return false
    const after = text.charCodeAt(at++)
    if (after === 125) return at === end || (at + 1 === end && text.charCodeAt(at) === 13)
    if (after !== 44) return false
    if (text.charCodeAt(at) === 32) at++
  }
}

const keys = names.map((name) => `"${name}":`)
/**
 * For each field, and for the beginning of a line, the field that followed it in the previous line. Senders
 * use the same order in each line.
 */
const follows = new Int8Array(names.length + 1)

/** Returns the known field that begins at an index, or -1. */
function fieldAt(text: string, at: number, last: number): number {
  const guess = follows[last] as number
  if (text.startsWith(keys[guess] as string, at)) return guess
  const found = keys.findIndex((key) => text.startsWith(key, at))
  if (found !== -1) follows[last] = found
  return found
}

/** Stores the position of a value. Returns the index after it, or -1 if the value is not simple. */
function valueEnd(lines: Lines, at: number, found: number): number {
  const { text } = lines
  const isText = text.charCodeAt(at) === 34
  if (!isText && found !== field.ts && found !== field.status) return -1
  const from = isText ? at + 1 : at
  const end = !isText ? numberEnd(text, from) : found === field.ua ? uaEnd(lines, from) : textEnd(text, from)
  if (end === -1) return end
  starts[found] = from
  ends[found] = end
  return isText ? end + 1 : end
}

function textEnd(text: string, from: number): number {
  let end = from
  for (let code = text.charCodeAt(end); code !== 34; code = text.charCodeAt(++end))
    if (!(code >= 32)) return -1
  return end
}

/** Returns the end of the user agent. Many lines in a row have the same one, which is not examined again. */
function uaEnd(lines: Lines, from: number): number {
  const { text, ua } = lines
  const end = from + ua.length
  if (ua !== '' && text.charCodeAt(end) === 34 && text.startsWith(ua, from)) return end
  const found = textEnd(text, from)
  lines.ua = text.slice(from, Math.max(from, found))
  return found
}

function numberEnd(text: string, from: number): number {
  let end = from
  for (let code = text.charCodeAt(end); code >= 48 && code <= 57; code = text.charCodeAt(++end));
  const length = end - from
  return length === 0 || length > 15 || (length > 1 && text.charCodeAt(from) === 48) ? -1 : end
}

/** Returns the text of a field, or undefined if it is absent or empty. */
function textAt(text: string, wanted: number): string | undefined {
  const start = starts[wanted] as number
  if (start === -1) return undefined
  const end = ends[wanted] as number
  return end === start || (end === start + 1 && text.charCodeAt(start) === 45)
    ? undefined
    : text.slice(start, end)
}

/** Whether the line has a signature. Servers that log the field leave it empty for nearly every request. */
function isSigned(): boolean {
  const start = starts[field.signature] as number
  return start !== absent && ends[field.signature] !== start
}

function isGet(text: string): boolean {
  const start = starts[field.method] as number
  return start !== -1 && ends[field.method] === start + 3 && text.startsWith('GET', start)
}

/** Returns the text or number of a field that exists. */
function valueAt(text: string, wanted: number): string | number {
  const start = starts[wanted] as number
  const end = ends[wanted] as number
  if (text.charCodeAt(start - 1) === 34) return text.slice(start, end)
  let value = 0
  for (let at = start; at < end; at++) value = value * 10 + text.charCodeAt(at) - 48
  return value
}
