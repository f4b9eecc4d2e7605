import { isRecord, type JsonRecord } from '../text/reading'

const keys = [
  'message',
  'MESSAGE',
  'log',
  'line',
  'msg',
  '_raw',
  'raw',
  'full_message',
  'short_message',
  'record',
]

// Invalid UTF-8 does not throw, because it is why journald writes bytes.
const utf8 = new TextDecoder()
const bytesMax = 2 ** 20

/** Whether a value is a text as a list of bytes. journald writes a message so that is not plain UTF-8. */
const isBytes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= bytesMax &&
  value.every((one) => Number.isInteger(one) && one >= 0 && one <= 255)

/**
 * Returns what a forwarder (Fluent Bit, Vector, syslog-ng, rsyslog and others) wrapped: a raw line or a
 * record. Otherwise null.
 */
export function wrappedIn(record: JsonRecord): string | JsonRecord | null {
  for (const key of keys) {
    const value = record[key]
    if (typeof value === 'string' && value.trim() !== '') return value
    if (isRecord(value)) return value
    if (isBytes(value)) return utf8.decode(Uint8Array.from(value))
  }
  return null
}
