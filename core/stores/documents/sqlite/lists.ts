import type { Scalar, SortKey } from '../../../contracts/where'
import type { Sql } from '../../../query/to-sqlite'
import { pickFields, pickJson } from '../pick'
import { type Plan, planOf } from '../plan'
import type { Collection, Document, FindQuery, JsonPage, ListQuery, PreparedList } from '../port'
import type { Connection } from './connection'
import type { Layout } from './layout'
import { type Joined, joinedSql, readJoined, readPage } from './page'
import type { Reader } from './reader'
import { boundsOf, selectSql } from './statements'

export interface Lists extends Pick<Collection, 'find' | 'findJson' | 'prepareList'> {
  /** Returns how the indexes serve a find. */
  planned(query: FindQuery): Plan
}

interface ListParts {
  readonly connection: Connection
  readonly reader: Reader
  readonly layout: Layout
  document(row: readonly unknown[]): Document
}

/** A compiled list: its rows, their order, and the best way to read them. */
interface Compiled {
  readonly plan: Plan
  readonly sort: readonly SortKey[]
  /** Whether the caller gets the stored text unchanged. */
  readonly asStored: boolean
  /** The SQL for rows with their keys, one more than requested. */
  readonly rows: Sql
  readonly isQuick: boolean
  readonly joined?: Joined
  keysOf(row: readonly unknown[]): NonNullable<JsonPage['last']>
}

/** With fewer rows than this, joining them in JavaScript is faster than a second statement. */
const joinedFrom = 8

/** Finds and lists of one table. A query object is compiled once and can be reused. */
export function createLists({ connection, reader, layout, document }: ListParts): Lists {
  const planned = (query: FindQuery) =>
    compiledOf(query)?.plan ?? planOf(layout.entity, query.where, boundsOf(layout, query).sort)
  const isQuick = quickFinds(connection)

  const findWhole = async (query: FindQuery): Promise<Document[]> => {
    const chosen = selectSql(layout, 'doc, rest', query)
    if (isQuick(query, planned(query), chosen))
      return connection.rows(chosen.sql, chosen.params).map(document)
    const scan = selectSql(layout, 'doc, rest', query, true)
    return (await reader.rows(scan.sql, scan.params)).map(document)
  }
  const compile = (query: ListQuery): Compiled => {
    const { omit, fields, limit } = query
    const { sort } = boundsOf(layout, query)
    const keys = ['id', ...sort.map(({ field }) => layout.locate(field).value)].join(', ')
    const what = `CAST(doc AS BLOB), ${keys}`
    const rows = selectSql(layout, what, oneMore(query))
    const asStored =
      !fields && omit.length === layout.hidden.length && omit.every((name) => layout.hidden.includes(name))
    const plan = planned(query)
    const quick = asStored && isQuick(query, plan, rows)
    const base = { plan, sort, asStored, rows, isQuick: quick, keysOf: keysOf(layout, sort) }
    if (!quick) return { ...base, rows: selectSql(layout, what, oneMore(query), true) }
    if (limit === undefined || limit < joinedFrom) return base
    const texts = joinedSql(selectSql(layout, 'doc', query))
    return { ...base, joined: { texts, keys: selectSql(layout, keys, { ...query, limit: 2, skip: 1 }) } }
  }
  const raw = ({ rows, isQuick, joined }: Compiled, { limit, skip = 0 }: ListQuery) => {
    if (joined && limit !== undefined) return readJoined(connection, joined, limit, skip)
    return isQuick
      ? readPage(connection, rows.sql, rows.params, limit)
      : reader.page(rows.sql, rows.params, limit)
  }
  return {
    planned,
    prepareList: (query) => ({ ...query, compiled: compile(query) }),
    find: async (query) => pickFields(await findWhole(query), query.fields),
    findJson: async (query): Promise<JsonPage> => {
      const list = compiledOf(query) ?? compile(query)
      if (!list.asStored)
        return pickJson(await findWhole(oneMore(query)), query.limit, list.sort, query.omit, query.fields)
      const { body, count, more, last } = await raw(list, query)
      return { body, count, more, last: last && list.keysOf(last) }
    },
  }
}

/** Returns the query with a limit of one row more, without the compiled form of the other query. */
const oneMore = ({ compiled: _, ...query }: ListQuery & Partial<PreparedList>): ListQuery =>
  query.limit === undefined ? query : { ...query, limit: query.limit + 1 }

/** Returns the compiled form of a prepared query, or undefined for any other query. */
const compiledOf = (query: PreparedList | FindQuery): Compiled | undefined =>
  (query as PreparedList).compiled as Compiled | undefined

/**
 * Whether a find may run on the event loop. An index must answer it, both by Renown's plan and by SQLite's
 * own.
 */
function quickFinds(connection: Connection) {
  const known = new Map<string, boolean>()
  return (query: FindQuery, plan: Plan, { sql, params }: Sql): boolean => {
    if (query.skip && query.skip > 1000) return false
    if (!plan.covered) return false
    const old = known.get(sql)
    if (old !== undefined) return old
    const steps = explain(connection, { sql, params })
    const quick = !steps.some((step) => /^SCAN (?!CONSTANT)|TEMP B-TREE/.test(step))
    if (known.size > 2000) known.clear()
    known.set(sql, quick)
    return quick
  }
}

/** Returns the steps of SQLite's plan. */
export function explain({ db }: Connection, { sql, params }: Sql): string[] {
  const statement = db.prepare(`EXPLAIN QUERY PLAN ${sql}`)
  try {
    return statement.values(...(params as never[])).map((step) => String(step[3]))
  } finally {
    // An open statement counts as a reader, and would prevent dropping an index.
    statement.finalize()
  }
}

/** Reads the stored keys of a row, which follow its id. */
function keysOf(layout: Layout, sort: readonly SortKey[]): Compiled['keysOf'] {
  const places = sort.flatMap(({ field }, place) =>
    field === 'id' ? [] : [{ place: place + 1, isFlag: layout.isFlag(field) }],
  )
  return (row) => ({
    values: places.map(({ place, isFlag }) =>
      isFlag ? flagOf(row[place]) : ((row[place] ?? null) as Scalar),
    ),
    id: String(row[0]),
  })
}

/** Reads a boolean column: 1, 0 or null. */
const flagOf = (value: unknown) => (value === null || value === undefined ? null : value === 1)
