import * as v from 'valibot'
import { defineOperation, field, recordSchema, visibleRow, where } from '../../kit'
import { SyncStatus } from './SyncStatus'

const syncsMax = 200

/** Returns the syncs that are running now. */
export const getActiveSyncs = defineOperation({
  name: 'getActiveSyncs',
  summary: 'Syncs with outside sources that are running now',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({}),
  output: v.object({
    syncs: v.pipe(
      v.array(recordSchema(SyncStatus)),
      v.description(`Running syncs, latest first, at most ${syncsMax}`),
    ),
    count: field.integer('Number of running syncs, including those beyond the list', { min: 0 }),
    checked_at: field.instant('When this was answered'),
  }),
  async run(ctx) {
    const rows = ctx.rows(SyncStatus)
    const running = where.eq('status', 'running')
    const [syncs, count] = await Promise.all([
      rows.list({ where: running, limit: syncsMax }),
      rows.count(running),
    ])
    return {
      syncs: syncs.map((row) => visibleRow(SyncStatus, row)),
      count,
      checked_at: ctx.now().toISOString(),
    }
  },
})
