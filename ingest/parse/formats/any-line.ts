import type { BodyState } from './body-state'
import { elementsOf } from './envelopes/arrays'
import { completed, type Enclosed, type Envelope } from './envelopes/enclosed'
import { dockerIn, envelopeAt, envelopeOf, eventIn } from './envelopes/index'
import { envelopeIn } from './envelopes/read-envelope'
import { isCounted, outcomes, type Readings, readJson, tooComplex, unfinished } from './readings'
import { akamai } from './senders/akamai'
import { azure, batchOf } from './senders/azure'
import { caddy } from './senders/caddy'
import { readCaddyConsole } from './senders/caddy-console'
import { cloudflare } from './senders/cloudflare'
import { readCombined } from './senders/combined'
import { type ContainerLine, containerLine, partIn, prefixedLine } from './senders/container'
import { envoyJson, readEnvoy } from './senders/envoy'
import { dataOf, type FirehoseDelivery, firehoseEntries, isFirehose } from './senders/firehose'
import { generic } from './senders/generic'
import { googleCloud, pushedText } from './senders/google-cloud'
import { readHaproxy } from './senders/haproxy'
import { knownAgents } from './senders/known-agents'
import { readLoadBalancer } from './senders/load-balancer'
import { netlify } from './senders/netlify'
import { readS3 } from './senders/s3'
import { nestedJson, serverJson } from './senders/server-json'
import { syslogMessage } from './senders/syslog'
import { grok, telemetry } from './senders/telemetry'
import { traefik } from './senders/traefik'
import { vercel } from './senders/vercel'
import { cloudfrontJson, csvFieldsOf, fieldsOf, readW3c } from './senders/w3c'
import { wrappedIn } from './senders/wrapped'
import { repairEscapes } from './text/escapes'
import { objectEnd, recordCharactersMax, skipSpace, walkObject } from './text/json-spans'
import { linesOf } from './text/lines'
import {
  asWritten,
  badJson,
  isRecord,
  type JsonRecord,
  type ParsedHit,
  type RecordFormat,
  type Refusal,
  tooLargeRecord,
} from './text/reading'
import { stripped } from './text/stripped'

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
  googleCloud,
  azure,
  envoyJson,
  netlify,
  telemetry,
  grok,
  serverJson,
  nestedJson,
]

const unknownLine: Refusal = { rejected: 'No known log format' }
export const unknownRecord: Refusal = {
  rejected: 'The record has an unknown form: it needs at least ua and path',
}
const comment: Refusal = { ignored: 'A comment' }
const tooLong: Refusal = { rejected: 'The line is too long' }
const depthMax = 3
/** Maximum length of a line that begins with a control character, a mark or a letter beyond ASCII. */
const oddLineMax = 2 ** 20
/** Space, tab, carriage return and the mark of the byte order. */
const spaces = [32, 9, 13, 0xfeff]

/** Reads a line of any kind. */
export function readLine(line: string, state: BodyState, depth: number): Readings {
  const first = line.charCodeAt(0)
  if (first === 123) return readJsonLine(line, state, depth)
  // Before any format, because each would take the spaces for a part of its first column.
  if (!(first > 32 && first < 127)) {
    // Only a JSON record may be so long, and only spaces may precede it.
    if (line.length > oddLineMax && !spaces.includes(first)) return tooLong
    const clean = stripped(line)
    if (clean !== line) return clean.trim() === '' ? blank : readLine(clean, state, depth)
    const begun = line.trimStart()
    if (begun !== line) return mayBeColumn(line, state) ? unknownLine : readLine(begun, state, depth)
  }
  if (line.length > state.lineMax) return tooLong
  if (first === 35) {
    state.fields = fieldsOf(line) ?? state.fields
    return comment
  }
  const written = first === 50 && depth < depthMax ? containerLine(line) : null
  if (written) return readContainer(written, state, depth)
  const told = readCaddyConsole(line)
  if (told) return told
  // These are recognized by their first column.
  const found = readLoadBalancer(line) ?? readS3(line) ?? readEnvoy(line)
  if (found) return found
  const message = mayBeSyslog(first) ? syslogMessage(line) : null
  if (message !== null && depth < depthMax) return readLine(message, state, depth + 1)
  const access = readAccess(line, state)
  return access ? asWritten(access, line) : (readPrefixed(line, state, depth) ?? unknownLine)
}

const readAccess = (line: string, state: BodyState): ParsedHit | null =>
  readCombined(line) ?? readHaproxy(line) ?? readColumns(line, state)

/** Reads a line whose columns are named by a line before it, or known by their values. */
function readColumns(line: string, state: BodyState): ParsedHit | null {
  const names = csvFieldsOf(line)
  if (!names) return readW3c(line, state.fields, state.now)
  state.fields = names
  return comment
}

/** Reads a line after a time or the name of a container. Such beginnings are not specific, so others come first. */
function readPrefixed(line: string, state: BodyState, depth: number): Readings | null {
  const inner = depth < depthMax ? prefixedLine(line) : null
  return (
    inner && completed(readLine(inner.text, state, depth + 1), { ...inner, content: null, isLogged: true })
  )
}

