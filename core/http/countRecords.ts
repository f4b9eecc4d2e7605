import * as v from 'valibot'
import type { RecordsContext } from '../contexts/records'
import { defineOperation, field } from '../kit'

/** The filter, unchanged, because valibot would drop keys that the parser must see and refuse. */
export const recordFilter = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(isObject, 'expected an object, such as {"id":"…"}'),
  v.metadata({ type: 'object' }),
  v.description('Filter, as in lists. Default: all records'),
)

/** Counts the records that a list would return, without reading them. */
export const countRecords = defineOperation({
  name: 'countRecords',
  summary:
    'Count the records of a type that match a filter. Counts the same records that the list of that type returns',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    entity: v.pipe(
      field.text('Record type, such as Review; GET /api/surface lists them'),
      v.examples(['Review']),
    ),
    q: v.optional(recordFilter),
  }),
  output: v.object({
    entity: field.code('Record type that was counted'),
    count: field.integer(
      'Matching records. Records that lists leave out are not counted: prospects and archived leads unless q names the field, removed reviews always',
      { min: 0 },
    ),
    counted_at: field.instant('When this was counted'),
  }),
  async run(ctx, { entity, q }) {
    const count = await (ctx as RecordsContext).countRecords(entity, q)
    return { entity, count, counted_at: ctx.now().toISOString() }
  },
})

function isObject(value: unknown): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
