import type { Where } from '../../../contracts/where'
import { oncePer } from '../../../kit/once-per'
import { bound, type Sql, toSqlite } from '../../../query/to-sqlite'
import type { Connection } from './connection'
import { seldomStoppable } from './interrupt'
import { type Layout, quote } from './layout'

/**
 * The numbers of rows of an entity's `counts`, in a table of their own: one row per combination of values. Triggers
 * update them in the transaction of each write, so they are exact after any write, by anybody, and after a crash.
 */
interface Tally {
  /** The quoted name of the table. */
  readonly table: string
  /** The names of its triggers. They contain a digest of all statements. */
  readonly triggers: readonly string[]
  /** Counts the rows that exist, by `key`. */
  readonly recount: string
  /** The statements that create the table and its triggers, and count the rows that exist. */
  readonly creation: readonly string[]
  /** Fields whose values the table contains. */
  readonly by: ReadonlySet<string>
  /** Fields of which the table contains only whether they have a value. */
  readonly bySet: ReadonlySet<string>
}

const tallyOf: (layout: Layout) => Tally | null = oncePer(({ entity, table: rows }) => {
  const { counts } = entity
  if (!counts) return null
  const by = [...new Set<string>(['workspace_id', entity.scope.field, ...counts.by])]
  const bySet: readonly string[] = (counts.bySet ?? []).filter((name: string) => !by.includes(name))
  const name = `${entity.name}:counts`
  const table = quote(name)
  const columns = [...by, ...bySet].map(quote)
  const valuesOf = (row: string) => [
    ...by.map((field) => `${row}${quote(field)}`),
    ...bySet.map((field) => `CASE WHEN ${row}${quote(field)} IS NOT NULL THEN 1 END`),
  ]
  const keyOf = (row: string) => `json_array(${valuesOf(row).join(', ')})`
  const add = `INSERT INTO ${table} ("key", ${columns.join(', ')}, "n")
    VALUES (${keyOf('NEW.')}, ${valuesOf('NEW.').join(', ')}, 1)
    ON CONFLICT ("key") DO UPDATE SET "n" = "n" + 1;`
  const subtract = `UPDATE ${table} SET "n" = "n" - 1 WHERE "key" = ${keyOf('OLD.')};
    DELETE FROM ${table} WHERE "key" = ${keyOf('OLD.')} AND "n" = 0;`
  const bodies = {
    insert: `AFTER INSERT ON ${rows} BEGIN ${add} END`,
    delete: `AFTER DELETE ON ${rows} BEGIN ${subtract} END`,
    update: `AFTER UPDATE ON ${rows} WHEN ${keyOf('OLD.')} IS NOT ${keyOf('NEW.')} BEGIN ${subtract} ${add} END`,
  }
  const digest = Bun.hash(JSON.stringify(bodies)).toString(36)
  const triggers = Object.entries(bodies).map(([act, body]) => [`${name}:${act}~${digest}`, body] as const)
  const group = [...by, ...bySet].map((_, place) => place + 2).join(', ')
  return {
    table,
    by: new Set(by),
    bySet: new Set(bySet),
    triggers: triggers.map(([trigger]) => trigger),
    recount: `SELECT ${keyOf('')} AS "key", count(*) AS "n" FROM ${rows} GROUP BY 1`,
    creation: [
      `CREATE TABLE ${table} ("key" TEXT PRIMARY KEY NOT NULL, ${columns.join(', ')}, "n" INTEGER NOT NULL)`,
      `CREATE INDEX ${quote(`${name}:scope`)} ON ${table} (${columns.slice(0, 2).join(', ')})`,
      `INSERT INTO ${table} SELECT ${keyOf('')}, ${valuesOf('').join(', ')}, count(*) FROM ${rows} GROUP BY ${group}`,
      ...triggers.map(([trigger, body]) => `CREATE TRIGGER ${quote(trigger)} ${body}`),
    ],
  }
})

/** Returns the statements that create an entity's counts. None if it declares none. */
export const tallyCreation = (layout: Layout): readonly string[] => tallyOf(layout)?.creation ?? []

/** Returns the names of the triggers of each table. */
export function storedTriggers({ rows }: Connection): ReadonlyMap<string, readonly string[]> {
  const stored = rows("SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'")
  const byTable = Map.groupBy(stored, ([table]) => String(table))
  return new Map([...byTable].map(([table, list]) => [table, list.map(([, name]) => String(name))]))
}

/**
 * Whether the stored triggers are the declared ones. A table that was built again has lost them, so counts that missed
 * a write never pass for current ones.
 */
export function hasTally(layout: Layout, stored: readonly string[]): boolean {
  const wanted = tallyOf(layout)?.triggers ?? []
  return wanted.length === stored.length && wanted.every((name) => stored.includes(name))
}

/** Counts the rows of a table again, and drops counts that are no longer declared. */
export function rebuildTally(connection: Connection, layout: Layout): void {
  const { run } = connection
  const name = layout.entity.name
  for (const trigger of storedTriggers(connection).get(name) ?? []) run(`DROP TRIGGER ${quote(trigger)}`)
  run(`DROP TABLE IF EXISTS ${quote(`${name}:counts`)}`)
  for (const sql of tallyCreation(layout)) run(sql)
}

/** Returns the statement that finds counts that differ from a new count of the rows. Null if an entity has no counts. */
export function recountSql(layout: Layout): Sql | null {
  const tally = tallyOf(layout)
  if (tally === null) return null
  const { recount, table } = tally
  const differs = `SELECT "key", "n" FROM (${recount}) EXCEPT SELECT "key", "n" FROM ${table}`
  const extra = `SELECT "key", "n" FROM ${table} EXCEPT SELECT "key", "n" FROM (${recount})`
  return {
    sql: `SELECT '', 'counts' FROM (SELECT * FROM (${differs}) UNION ALL SELECT * FROM (${extra})) LIMIT ${bound}`,
    params: [1],
  }
}

/** Returns the statement that reads a number of rows from the counts. Null if the filter needs the rows themselves. */
export function tallySql(layout: Layout, where: Where, limit?: number): Sql | null {
  const tally = tallyOf(layout)
  if (!tally || !answers(tally, where)) return null
  const { sql, params } = toSqlite(where, (path) => ({ value: quote(path) }))
  const total = `coalesce(sum("n"), 0)`
  return {
    sql: `SELECT ${limit === undefined ? total : `min(${total}, ${bound})`} FROM ${tally.table} WHERE ${seldomStoppable}(${sql})`,
    params: limit === undefined ? params : [limit, ...params],
  }
}

function answers(tally: Tally, where: Where): boolean {
  if (!('field' in where)) return [where.of].flat().every((part) => answers(tally, part))
  if (tally.by.has(where.field)) return true
  const { op } = where
  return (
    tally.bySet.has(where.field) &&
    (op === 'exists' || ((op === 'eq' || op === 'ne') && where.value === null))
  )
}
