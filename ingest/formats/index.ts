import type { Hit } from 'renown/contracts'
import { akamai } from './akamai'
import { caddy } from './caddy'
import { cloudflare } from './cloudflare'
import { readCombined } from './combined'
import { parseJson, parseRepaired } from './escapes'
import { firehoseTexts, isFirehose, looksLikeFirehose } from './firehose'
import { generic } from './generic'
import { readHaproxy } from './haproxy'
import { knownAgents } from './known-agents'
import { concatenated, linesOf } from './lines'
import { netlify } from './netlify'
import { isRecord, type JsonRecord, type Reading, type RecordFormat, type Refusal } from './reading'
import { serverJson } from './server-json'
import { syslogMessage } from './syslog'
import { traefik } from './traefik'
import { vercel } from './vercel'
import { cloudfrontJson, fieldsOf, readW3c } from './w3c'
import { wrappedIn } from './wrapped'

/** What became of a line, or of a record where one line or body holds several. */
export type ParsedLine =
  | { readonly line: number; readonly hit: Hit }
  | { readonly line: number; readonly rejected: string }
  | { readonly line: number; readonly ignored: string }

/**
 * Reads a body of any sender, told by its content alone: JSON (object, array, lines, objects back to back), access
 * logs, syslog lines and forwarders' wrappings around any of these. Streams, never throws, and every line that is
 * not blank has an outcome. `now`, milliseconds since the epoch, dates records without a time. `line` counts from 1:
 * lines of text, elements of an array.
 */
export function* parseBody(text: string, now: number): Generator<ParsedLine> {
  const state: State = { now, fields: null }
  try {
    const whole = wholeDocument(text)
    if (isRecord(whole) && isFirehose(whole)) return yield* firehoseOutcomes(whole, state)
    const entries = Array.isArray(whole) ? whole : isRecord(whole) ? [whole] : null
    for (const [at, entry] of (entries ?? []).entries()) yield* outcomes(at + 1, readValue(entry, state, 0))
    for (const { line, text: one } of entries ? [] : linesOf(text)) {
      const readings = readLine(one, state, 0)
      // A second generator for each line would cost as much as reading it.
      if (isMany(readings)) yield* outcomes(line, readings)
      else yield outcome(line, readings)
    }
  } finally {
    forgetLastMatch()
  }
}

/** One by one: a delivery may hold a quarter of a million lines, and others want their turn in between. */
function* firehoseOutcomes(record: JsonRecord, state: State): Generator<ParsedLine> {
  let at = 0
  for (const text of firehoseTexts(record)) {
    at++
    if (text === null) yield outcome(at, unknownRecord)
    else for (const { text: one } of linesOf(text)) yield* outcomes(at, readLine(one, state, 1))
  }
}

/** `RegExp.input` keeps the text of the last match alive: a slice of the body, and with it the body's addresses. */
function forgetLastMatch(): void {
  ;/^/.test('')
}

interface State {
  readonly now: number
  /** The order of fields that the last `#Fields` line gave. */
  fields: string[] | null
}

/** One reading, or several where a line or record carries several. */
type Readings = Reading | readonly Reading[]

// Told by keys, the narrowest first: the last would read most of the others by half.
const recordFormats: readonly RecordFormat[] = [
  generic,
  caddy,
  cloudflare,
  vercel,
  knownAgents,
  traefik,
  akamai,
  cloudfrontJson,
  netlify,
  serverJson,
]

const unknownLine: Refusal = { rejected: 'No known log format' }
const unknownRecord: Refusal = { rejected: 'No known record: it needs at least ua and path' }
const badJson: Refusal = { rejected: 'Not JSON' }
const comment: Refusal = { ignored: 'A comment' }
const blank: Refusal = { ignored: 'Blank' }
const tooLong: Refusal = { rejected: 'The line is too long' }
const depthMax = 3
/** Log lines are bounded by their servers; a JSON line may hold a whole batch. */
const lineMax = 64 * 1024

/** An array, or an object spread over lines; anything else is read line by line. */
function wholeDocument(text: string): unknown {
  const start = text.search(/[^\s\ufeff]/)
  if (start < 0) return undefined
  const first = text.charCodeAt(start)
  if (first === 91) return parseJson(text.slice(start))
  if (first !== 123) return undefined
  const newline = text.indexOf('\n', start)
  const isSpread = newline >= 0 && !text.slice(start, newline).trimEnd().endsWith('}')
  return isSpread || looksLikeFirehose(text, start) ? parseJson(text.slice(start)) : undefined
}

function readLine(line: string, state: State, depth: number): Readings {
  const first = line.charCodeAt(0)
  if (first === 123) return readJsonLine(line, state, depth)
  if (line.length > lineMax) return tooLong
  if (first === 35) {
    state.fields = fieldsOf(line) ?? state.fields
    return comment
  }
  const message = mayBeSyslog(first) ? syslogMessage(line) : null
  if (message !== null && depth < depthMax) return readLine(message, state, depth + 1)
  const direct = readCombined(line) ?? readHaproxy(line) ?? readW3c(line, state.fields, state.now)
  if (direct) return direct
  const trimmed = line.replace(/^[\s\ufeff]+/, '')
  return trimmed !== line && depth < depthMax ? readLine(trimmed, state, depth + 1) : unknownLine
}

/** `<`, a month's capital, or the year of an ISO time. */
function mayBeSyslog(first: number): boolean {
  return first === 60 || (first >= 65 && first <= 90) || first === 50
}

function readJsonLine(line: string, state: State, depth: number): Readings {
  const value = parseJson(line) ?? parseRepaired(line)
  if (value !== undefined) return readValue(value, state, depth)
  const pieces = concatenated(line)
  if (pieces.length < 2 || depth >= depthMax) return badJson
  return pieces.flatMap((piece) => {
    const one = parseJson(piece)
    return one === undefined ? [badJson] : readValue(one, state, depth + 1)
  })
}

function readValue(value: unknown, state: State, depth: number): Readings {
  if (typeof value === 'string') return readText(value, state, depth)
  if (!isRecord(value)) return unknownRecord
  const format = recordFormats.find((one) => one.knows(value))
  if (format) return format.read(value, state.now)
  return depth < depthMax ? readEnvelope(value, state, depth) : unknownRecord
}

function readEnvelope(record: JsonRecord, state: State, depth: number): Readings {
  if (isFirehose(record))
    return [...firehoseTexts(record)].flatMap((text) =>
      text === null ? [unknownRecord] : readText(text, state, depth),
    )
  const inner = wrappedIn(record)
  if (inner === null) return unknownRecord
  return typeof inner === 'string' ? readText(inner, state, depth) : readValue(inner, state, depth + 1)
}

function readText(text: string, state: State, depth: number): Readings {
  if (depth >= depthMax) return unknownLine
  return [...linesOf(text)].flatMap(({ text: one }) => readLine(one, state, depth + 1))
}

function* outcomes(line: number, readings: Readings): Generator<ParsedLine> {
  if (!isMany(readings)) yield outcome(line, readings)
  else if (readings.length === 0) yield outcome(line, blank)
  else for (const reading of readings) yield outcome(line, reading)
}

function isMany(readings: Readings): readings is readonly Reading[] {
  return Array.isArray(readings)
}

function outcome(line: number, reading: Reading): ParsedLine {
  if ('target' in reading) return { line, hit: reading }
  return 'rejected' in reading ? { line, rejected: reading.rejected } : { line, ignored: reading.ignored }
}
