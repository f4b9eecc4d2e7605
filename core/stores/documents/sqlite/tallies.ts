import type { GroupQuery } from '../../../contracts/context'
import { everything, type Where } from '../../../contracts/where'
import { oncePer } from '../../../kit/once-per'
import { bound, type Sql, toSqlite } from '../../../query/to-sqlite'
import type { Connection } from './connection'
import { seldomStoppable } from './interrupt'
import { countedValue, type Layout, quote } from './layout'

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

/** A row in a trigger. Null: a row of a query. */
type Row = 'OLD' | 'NEW' | null

const tallyOf: (layout: Layout) => Tally | null = oncePer((layout) => {
  const { entity, table: rows } = layout
  const { counts } = entity
  if (!counts) return null
  const by = [...new Set<string>(['workspace_id', entity.scope.field, ...counts.by])]
  const bySet: readonly string[] = (counts.bySet ?? []).filter((name: string) => !by.includes(name))
  const name = `${entity.name}:counts`
  const table = quote(name)
  const columns = [...by, ...bySet].map(quote)
  const valueIn = (row: Row, path: string) => countedValue(layout, row, path)
  const valuesOf = (row: Row) => [
    ...by.map((field) => valueIn(row, field)),
    ...bySet.map((field) => `CASE WHEN ${valueIn(row, field)} IS NOT NULL THEN 1 END`),
  ]
  const keyOf = (row: Row) => `json_array(${valuesOf(row).join(', ')})`
  const add = `INSERT INTO ${table} ("key", ${columns.join(', ')}, "n")
    VALUES (${keyOf('NEW')}, ${valuesOf('NEW').join(', ')}, 1)
    ON CONFLICT ("key") DO UPDATE SET "n" = "n" + 1;`
  const subtract = `UPDATE ${table} SET "n" = "n" - 1 WHERE "key" = ${keyOf('OLD')};
    DELETE FROM ${table} WHERE "key" = ${keyOf('OLD')} AND "n" = 0;`
  const bodies = {
    insert: `AFTER INSERT ON ${rows} BEGIN ${add} END`,
    delete: `AFTER DELETE ON ${rows} BEGIN ${subtract} END`,
    update: `AFTER UPDATE ON ${rows} WHEN ${keyOf('OLD')} IS NOT ${keyOf('NEW')} BEGIN ${subtract} ${add} END`,
  }
  const digest = Bun.hash(JSON.stringify(bodies)).toString(36)
  const triggers = Object.entries(bodies).map(([act, body]) => [`${name}:${act}~${digest}`, body] as const)
  const group = [...by, ...bySet].map((_, place) => place + 2).join(', ')
  return {
    table,
    by: new Set(by),
    bySet: new Set(bySet),
    triggers: triggers.map(([trigger]) => trigger),
    recount: `SELECT ${keyOf(null)} AS "key", count(*) AS "n" FROM ${rows} GROUP BY 1`,
    creation: [
      `CREATE TABLE ${table} ("key" TEXT PRIMARY KEY NOT NULL, ${columns.join(', ')}, "n" INTEGER NOT NULL)`,
      `CREATE INDEX ${quote(`${name}:scope`)} ON ${table} (${columns.slice(0, 2).join(', ')})`,
      `INSERT INTO ${table} SELECT ${keyOf(null)}, ${valuesOf(null).join(', ')}, count(*) FROM ${rows} GROUP BY ${group}`,
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

/** Returns the names of the triggers of an entity's counts. */
export const tallyTriggers = (layout: Layout): readonly string[] => tallyOf(layout)?.triggers ?? []

/** Counts the rows of a table again, and drops counts that are no longer declared. Its triggers are gone already. */
export function rebuildTally({ run }: Connection, layout: Layout): void {
  run(`DROP TABLE IF EXISTS ${quote(`${layout.entity.name}:counts`)}`)
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

/**
 * Returns the statement that groups rows by the counts, in the order of their keys. Null if keys, measures or filter need the rows
 * themselves.
 */
export function tallyGroupSql(layout: Layout, { where: tree, by, measures, limit }: GroupQuery): Sql | null {
  const tally = tallyOf(layout)
  if (!tally || !answers(tally, tree ?? everything)) return null
  const keys = by.filter((key) => typeof key === 'string')
  if (keys.length === 0 || keys.length < by.length || !keys.every((key) => tally.by.has(key))) return null
  if (!measures.every(({ fn, field }) => fn === 'count' && field === undefined)) return null
  const { sql, params } = toSqlite(tree ?? everything, (path) => ({ value: quote(path) }))
  const places = keys.map((_, place) => place + 1).join(', ')
  const selected = [...keys.map(quote), ...measures.map(() => 'sum("n")')].join(', ')
  const end = limit === undefined ? '' : ` LIMIT ${bound}`
  return {
    sql: `SELECT ${selected} FROM ${tally.table} WHERE ${seldomStoppable}(${sql}) GROUP BY ${places} ORDER BY ${places}${end}`,
    params: limit === undefined ? params : [...params, limit],
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
