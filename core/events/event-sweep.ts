import type { JobDeclaration } from '../contracts/plugin'
import { dayMs, where } from '../kit'
import { EventEntry } from './EventEntry'

/** How many days an event stays in the log. */
export const eventDays = 90

/** Deletes old events. Keeps the last event of each workspace, because it says which number comes next. */
export const eventSweep: JobDeclaration = {
  summary: `Remove events older than ${eventDays} days from the logs of workspaces`,
  everyMs: dayMs,
  includesInactive: true,
  async run(ctx, signal) {
    const before = new Date(ctx.now().getTime() - eventDays * dayMs).toISOString()
    const logs = await ctx.rows(EventEntry).group({
      by: ['workspace_id'],
      measures: [{ as: 'last', fn: 'max', field: 'seq' }],
    })
    for (const { workspace_id, last } of logs) {
      if (signal.aborted) return
      const own = [where.eq('workspace_id', String(workspace_id)), where.lt('seq', Number(last))]
      await ctx.rows(EventEntry).removeWhere(where.and(...own, where.lt('created_date', before)))
    }
  },
}