/** Reads a line of a container. One that the runtime split is read when its last part arrives. */
function readContainer(
  { stream, isPart, text, time }: ContainerLine,
  state: BodyState,
  depth: number,
): Readings {
  const whole = state.parts[stream] + text
  // Longer than the longest record, it is refused as soon as it is complete.
  state.parts[stream] = isPart ? whole.slice(0, recordCharactersMax + 1) : ''
  if (isPart) return partOfLine
  if (whole.trim() === '') return blank
  return completed(readLine(whole, state, depth + 1), { content: null, time, isLogged: true })
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

function readJsonLine(written: string, state: BodyState, depth: number): Readings {
  // Some clients of Graylog end each record with a zero.
  const line = written.charCodeAt(written.length - 1) === 0 ? written.replace(/\0{1,8}$/, '') : written
  const envelope = envelopeAt(line, 0)
  return envelope ? readLongLine(line, envelope, state, depth) : readRecords(line, state, depth)
}

/** Reads a line that begins like an envelope, which may contain more values than a record. */
function* readLongLine(
  line: string,
  envelope: Envelope,
  state: BodyState,
  depth: number,
): Generator<ParsedHit> {
  const read = opened(envelope, state, depth)
  const isRead = yield* envelopeIn(line, 0, envelope, { line: 0, at: 0 }, read)
  if (!isRead) yield* outcomes(readRecords(line, state, depth))
}

/** Reads a line of one JSON record, or of several. */
function readRecords(line: string, state: BodyState, depth: number): Readings {
  const read = (value: unknown) => readValue(value, state, depth)
  const whole = line.length > recordCharactersMax ? tooLargeRecord : readJson(line, read)
  if (whole !== badJson && whole !== tooComplex && whole !== tooLargeRecord) return whole
  if (whole === badJson && line.length <= repairedMax) {
    const repaired = repairEscapes(line)
    const again = repaired === line ? badJson : readJson(repaired, read, isCounted(line))
    if (again !== badJson) return again
  }
  if (depth >= depthMax) return whole
  return line.length > recordCharactersMax
    ? piecesOfLong(line, state, depth, whole)
    : isOneObject(line, objectEnd(line, 0))
      ? whole
      : pieces(line, state, depth)
}

const isOneObject = (line: string, end: number) => end === -1 || skipSpace(line, end) >= line.length

/** Finds the end of the first object of a long line in slices. */
function* piecesOfLong(line: string, state: BodyState, depth: number, whole: Refusal) {
  const walk = walkObject(line, 0)
  for (;;) {
    const { done, value } = walk.next()
    if (done) {
      if (isOneObject(line, value)) yield whole
      else yield* pieces(line, state, depth)
      return
    }
    yield unfinished
  }
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
/** Reads a record of any kind. */
export function readValue(value: unknown, state: BodyState, depth: number): Readings {
  if (typeof value === 'string') return readText(value, state, depth)
  if (!isRecord(value)) return unknownRecord
  // A mapping goes first: its owner knows the log better than a list of formats.
  const mapped = state.mapped?.(value, state.now)
  if (mapped) return asWritten(mapped, value)
  const format = recordFormats.find((one) => one.knows(value))
  if (format) return asWritten(format.read(value, state.now), value)
  return depth < depthMax ? readEnvelope(value, state, depth) : unknownRecord
}

function readEnvelope(record: JsonRecord, state: BodyState, depth: number): Readings {
  if (isFirehose(record)) return readEntries(record, state)
  const envelope = envelopeOf(record)
  if (envelope) return readElements(record, envelope, opened(envelope, state, depth))
  const part = partIn(record, state.parts)
  if (part) return readContainer(part, state, depth)
  const docker = dockerIn(record)
  if (docker) return readEnclosed(docker, state, depth)
  const batch = batchOf(record)
  if (batch) return readBatch(batch, state, depth)
  const pushed = pushedText(record)
  if (pushed !== null) return readText(pushed, state, depth)
  const inner = wrappedIn(record)
  if (inner !== null) return readContent(inner, state, depth)
  const event = eventIn(record)
  return event ? readEnclosed(event, state, depth) : unknownRecord
}

const readContent = (content: unknown, state: BodyState, depth: number): Readings =>
  typeof content === 'string' ? readText(content, state, depth) : readValue(content, state, depth + 1)

function readEnclosed(enclosed: Enclosed, state: BodyState, depth: number): Readings {
  state.isEnveloped ||= !enclosed.isLogged
  return completed(readContent(enclosed.content, state, depth), enclosed)
}

/** Returns a reader of the elements of an envelope. */
export function opened(envelope: Envelope, state: BodyState, depth: number): (element: unknown) => Readings {
  return (element) => {
    const inner = envelope.open(element)
    return 'content' in inner ? readEnclosed(inner, state, depth) : inner
  }
}

function* readElements(
  record: JsonRecord,
  { path }: Envelope,
  read: (element: unknown) => Readings,
): Generator<ParsedHit> {
  let isEmpty = true
  for (const element of elementsOf(record, path)) {
    isEmpty = false
    yield* outcomes(read(element))
  }
  if (isEmpty) yield blank
}

function* readEntries(record: FirehoseDelivery, state: BodyState): Generator<ParsedHit> {
  const entries = firehoseEntries(record)
  for (const entry of entries) yield* outcomes(readData(entry, state))
  if (entries.length === 0) yield blank
}

function* readBatch(records: readonly unknown[], state: BodyState, depth: number): Generator<ParsedHit> {
  for (const one of records) yield* outcomes(readValue(one, state, depth + 1))
  if (records.length === 0) yield blank
}

/** Reads the lines in an entry of a Firehose delivery. */
export function readData(entry: unknown, state: BodyState): Readings {
  const data = dataOf(entry, state.budget)
  return typeof data === 'string' ? readText(data, state, 0) : (data ?? unknownRecord)
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
const partOfLine: Refusal = { ignored: 'A part of a longer line' }
