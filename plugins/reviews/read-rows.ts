import * as v from 'valibot'

/** A row of a page in an unknown form. The stored review stays unchanged. */
export interface UnreadRow {
  /** The review's id, if it could be read. */
  readonly source_id?: string
  /** The field that could not be read. */
  readonly reason: string
}

/** The rows of a page: the readable ones, and the reasons of the others. */
export interface ReadRows<T> {
  readonly rows: readonly T[]
  readonly unread: readonly UnreadRow[]
}

/**
 * Reads each row separately, so that an unreadable row does not affect the others. `idField` is the field
 * with the review's id.
 */
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

/** Returns the unreadable rows of a page. If there are any, missing reviews prove nothing. */
export const unreadOf = (
  unread: readonly UnreadRow[],
): { readonly isPart?: boolean; readonly unread?: readonly UnreadRow[] } =>
  unread.length === 0 ? {} : { isPart: true, unread }
