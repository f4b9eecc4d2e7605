import { type ArraySpan, type DocumentProgress, elements } from '../elements'
import { type Readings, unfinished } from '../readings'
import { scanFrom, scanSlice, scanValue } from '../text/json-spans'
import { badJson, type ParsedHit } from '../text/reading'
import { arraysAt } from './arrays'
import type { Envelope } from './enclosed'

/**
 * Yields the results of an envelope in a text, one element at a time. An element that is not JSON, or is too
 * large, does not stop the others. Returns false, without a result, if the text is no such envelope or is incomplete.
 */
export function* envelopeIn(
  text: string,
  start: number,
  { path }: Envelope,
  progress: DocumentProgress,
  read: (element: unknown) => Readings,
): Generator<ParsedHit, boolean> {
  const scan = scanFrom(text, start)
  while (!scanValue(scan, scanSlice)) {
    if (scan.at >= text.length) return false
    yield unfinished
  }
  const walk = arraysAt(text, start, path)
  let isEnvelope = false
  for (;;) {
    const { done, value } = walk.next()
    if (done) {
      if (isEnvelope && value === null) yield badJson
      break
    }
    if (isSpan(value)) {
      isEnvelope = true
      yield* elements(text, value, progress, read)
    } else yield value
  }
  if (isEnvelope) progress.at = scan.at
  return isEnvelope
}

const isSpan = (value: ArraySpan | ParsedHit): value is ArraySpan => 'from' in value
