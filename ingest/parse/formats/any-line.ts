import { JsonExcess, parseJson } from 'renown/contracts'
import { akamai } from './senders/akamai'
import { caddy } from './senders/caddy'
import { cloudflare } from './senders/cloudflare'
import { readCombined } from './senders/combined'
import { dataOf, type FirehoseDelivery, firehoseEntries, isFirehose } from './senders/firehose'
import { generic } from './senders/generic'
import { readHaproxy } from './senders/haproxy'
import { knownAgents } from './senders/known-agents'
import { netlify } from './senders/netlify'
import { serverJson } from './senders/server-json'
import { syslogMessage } from './senders/syslog'
import { traefik } from './senders/traefik'
import { vercel } from './senders/vercel'
import { cloudfrontJson, fieldsOf, readW3c } from './senders/w3c'
import { wrappedIn } from './senders/wrapped'
import { repairEscapes } from './text/escapes'
import { objectEnd, recordCharactersMax, skipSpace } from './text/json-spans'
import { linesOf } from './text/lines'
import {
  badJson,
  isRecord,
  type JsonRecord,
  type ParsedHit,
  type RecordFormat,
  type Refusal,
  tooLargeRecord,
} from './text/reading'

/** State that the lines of a body share. */
export interface BodyState {
  readonly now: number
  /** The fields of the last `#Fields` line, in order. */
  fields: string[] | null
  /** Longest line of an access log. A JSON line can be a whole batch. */
  readonly lineMax: number
}

/**
 * The result of a line, or a generator if a line or record can have several. Those are read one at a time, on
 * demand.
 */
export type Readings = ParsedHit | Generator<ParsedHit>

// Recognized by their keys, most specific first. The last format would misread most of the others.
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
export const unknownRecord: Refusal = {
  rejected: 'The record has an unknown form: it needs at least ua and path',
}
const tooComplex: Refusal = { rejected: 'The record is nested too deeply or has too many values' }
const comment: Refusal = { ignored: 'A comment' }
const tooLong: Refusal = { rejected: 'The line is too long' }
const depthMax = 3

/** Reads a line of any kind. */
export function readLine(line: string, state: BodyState, depth: number): Readings {
  const first = line.charCodeAt(0)
  if (first === 123) return readJsonLine(line, state, depth)
  // Before any format, because each would take the spaces for a part of its first column.
  if (!(first > 32 && first < 127)) {
    const begun = line.trimStart()
    if (begun !== line) return mayBeColumn(line, state) ? unknownLine : readLine(begun, state, depth)
  }
  if (line.length > state.lineMax) return tooLong
  if (first === 35) {
    state.fields = fieldsOf(line) ?? state.fields
    return comment
  }
  const message = mayBeSyslog(first) ? syslogMessage(line) : null
  if (message !== null && depth < depthMax) return readLine(message, state, depth + 1)
  return readCombined(line) ?? readHaproxy(line) ?? readW3c(line, state.fields, state.now) ?? unknownLine
}

/** Whether a tab at the beginning may be an empty first column. Then it is unknown which column a value belongs to. */
function mayBeColumn(line: string, { fields, now, lineMax }: BodyState): boolean {
  if (fields === null || line.length > lineMax) return false
  return /^[^\S\t]*\t\s*[^\s{#]/.test(line) && readW3c(line, fields, now) !== null
}

/** Whether a line can start with `<`, the capital of a month, or the year of an ISO time. */
function mayBeSyslog(first: number): boolean {
  return first === 60 || (first >= 65 && first <= 90) || first === 50
}

function readJsonLine(line: string, state: BodyState, depth: number): Readings {
  const read = (value: unknown) => readValue(value, state, depth)
  const whole = line.length > recordCharactersMax ? tooLargeRecord : readJson(line, read)
  if (whole !== badJson && whole !== tooComplex && whole !== tooLargeRecord) return whole
  if (whole === badJson && line.length <= repairedMax) {
    const repaired = repairEscapes(line)
    const again = repaired === line ? badJson : readJson(repaired, read, isCounted(line))
    if (again !== badJson) return again
  }
  const end = objectEnd(line, 0)
  const isOne = end === -1 || skipSpace(line, end) >= line.length
  return isOne || depth >= depthMax ? whole : pieces(line, state, depth)
}

/** Reads objects that follow each other without a line break. An incomplete end is a separate piece. */
function* pieces(line: string, state: BodyState, depth: number): Generator<ParsedHit> {
  let at = 0
  while (skipSpace(line, at) < line.length) {
    const end = objectEnd(line, at)
    if (end === -1 && line.length - at > recordCharactersMax) {
      yield tooLargeRecord
      return
    }
    const piece = line.slice(at, end === -1 ? line.length : end)
    yield* outcomes(readJson(piece, (value) => readValue(value, state, depth + 1)))
    if (end === -1) return
    at = end
  }
}

/** Maximum length of a line whose escapes are repaired. */
const repairedMax = 2 ** 16
/** The number of values is not checked in shorter texts. */
const uncountedMax = 2 ** 13

/** Whether the levels and values of a record of this text are limited. */
const isCounted = (text: string) => text.length > uncountedMax

/** Parses the JSON of one record and reads its value, or returns why it is invalid. */
export function readJson(
  text: string,
  read: (value: unknown) => Readings,
  isLimited = isCounted(text),
): Readings {
  let value: unknown
  try {
    value = isLimited ? parseJson(text) : JSON.parse(text)
  } catch (error) {
    return error instanceof JsonExcess ? tooComplex : badJson
  }
  return read(value)
}

/** Reads a record of any kind. */
export function readValue(value: unknown, state: BodyState, depth: number): Readings {
  if (typeof value === 'string') return readText(value, state, depth)
  if (!isRecord(value)) return unknownRecord
  const format = recordFormats.find((one) => one.knows(value))
  if (format) return format.read(value, state.now)
  return depth < depthMax ? readEnvelope(value, state, depth) : unknownRecord
}

function readEnvelope(record: JsonRecord, state: BodyState, depth: number): Readings {
  if (isFirehose(record)) return readEntries(record, state)
  const inner = wrappedIn(record)
  if (inner === null) return unknownRecord
  return typeof inner === 'string' ? readText(inner, state, depth) : readValue(inner, state, depth + 1)
}

function* readEntries(record: FirehoseDelivery, state: BodyState): Generator<ParsedHit> {
  const entries = firehoseEntries(record)
  for (const entry of entries) yield* outcomes(readData(entry, state))
  if (entries.length === 0) yield blank
}

/** Reads the lines in an entry of a Firehose delivery. */
export function readData(entry: unknown, state: BodyState): Readings {
  const data = dataOf(entry)
  return data === null ? unknownRecord : readText(data, state, 0)
}

function readText(text: string, state: BodyState, depth: number): Readings {
  return depth >= depthMax ? unknownLine : linesIn(text, state, depth)
}

function* linesIn(text: string, state: BodyState, depth: number): Generator<ParsedHit> {
  let isBlank = true
  for (const line of linesOf(text)) {
    isBlank = false
    yield* outcomes(readLine(line, state, depth + 1))
  }
  if (isBlank) yield blank
}

const blank: Refusal = { ignored: 'Blank' }

/** Whether there may be several. */
export function isMany(readings: Readings): readings is Generator<ParsedHit> {
  return Symbol.iterator in readings
}

/** Yields the results of a line or record. */
export function* outcomes(readings: Readings): Generator<ParsedHit> {
  if (isMany(readings)) yield* readings
  else yield readings
}
