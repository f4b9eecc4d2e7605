import { enclosedOf } from '../formats/envelopes/otlp'
import { BadMessage, fieldsOf, textIn } from './protobuf'

const levelsMax = 16
const valuesMax = 20_000

/** Yields the log records of an OTLP request, each as one line of JSON with its time. */
export function* otlpLines(bytes: Uint8Array): Generator<string> {
  for (const { no, bytes: resource } of fieldsOf(bytes)) {
    if (no !== 1) continue
    for (const { no, bytes: scope } of fieldsOf(resource)) {
      if (no !== 2) continue
      for (const { no, bytes: record } of fieldsOf(scope)) if (no === 2) yield recordLine(record)
    }
  }
}

/** A record that cannot be read is an empty one, which is rejected. It does not stop the others. */
function recordLine(record: Uint8Array): string {
  try {
    return JSON.stringify(readRecord(record) ?? {})
  } catch (error) {
    if (error instanceof BadMessage) return '{}'
    throw error
  }
}

function readRecord(record: Uint8Array): object | null {
  let [time, observed] = [0n, 0n]
  let body: unknown
  const attributes: Record<string, unknown> = {}
  const count = { values: 0 }
  for (const { no, number, bytes } of fieldsOf(record)) {
    if (no === 1) time = number
    else if (no === 11) observed = number
    else if (no === 5) body = valueIn(bytes, 0, count)
    else if (no === 6) addPair(attributes, bytes, 0, count)
  }
  const at = time || observed
  const enclosed = enclosedOf(at === 0n ? undefined : String(at), body, attributes)
  return enclosed && { time: enclosed.time, event: enclosed.content, id: enclosed.id }
}

interface Count {
  values: number
}

function addPair(into: Record<string, unknown>, pair: Uint8Array, level: number, count: Count) {
  let key = ''
  let value: unknown
  for (const { no, bytes } of fieldsOf(pair)) {
    if (no === 1) key = textIn(bytes)
    else if (no === 2) value = valueIn(bytes, level, count)
  }
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Returns the plain value of an `AnyValue`. */
function valueIn(bytes: Uint8Array, level: number, count: Count): unknown {
  if (level > levelsMax) throw new BadMessage('a value is nested too deeply')
  if (++count.values > valuesMax) throw new BadMessage('a record has too many values')
  let value: unknown
  for (const { no, number, bytes: inner } of fieldsOf(bytes)) {
    if (no === 1) value = textIn(inner)
    else if (no === 2) value = number !== 0n
    else if (no === 3) value = Number(BigInt.asIntN(64, number))
    else if (no === 4) value = doubleOf(number)
    else if (no === 5) value = [...fieldsOf(inner)].map((one) => valueIn(one.bytes, level + 1, count))
    else if (no === 6) {
      const record: Record<string, unknown> = {}
      for (const one of fieldsOf(inner)) addPair(record, one.bytes, level + 1, count)
      value = record
    }
  }
  return value
}

function doubleOf(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}
