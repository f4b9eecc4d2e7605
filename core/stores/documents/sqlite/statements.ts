import type { GroupQuery, Measure } from '../../../contracts/context'
import type { SortKey, Where } from '../../../contracts/where'
import { fieldAt } from '../../../kit/fields'
import { bound, type Sql, type SqlValue, toSqlite } from '../../../query/to-sqlite'
import { totalSort, withId } from '../indexes'
import { boundedWhere } from '../keyset'
import type { FindQuery, JoinedEntity } from '../port'
import { periodFunction } from './functions'
import { seldomStoppable, stoppable } from './interrupt'
import type { Layout } from './layout'
import { tallyGroupSql, tallySql } from './tallies'

/** Returns a find's total order, and its filter with the keyset bound. */
export function boundsOf(layout: Layout, query: FindQuery): { sort: readonly SortKey[]; where: Where } {
  const sort = query.sort ? withId(query.sort) : totalSort(layout.entity)
  return { sort, where: boundedWhere(query, sort) }
}

/** Returns `SELECT what FROM … WHERE … ORDER BY … LIMIT … OFFSET …`. */
export function selectSql(layout: Layout, what: string, query: FindQuery, isScan = false): Sql {
  const { sort, where } = boundsOf(layout, query)
  const filter = toSqlite(where, layout.locate)
  const order = sort.map(
    ({ field, direction, nulls }) =>
      `${scalar(layout, field)}${direction === 'desc' ? ' DESC' : nulls === 'last' ? ' NULLS LAST' : ''}`,
  )
  const params: SqlValue[] = [...filter.params]
  let sql = `SELECT ${what} FROM ${layout.table} WHERE ${isScan ? stoppable : ''}(${filter.sql}) ORDER BY ${order.join(', ')}`
  if (query.limit !== undefined || query.skip) {
    sql += ` LIMIT ${bound} OFFSET ${bound}`
    params.push(query.limit ?? -1, query.skip ?? 0)
  }
  return { sql, params }
}

/** Counts matching rows, up to a limit if given. Reads the entity's `counts` if they answer the filter. */
export function countSql(layout: Layout, where: Where, limit?: number): Sql {
  const tally = tallySql(layout, where, limit)
  if (tally) return tally
  const { sql, params } = toSqlite(where, layout.locate)
  const stop = readsColumns(layout, where) ? seldomStoppable : stoppable
  if (limit === undefined)
    return { sql: `SELECT count(*) FROM ${layout.table} WHERE ${stop}(${sql})`, params }
  return {
    sql: `SELECT count(*) FROM (SELECT 1 FROM ${layout.table} WHERE ${stop}(${sql}) LIMIT ${bound})`,
    params: [...params, limit],
  }
}

/** Whether a filter compares columns only, and never looks into the text of a row or for a text in a column. */
function readsColumns(layout: Layout, where: Where): boolean {
  if (!('field' in where)) return [where.of].flat().every((part) => readsColumns(layout, part))
  return layout.columns.includes(where.field) && where.op !== 'contains' && where.op !== 'startsWith'
}

/**
 * Finds rows, each with the text of its row of another entity, and counts all rows of the filter. The first row of the
 * result is the count. The others have the columns null, doc, rest, joined doc. Only the rows of the page are read
 * whole if an index contains the fields of filter and order. `total` is the count if it is known.
 */
export function joinedRowsSql(
  layout: Layout,
  query: FindQuery,
  other: JoinedEntity & { readonly layout: Layout },
  total?: number,
): Sql {
  if (!layout.columns.includes(other.by)) throw new Error(`${layout.entity.name}.${other.by} has no index`)
  const count = total === undefined ? countSql(layout, query.where) : { sql: bound, params: [total] }
  const filter = toSqlite(other.where, other.layout.locate)
  const page = selectSql(layout, 'rowid AS place', query, true)
  const joined = `SELECT doc FROM ${other.layout.table} WHERE id = base.${scalar(layout, other.by)} AND (${filter.sql})`
  return {
    sql: `SELECT (${count.sql}), NULL, NULL, NULL UNION ALL
      SELECT NULL, base.doc, base.rest, (${joined})
      FROM (${page.sql}) AS page CROSS JOIN ${layout.table} AS base ON base.rowid = page.place`,
    params: [...count.params, ...filter.params, ...page.params],
  }
}

/**
 * Returns the SQL of groups, in the order of their keys. The columns are the keys, then the measures. Reads the entity's
 * `counts` if they answer it.
 */
export function groupSql(layout: Layout, query: GroupQuery): Sql {
  const tally = tallyGroupSql(layout, query)
  if (tally) return tally
  const keys = query.by.map((by) => {
    if (typeof by === 'string') return { sql: scalar(layout, by), params: [] }
    if (fieldAt(layout.entity, by.field)?.kind !== 'instant')
      throw new Error(`${by.field} is not a date field`)
    return { sql: `${periodFunction}(${scalar(layout, by.field)}, ?, ?)`, params: [by.unit, by.timezone] }
  })
  const filter = toSqlite(query.where ?? { op: 'and', of: [] }, layout.locate)
  const rows = `FROM ${layout.table} WHERE ${stoppable}(${filter.sql})`
  const places = keys.map((_, place) => place + 1).join(', ')
  const grouped = places ? ` GROUP BY ${places} ORDER BY ${places}` : ''
  const limit = query.limit === undefined ? '' : ` LIMIT ${bound}`
  const params = [...keys.flatMap((key) => key.params), ...filter.params]
  const all = query.limit === undefined ? params : [...params, query.limit]
  const values = query.measures.map(({ field }) => (field === undefined ? '1' : scalar(layout, field)))
  if (!grouped || !namesText(layout, query)) {
    const measures = query.measures.map((measure, place) => measureSql(measure, values[place] ?? '1'))
    const sql = `SELECT ${[...keys.map((key) => key.sql), ...measures].join(', ')} ${rows}${grouped}${limit}`
    return { sql, params: all }
  }
  // SQLite sorts what a group needs. Without the inner limit, that would be the whole text of each row.
  const inner = [
    ...keys.map(({ sql }, place) => `${sql} AS k${place}`),
    ...values.map((value, place) => `${value} AS m${place}`),
  ]
  const outer = [
    ...keys.map((_, place) => `k${place}`),
    ...query.measures.map((measure, place) => measureSql(measure, `m${place}`)),
  ]
  const sql = `SELECT ${outer.join(', ')} FROM (SELECT ${inner.join(', ')} ${rows} LIMIT -1)${grouped}${limit}`
  return { sql, params: all }
}

/** Whether a group reads a field that has no column of its own. */
const namesText = ({ columns }: Layout, { by, measures }: GroupQuery) =>
  [
    ...by.map((key) => (typeof key === 'string' ? key : key.field)),
    ...measures.map(({ field }) => field),
  ].some((path) => path !== undefined && !columns.includes(path))

function measureSql({ fn, field }: Measure, value: string): string {
  if (field === undefined) return 'count(*)'
  return fn === 'sum' ? `coalesce(sum(${value}), 0)` : `${fn}(${value})`
}

function scalar(layout: Layout, path: string): string {
  const { value, list } = layout.locate(path)
  if (list !== undefined) throw new Error(`${layout.entity.name}.${path} is a list and cannot be sorted`)
  return value
}
