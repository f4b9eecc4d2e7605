import { bound, type Sql } from '../../../query/to-sqlite'
import { stoppable } from './interrupt'
import type { Layout } from './layout'
import { recountSql } from './tallies'

/**
 * Returns the statements that find values of columns that are not those of their documents, and wrong counts. SQLite refuses such
 * rows, but not from a connection that turned its checks off, and not if somebody wrote to the file.
 */
export function mismatchesSql(layout: Layout, limit: number): readonly Sql[] {
  const { table, conditions } = layout
  const cases = conditions.map(({ path, sql }) => `WHEN (${sql}) IS NOT 1 THEN ${literal(path)}`)
  // A text that is no JSON ends the statement, so it is looked for first.
  const path = `CASE WHEN NOT json_valid(doc) OR NOT json_valid(coalesce(rest, '{}')) THEN 'doc' ${cases.join(' ')} END`
  const rows = {
    sql: `SELECT id, path FROM (SELECT id, ${path} AS path FROM ${table} WHERE ${stoppable}(1)) WHERE path IS NOT NULL LIMIT ${bound}`,
    params: [limit],
  }
  const counts = recountSql(layout)
  return counts === null ? [rows] : [rows, counts]
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
