import type { ListQuery, PagesQuery } from '../contracts/context'
import { type Scalar, type Where, where } from '../contracts/where'

const defaultSize = 500

type List = (
  query: ListQuery & { readonly fields?: readonly string[] },
) => Promise<Readonly<Record<string, unknown>>[]>

/**
 * Yields rows in pages by key: each page starts after the last row of the previous one. Concurrent changes
 * skip no other rows, and a late page costs no more than the first. Other work can run between pages.
 */
export async function* rowPages(list: List, query: PagesQuery = {}) {
  const { by = ['id'], size = defaultSize, signal, fields, where: wanted } = query
  const keys = [by].flat()
  const sort = keys.map((field) => ({ field, direction: 'asc' }) as const)
  const chosen = fields && [...new Set([...fields, ...keys])]
  let last: Readonly<Record<string, unknown>> | undefined
  while (signal?.aborted !== true) {
    const behind = last && beyond(keys, last)
    const parts = [wanted, behind].filter((part): part is Where => part !== undefined)
    const rows = await list({
      where: where.and(...parts),
      ...(chosen ? { fields: chosen } : {}),
      sort,
      limit: size,
    })
    if (rows.length > 0) yield rows
    last = rows.at(-1)
    if (rows.length < size) return
    await Bun.sleep(0)
  }
}

/** Yields the rows of all pages. */
export async function* rowsOf<T>(
  pages: AsyncIterable<readonly T[]>,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  for await (const page of pages)
    for (const row of page) {
      if (signal?.aborted === true) return
      yield row
    }
}

/** Returns the condition for rows after these key values. Its first part lets a store use an index of the first key. */
function beyond([field = 'id', ...rest]: readonly string[], last: Readonly<Record<string, unknown>>): Where {
  const value = last[field] as Scalar | undefined
  if (value === undefined || value === null)
    throw new Error(`Rows cannot be sorted by ${field}, because a row has no value in it`)
  if (rest.length === 0) return where.gt(field, value)
  const next = where.and(where.eq(field, value), beyond(rest, last))
  return where.and(where.gte(field, value), where.or(where.gt(field, value), next))
}
