import type { GroupQuery, GroupRow } from '../../../contracts/context'
import type { Where } from '../../../contracts/where'
import type { Sql } from '../../../query/to-sqlite'
import { textOfValues } from '../../cached-answers'
import type { Collection, Mismatch } from '../port'
import { BoundedMap } from '../read-cache'
import { createDaySums } from '../sums/day-sums'
import { shapeOf } from '../sums/shape'
import { sumStore } from './day-sums'
import { type Layout, layoutOf } from './layout'
import { createLists } from './lists'
import { mismatchesSql } from './mismatches'
import type { CollectionParts } from './parts'
import type { Reader } from './reader'
import { countSql, groupSql, joinedRowsSql } from './statements'
import { createWrites } from './writes'

/** One entity's documents in SQLite. Indexed reads and writes run in this thread, slow reads in the reader thread. */
export function createCollection(parts: CollectionParts): Collection {
  const reads = createReads(parts)
  const shape = shapeOf(parts.layout.entity)
  const store = sumStore(parts)
  const daySums = shape && store ? { daySums: createDaySums({ shape, store, group: reads.group }) } : {}
  return { ...reads, ...createWrites(parts), ...daySums, version: () => parts.writes.count }
}

type Reads = Pick<
  Collection,
  'get' | 'find' | 'findJson' | 'findJoined' | 'prepareList' | 'count' | 'group' | 'mismatches' | 'examined'
>

function createReads(parts: CollectionParts): Reads {
  const { connection, layout } = parts
  const reader = keptScans(parts)
  const totals = knownTotals(changesOf(parts))
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
    findJoined: async (query, other) => {
      const joinedLayout = layoutOf(other.entity)
      const known = totals.of(query.where)
      const { sql, params } = joinedRowsSql(layout, query, { ...other, layout: joinedLayout }, known.total)
      // It depends on the rows of another entity too.
      const [[total] = [], ...rows] = await parts.reader.rows(sql, params)
      known.keep(Number(total))
      return {
        total: Number(total),
        rows: rows.map(([, doc, rest, joined]) => ({
          row: document([doc, rest]),
          joined: joined === null ? null : joinedLayout.join(joined as string, null),
        })),
      }
    },
    count: (where, limit) => number(countSql(layout, where, limit)),
    group: async (query) => {
      const { sql, params } = groupSql(layout, query)
      return (await reader.rows(sql, params)).map((row) => groupRow(layout, query, row))
    },
    mismatches: async (limit) => {
      const found: Mismatch[] = []
      for (const { sql, params } of mismatchesSql(layout, limit)) {
        const rows = await parts.reader.rows(sql, params)
        found.push(...rows.map(([id, path]) => ({ id: String(id), path: String(path) })))
      }
      return found.slice(0, limit)
    },
    examined: async (query, limit) => {
      const plan = planned(query)
      return plan.covered ? 0 : number(countSql(layout, plan.narrowed, limit))
    },
  }
}

/** Returns how often rows of the table may have changed: by writes of this process, or by another program. It only grows. */
const changesOf =
  ({ writes, fileVersion }: CollectionParts) =>
  () =>
    writes.count + fileVersion()

/** Returns the reader whose rows are kept until the next change of the table. */
function keptScans(parts: CollectionParts): Reader {
  const { reader, kept } = parts
  const written = changesOf(parts)
  return {
    ...reader,
    rows: (sql, params) =>
      kept.answer({
        text: `${sql} ${textOfValues(params)}`,
        written,
        ask: () => reader.rows(sql, params),
        sizeOf: sizeOfRows,
      }),
  }
}

const sizeOfRows = (rows: unknown[][]) =>
  rows.reduce((sum, row) => row.reduce<number>((all, value) => all + sizeOfValue(value), sum), 0)

const sizeOfValue = (value: unknown) => (typeof value === 'string' ? value.length : 8)

/** Keeps the number of rows of each filter until the next change of the table, so that it is always exact. */
function knownTotals(changes: () => number) {
  const totals = new BoundedMap<string, number>(1_000)
  let countedAt = 0
  return {
    of: (where: Where) => {
      const version = changes()
      if (version !== countedAt) totals.clear()
      countedAt = version
      const key = JSON.stringify(where)
      const keep = (total: number) => {
        if (countedAt === version && changes() === version) totals.set(key, total)
      }
      return { total: totals.get(key), keep }
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
