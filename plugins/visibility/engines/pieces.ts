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
  /** What could not be read. The other parts of the answer count. */
  readonly odd?: readonly string[]
}

/** The schema of a part of an answer. */
export type PieceSchema = v.GenericSchema<unknown, Piece>

/**
 * Creates the schema of a part, chosen by its `type`. A part that does not match its schema adds nothing but its name, because a
 * paid answer must not be lost for a part of it. So does a type that is neither known nor in `ignored`. A part without a type is
 * read by the first schema that finds something in it.
 */
export const pieceByType = (
  known: Readonly<Record<string, PieceSchema>>,
  ignored: readonly string[] = [],
): PieceSchema =>
  v.pipe(
    v.unknown(),
    v.transform((given): Piece => {
      if (!v.is(typed, given)) return untyped(Object.values(known), given)
      if (ignored.includes(given.type)) return {}
      const schema = Object.hasOwn(known, given.type) ? known[given.type] : undefined
      if (!schema) return { odd: [`a part of the unknown type ${given.type.slice(0, 60)}`] }
      const read = v.safeParse(schema, given)
      return read.success ? read.output : { odd: [`a part of the type ${given.type} has an unknown form`] }
    }),
  )

const typed = v.object({ type: v.string() })

function untyped(schemas: readonly PieceSchema[], given: unknown): Piece {
  const odd = ['a part has no type']
  for (const schema of schemas) {
    const read = v.safeParse(schema, given)
    if (read.success && hasContent(read.output))
      return { ...read.output, odd: [...odd, ...(read.output.odd ?? [])] }
  }
  return { odd }
}

const hasContent = ({ text, refusal, cited, consulted, queries, failed }: Piece): boolean =>
  Boolean(text) || Boolean(refusal) || [cited, consulted, queries, failed].some((list) => list?.length)

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
    text,
    cited,
    consulted: pieces.flatMap(({ consulted = [] }) => consulted),
    queries: pieces.flatMap(({ queries = [] }) => queries),
    searches: pieces.reduce((sum, { searches = 0 }) => sum + searches, 0),
    refusal: pieces.map(({ refusal = '' }) => refusal).join(''),
    failed: pieces.flatMap(({ failed = [] }) => failed),
    odd: pieces.flatMap(({ odd = [] }) => odd),
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
