import { parseAddress } from '../../address'
import { type Facts, factsOf } from '../fields'
import { isRecord, type JsonRecord, type RecordFormat } from '../text/reading'
import { type FlatNames, readFlat } from './flat'

/** All facts have the names that servers and programs usually give them. */
const names: FlatNames = { ts: [], ip: [], target: [], ua: [], isOpen: true }

/** Access logs in JSON, with the field names of nginx, Apache, Envoy and many others. */
export const serverJson: RecordFormat = {
  knows(record) {
    const facts = factsOf(record)
    const isKnown = isRequest(facts, record)
    seen = isKnown ? { record, facts } : null
    return isKnown
  },
  read(record, now) {
    const facts = seen?.record === record ? seen.facts : factsOf(record)
    // It would keep the record, with its address, in memory.
    seen = null
    // Vector's own `host` is the machine that stores the log.
    if ('source_type' in record) return readFacts(record, { ...facts, host: undefined }, now)
    return readFacts(record, withClient(record, facts), now)
  },
}

const readFacts = (record: JsonRecord, facts: Facts, now: number) => readFlat(record, names, now, facts)

/** The record that was recognized last, which is read next. */
let seen: { readonly record: JsonRecord; readonly facts: Facts } | null = null

/** Whether a record has a user agent, if only an empty one, and what was requested. */
function isRequest({ ua, asked, target, request }: Facts, record: JsonRecord): boolean {
  const isAsked = (asked ?? target) !== undefined || request !== undefined || isPlain(record, 'request')
  if (!isAsked) return false
  return ua !== undefined || emptyAgents.some((name) => isPlain(record, name))
}

const isPlain = (record: JsonRecord, name: string) => name in record && !isRecord(record[name])

const emptyAgents = ['http_user_agent', 'user_agent', 'userAgent', 'useragent', 'agent', 'ua']

/**
 * Names the client of a record that Fluent Bit or Fluentd made with their parser for Apache: they call its address
 * `host`, and the status `code`.
 */
function withClient({ host, code, agent }: JsonRecord, facts: Facts): Facts {
  if (facts.ip !== undefined || typeof host !== 'string' || code === undefined || agent === undefined)
    return facts
  return parseAddress(host) ? { ...facts, host: undefined, ip: host } : facts
}

/** Objects in which programs put what they tell of a request, its headers and its answer. */
const parts = new Set(
  'req request http headers res response client connection context httprequest requestcontext identity meta record'.split(
    ' ',
  ),
)
const levelsMax = 3

/** Records of programs that put the request, its headers and the answer into objects, such as pino-http's. */
export const nestedJson: RecordFormat = {
  knows: (record) => hasPart(record) && isRequest(factsOf(flattened(record)), record),
  read: (record, now) => readFlat(flattened(record), names, now),
}

function hasPart(record: JsonRecord): boolean {
  for (const name in record) if (isRecord(record[name]) && parts.has(name.toLowerCase())) return true
  return false
}

/** Returns the fields of a record and of its parts. Those further out go first. */
function flattened(record: JsonRecord, level = 0): JsonRecord {
  let flat: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) {
    if (isRecord(value) && level < levelsMax && parts.has(name.toLowerCase()))
      flat = { ...flattened(value, level + 1), ...flat }
  }
  for (const [name, value] of Object.entries(record)) {
    if (isNameList(name, value)) for (const one of value) flat[String(one.name)] ??= one.value
    else if (!isRecord(value)) flat[name] = value
  }
  return flat
}

const listMax = 200

/** Whether a value is the headers of a request as a list of names and values. */
const isNameList = (name: string, value: unknown): value is readonly JsonRecord[] =>
  parts.has(name.toLowerCase()) &&
  Array.isArray(value) &&
  value.length <= listMax &&
  value.every((one) => isRecord(one) && typeof one.name === 'string' && 'value' in one)
