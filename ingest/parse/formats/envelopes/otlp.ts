import { telemetry } from '../senders/telemetry'
import { isRecord, type JsonRecord } from '../text/reading'
import type { Enclosed, Envelope } from './enclosed'

const noRecord = { rejected: 'The log record has no body' }
const levelsMax = 16

/** Logs of OpenTelemetry as JSON. */
export const otlp: Envelope = {
  path: ['resourceLogs', 'scopeLogs', 'logRecords'],
  open: (record) => (isRecord(record) ? logRecord(record) : noRecord),
}

function logRecord(record: JsonRecord): Enclosed | typeof noRecord {
  const time = timeOf(record.timeUnixNano) ?? timeOf(record.observedTimeUnixNano)
  return enclosedOf(time, plainValue(record.body, 0), attributesOf(record.attributes, 0)) ?? noRecord
}

/** Returns the request in a log record: its attributes, if they describe one, or else its body. */
export function enclosedOf(time: unknown, body: unknown, attributes: JsonRecord): Enclosed | null {
  const id = attributes['log.record.uid']
  const more = { time, ...(typeof id === 'string' && id !== '' ? { id } : {}) }
  if (telemetry.knows(attributes)) return { content: attributes, ...more }
  return typeof body === 'string' || isRecord(body) ? { content: body, ...more } : null
}

/** Returns a time, unless it is the zero that means none. */
const timeOf = (value: unknown) => (value === undefined || Number(value) === 0 ? undefined : value)

/** Returns the plain value of an `AnyValue`. */
function plainValue(value: unknown, level: number): unknown {
  if (!isRecord(value) || level > levelsMax) return undefined
  const { arrayValue, kvlistValue, ...one } = value
  if (isRecord(kvlistValue)) return attributesOf(kvlistValue.values, level + 1)
  if (isRecord(arrayValue) && Array.isArray(arrayValue.values))
    return arrayValue.values.map((each) => plainValue(each, level + 1))
  return one.stringValue ?? one.intValue ?? one.doubleValue ?? one.boolValue
}

function attributesOf(list: unknown, level: number): JsonRecord {
  if (!Array.isArray(list)) return {}
  const pairs = list
    .filter(isRecord)
    .map(({ key, value }) => [String(key), plainValue(value, level)] as const)
  return Object.fromEntries(pairs)
}
