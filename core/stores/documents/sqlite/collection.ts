import type { GroupQuery, GroupRow } from '../../../contracts/context'
import type { Sql } from '../../../query/to-sqlite'
import type { Collection } from '../port'
import type { Layout } from './layout'
import { createLists } from './lists'
import type { CollectionParts } from './parts'
import { countSql, groupSql } from './statements'
import { createWrites } from './writes'

/** One entity's documents in SQLite. Indexed reads and writes run in this thread, slow reads in the reader thread. */
export function createCollection(parts: CollectionParts): Collection {
  return { ...createReads(parts), ...createWrites(parts), version: () => parts.writes.count }
}

type Reads = Pick<Collection, 'get' | 'find' | 'findJson' | 'prepareList' | 'count' | 'group' | 'examined'>

function createReads({ connection, reader, layout }: CollectionParts): Reads {
  const getSql = `SELECT doc, rest FROM ${layout.table} WHERE id = ?`
  const document = ([doc, rest]: readonly unknown[]) => layout.join(doc as string, rest as string | null)
  const number = async ({ sql, params }: Sql) => Number((await reader.rows(sql, params))[0]?.[0] ?? 0)
  const { planned, find, findJson, prepareList } = createLists({ connection, reader, layout, document })
  return {
    get: async (id) => {
      const [found] = connection.rows(getSql, [id])
      return found ? document(found) : null
    },
    find,
    findJson,
    prepareList,
    count: (where, limit) => number(countSql(layout, where, limit)),
    group: async (query) => {
      const { sql, params } = groupSql(layout, query)
      return (await reader.rows(sql, params)).map((row) => groupRow(layout, query, row))
    },
    examined: async (query, limit) => {
      const plan = planned(query)
      return plan.covered ? 0 : number(countSql(layout, plan.narrowed, limit))
    },
  }
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
