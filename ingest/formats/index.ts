import type { Hit } from 'renown/contracts'
import { type BodyState, isMany, type Readings, readLine, readValue, unknownRecord } from './any-line'
import { parseJson } from './escapes'
import { firehoseTexts, isFirehose, looksLikeFirehose } from './firehose'
import { type Lines, linesIn, linesOf, lineText, nextLine } from './lines'
import { readPlainCombined } from './plain-combined'
import { readPlainRecord } from './plain-record'
import { isRecord, type JsonRecord, type Reading, type Refusal } from './reading'

/** A body on its way through the formats. */
export interface BodyReader {
  /** What became of the next line that is not blank, or of a record where a line holds several; null after the last. */
  next(): Reading | null
  /** Which line that was, from 1: lines of text, elements of an array. */
  readonly line: number
  /** For who stops before the end: nothing of the body then stays in memory. */
  stop(): void
}

/**
 * Reads a body of any sender, told by its content alone: JSON (object, array, lines, objects back to back), access
 * logs, syslog lines and forwarders' wrappings around any of these. Streams, never throws, and every line that is
 * not blank has an outcome. `now`, milliseconds since the epoch, dates records without a time. `lineMax` bounds the lines of
 * access logs, in characters.
 */
export function readBody(text: string, now: number, lineMax: number): BodyReader {
  const state: BodyState = { now, fields: null, lineMax }
  const reader = { next, line: 0, stop: forgetLastMatch }
  const whole = wholeDocument(text)
  let several = isRecord(whole) || Array.isArray(whole) ? documentOf(whole, state, reader) : undefined
  const lines = linesIn(several ? '' : text)

  function next(): Reading | null {
    for (;;) {
      if (several) {
        const { done, value } = several.next()
        if (!done) return value
        several = undefined
      }
      if (!nextLine(lines)) break
      reader.line = lines.line
      const readings = readPlain(lines, now, lineMax) ?? readLine(lineText(lines), state, 0)
      // A generator for each line would cost as much as reading it.
      if (!isMany(readings)) return readings
      several = outcomes(readings)
    }
    forgetLastMatch()
    return null
  }
  return reader
}

// Outside of `readBody`, for which every function inside would be made anew with each body.
function* documentOf(
  document: JsonRecord | readonly unknown[],
  state: BodyState,
  reader: { line: number },
): Generator<Reading> {
  if (!Array.isArray(document) && isFirehose(document as JsonRecord)) {
    return yield* firehoseOutcomes(document as JsonRecord, state, reader)
  }
  for (const entry of Array.isArray(document) ? document : [document]) {
    reader.line++
    yield* outcomes(readValue(entry, state, 0))
  }
}

/** One by one: a delivery may hold a quarter of a million lines, and others want their turn in between. */
function* firehoseOutcomes(
  record: JsonRecord,
  state: BodyState,
  reader: { line: number },
): Generator<Reading> {
  for (const text of firehoseTexts(record)) {
    reader.line++
    if (text === null) yield unknownRecord
    else for (const one of linesOf(text)) yield* outcomes(readLine(one, state, 1))
  }
}

/** The lines that come by the million, without a text of their own. */
function readPlain(lines: Lines, now: number, lineMax: number): Hit | null {
  const length = lines.end - lines.start
  if (length > plainMax) return null
  if (lines.text.charCodeAt(lines.start) === 123) return readPlainRecord(lines, now)
  return length > lineMax ? null : readPlainCombined(lines)
}

const plainMax = 32 * 1024

/** `RegExp.input` keeps the text of the last match alive: a slice of the body, and with it the body's addresses. */
function forgetLastMatch(): void {
  ;/^/.test('')
}

const blank: Refusal = { ignored: 'Blank' }

function* outcomes(readings: Readings): Generator<Reading> {
  if (!isMany(readings)) yield readings
  else if (readings.length === 0) yield blank
  else yield* readings
}

/** An array, or an object spread over lines; anything else is read line by line. */
function wholeDocument(text: string): unknown {
  const start = text.search(/[^\s\ufeff]/)
  if (start < 0) return undefined
  const first = text.charCodeAt(start)
  if (first === 91) return parseJson(text.slice(start))
  if (first !== 123) return undefined
  const newline = text.indexOf('\n', start)
  const isSpread = newline >= 0 && !text.slice(start, newline).trimEnd().endsWith('}')
  return isSpread || looksLikeFirehose(text, start) ? parseJson(text.slice(start)) : undefined
}
