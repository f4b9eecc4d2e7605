import { defineAct } from 'renown'
import * as v from 'valibot'
import { pauseAsking, resumeAsking } from './change-tracker'
import { aboutTracker, trackerAudit } from './on-tracker'
import { requireCostLimit, warningsOf } from './price-notes'

const run = defineAct({
  ...aboutTracker,
  name: 'visibility tracker run',
  summary: "Put today's questions of a tracker now. Questions that were put today are not put again",
  label: 'Ask now',
  done: "Today's questions are being asked. Those that were asked today are not asked again.",
  async run(ctx, { row: { id: tracker_id, name, workspace_id } }) {
    await ctx.requireActive(workspace_id)
    const { job_id } = await ctx.enqueue('visibility-round', {
      workspace_id,
      payload: { tracker_id, manual: true },
    })
    return { answer: { tracker: name, job_id } }
  },
})

const pause = defineAct({
  ...aboutTracker,
  name: 'visibility tracker pause',
  summary: 'Pause a tracker. Its answers stay',
  label: 'Pause tracker',
  done: 'The tracker is paused. Its answers stay.',
  undo: 'visibility tracker resume',
  audit: trackerAudit('pause', 'AI visibility tracker paused'),
  async run(ctx, { row }) {
    await pauseAsking(ctx, row)
    return { answer: { tracker: row.name, state: 'paused' } }
  },
})

const resume = defineAct({
  ...aboutTracker,
  name: 'visibility tracker resume',
  summary: 'Resume a tracker from today on',
  fields: {
    usd_per_month: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,6}(\.\d{1,2})?$/, 'an amount such as 25'),
        v.transform(Number),
        v.description('Most US dollars that it may cost in a month'),
      ),
    ),
  },
  label: 'Resume tracker',
  done: 'The tracker asks again from today on.',
  undo: 'visibility tracker pause',
  audit: trackerAudit('resume', 'AI visibility tracker resumed'),
  async run(ctx, { row, input: { usd_per_month } }) {
    await ctx.requireActive(row.workspace_id)
    const planned = { usd_per_month: usd_per_month ?? row.budget?.usd_per_month }
    const warnings = warningsOf(await requireCostLimit(ctx, { ...row, budget: planned }))
    const { budget } = await resumeAsking(ctx, row, { usd_per_month })
    return {
      answer: {
        tracker: row.name,
        state: 'active',
        usd_per_month: budget?.usd_per_month ?? 'no limit',
        ...(warnings.length > 0 ? { warnings } : {}),
      },
    }
  },
})

/** What owners do with a tracker as a whole, by the name of its form. */
export const trackerActs = { run, pause, resume }
