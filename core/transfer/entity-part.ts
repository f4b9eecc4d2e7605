import * as v from 'valibot'
import type { AnyEntity } from '../contracts/entity'
import { everything, type Where, where } from '../contracts/where'
import { rowSchema } from '../kit/fields'
import type { Collection, Document } from '../stores/documents/port'
import type { Part, Row } from './format'

const byId = [{ field: 'id', direction: 'asc' }] as const

/** Returns the documents of one record type with internal fields: all, or those that match. */
export function entityPart(entity: AnyEntity, collection: Collection, among: Where = everything): Part {
  const schema = rowSchema(entity)
  return {
    name: entity.name,
    isEmpty: async () => (await collection.count(among, 1)) === 0,
    page: async (after, limit) => {
      const from = after ? { after: { values: [], id: String(after[0]) } } : {}
      const rows = await collection.find({ where: among, sort: byId, limit, ...from })
      const last = rows.at(-1)
      return { rows, after: last && rows.length === limit ? [last.id] : null }
    },
    check: (row) => {
      const parsed = v.safeParse(schema, row)
      if (parsed.success) return { row: parsed.output }
      const [issue] = parsed.issues
      const isUnknown = issue.type === 'strict_object' && issue.expected === 'never'
      const what = isUnknown ? 'the record type has no such field' : issue.message
      return { reason: `${entity.name}.${v.getDotPath(issue) ?? ''}: ${what}` }
    },
    existing: async (rows) => {
      const ids = rows.map(({ id }) => String(id))
      const found = await collection.find({ where: where.in('id', ids), limit: ids.length })
      return positionsOf(ids, new Set(found.map(({ id }) => id)))
    },
    insert: async (rows) => {
      const { failures } = await collection.insertMany(rows as readonly Row[] as readonly Document[])
      return failures.map(({ index, error }) => ({ index, reason: error.message }))
    },
  }
}

/** Returns the positions of the known keys. */
export const positionsOf = (keys: readonly string[], known: ReadonlySet<string>): ReadonlySet<number> =>
  new Set(keys.flatMap((key, place) => (known.has(key) ? [place] : [])))
