import * as v from 'valibot'
import type { TextSpan, WireSource } from './engine'

/** The content that one part of an answer adds. APIs return answers as lists of parts. */
export interface Piece {
  readonly text?: string
  readonly cited?: readonly WireSource[]
  readonly consulted?: readonly WireSource[]
  readonly queries?: readonly string[]
  /** The number of searches that the engine bills. */
  readonly searches?: number
  /** The text of the model's refusal. */
  readonly refusal?: string
  /** The engine's error codes of failed searches. */
  readonly failed?: readonly string[]
}

/** The schema of a part of an answer. */
export type PieceSchema = v.GenericSchema<unknown, Piece>

/**
 * Creates the schema of a part, chosen by its `type`. Parts of unknown types add nothing, because engines
 * introduce new ones. A part of a known type that does not match its schema makes the whole answer
 * unreadable.
 */
export const pieceByType = (known: Readonly<Record<string, PieceSchema>>): PieceSchema =>
  v.lazy((given) => (Object.hasOwn(known, typeOf(given)) ? known[typeOf(given)] : undefined) ?? other)

const typed = v.object({ type: v.string() })
const other: PieceSchema = v.pipe(
  typed,
  v.transform(() => ({})),
)
const typeOf = (given: unknown): string => (v.is(typed, given) ? given.type : '')

/** Joins parts in their order. Shifts the spans of a part by the length of the text before it. */
export function joined(pieces: readonly Piece[]): Required<Piece> {
  let text = ''
  const cited: WireSource[] = []
  for (const piece of pieces) {
    const before = text.length
    for (const source of piece.cited ?? []) cited.push(moved(source, before))
    text += piece.text ?? ''
  }
  return {
    ...{ text, cited },
    consulted: pieces.flatMap(({ consulted = [] }) => consulted),
    queries: pieces.flatMap(({ queries = [] }) => queries),
    searches: pieces.reduce((sum, { searches = 0 }) => sum + searches, 0),
    refusal: pieces.map(({ refusal = '' }) => refusal).join(''),
    failed: pieces.flatMap(({ failed = [] }) => failed),
  }
}

const moved = (source: WireSource, by: number): WireSource =>
  source.span ? { ...source, span: { start: source.span.start + by, end: source.span.end + by } } : source

/** Returns the span between two indexes, or undefined if one is missing. */
export const spanOf = (
  start: number | null | undefined,
  end: number | null | undefined,
): { readonly span?: TextSpan } =>
  typeof start === 'number' && typeof end === 'number' ? { span: { start, end } } : {}

/** Returns a function that converts byte indexes in UTF-8 to text indexes. Reads the text once. */
export function byteIndexes(text: string): (byte: number) => number {
  const at: number[] = []
  let unit = 0
  for (const character of text) {
    const bytes = Buffer.byteLength(character)
    for (let n = 0; n < bytes; n++) at.push(unit)
    unit += character.length
  }
  return (byte) => at[byte] ?? unit
}
