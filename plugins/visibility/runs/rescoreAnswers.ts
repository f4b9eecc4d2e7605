import { type JobDeclaration, minuteMs, type QueueDeclaration, where } from 'renown'
import * as v from 'valibot'
import { Workspace } from '../records/foreign'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { rescoreTracker, scoringOf } from './rescore'

const payload = v.strictObject({ tracker_id: v.string() })

/** A round that began with the old names stores its answers within this time. */
const roundMs = 15 * minuteMs

/** Scores the stored answers of a tracker again. An interrupted attempt continues after its last page. */
export const rescoreAnswers: QueueDeclaration<typeof payload> = {
  summary: 'Scores stored answers again, with the present rules and names',
  payload,
  async run(ctx, { tracker_id }, task) {
    const tracker = await ctx.rows(VisibilityTracker).get(tracker_id)
    if (!tracker) return
    const scored_as = scoringOf(tracker)
    // Pages that an earlier attempt scored by other names are scored again.
    const after = task.saved.scored_as === scored_as ? String(task.saved.after) : undefined
    await rescoreTracker(ctx, tracker, {
      signal: task.signal,
      after,
      onPage: (id) => task.save({ scored_as, after: id }),
    })
    if (task.signal.aborted) throw new Error('The product stopped before all answers were scored again.')
    await ctx.rows(VisibilityTracker).update(tracker_id, { scored_as })
  },
}

/** Queues the trackers whose answers were scored by an older version of the detection, or by other names. */
export const queueRescoring: JobDeclaration = {
  summary: 'Queues trackers whose answers were scored by older rules or by other names',
  everyMs: 10 * minuteMs,
  async run(ctx, signal) {
    for await (const tracker of ctx.rows(VisibilityTracker).each({ signal })) {
      const { id, workspace_id, scored_as } = tracker
      const now = scoringOf(tracker)
      if (scored_as === now) continue
      // The demo has texts that are samples. Its scores are part of it.
      if ((await ctx.rows(Workspace).get(workspace_id))?.is_demo === true) continue
      const own = where.and(where.eq('workspace_id', workspace_id), where.eq('tracker_id', id))
      const hasRuns = (await ctx.rows(VisibilityRun).list({ where: own, limit: 1 })).length > 0
      if (hasRuns)
        await ctx.enqueue('visibility-rescore', {
          workspace_id,
          key: id,
          payload: { tracker_id: id },
          runAt: new Date(ctx.now().getTime() + roundMs),
        })
      else await ctx.rows(VisibilityTracker).update(id, { scored_as: now })
    }
  },
}
