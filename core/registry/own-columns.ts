import type { Columns, PluginDeclaration } from '../contracts/plugin'

/**
 * Returns ClickHouse for one plugin, which can read and write only the tables that it declares. ClickHouse's
 * own parser finds the tables in a query, so no spelling can hide one.
 */
export function ownColumns({ name, tables = [] }: PluginDeclaration, columns: Columns): Columns {
  const own = new Set([oneRow, ...tables.map((table) => table.name)])
  const refusal = (what: string) =>
    new Error(
      `The plugin ${name} cannot use ${what}: through ctx.columns a plugin uses the tables that it declares.`,
    )
  const writable = (table: string) => {
    if (table === oneRow || !own.has(table)) throw refusal(`the table ${table}`)
  }
  /** Caches checked queries, because their texts rarely change. */
  const checked = new Set<string>()
  const check = async (sql: string, params?: Record<string, unknown>) => {
    if (checked.has(sql)) return
    const strange = hiding(sql) ?? strangeIn(await parsed(columns, sql, params), own)
    if (typeof strange === 'string') throw refusal(strange)
    const foreign = await standing(columns, strange)
    if (foreign !== undefined) throw refusal(`the table ${foreign}`)
    if (checked.size >= checkedMax) checked.clear()
    checked.add(sql)
  }
  return Object.freeze({
    async query<T>(sql: string, params?: Record<string, unknown>) {
      await check(sql, params)
      return columns.query<T>(sql, params)
    },
    async insert(table: string, names: readonly string[], rows: readonly (readonly unknown[])[]) {
      writable(table)
      return columns.insert(table, names, rows)
    },
    async remove(table: string, column: string, values: readonly string[]) {
      writable(table)
      return columns.remove(table, column, values)
    },
  })
}

/** The one-row table that ClickHouse adds to a SELECT without FROM. */
const oneRow = 'system.one'

const checkedMax = 500

/**
 * Finds forms where the parsed query would differ from the one that runs: several statements, names by parameter,
 * quoted names.
 */
function hiding(sql: string): string | null {
  if (sql.includes(';')) return 'a semicolon in SQL'
  if (/["`]/.test(sql)) return 'a quoted name in SQL'
  return /:\s*Identifier\b/i.test(sql) ? 'a parameter of the type Identifier' : null
}

/**
 * Returns the query's syntax tree, one line per node, indented by depth. ClickHouse refuses statements other than
 * SELECT, and writes to files.
 */
async function parsed(columns: Columns, sql: string, params?: Record<string, unknown>): Promise<string[]> {
  // The line break ends a comment at the end of the query.
  const rows = await columns.query<{ readonly explain?: string }>(
    `SELECT explain FROM (EXPLAIN AST ${sql}\n)`,
    params,
  )
  const lines = rows.map(({ explain }) => explain)
  if (lines.length === 0 || lines.some((line) => typeof line !== 'string'))
    throw new Error('ClickHouse did not say what a query reads, so the query was not run.')
  return lines as string[]
}

/** Table functions that read no stored data. */
const harmless = new Set(['numbers', 'zeros', 'values', 'generate_series', 'generateSeries'])
/** Functions that read files, dictionaries, tables or the server's own settings. */
const reaching =
  /^(file|dict.*|joinGet.*|hasColumnInTable|getSetting.*|getMacro|catboostEvaluate|naiveBayes.*)$/i
const isIn = (line: string) => /^ *Function (global)?(not)?(null)?in(ignoreset)?\b/i.test(line)

/**
 * Returns the first thing in a query that is not allowed, or names that are not tables of the plugin. These
 * may be names of its subqueries.
 */
function strangeIn(lines: readonly string[], own: ReadonlySet<string>): string | readonly string[] {
  const [root = ''] = lines
  if (!/^Select(WithUnion|IntersectExcept)Query\b/.test(root)) return 'a statement that is no SELECT'
  const names = new Set<string>()
  for (const [at, line] of lines.entries()) {
    const [, kind = '', name = ''] = /^ *(\w+) ?([^ ]*)/.exec(line) ?? []
    const isTable = kind === 'TableIdentifier' || (kind === 'Identifier' && isSetOf(lines, at))
    if (isTable && name.includes('.') && !own.has(name)) return `the table ${name}`
    if (isTable && !own.has(name)) names.add(name)
    if (kind !== 'Function') continue
    if (/^ *TableExpression\b/.test(lines[at - 1] ?? '') && !harmless.has(name)) return `${name}()`
    if (reaching.test(name)) return `${name}()`
  }
  return [...names]
}

const depthOf = (line: string) => line.length - line.trimStart().length

/** Whether a node is the second argument of IN, which may be a table. */
function isSetOf(lines: readonly string[], at: number): boolean {
  const depth = depthOf(lines[at] ?? '')
  let before = at - 1
  let siblings = 0
  while (before >= 0 && depthOf(lines[before] ?? '') >= depth) {
    if (depthOf(lines[before] ?? '') === depth) siblings++
    before--
  }
  return siblings === 1 && isIn(lines[before - 1] ?? '')
}

/**
 * Returns the first of these names that is a table of this database. A query would read that table instead of
 * its subquery with the same name.
 */
async function standing(columns: Columns, names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined
  const [found] = await columns.query<{ readonly name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN {names:Array(String)}',
    { names },
  )
  return found?.name
}
