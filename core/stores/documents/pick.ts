import type { Scalar, SortKey } from '../../contracts/where'
import type { Document, JsonPage } from './port'

/** Returns rows with only these fields and `id`. If no fields are named, returns the rows unchanged. */
export function pickFields(rows: Document[], fields: readonly string[] | undefined): Document[] {
  if (!fields) return rows
  const names = new Set(['id', ...fields])
  return rows.map(
    (row) => Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name))) as Document,
  )
}

/**
 * Returns a page made from documents, for lists of chosen fields, because stores hold only whole rows as
 * text.
 */
export function pickJson(
  found: readonly Document[],
  limit: number | undefined,
  sort: readonly SortKey[],
  omit: readonly string[],
  fields?: readonly string[],
): JsonPage {
  const page = limit === undefined ? found : found.slice(0, limit)
  const left = new Set(omit)
  const kept = fields && new Set(fields)
  const texts = page.map((document) => {
    const row: Record<string, unknown> = {}
    for (const name in document) {
      if (!left.has(name) && (!kept || kept.has(name))) row[name] = document[name]
    }
    return JSON.stringify(row)
  })
  return {
    body: `[${texts.join(',')}]`,
    count: page.length,
    more: found.length > page.length,
    last: lastOf(page, sort),
  }
}

/** Returns the sort keys and id of the last row of a page. */
export function lastOf(page: readonly Document[], sort: readonly SortKey[]): JsonPage['last'] {
  const last = page.at(-1)
  if (!last) return null
  const keys = sort.filter(({ field }) => field !== 'id')
  return { values: keys.map(({ field }) => valueAt(last, field)), id: last.id }
}

/** Returns the value at a dotted path, or null if there is none. */
export function valueAt(document: Readonly<Record<string, unknown>>, path: string): Scalar {
  let value: unknown = document
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return (value ?? null) as Scalar
}
