import type { SqlValue } from '../../../query/to-sqlite'
import type { Connection } from './connection'

/** Rows of `CAST(doc AS BLOB), id, sort keys…`, cut to a limit and joined to one JSON array. */
export interface RawPage {
  readonly body: Uint8Array<ArrayBuffer>
  readonly count: number
  readonly more: boolean
  /** Id and sort keys of the last row. */
  readonly last: readonly unknown[] | null
}

const open = 0x5b
const comma = 0x2c
const close = 0x5d

/** The texts are copied as they lie in the store: nothing is parsed or printed. `limit` rows are answered of one more asked for. */
export function readPage(
  { rows }: Pick<Connection, 'rows'>,
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
