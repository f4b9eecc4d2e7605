import type { WorkspaceProblemSource } from '../../contracts/workspace-problems'
import { dayMs, where } from '../../kit'
import { SyncStatus } from './SyncStatus'

/** A sync that runs longer than this has stopped without a result. */
const stuckMs = dayMs
/** Reviews and mentions are read every day. After this time without a sync they are late. */
const lateMs = 7 * dayMs

/** Syncs that failed, returned a part, do not end, or did not run for a week. */
export const syncProblems: WorkspaceProblemSource = {
  name: 'syncs',
  order: 20,
  async read(ctx, limit) {
    const before = (ms: number) => new Date(ctx.now().getTime() - ms).toISOString()
    const rows = await ctx.rows(SyncStatus).list({
      where: where.or(
        where.in('status', ['failed', 'partial']),
        where.and(where.eq('status', 'running'), where.lt('started_at', before(stuckMs))),
        where.and(
          where.eq('status', 'succeeded'),
          where.in('kind', ['reviews', 'mentions']),
          where.lt('finished_at', before(lateMs)),
        ),
      ),
      sort: [{ field: 'updated_date', direction: 'desc' }],
      limit,
    })
    return rows.map(({ status, kind, source, location_id, started_at, finished_at, error }) => {
      const since = status === 'running' ? started_at : (finished_at ?? started_at)
      return {
        ...words[status],
        location_id,
        about: `${kind}: ${source}`,
        ...(since === undefined ? {} : { since }),
        ...(error === undefined ? {} : { why: error }),
        todo:
          status === 'succeeded'
            ? 'Check that the location still has its source, in /app/locations.'
            : 'Follow the reason. Accounts are connected again in /app/settings/connections.',
      }
    })
  },
}

const words = {
  failed: { kind: 'sync_failed', severity: 'critical' },
  partial: { kind: 'sync_incomplete', severity: 'warning' },
  running: { kind: 'sync_stuck', severity: 'critical' },
  succeeded: { kind: 'sync_late', severity: 'warning' },
  idle: { kind: 'sync_late', severity: 'warning' },
} as const
