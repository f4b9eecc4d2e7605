import { unreadable } from 'renown'
import { parseJson } from 'renown/sources'
import * as v from 'valibot'
import type { FoundPost, UnreadPost } from './source'

/** The rows of an answer: those that could be read, and the others with the field that could not be read. */
export interface ReadableRows<Row> {
  readonly rows: readonly Row[]
  readonly unread: readonly UnreadPost[]
}

/**
 * Reads each row of an answer by a schema. One row in an unknown form does not lose the others. If no row can be read,
 * the answer itself has an unknown form, and this throws the fault of an unreadable answer.
 *
 * @param what The requested thing, as it appears in errors.
 * @param idField The field of a row with its id.
 */
export function readRows<S extends v.GenericSchema>(
  what: string,
  given: readonly unknown[],
  schema: S,
  idField: string,
): ReadableRows<v.InferOutput<S>> {
  const rows: v.InferOutput<S>[] = []
  const unread: UnreadPost[] = []
  for (const row of given) {
    const read = v.safeParse(schema, row)
    if (read.success) rows.push(read.output)
    else unread.push({ ...idOf(row, idField), reason: v.getDotPath(read.issues[0]) ?? 'the row' })
  }
  if (rows.length === 0 && unread[0]) throw unreadable(what, `${unread[0].reason} has an unknown form`)
  return { rows, unread }
}

const idLengthMax = 500

function idOf(row: unknown, field: string): { source_id?: string } {
  const id = typeof row === 'object' && row !== null ? (row as Record<string, unknown>)[field] : undefined
  return typeof id === 'string' && id.length <= idLengthMax ? { source_id: id } : {}
}

/** A text of a row that may be missing. Empty if it is. */
export const textForm = v.nullish(v.string(), '')

/** An instant of a row, ISO 8601 or RFC 2822, as ISO 8601. */
export const instantForm = v.pipe(
  v.string(),
  v.maxLength(64),
  v.transform((text) => Date.parse(text)),
  v.finite(),
  v.transform((ms) => new Date(ms).toISOString()),
)

/** An instant of a row in seconds since 1970, as ISO 8601. */
export const secondsForm = v.pipe(
  v.number(),
  v.minValue(0),
  v.maxValue(253_402_300_799),
  v.transform((seconds) => new Date(seconds * 1_000).toISOString()),
)

/** Returns a stored cursor in the form of its source. Null if there is none or it has another form. */
export function cursorIn<S extends v.GenericSchema>(schema: S, text: string | null): v.InferOutput<S> | null {
  if (text === null) return null
  try {
    const read = v.safeParse(schema, parseJson(text))
    return read.success ? read.output : null
  } catch {
    return null
  }
}

/** Returns a post without the fields that are empty. */
export function postOf(
  given: Omit<FoundPost, 'title' | 'language' | 'parent_url' | 'author' | 'posted_at' | 'edited_at'> & {
    readonly title?: string | undefined
    readonly language?: string | null | undefined
    readonly parent_url?: string | undefined
    readonly posted_at?: string | null | undefined
    readonly edited_at?: string | null | undefined
    readonly author?: AuthorInput | null | undefined
  },
): FoundPost {
  const { author, ...fields } = given
  const known = author?.handle ? { author: withoutNothing(author) } : {}
  return { ...withoutNothing(fields), ...known, body: given.body } as FoundPost
}

interface AuthorInput {
  readonly handle?: string | null | undefined
  readonly name?: string | null | undefined
  readonly url?: string | null | undefined
  readonly avatar_url?: string | null | undefined
  readonly followers?: number | null | undefined
}

const withoutNothing = (given: object) =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
