import type { Hit } from 'renown/contracts'
import { readLine } from './any-line'
import { type BodyState, startState } from './body-state'
import { documentIn } from './document'
import { inflatedRecordsMax } from './envelopes/packed'
import type { RecordReader } from './mapped'
import { readPlainCombined } from './plain-combined'
import { readPlainRecord } from './plain-record'
import { isMany, unfinished } from './readings'
import { hasMore, type Lines, linesIn, lineText, nextLine } from './text/lines'
import type { ParsedHit } from './text/reading'

export { isDelivery } from './document'
export { mappedReader } from './mapped'
export { unfinished } from './readings'

/** A reader of a body. */
export interface BodyReader {
  /**
   * Reads the next line that is not blank, or the next record of a line with several. Returns its result, or
   * null at the end. Takes a limited time: `unfinished` means that nothing was found yet.
   */
  next(): ParsedHit | null
  /** The number of that line or array element, from 1. */
  readonly line: number
  /** Number of characters read so far. */
  readonly at: number
  /** Number of bytes that records had after decompression so far. Reading these takes time too. */
  readonly inflated: number
  /** Whether a log service put an envelope around lines so far, which may differ when it sends them again. */
  readonly isEnveloped: boolean
  /** Frees the memory of the body if reading stops early. */
  stop(): void
}

/** Maximum blank lines that are skipped at once. */
const blankMax = 2 ** 12

/**
 * Reads a body of any sender, recognized by its content. It can be JSON (object, array, lines, concatenated
 * objects), access logs, syslog lines, or any of these wrapped by forwarders. Streams and never throws. Every
 * line that is not blank has a result. `now`, in milliseconds since the epoch, is the time of records without
 * one. `lineMax` limits access log lines, in characters. `mapped` reads the records of a site with a mapping, before
 * other formats do.
 */
export function readBody(
  text: string,
  now: number,
  lineMax: number,
  mapped: RecordReader | null = null,
): BodyReader {
  const state = startState(now, lineMax, mapped)
  const reader = {
    next,
    line: 0,
    at: 0,
    stop: forgetLastMatch,
    get inflated() {
      return inflatedRecordsMax - state.budget.left
    },
    get isEnveloped() {
      return state.isEnveloped
    },
  }
  let several: Generator<ParsedHit> | undefined = documentIn(text, state, reader)
  let lines = several ? undefined : linesIn(text)

  function next(): ParsedHit | null {
    for (;;) {
      if (several) {
        const { done, value } = several.next()
        if (!done) return value
        several = undefined
        lines ??= linesFrom(text, reader)
      }
      lines ??= linesIn(text)
      if (!nextLine(lines, blankMax)) {
        if (!hasMore(lines)) break
        return unfinished
      }
      reader.line = lines.line
      reader.at = lines.end
      const readings = readPlain(lines, state) ?? readLine(lineText(lines), state, 0)
      // A generator for each line would cost as much as reading it.
      if (!isMany(readings)) return readings
      several = readings
    }
    forgetLastMatch()
    return null
  }
  return reader
}

/** Returns the lines after a document, or all if there is none. */
function linesFrom(text: string, { line, at }: { readonly line: number; readonly at: number }): Lines {
  return { ...linesIn(text), line, end: at - 1 }
}

/** Reads common lines without creating a string for them. */
function readPlain(lines: Lines, { now, lineMax, mapped }: BodyState): Hit | null {
  const length = lines.end - lines.start
  if (length > plainMax) return null
  if (lines.text.charCodeAt(lines.start) === 123) {
    const hit = mapped ? null : readPlainRecord(lines, now)
    return hit?.undated ? { ...hit, written: lineText(lines) } : hit
  }
  return length > lineMax ? null : readPlainCombined(lines)
}

const plainMax = 32 * 1024

/** Clears `RegExp.input`, which would keep a part of the body, with its IP addresses, in memory. */
function forgetLastMatch(): void {
  ;/^/.test('')
}
