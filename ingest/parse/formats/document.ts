import { opened, readData, readValue } from './any-line'
import type { BodyState } from './body-state'
import { type ArraySpan, type DocumentProgress, elements } from './elements'
import { envelopeAt } from './envelopes'
import { envelopeIn } from './envelopes/read-envelope'
import { outcomes, readJson, unfinished } from './readings'
import { looksLikeFirehose } from './senders/firehose'
import { scanFrom, scanSlice, scanValue, skipSpace, valueEnd } from './text/json-spans'
import { badJson, noRequest, type ParsedHit, type Refusal } from './text/reading'

/**
 * Returns the results of a body that is one JSON document: an array, a Firehose delivery, or an object over
 * several lines. Undefined if the body must be read line by line. Elements are parsed one at a time. Of an
 * incomplete document, nothing is read and `progress` does not change.
 */
export function documentIn(
  text: string,
  state: BodyState,
  progress: DocumentProgress,
): Generator<ParsedHit> | undefined {
  const start = skipSpace(text, 0)
  const first = text.charCodeAt(start)
  if (first === 91) return arrayIn(text, start, state, progress)
  if (first !== 123) return undefined
  if (looksLikeFirehose(text, start)) return firehoseIn(text, start, state, progress)
  const envelope = envelopeAt(text, start)
  if (envelope) return envelopeIn(text, start, envelope, progress, opened(envelope, state, 0))
  const end = spreadEnd(text, start)
  return end === -1 ? undefined : spreadIn(text.slice(start, end), text.length, state, progress)
}

function* arrayIn(
  text: string,
  start: number,
  state: BodyState,
  progress: DocumentProgress,
): Generator<ParsedHit> {
  const scan = scanFrom(text, start)
  while (!scanValue(scan, scanSlice)) {
    if (scan.at >= text.length) return
    yield unfinished
  }
  if (skipSpace(text, scan.at) < text.length || !beginsAsJson(text, start + 1)) return
  yield* elements(text, { from: start, end: scan.at }, progress, (element) => readValue(element, state, 0))
  progress.at = text.length
}

/** Whether the first element can be parsed, or there is none. A log line may begin with a bracket too. */
function beginsAsJson(text: string, from: number): boolean {
  const at = skipSpace(text, from)
  if (text.charCodeAt(at) === 93) return true
  const end = valueEnd(text, at)
  return end === -1 || readJson(text.slice(at, end), () => noRequest) !== badJson
}

/** Reads Amazon's delivery, which may contain 250,000 lines. */
function* firehoseIn(
  text: string,
  start: number,
  state: BodyState,
  progress: DocumentProgress,
): Generator<ParsedHit> {
  const delivery = yield* deliveryAt(text, start)
  if (!delivery) return
  yield* elements(text, delivery.records, progress, (entry) => readData(entry, state))
  progress.at = delivery.end
}

/** Resolves with whether a body is one complete Firehose delivery. Other work can run while a large one is scanned. */
export async function isDelivery(text: string, turn: () => Promise<void> = nextTurn): Promise<boolean> {
  const walk = deliveryAt(text, skipSpace(text, 0))
  for (let slices = 1; ; slices++) {
    const { done, value } = walk.next()
    if (done) return value !== null && skipSpace(text, value.end) === text.length
    if (slices % slicesAtOnce === 0) await turn()
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
/** A slice takes about half a millisecond. */
const slicesAtOnce = 8

interface Delivery {
  readonly records: ArraySpan
  /** Index where the delivery ends. */
  readonly end: number
}

/** Finds the parts of a delivery. Null if the text is not a delivery or is incomplete. */
function* deliveryAt(text: string, start: number): Generator<Refusal, Delivery | null> {
  if (text.charCodeAt(start) !== 123) return null
  const scan = scanFrom(text, start + 1)
  let records: ArraySpan | undefined
  let hasId = false
  let yieldedAt = scan.at
  for (;;) {
    // Many small members take as long as a large one.
    if (scan.at - yieldedAt > scanSlice) {
      yieldedAt = scan.at
      yield unfinished
    }
    const name = skipSpace(text, scan.at)
    if (text.charCodeAt(name) === 125) break
    scan.at = name
    if (text.charCodeAt(name) !== 34 || !scanValue(scan, scanSlice)) return null
    const key = text.slice(name, scan.at)
    const colon = skipSpace(text, scan.at)
    if (text.charCodeAt(colon) !== 58) return null
    scan.at = skipSpace(text, colon + 1)
    const from = scan.at
    if (key === '"requestId"' && text.charCodeAt(from) === 34) hasId = true
    while (!scanValue(scan, scanSlice)) {
      if (scan.at >= text.length) return null
      yieldedAt = scan.at
      yield unfinished
    }
    if (key === '"records"' && text.charCodeAt(from) === 91) records = { from, end: scan.at }
    scan.at = skipSpace(text, scan.at)
    if (text.charCodeAt(scan.at) === 44) scan.at++
  }
  return hasId && records ? { records, end: skipSpace(text, scan.at) + 1 } : null
}

/** Reads an object over several lines, unless it is not JSON. */
function* spreadIn(
  object: string,
  bodyEnd: number,
  state: BodyState,
  progress: DocumentProgress,
): Generator<ParsedHit> {
  const readings = readJson(object, (value) => readValue(value, state, 0))
  if (readings === badJson) return
  progress.line++
  progress.at = bodyEnd
  yield* outcomes(readings)
}

/** Returns the end of an object over several lines, or -1 if it is on one line or something follows it. */
function spreadEnd(text: string, start: number): number {
  const newline = text.indexOf('\n', start)
  const end = newline === -1 ? -1 : valueEnd(text, start)
  return end > newline && skipSpace(text, end) === text.length ? end : -1
}
