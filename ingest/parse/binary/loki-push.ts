import { fieldsOf, textIn } from './protobuf'

/** Yields the entries of a push request of Loki, each as one line of JSON with its time. */
export function* lokiLines(bytes: Uint8Array): Generator<string> {
  for (const { no, bytes: stream } of fieldsOf(bytes)) {
    if (no !== 1) continue
    for (const { no, bytes: entry } of fieldsOf(stream)) if (no === 2) yield entryLine(entry)
  }
}

function entryLine(entry: Uint8Array): string {
  let time: string | undefined
  let event = ''
  for (const { no, bytes } of fieldsOf(entry)) {
    if (no === 1) time = timeIn(bytes)
    else if (no === 2) event = textIn(bytes)
  }
  return JSON.stringify({ time, event })
}

function timeIn(bytes: Uint8Array): string {
  let [seconds, nanos] = [0n, 0n]
  for (const { no, number } of fieldsOf(bytes)) {
    if (no === 1) seconds = number
    else if (no === 2) nanos = number
  }
  return `${seconds}.${String(nanos).padStart(9, '0').slice(0, 9)}`
}
