import { dayMs, type JobDeclaration, where } from 'renown'
import { VisibilityTracker } from '../records/VisibilityTracker'

/** Queues each tracker with due questions, at most once. */
export const dueTrackers: JobDeclaration = {
  summary: 'Queues the trackers whose questions to AI assistants are due',
  everyMs: 60_000,
  async run(ctx, signal) {
    const now = ctx.now()
    // No question is due more than two days ahead. A later time was stored by a wrong clock.
    const isWrong = where.gt('due_at', new Date(now.getTime() + 2 * dayMs).toISOString())
    const isDue = where.or(where.lte('due_at', now.toISOString()), isWrong)
    const due = where.and(where.eq('is_active', true), isDue)
    for await (const { id, workspace_id } of ctx.rows(VisibilityTracker).each({ where: due, signal })) {
      await ctx.enqueue('visibility-round', { workspace_id, key: id, payload: { tracker_id: id } })
    }
  },
}
