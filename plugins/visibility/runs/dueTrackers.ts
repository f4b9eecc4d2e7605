import { type JobDeclaration, where } from 'renown'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { removeOldSlots } from './lost-slots'

/** Queues the trackers with questions that are due. A queued tracker is not queued twice. */
export const dueTrackers: JobDeclaration = {
  summary: 'Queues the trackers whose questions to AI assistants are due',
  everyMs: 60_000,
  async run(ctx, signal) {
    const now = ctx.now()
    // Nothing waits for more than two days: a later time was written by a clock that was wrong.
    const isWrong = where.gt('due_at', new Date(now.getTime() + 2 * 86_400_000).toISOString())
    const isDue = where.or(where.lte('due_at', now.toISOString()), isWrong)
    const due = where.and(where.eq('is_active', true), isDue)
    for await (const { id, workspace_id } of ctx.rows(VisibilityTracker).each({ where: due, signal })) {
      await ctx.enqueue('visibility-round', { workspace_id, key: id, payload: { tracker_id: id } })
    }
    await removeOldSlots(ctx)
  },
}
