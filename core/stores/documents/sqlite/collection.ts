import type { GroupQuery, GroupRow } from '../../../contracts/context'
import type { Scalar } from '../../../contracts/where'
import type { Sql } from '../../../query/to-sqlite'
import { pickJson } from '../pick'
import { planOf } from '../plan'
import type { Collection, Document, FindQuery, JsonPage } from '../port'
import type { Connection } from './connection'
import type { Layout } from './layout'
import { readPage } from './page'
import type { Reader } from './reader'
import { boundsOf, countSql, groupSql, selectSql } from './statements'
import type { Writer } from './writer'
import { createWrites } from './writes'

export interface CollectionParts {
  readonly connection: Connection
  readonly reader: Reader
  readonly writer: Writer
  readonly layout: Layout
  readonly now: () => Date
  /** Counts the writes to the table, whichever collection they come through. */
  readonly writes: { count: number }
}

/** One entity's documents in SQLite. Indexed reads and writes run here, whatever may take long in the reader. */
export function createCollection(parts: CollectionParts): Collection {
  return { ...createReads(parts), ...createWrites(parts), version: () => parts.writes.count }
}

type Reads = Pick<Collection, 'get' | 'find' | 'findJson' | 'count' | 'group' | 'examined'>

function createReads({ connection, reader, layout }: CollectionParts): Reads {
  const isQuick = quickFinds(connection, layout)
  const getSql = `SELECT doc, rest FROM ${layout.table} WHERE id = ?`
  const document = ([doc, rest]: readonly unknown[]) => layout.join(doc as string, rest as string | null)
  const number = async ({ sql, params }: Sql) => Number((await reader.rows(sql, params))[0]?.[0] ?? 0)

  const find = async (query: FindQuery): Promise<Document[]> => {
    const chosen = selectSql(layout, 'doc, rest', query)
    const found = isQuick(query, chosen)
      ? connection.rows(chosen.sql, chosen.params)
      : await reader.rows(chosen.sql, chosen.params)
    return found.map(document)
  }
  return {
    get: async (id) => {
      const [found] = connection.rows(getSql, [id])
      return found ? document(found) : null
    },
    find,
    findJson: async ({ omit, fields, ...query }): Promise<JsonPage> => {
      const { sort } = boundsOf(layout, query)
      const further = { ...query, ...(query.limit === undefined ? {} : { limit: query.limit + 1 }) }
      const asStored =
        omit.length === layout.hidden.length && omit.every((name) => layout.hidden.includes(name))
      if (!asStored || fields) return pickJson(await find(further), query.limit, sort, omit, fields)
      const keys = sort.map(({ field }) => layout.locate(field).value)
      const chosen = selectSql(layout, ['CAST(doc AS BLOB)', 'id', ...keys].join(', '), further)
      const { body, count, more, last } = isQuick(query, chosen)
        ? readPage(connection, chosen.sql, chosen.params, query.limit)
        : await reader.page(chosen.sql, chosen.params, query.limit)
      return { body, count, more, last: last ? lastOf(layout, sort, last) : null }
    },
    count: (where, limit) => number(countSql(layout, where, limit)),
    group: async (query) => {
      const { sql, params } = groupSql(layout, query)
      return (await reader.rows(sql, params)).map((row) => groupRow(layout, query, row))
    },
    examined: async (query, limit) => {
      const plan = planOf(layout.entity, query.where, boundsOf(layout, query).sort)
      return plan.covered ? 0 : number(countSql(layout, plan.narrowed, limit))
    },
  }
}

/** The steps of SQLite's plan. */
export function explain({ db }: Connection, { sql, params }: Sql): string[] {
  const statement = db.prepare(`EXPLAIN QUERY PLAN ${sql}`)
  try {
    return statement.values(...(params as never[])).map((step) => String(step[3]))
  } finally {
    // Left to itself it would count as a reader, and no index could be dropped.
    statement.finalize()
  }
}

/** Whether a find may run on the event loop: an index answers it by our plan and by SQLite's own. */
function quickFinds(connection: Connection, layout: Layout) {
  const known = new Map<string, boolean>()
  return (query: FindQuery, { sql, params }: Sql): boolean => {
    if (query.skip && query.skip > 1000) return false
    if (!planOf(layout.entity, query.where, boundsOf(layout, query).sort).covered) return false
    const old = known.get(sql)
    if (old !== undefined) return old
    const steps = explain(connection, { sql, params })
    const quick = !steps.some((step) => /^SCAN (?!CONSTANT)|TEMP B-TREE/.test(step))
    if (known.size > 2000) known.clear()
    known.set(sql, quick)
    return quick
  }
}

function lastOf(
  layout: Layout,
  sort: FindQuery['sort'] & object,
  last: readonly unknown[],
): JsonPage['last'] {
  const values = sort
    .map(({ field }, place): [string, Scalar] => [field, layout.restore(field, last[place + 1])])
    .filter(([field]) => field !== 'id')
    .map(([, value]) => value)
  return { values, id: String(last[0]) }
}

function groupRow(layout: Layout, query: GroupQuery, row: readonly unknown[]): GroupRow {
  const out: GroupRow = {}
  for (const [place, by] of query.by.entries()) {
    if (typeof by === 'string') out[by] = layout.restore(by, row[place])
    else out[by.field] = (row[place] as string | null) ?? null
  }
  for (const [place, measure] of query.measures.entries()) {
    const value = row[query.by.length + place]
    const typed = measure.fn === 'min' || measure.fn === 'max'
    out[measure.as] = typed ? layout.restore(measure.field, value) : ((value as number | null) ?? null)
  }
  return out
}
