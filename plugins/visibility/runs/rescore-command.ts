import { defineOperatorCommand, field, requireRow, where } from 'renown'
import * as v from 'valibot'
import { Workspace } from '../records/foreign'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { rescoreTracker, scoringOf } from './rescore'

/** Scores stored answers again, of one tracker or of all. */
export const rescoreCommand = defineOperatorCommand({
  name: 'visibility tracker rescore',
  summary:
    'Score the stored answers of a tracker again, or of all. Earlier scores are kept. A second run changes nothing',
  input: v.strictObject({
    tracker_id: v.optional(field.text('Id of the tracker. Without it, all trackers outside the demo')),
  }),
  positional: ['tracker_id'],
  async run(ctx, { tracker_id }) {
    const rows = ctx.rows(VisibilityTracker)
    const chosen = tracker_id === undefined ? null : await requireRow(rows, 'tracker', tracker_id)
    const trackers = []
    for await (const tracker of rows.each({ where: chosen ? where.eq('id', chosen.id) : where.and() })) {
      const workspace = await ctx.rows(Workspace).get(tracker.workspace_id)
      if (!chosen && workspace?.is_demo === true) continue
      await ctx.requireActive(tracker.workspace_id)
      const scored_as = scoringOf(tracker)
      const done = await rescoreTracker(ctx, tracker)
      await rows.update(tracker.id, { scored_as })
      trackers.push({ name: tracker.name, id: tracker.id, ...done })
    }
    return { trackers }
  },
})
