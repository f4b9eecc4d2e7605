import type { Sql, SqlValue } from '../../../query/to-sqlite'
import type { Connection } from './connection'

/** A page ready to be sent, with the stored id and sort keys of its last row. */
export interface RawPage {
  readonly body: Uint8Array<ArrayBuffer>
  readonly count: number
  readonly more: boolean
  readonly last: readonly unknown[] | null
}

type Rows = Pick<Connection, 'rows'>

const open = 0x5b
const comma = 0x2c
const close = 0x5d

/**
 * Reads rows of `CAST(doc AS BLOB), id, sort keys…`, one more than `limit`, and joins them while the
 * statement runs.
 */
export function readPage(
  { rows }: Rows,
  sql: string,
  params: readonly SqlValue[],
  limit: number | undefined,
): RawPage {
  const found = rows(sql, params)
  const page = limit === undefined ? found : found.slice(0, limit)
  const texts = page.map(([text]) => text as Uint8Array)
  const length = texts.reduce((sum, text) => sum + text.length + 1, 1)
  const body = new Uint8Array(Math.max(2, length))
  body[0] = open
  let at = 1
  for (const text of texts) {
    body.set(text, at)
    at += text.length
    body[at++] = comma
  }
  body[body.length - 1] = close
  return { body, count: page.length, more: found.length > page.length, last: page.at(-1)?.slice(1) ?? null }
}

/** The two statements of a page that an index answers. */
export interface Joined {
  /** The SQL for the texts as one value. */
  readonly texts: Sql
  /** The SQL for `id, sort keys…` of at most two rows. The last parameter is the position of the first. */
  readonly keys: Sql
}

/**
 * Returns SQL that joins the texts in SQLite, so that a page is one value instead of one per row. An empty
 * text before and after the ordered rows turns the outer commas into brackets.
 */
export const joinedSql = (inner: Sql): Sql => ({
  sql: `SELECT CAST(group_concat(doc, ',') AS BLOB), count(*)
    FROM (SELECT '' AS doc UNION ALL SELECT doc FROM (${inner.sql}) UNION ALL SELECT '')`,
  params: inner.params,
})

/**
 * Reads the same page with less work. It reads the store twice, so use it only if no write can happen in
 * between.
 */
export function readJoined({ rows }: Rows, { texts, keys }: Joined, limit: number, skip: number): RawPage {
  const [body, pieces] = rows(texts.sql, texts.params)[0] as [Uint8Array<ArrayBuffer>, number]
  const count = pieces - 2
  if (count === 0) return { body: Uint8Array.of(open, close), count, more: false, last: null }
  body[0] = open
  body[body.length - 1] = close
  const [last = null, next] = rows(keys.sql, [...keys.params.slice(0, -1), skip + count - 1])
  return { body, count, more: count === limit && next !== undefined, last }
}
