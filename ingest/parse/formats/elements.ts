import { outcomes, type Readings, readJson, unfinished } from './readings'
import { scanFrom, scanSlice, scanValue, skipSpace, valueEnd } from './text/json-spans'
import { type ParsedHit, tooLargeRecord } from './text/reading'

/** The progress in a document. */
export interface DocumentProgress {
  /** The number of the element, from 1. */
  line: number
  /** The index at which reading continues. */
  at: number
}

/** Where an array begins and ends in a text. */
export interface ArraySpan {
  readonly from: number
  readonly end: number
}

/** Reads the elements of an array that is complete. */
export function* elements(
  text: string,
  { from, end: arrayEnd }: ArraySpan,
  progress: DocumentProgress,
  read: (element: unknown) => Readings,
): Generator<ParsedHit> {
  progress.at = from + 1
  for (;;) {
    const at = skipSpace(text, progress.at)
    const code = text.charCodeAt(at)
    // An array that a brace closes has no bracket at its end.
    if (at >= arrayEnd || code === 93) return
    if (at - progress.at === scanSlice) {
      progress.at = at
      yield unfinished
      continue
    }
    progress.line++
    const end = valueEnd(text, at)
    if (end === -1) yield* passOver(text, at, progress)
    else {
      // There is no value before a second comma or an extra brace.
      progress.at = end === at && code !== 44 ? at + 1 : end
      yield* outcomes(readJson(text.slice(at, end), read))
    }
    const comma = skipSpace(text, progress.at)
    if (text.charCodeAt(comma) === 44) progress.at = comma + 1
  }
}

/** Skips a value that is too long. It ends before its array does. */
function* passOver(text: string, at: number, progress: DocumentProgress): Generator<ParsedHit> {
  yield tooLargeRecord
  const scan = scanFrom(text, at)
  while (!scanValue(scan, scanSlice)) yield unfinished
  progress.at = scan.at
}
