import { fieldPathParts, type LogMapping, type MappedTime } from 'renown/contracts'
import { parseAddress } from '../address'
import {
  badTime,
  isRecord,
  type JsonRecord,
  noRequest,
  noTarget,
  type ParsedHit,
  requestLine,
  statusOf,
  textOf,
} from './text/reading'
import { instantOf } from './text/time'

/** Reads a record, or returns null if other formats must read it. */
export type RecordReader = (record: JsonRecord, now: number) => ParsedHit | null

const readers = new WeakMap<LogMapping, RecordReader>()

/** Returns the reader of a mapping. */
export function mappedReader(mapping: LogMapping): RecordReader {
  const known = readers.get(mapping)
  if (known) return known
  const reader = readerOf(mapping)
  readers.set(mapping, reader)
  return reader
}

/** A record without the fields of the path and of the user agent is not of this log. It may be an envelope. */
function readerOf(mapping: LogMapping): RecordReader {
  const target = fieldReader(mapping.path)
  const ua = fieldReader(mapping.user_agent)
  const time = fieldReader(mapping.time)
  const format = mapping.time_format ?? 'auto'
  const [ip, method, host] = [mapping.address, mapping.method, mapping.host].map(fieldReader) as FieldReaders
  const [status, referer, id] = [mapping.status, mapping.referrer, mapping.id].map(
    fieldReader,
  ) as FieldReaders
  return (record, now) => {
    const asked = textOf(target(record))
    const agent = textOf(ua(record))
    if (asked === undefined && agent === undefined) return null
    const written = time(record)
    const undated = written === undefined || written === null || written === ''
    const ts = undated ? now : timeOf(written, format)
    if (ts === null) return badTime
    // A path is stored, and a hash of a short id can be guessed. A mapping by mistake must not make addresses of them.
    if (asked === undefined || parseAddress(asked)) return noTarget
    const request = requestOf(asked, textOf(method(record)))
    if (!request) return noRequest
    const hit = {
      ts,
      ip: textOf(ip(record)) ?? null,
      ...request,
      host: textOf(host(record)),
      ua: agent ?? '',
      referer: textOf(referer(record)),
      status: statusOf(status(record)),
      id: withoutAddress(textOf(id(record))),
    }
    return undated ? { ...hit, undated } : hit
  }
}

const withoutAddress = (text: string | undefined) => (text && parseAddress(text) ? undefined : text)

/** Returns the request of a path or URL, or of a request line (`GET /a HTTP/1.1`). */
function requestOf(asked: string, method: string | undefined) {
  if (asked.startsWith('/') || !asked.includes(' '))
    return { method: (method ?? 'GET').toUpperCase(), target: asked }
  return /^[A-Z]{3,10} /.test(asked) ? requestLine(asked) : null
}

type FieldReader = (record: JsonRecord) => unknown
type FieldReaders = [FieldReader, FieldReader, FieldReader]

/** Returns a reader of the field at a path. A field whose whole name is the path goes first. */
export function fieldReader(path: string | undefined): FieldReader {
  if (path === undefined) return () => undefined
  const parts = fieldPathParts(path)
  return (record) => {
    if (Object.hasOwn(record, path)) return record[path]
    let value: unknown = record
    for (const part of parts) value = memberOf(value, part)
    return value
  }
}

/** The elements of a list that are looked at for a name. */
const elementsMax = 200

/**
 * Returns a member of an object, an element of a list by its number, or the value of an element by its name, as in
 * `[{"name":"User-Agent","value":"…"}]`.
 */
function memberOf(value: unknown, part: string): unknown {
  if (isRecord(value)) return Object.hasOwn(value, part) ? value[part] : undefined
  if (!Array.isArray(value)) return undefined
  if (/^\d{1,4}$/.test(part)) return value[Number(part)]
  const name = part.toLowerCase()
  const element = value.slice(0, elementsMax).find((one) => nameOf(one)?.toLowerCase() === name)
  return isRecord(element) ? element.value : undefined
}

/** Returns the name of an element of a list of names and values. */
export function nameOf(element: unknown): string | undefined {
  if (!isRecord(element) || !Object.hasOwn(element, 'value')) return undefined
  const name = element.name ?? element.key
  return typeof name === 'string' ? name : undefined
}

const perSecond: Readonly<Partial<Record<MappedTime, number>>> = {
  seconds: 1,
  milliseconds: 1e3,
  microseconds: 1e6,
  nanoseconds: 1e9,
}
const instantMax = 8.64e15

/** Returns milliseconds since the epoch of a time in a format, or null. */
export function timeOf(value: unknown, format: MappedTime): number | null {
  const units = perSecond[format]
  if (units === undefined) {
    const ts = instantOf(value)
    const isIso = typeof value === 'string' && value.trim().charCodeAt(4) === 45
    const isClf = typeof value === 'string' && value.includes('/')
    return format === 'auto' || (format === 'iso' && isIso) || (format === 'clf' && isClf) ? ts : null
  }
  const number =
    typeof value === 'string' && /^\s*\d{1,19}(?:\.\d{1,9})?\s*$/.test(value) ? Number(value) : value
  if (typeof number !== 'number') return null
  const ts = Math.round((number / units) * 1000)
  return ts >= 0 && ts <= instantMax ? ts : null
}
