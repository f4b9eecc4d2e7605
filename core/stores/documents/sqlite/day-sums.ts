import { oncePer } from '../../../kit/once-per'
import { shapeOf } from '../sums/shape'
import type { NewMonth, SumStore } from '../sums/store'
import type { Connection } from './connection'
import { countedValue, type Layout, quote } from './layout'
import type { CollectionParts } from './parts'

/** The tables and triggers of an entity's sums. */
interface SumTables {
  /** The quoted name of the table of months. */
  readonly months: string
  /** The quoted name of the table of changed days. */
  readonly touched: string
  /** The names of its triggers. They contain a digest of all statements. */
  readonly triggers: readonly string[]
  readonly creation: readonly string[]
}

const tablesOf: (layout: Layout) => SumTables | null = oncePer((layout: Layout) => {
  const { entity, table: rows } = layout
  const shape = shapeOf(entity)
  if (!shape) return null
  const months = quote(`${entity.name}:days`)
  const touched = quote(`${entity.name}:touched`)
  const valueIn = (row: 'OLD' | 'NEW', path: string) => countedValue(layout, row, path)
  const partsOf = (row: 'OLD' | 'NEW') => [
    ...['workspace_id', shape.on, ...shape.by, ...shape.values].map((path) => valueIn(row, path)),
    ...[...shape.set, ...shape.exceptSet].map((path) => `(${valueIn(row, path)} IS NOT NULL)`),
  ]
  const mark = (row: 'OLD' | 'NEW') => `INSERT OR REPLACE INTO ${touched} ("workspace_id", "day", "stamp")
    SELECT ${row}."workspace_id", substr(${valueIn(row, shape.on)}, 1, 10), random() WHERE ${valueIn(row, shape.on)} IS NOT NULL;`
  const isOther = `json_array(${partsOf('OLD').join(', ')}) IS NOT json_array(${partsOf('NEW').join(', ')})`
  const bodies = {
    insert: `AFTER INSERT ON ${rows} BEGIN ${mark('NEW')} END`,
    delete: `AFTER DELETE ON ${rows} BEGIN ${mark('OLD')} END`,
    update: `AFTER UPDATE ON ${rows} WHEN ${isOther} BEGIN ${mark('OLD')} ${mark('NEW')} END`,
  }
  const digest = Bun.hash(JSON.stringify([bodies, shape])).toString(36)
  const triggers = Object.entries(bodies).map(
    ([act, body]) => [`${entity.name}:days:${act}~${digest}`, body] as const,
  )
  return {
    months,
    touched,
    triggers: triggers.map(([name]) => name),
    creation: [
      `CREATE TABLE ${months} ("workspace_id" TEXT NOT NULL, "month" TEXT NOT NULL, "timezone" TEXT NOT NULL, "stamp" TEXT NOT NULL, "sums" TEXT NOT NULL, PRIMARY KEY ("workspace_id", "month"))`,
      `CREATE TABLE ${touched} ("workspace_id" TEXT NOT NULL, "day" TEXT NOT NULL, "stamp" INTEGER NOT NULL, PRIMARY KEY ("workspace_id", "day")) WITHOUT ROWID`,
      `INSERT OR IGNORE INTO ${touched} SELECT DISTINCT "workspace_id", substr(${quote(shape.on)}, 1, 10), random() FROM ${rows} WHERE ${quote(shape.on)} IS NOT NULL`,
      ...triggers.map(([name, body]) => `CREATE TRIGGER ${quote(name)} ${body}`),
    ],
  }
})

/** Returns the statements that create an entity's sums. All days with rows count as changed. None if it declares none. */
export const sumCreation = (layout: Layout): readonly string[] => tablesOf(layout)?.creation ?? []

/** Returns the names of the triggers of an entity's sums. */
export const sumTriggers = (layout: Layout): readonly string[] => tablesOf(layout)?.triggers ?? []

/** Drops an entity's sums, and creates them if they are declared. */
export function rebuildSums({ run }: Connection, layout: Layout): void {
  const { name } = layout.entity
  run(`DROP TABLE IF EXISTS ${quote(`${name}:days`)}`)
  run(`DROP TABLE IF EXISTS ${quote(`${name}:touched`)}`)
  for (const sql of sumCreation(layout)) run(sql)
}

/** Returns where the sums of an entity are kept. Null if it declares none. */
export function sumStore({
  connection: { rows, run },
  writer: { write },
  layout,
}: Pick<CollectionParts, 'connection' | 'writer' | 'layout'>): SumStore | null {
  const tables = tablesOf(layout)
  if (!tables) return null
  const { months, touched } = tables
  const among = '"workspace_id" IN (SELECT value FROM json_each(?))'
  const stored = (one: NewMonth): boolean => {
    const stamp = crypto.randomUUID()
    const { workspace, month, timezone, text, before } = one
    const { changes } =
      before === null
        ? run(`INSERT OR IGNORE INTO ${months} VALUES (?, ?, ?, ?, ?)`, [
            workspace,
            month,
            timezone,
            stamp,
            text,
          ])
        : run(
            `UPDATE ${months} SET "timezone" = ?, "stamp" = ?, "sums" = ? WHERE "workspace_id" = ? AND "month" = ? AND "stamp" = ?`,
            [timezone, stamp, text, workspace, month, before],
          )
    return changes > 0
  }
  return {
    months: (workspaces, first, last) =>
      rows(
        `SELECT "workspace_id", "month", "timezone", "stamp" FROM ${months} WHERE ${among} AND "month" BETWEEN ? AND ?`,
        [JSON.stringify(workspaces), first, last],
      ).map(([workspace, month, timezone, stamp]) => ({
        workspace: String(workspace),
        month: String(month),
        timezone: String(timezone),
        stamp: String(stamp),
      })),
    text: ({ workspace, month, timezone }) => {
      const [row] = rows(
        `SELECT "sums" FROM ${months} WHERE "workspace_id" = ? AND "month" = ? AND "timezone" = ?`,
        [workspace, month, timezone],
      )
      return row ? String(row[0]) : null
    },
    touched: (workspaces) =>
      rows(`SELECT "workspace_id", "day", CAST("stamp" AS TEXT) FROM ${touched} WHERE ${among}`, [
        JSON.stringify(workspaces),
      ]).map(([workspace, day, stamp]) => ({
        workspace: String(workspace),
        day: String(day),
        stamp: String(stamp),
      })),
    touchedWorkspaces: (limit) =>
      rows(`SELECT DISTINCT "workspace_id" FROM ${touched} LIMIT ?`, [limit]).map(([id]) => String(id)),
    save: (given, done) =>
      write(() => {
        const lost = new Set(given.filter((one) => !stored(one)).map(({ workspace }) => workspace))
        for (const { workspace, day, stamp } of done)
          if (!lost.has(workspace))
            run(
              `DELETE FROM ${touched} WHERE "workspace_id" = ? AND "day" = ? AND CAST("stamp" AS TEXT) = ?`,
              [workspace, day, stamp],
            )
      }),
    forget: (workspace) =>
      write(() => {
        run(`DELETE FROM ${months} WHERE "workspace_id" = ?`, [workspace])
        run(`DELETE FROM ${touched} WHERE "workspace_id" = ?`, [workspace])
      }),
  }
}
