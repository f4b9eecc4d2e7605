import { type FieldBudget, fieldsWithin, textIn } from './protobuf'

/** The fields of an entry and of its time are fewer, with many labels of its own. */
const entryFieldsMax = 1_000

/**
 * Yields the entries of a push request of Loki, each as one line of JSON with its time. Yields null for every
 * other field, so that the reader can take turns.
 */
export function* lokiLines(bytes: Uint8Array, outer: FieldBudget): Generator<string | null> {
  for (const { no, bytes: stream } of fieldsWithin(bytes, outer)) {
    if (no !== 1) yield null
    else
      for (const { no, bytes: entry } of fieldsWithin(stream, outer)) yield no === 2 ? entryLine(entry) : null
  }
}

function entryLine(entry: Uint8Array): string {
  const budget = { left: entryFieldsMax }
  let time: string | undefined
  let event = ''
  for (const { no, bytes } of fieldsWithin(entry, budget)) {
    if (no === 1) time = timeIn(bytes, budget)
    else if (no === 2) event = textIn(bytes)
  }
  return JSON.stringify({ time, event })
}

function timeIn(bytes: Uint8Array, budget: FieldBudget): string {
  let seconds = 0n
  let nanos = 0n
  for (const { no, number } of fieldsWithin(bytes, budget)) {
    if (no === 1) seconds = number
    else if (no === 2) nanos = number
  }
  return `${seconds}.${String(nanos).padStart(9, '0').slice(0, 9)}`
}
