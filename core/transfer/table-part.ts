import type { TableDeclaration } from '../contracts/plugin'
import { quoteName } from '../query/clickhouse-text'
import type { ColumnsStore } from '../stores/columns/port'
import { positionsOf } from './entity-part'
import type { Part, Row } from './format'

/** Whether a table's key identifies one row, so that its rows can be read in pages. */
export const isKeyed = ({ engine }: TableDeclaration): boolean => /^(Replacing|Summing)MergeTree/.test(engine)

/** A condition on rows: the column has one of these values. */
export interface Among {
  readonly column: string
  readonly values: readonly string[]
}

/** Returns the rows of one keyed table, with versions and sums merged: all, or some. */
export function tablePart(table: TableDeclaration, columns: ColumnsStore, among?: Among): Part {
  const names = Object.keys(table.columns)
  const from = `${quoteName(table.name)} FINAL`
  const order = table.orderBy.map(quoteName).join(', ')
  const inside = among ? `${quoteName(among.column)} IN {among:Array(String)}` : ''
  const own = among ? { among: [...among.values] } : {}
  const picked = names.map((name) => columnSql(name, typeOf(table, name))).join(', ')
  return {
    name: table.name,
    isEmpty: async () => {
      const sql = `SELECT 1 FROM ${quoteName(table.name)}${among ? ` WHERE ${inside}` : ''} LIMIT 1`
      return (await columns.query(sql, own)).length === 0
    },
    page: async (after, limit) => {
      const wanted = [...(among ? [inside] : []), ...(after ? [behind(table)] : [])]
      const filter = wanted.length > 0 ? ` WHERE ${wanted.join(' AND ')}` : ''
      const marks = Object.fromEntries((after ?? []).map((value, place) => [`k${place}`, value]))
      const params = { ...own, ...marks }
      const sql = `SELECT ${picked} FROM ${from}${filter} ORDER BY ${order} LIMIT ${limit}`
      const rows = await columns.query<Record<string, string | number>>(sql, params)
      const last = rows.at(-1)
      if (!last || rows.length < limit) return { rows, after: null }
      return { rows, after: table.orderBy.map((name) => last[name] ?? '') }
    },
    check: (row) => {
      const fault = faultOf(row, names, table)
      return fault ? { reason: `${table.name}.${fault}` } : { row }
    },
    existing: async (rows) => {
      const [first = ''] = table.orderBy
      const keys = rows.map((row) => table.orderBy.map((name) => String(row[name])).join(separator))
      const key = `arrayStringConcat([${table.orderBy.map((name) => `toString(${quoteName(name)})`).join(', ')}], '\\x1f')`
      const found = await columns.query<{ key: string }>(
        `SELECT ${key} AS key FROM ${from} WHERE toString(${quoteName(first)}) IN {first:Array(String)} AND key IN {keys:Array(String)}`,
        { first: [...new Set(rows.map((row) => String(row[first])))], keys },
      )
      return positionsOf(keys, new Set(found.map((row) => row.key)))
    },
    insert: async (rows) => {
      await columns.insert(
        table.name,
        names,
        rows.map((row) => names.map((name) => row[name] ?? absentAs(table, name))),
      )
      return []
    },
  }
}

const separator = '\u001f'

/** Returns a column's type without its storage options. */
function typeOf(table: TableDeclaration, name: string): string {
  const [plain = ''] = (table.columns[name] ?? 'String').split(/ (?:CODEC|DEFAULT)\b/, 1)
  return /^LowCardinality\((.+)\)$/.exec(plain)?.[1] ?? plain
}

/** Returns instants in UTC, whatever the time zone of the server. */
const columnSql = (name: string, type: string) =>
  type.startsWith('DateTime')
    ? `concat(replaceOne(toString(toTimeZone(${quoteName(name)}, 'UTC')), ' ', 'T'), 'Z') AS ${quoteName(name)}`
    : quoteName(name)

/** Returns the condition for rows after a key. The first column is repeated for the index. */
function behind(table: TableDeclaration): string {
  const keys = table.orderBy.map(quoteName)
  const marks = table.orderBy.map((name, place) => `{k${place}:${typeOf(table, name)}}`)
  return `${keys[0]} >= ${marks[0]} AND (${keys.join(', ')}) > (${marks.join(', ')})`
}

/**
 * Returns what a row without a value in a column has there: null, or the number after DEFAULT. Undefined if it must have one.
 * Files of an older release lack columns that were added since.
 */
function absentAs(table: TableDeclaration, name: string): number | null | undefined {
  if (typeOf(table, name).startsWith('Nullable(')) return null
  const [, fallback] = / DEFAULT (\d{1,15})$/.exec(table.columns[name] ?? '') ?? []
  return fallback === undefined ? undefined : Number(fallback)
}

function faultOf(row: Row, names: readonly string[], table: TableDeclaration): string | null {
  const isFilled = (name: string) => row[name] !== undefined || absentAs(table, name) !== undefined
  const missing = names.find((name) => !isFilled(name))
  if (missing !== undefined) return `${missing}: is missing`
  const unknown = Object.keys(row).find((name) => !names.includes(name))
  if (unknown !== undefined) return `${unknown}: there is no such column`
  const odd = names.find((name) => {
    const value = row[name] ?? absentAs(table, name)
    return value !== null && typeof value !== 'string' && typeof value !== 'number'
  })
  return odd === undefined ? null : `${odd}: expected text or a number`
}
