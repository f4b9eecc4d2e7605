import { enclosedOf } from '../formats/envelopes/otlp'
import { BadMessage, type FieldBudget, fieldsWithin, textIn } from './protobuf'

const levelsMax = 16
/** A record with a thousand attributes has about 5,000 fields. */
const recordFieldsMax = 20_000

/**
 * Yields the log records of an OTLP request, each as one line of JSON with its time. Yields null for every other
 * field, so that the reader can take turns.
 */
export function* otlpLines(bytes: Uint8Array, outer: FieldBudget): Generator<string | null> {
  for (const { no, bytes: resource } of fieldsWithin(bytes, outer)) {
    if (no === 1) yield* resourceLines(resource, outer)
    else yield null
  }
}

function* resourceLines(resource: Uint8Array, outer: FieldBudget): Generator<string | null> {
  for (const { no, bytes: scope } of fieldsWithin(resource, outer)) {
    if (no !== 2) yield null
    else
      for (const { no, bytes: record } of fieldsWithin(scope, outer))
        yield no === 2 ? recordLine(record) : null
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
  let time = 0n
  let observed = 0n
  let body: unknown
  const attributes: Record<string, unknown> = {}
  const budget = { left: recordFieldsMax }
  for (const { no, number, bytes } of fieldsWithin(record, budget)) {
    if (no === 1) time = number
    else if (no === 11) observed = number
    else if (no === 5) body = valueIn(bytes, 0, budget)
    else if (no === 6) addPair(attributes, bytes, 0, budget)
  }
  const at = time || observed
  const enclosed = enclosedOf(at === 0n ? undefined : String(at), body, attributes)
  return enclosed && { time: enclosed.time, event: enclosed.content, id: enclosed.id }
}

function addPair(into: Record<string, unknown>, pair: Uint8Array, level: number, budget: FieldBudget) {
  let key = ''
  let value: unknown
  for (const { no, bytes } of fieldsWithin(pair, budget)) {
    if (no === 1) key = textIn(bytes)
    else if (no === 2) value = valueIn(bytes, level, budget)
  }
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Returns the plain value of an `AnyValue`. */
function valueIn(bytes: Uint8Array, level: number, budget: FieldBudget): unknown {
  if (level > levelsMax) throw new BadMessage('a value is nested too deeply')
  let value: unknown
  for (const { no, number, bytes: inner } of fieldsWithin(bytes, budget)) {
    if (no === 1) value = textIn(inner)
    else if (no === 2) value = number !== 0n
    else if (no === 3) value = Number(BigInt.asIntN(64, number))
    else if (no === 4) value = doubleOf(number)
    else if (no === 5) {
      const list: unknown[] = []
      for (const one of fieldsWithin(inner, budget)) list.push(valueIn(one.bytes, level + 1, budget))
      value = list
    } else if (no === 6) {
      const record: Record<string, unknown> = {}
      for (const one of fieldsWithin(inner, budget)) addPair(record, one.bytes, level + 1, budget)
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
