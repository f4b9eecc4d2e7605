import type { GroupQuery } from '../../../contracts/context'
import type { SortKey, Where } from '../../../contracts/where'
import { fieldAt } from '../../../kit/fields'
import { bound, type Sql, type SqlValue, toSqlite } from '../../../query/to-sqlite'
import { totalSort, withId } from '../indexes'
import { boundedWhere } from '../keyset'
import type { FindQuery } from '../port'
import { periodFunction } from './functions'
import { continueFunction } from './interrupt'
import type { Layout } from './layout'

/** Returns a find's total order, and its filter with the keyset bound. */
export function boundsOf(layout: Layout, query: FindQuery): { sort: readonly SortKey[]; where: Where } {
  const sort = query.sort ? withId(query.sort) : totalSort(layout.entity)
  return { sort, where: boundedWhere(query, sort) }
}

/** Stops a statement between two rows if its thread says so. */
const stoppable = `${continueFunction}() AND `

/** `SELECT what FROM … WHERE … ORDER BY … LIMIT … OFFSET …`. */
export function selectSql(layout: Layout, what: string, query: FindQuery, isScan = false): Sql {
  const { sort, where } = boundsOf(layout, query)
  const filter = toSqlite(where, layout.locate)
  const order = sort.map(
    ({ field, direction }) => `${scalar(layout, field)}${direction === 'desc' ? ' DESC' : ''}`,
  )
  const params: SqlValue[] = [...filter.params]
  let sql = `SELECT ${what} FROM ${layout.table} WHERE ${isScan ? stoppable : ''}(${filter.sql}) ORDER BY ${order.join(', ')}`
  if (query.limit !== undefined || query.skip) {
    sql += ` LIMIT ${bound} OFFSET ${bound}`
    params.push(query.limit ?? -1, query.skip ?? 0)
  }
  return { sql, params }
}

/** Counts matching rows, up to a limit if given. */
export function countSql(layout: Layout, where: Where, limit?: number): Sql {
  const { sql, params } = toSqlite(where, layout.locate)
  if (limit === undefined)
    return { sql: `SELECT count(*) FROM ${layout.table} WHERE ${stoppable}(${sql})`, params }
  return {
    sql: `SELECT count(*) FROM (SELECT 1 FROM ${layout.table} WHERE ${stoppable}(${sql}) LIMIT ${bound})`,
    params: [...params, limit],
  }
}

/** Groups in the order of their keys. The columns are the keys, then the measures. */
export function groupSql(layout: Layout, query: GroupQuery): Sql {
  const keys = query.by.map((by) => {
    if (typeof by === 'string') return { sql: scalar(layout, by), params: [] }
    if (fieldAt(layout.entity, by.field)?.kind !== 'instant')
      throw new Error(`${by.field} is not a date field`)
    return { sql: `${periodFunction}(${scalar(layout, by.field)}, ?, ?)`, params: [by.unit, by.timezone] }
  })
  const measures = query.measures.map((measure) => {
    if (measure.fn === 'count') return 'count(*)'
    const value = scalar(layout, measure.field)
    return measure.fn === 'sum' ? `coalesce(sum(${value}), 0)` : `${measure.fn}(${value})`
  })
  const filter = toSqlite(query.where ?? { op: 'and', of: [] }, layout.locate)
  const places = keys.map((_, place) => place + 1).join(', ')
  const grouped = places ? ` GROUP BY ${places} ORDER BY ${places}` : ''
  const sql = `SELECT ${[...keys.map((key) => key.sql), ...measures].join(', ')}
    FROM ${layout.table} WHERE ${stoppable}(${filter.sql})${grouped}${query.limit === undefined ? '' : ` LIMIT ${bound}`}`
  const params = [...keys.flatMap((key) => key.params), ...filter.params]
  return { sql, params: query.limit === undefined ? params : [...params, query.limit] }
}

function scalar(layout: Layout, path: string): string {
  const { value, list } = layout.locate(path)
  if (list !== undefined) throw new Error(`${layout.entity.name}.${path} is a list and cannot be sorted`)
  return value
}
