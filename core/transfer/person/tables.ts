import type { TableDeclaration } from '../../contracts/plugin'
import { quoteName } from '../../query/clickhouse-text'
import type { ColumnsStore } from '../../stores/columns/port'
import type { PersonMatcher } from '../../tenancy/rights/matcher'
import type { Among } from '../table-part'

/** A value of a column that names the person. */
interface NamedValue {
  readonly column: string
  readonly value: string
}

/** Distinct values that are read at once. */
const pageValues = 5_000

/** Returns the values of a table's columns that name the person, among the rows of an agency. */
export async function namedValues(
  columns: ColumnsStore,
  table: TableDeclaration,
  among: Among,
  matcher: PersonMatcher,
): Promise<NamedValue[]> {
  const found: NamedValue[] = []
  for (const column of table.people ?? []) {
    for (let after = ''; ; ) {
      const name = quoteName(column)
      const rows = await columns.query<{ value: string }>(
        `SELECT DISTINCT assumeNotNull(${name}) AS value FROM ${quoteName(table.name)} WHERE ${quoteName(among.column)} IN {among:Array(String)} AND ${name} > {after:String} ORDER BY value LIMIT ${pageValues}`,
        { among: [...among.values], after },
      )
      for (const { value } of rows) if (matcher.names(value)) found.push({ column, value })
      if (rows.length < pageValues) break
      after = rows.at(-1)?.value ?? ''
    }
  }
  return found
}

/**
 * Erases the person from the rows of a table. A column of the key cannot be changed, so its rows are removed. Every version of a
 * row is changed, also those that a merge would drop later.
 */
export async function eraseValues(
  columns: ColumnsStore,
  table: TableDeclaration,
  among: Among,
  matcher: PersonMatcher,
): Promise<number> {
  const found = await namedValues(columns, table, among, matcher)
  const isKey = (column: string) => table.orderBy.includes(column)
  for (const [column, values] of Map.groupBy(found, (one) => one.column)) {
    const own = values.map(({ value }) => value)
    const wanted = [among, { column, values: own }]
    if (isKey(column)) await columns.removeWhere(table.name, wanted)
    else await columns.replace(table.name, { column, from: own, to: own.map(matcher.redact), among })
  }
  return found.length
}
