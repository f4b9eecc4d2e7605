import * as v from 'valibot'

/** A row of a page that is not in a known form. What is stored of that review stays as it is. */
export interface UnreadRow {
  /** The review's id, where at least that could be read. */
  readonly source_id?: string
  /** The field that could not be read. */
  readonly reason: string
}

/** The rows of a page: those in the known form, and for each other row why it could not be read. */
export interface ReadRows<T> {
  readonly rows: readonly T[]
  readonly unread: readonly UnreadRow[]
}

/** Reads each row by itself, so that one row that cannot be read costs no other. `idField` is the field with the review's id. */
export function readRows<S extends v.GenericSchema>(
  schema: S,
  given: readonly unknown[],
  idField: string,
): ReadRows<v.InferOutput<S>> {
  const rows: v.InferOutput<S>[] = []
  const unread: UnreadRow[] = []
  const withId = v.object({ [idField]: v.string() })
  for (const row of given) {
    const read = v.safeParse(schema, row)
    if (read.success) {
      rows.push(read.output)
      continue
    }
    const [issue] = read.issues
    const id = v.safeParse(withId, row)
    unread.push({
      ...(id.success ? { source_id: String(id.output[idField]) } : {}),
      reason: v.getDotPath(issue) ?? 'the row',
    })
  }
  return { rows, unread }
}

/** What a page says of its unread rows. With any, nothing follows from what the page misses. */
export const unreadOf = (
  unread: readonly UnreadRow[],
): { readonly isPart?: boolean; readonly unread?: readonly UnreadRow[] } =>
  unread.length === 0 ? {} : { isPart: true, unread }
