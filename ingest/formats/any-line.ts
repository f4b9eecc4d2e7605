import { akamai } from './akamai'
import { caddy } from './caddy'
import { cloudflare } from './cloudflare'
import { readCombined } from './combined'
import { parseJson, parseRepaired } from './escapes'
import { firehoseTexts, isFirehose } from './firehose'
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

/** What the lines of a body have in common. */
export interface BodyState {
  readonly now: number
  /** The order of fields that the last `#Fields` line gave. */
  fields: string[] | null
  /** Longest line of an access log; a JSON line may hold a whole batch. */
  readonly lineMax: number
}

/** One reading, or several where a line or record carries several. */
export type Readings = Reading | readonly Reading[]

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
export const unknownRecord: Refusal = { rejected: 'No known record: it needs at least ua and path' }
const badJson: Refusal = { rejected: 'Not JSON' }
const comment: Refusal = { ignored: 'A comment' }
const tooLong: Refusal = { rejected: 'The line is too long' }
const depthMax = 3

/** Reads a line of whatever kind. */
export function readLine(line: string, state: BodyState, depth: number): Readings {
  const first = line.charCodeAt(0)
  if (first === 123) return readJsonLine(line, state, depth)
  if (line.length > state.lineMax) return tooLong
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

function readJsonLine(line: string, state: BodyState, depth: number): Readings {
  const value = parseJson(line) ?? parseRepaired(line)
  if (value !== undefined) return readValue(value, state, depth)
  const pieces = concatenated(line)
  if (pieces.length < 2 || depth >= depthMax) return badJson
  return pieces.flatMap((piece) => {
    const one = parseJson(piece)
    return one === undefined ? [badJson] : readValue(one, state, depth + 1)
  })
}

/** Reads a record of whatever kind. */
export function readValue(value: unknown, state: BodyState, depth: number): Readings {
  if (typeof value === 'string') return readText(value, state, depth)
  if (!isRecord(value)) return unknownRecord
  const format = recordFormats.find((one) => one.knows(value))
  if (format) return format.read(value, state.now)
  return depth < depthMax ? readEnvelope(value, state, depth) : unknownRecord
}

function readEnvelope(record: JsonRecord, state: BodyState, depth: number): Readings {
  if (isFirehose(record))
    return [...firehoseTexts(record)].flatMap((text) =>
      text === null ? [unknownRecord] : readText(text, state, depth),
    )
  const inner = wrappedIn(record)
  if (inner === null) return unknownRecord
  return typeof inner === 'string' ? readText(inner, state, depth) : readValue(inner, state, depth + 1)
}

function readText(text: string, state: BodyState, depth: number): Readings {
  if (depth >= depthMax) return unknownLine
  return [...linesOf(text)].flatMap((one) => readLine(one, state, depth + 1))
}

/** Whether there are several. */
export function isMany(readings: Readings): readings is readonly Reading[] {
  return Array.isArray(readings)
}
