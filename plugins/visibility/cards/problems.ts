import { where } from 'renown'
import type { WorkspaceProblemSource } from 'renown/pages'
import { VisibilityTracker } from '../records/VisibilityTracker'

/** Trackers that could not ask, that a limit ended early, or of which an assistant is not asked now. */
export const visibilityProblems: WorkspaceProblemSource = {
  name: 'visibility',
  order: 40,
  async read(ctx, limit) {
    const now = ctx.now().toISOString()
    const trackers = await ctx.rows(VisibilityTracker).list({ where: where.eq('is_active', true), limit })
    return trackers.flatMap(({ location_id, name, last_run_summary: last, holds = [] }) => {
      const of = { location_id, about: name, ...(last ? { since: last.at } : {}) }
      const todo = 'Open the tracker in /app/visibility.'
      const failed = last?.message
      return [
        ...(failed === undefined
          ? []
          : [{ ...of, kind: 'tracker_failed', severity: 'critical' as const, why: failed, todo }]),
        ...(last?.truncated
          ? [
              {
                ...of,
                kind: 'tracker_over_limit',
                severity: 'warning' as const,
                why: `${last.ran} of ${last.planned ?? last.ran} questions of the last round were asked.`,
                todo: 'Raise the limit or ask less, in /app/visibility. getLimits says what is left.',
              },
            ]
          : []),
        ...holds
          .filter(({ until }) => until > now)
          .map(({ reason }) => ({
            ...of,
            kind: 'assistant_not_asked',
            severity: 'warning' as const,
            why: reason,
            todo: 'Follow the reason. Renown tries again by itself.',
          })),
      ]
    })
  },
}
