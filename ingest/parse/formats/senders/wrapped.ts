import { isRecord, type JsonRecord } from '../text/reading'

const keys = ['message', 'MESSAGE', 'log', 'line', 'msg', '_raw', 'raw']

/**
 * Returns what a forwarder (Fluent Bit, Vector, syslog-ng, rsyslog and others) wrapped: a raw line or a
 * record. Otherwise null.
 */
export function wrappedIn(record: JsonRecord): string | JsonRecord | null {
  for (const key of keys) {
    const value = record[key]
    if (typeof value === 'string' && value.trim() !== '') return value
    if (isRecord(value)) return value
  }
  return null
}
