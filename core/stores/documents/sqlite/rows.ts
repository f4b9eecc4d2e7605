import type { Where } from '../../../contracts/where'
import type { SqlValue } from '../../../query/to-sqlite'
import { indexesOf } from '../indexes'
import { applyPatch, upserted } from '../patch'
import { ConflictError, type Document, type Patch, type UpdateOptions } from '../port'
import type { Connection } from './connection'
import { type Layout, quote } from './layout'
import { selectSql } from './statements'

/** Writes to one table. Each runs inside the writer's transaction. */
export interface RowWriter {
  insert(document: Readonly<Record<string, unknown>>): void
  updateOne(where: Where, patch: Patch, options: UpdateOptions): Document | null
  /** Changes up to 500 matching rows after a rowid. Returns how many, and the last rowid. */
  updateSome(where: Where, patch: Patch, behind: number): { readonly changed: number; readonly last: number }
  /** Removes up to 1,000 matching rows. */
  removeSome(where: Where): number
}

/** Writes to a layout's table. A patch is applied synchronously, so nothing can come in between. */
export function createRowWriter({ rows, run }: Connection, layout: Layout, now: () => Date): RowWriter {
  const { table, columns } = layout
  const all = [...columns, 'doc', 'rest']
  const insertSql = `INSERT INTO ${table} (${all.map(quote).join(', ')}) VALUES (${all.map(() => '?').join(', ')})`

  const insert = (document: Readonly<Record<string, unknown>>) => {
    const parts = layout.split(document)
    guarded(layout, () => run(insertSql, [...parts.columns, parts.doc, parts.rest]))
  }
  const change = (rowid: SqlValue, doc: string, rest: string | null, patch: Patch) => {
    const before = layout.join(doc, rest)
    const after = applyPatch(before, patch, now()) as Document
    if (after.id !== before.id) throw new TypeError('the id of a row cannot change')
    const old = layout.split(before)
    const next = layout.split(after)
    const changed = columns.flatMap((_, place) => (old.columns[place] === next.columns[place] ? [] : [place]))
    const set = [...changed.map((place) => quote(columns[place] ?? '')), '"doc"', '"rest"']
    const values = [...changed.map((place) => next.columns[place] ?? null), next.doc, next.rest, rowid]
    guarded(layout, () =>
      run(`UPDATE ${table} SET ${set.map((name) => `${name} = ?`).join(', ')} WHERE rowid = ?`, values),
    )
    return { before, after }
  }
  return {
    insert,
    updateOne: (where, patch, options) => {
      const sort = options.sort ?? [{ field: 'id', direction: 'asc' } as const]
      const { sql, params } = selectSql(layout, 'rowid, doc, rest', { where, sort, limit: 1 })
      const [found] = rows(sql, params)
      if (found) {
        const [rowid, doc, rest] = found
        const { before, after } = change(rowid as SqlValue, doc as string, rest as string | null, patch)
        return options.returning === 'before' ? before : after
      }
      if (!options.upsert) return null
      const made = upserted(where, patch, now())
      if (typeof made.id !== 'string') throw new TypeError('an upsert needs the id')
      insert(made)
      return options.returning === 'before' ? null : (layout.join(JSON.stringify(made), null) as Document)
    },
    updateSome: (where, patch, behind) => {
      const sort = [{ field: 'id', direction: 'asc' } as const]
      const chosen = selectSql(layout, 'rowid AS place', { where, sort })
      const batch = rows(
        `SELECT rowid, doc, rest FROM ${table} WHERE rowid > ? AND rowid IN (${withoutOrder(chosen.sql)})
         ORDER BY rowid LIMIT 500`,
        [behind, ...chosen.params],
      )
      for (const [rowid, doc, rest] of batch) {
        change(rowid as SqlValue, doc as string, rest as string | null, patch)
      }
      return { changed: batch.length, last: Number(batch.at(-1)?.[0] ?? behind) }
    },
    removeSome: (where) => {
      const chosen = selectSql(layout, 'rowid', { where, sort: [] })
      const { changes } = run(
        `DELETE FROM ${table} WHERE rowid IN (${withoutOrder(chosen.sql)} LIMIT 1000)`,
        chosen.params,
      )
      return changes
    },
  }
}

const withoutOrder = (sql: string) => sql.slice(0, sql.lastIndexOf(' ORDER BY '))

function guarded(layout: Layout, write: () => unknown): void {
  try {
    write()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') throw error
    const prefix = `${layout.entity.name}.`
    const fields = message
      .slice(message.indexOf(': ') + 2)
      .split(', ')
      .map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name))
    const index = indexesOf(layout.entity).find(
      ({ unique, keys }) => unique && keys.map(({ field }) => field).join() === fields.join(),
    )
    throw new ConflictError(layout.entity.name, index?.name ?? fields.join('.'), fields)
  }
}
