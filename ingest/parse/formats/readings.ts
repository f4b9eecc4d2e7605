import { JsonExcess, parseJson } from 'renown/contracts'
import { badJson, type ParsedHit, type Refusal } from './text/reading'

/**
 * The result of a line, or a generator if a line or record can have several. Those are read one at a time, on
 * demand.
 */
export type Readings = ParsedHit | Generator<ParsedHit>

/** Not a result: more text must be scanned, and other work may run first. */
export const unfinished: Refusal = { ignored: 'Not read yet' }

/** The refusal of a JSON record with too much structure. */
export const tooComplex: Refusal = { rejected: 'The record is nested too deeply or has too many values' }

/** Whether there may be several. */
export function isMany(readings: Readings): readings is Generator<ParsedHit> {
  return Symbol.iterator in readings
}

/** Yields the results of a line or record. */
export function* outcomes(readings: Readings): Generator<ParsedHit> {
  if (isMany(readings)) yield* readings
  else yield readings
}

/** The number of values is not checked in shorter texts. */
const uncountedMax = 2 ** 13

/** Whether the levels and values of a record of this text are limited. */
export const isCounted = (text: string): boolean => text.length > uncountedMax

/** Parses the JSON of one record and reads its value, or returns why it is invalid. */
export function readJson(
  text: string,
  read: (value: unknown) => Readings,
  isLimited = isCounted(text),
): Readings {
  let value: unknown
  try {
    value = isLimited ? parseJson(text) : JSON.parse(text)
  } catch (error) {
    return error instanceof JsonExcess ? tooComplex : badJson
  }
  return read(value)
}
