import { defineCommand, field, where } from 'renown'
import * as v from 'valibot'
import { costLimitOf } from '../engines/ask-engine'
import { visibilityEngine } from '../engines/engine'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { visibilitySettings } from '../settings'
import { pauseAsking, resumeAsking } from './change-tracker'
import { namedTracker } from './named-tracker'
import { requireCostLimit, warningsOf } from './price-notes'

const trackersMax = 1_000
const named = { tracker_id: field.text('Id of the tracker') }

/** Lists trackers, with the result of their last attempt. */
export const listTrackers = defineCommand({
  name: 'visibility tracker list',
  summary: 'List the trackers of AI visibility, with the result of their last attempt',
  input: v.strictObject({ workspace_id: v.optional(field.text('Only trackers of this workspace')) }),
  async run(ctx, { workspace_id }) {
    const trackers = await ctx.rows(VisibilityTracker).list({
      where: workspace_id === undefined ? where.and() : where.eq('workspace_id', workspace_id),
      sort: [{ field: 'created_date', direction: 'asc' }],
      limit: trackersMax,
    })
    return {
      trackers: trackers.map(({ id, name, is_active, engines, last_run_summary, sure_until, budget }) => ({
        name,
        id,
        state: is_active ? 'active' : 'paused',
        engines: engines.join(' '),
        last_attempt: endOf(last_run_summary),
        ...(sure_until === undefined ? {} : { sure_until }),
        usd_per_month: budget?.usd_per_month ?? 'no limit',
      })),
    }
  },
})

function endOf(
  summary:
    | { readonly ran: number; readonly planned?: number | undefined; readonly message?: string | undefined }
    | undefined,
) {
  if (!summary) return 'none yet'
  return summary.message ?? `${summary.ran} of ${summary.planned ?? summary.ran} answers`
}

/** Asks the questions of today that were not asked yet. */
export const runTracker = defineCommand({
  name: 'visibility tracker run',
  summary: "Put today's questions of a tracker now. Questions that were put today are not put again",
  input: v.strictObject(named),
  positional: ['tracker_id'],
  async run(ctx, { tracker_id }) {
    const tracker = await namedTracker(ctx, tracker_id)
    await ctx.requireActive(tracker.workspace_id)
    const { job_id } = await ctx.enqueue('visibility-round', {
      workspace_id: tracker.workspace_id,
      payload: { tracker_id: tracker.id, manual: true },
    })
    return { tracker: tracker.name, job_id }
  },
})

/** Pauses a tracker. */
export const pauseTracker = defineCommand({
  name: 'visibility tracker pause',
  summary: 'Pause a tracker. Its answers stay',
  input: v.strictObject(named),
  positional: ['tracker_id'],
  async run(ctx, { tracker_id }) {
    const tracker = await namedTracker(ctx, tracker_id)
    const { name } = tracker
    await pauseAsking(ctx, tracker)
    return { tracker: name, state: 'paused' }
  },
})

/** Resumes a tracker, optionally with another budget. */
export const resumeTracker = defineCommand({
  name: 'visibility tracker resume',
  summary: 'Resume a tracker from today on',
  input: v.strictObject({
    ...named,
    usd_per_month: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,6}(\.\d{1,2})?$/, 'an amount such as 25'),
        v.transform(Number),
        v.description('Most US dollars that it may cost in a month'),
      ),
    ),
  }),
  positional: ['tracker_id'],
  async run(ctx, { tracker_id, usd_per_month }) {
    const tracker = await namedTracker(ctx, tracker_id)
    await ctx.requireActive(tracker.workspace_id)
    const planned = { usd_per_month: usd_per_month ?? tracker.budget?.usd_per_month }
    const warnings = warningsOf(await requireCostLimit(ctx, { ...tracker, budget: planned }))
    const { budget } = await resumeAsking(ctx, tracker, { usd_per_month })
    return {
      tracker: tracker.name,
      state: 'active',
      usd_per_month: budget?.usd_per_month ?? 'no limit',
      ...(warnings.length > 0 ? { warnings } : {}),
    }
  },
})

/** Lists the engines and providers, and what each one needs. */
export const listEngines = defineCommand({
  name: 'visibility engine list',
  summary: 'List the AI assistants, and what each of them still needs',
  input: v.strictObject({}),
  async run(ctx) {
    const searchesMax = visibilitySettings.of(ctx).VISIBILITY_SEARCHES_PER_ANSWER
    const all = ctx.extensions(visibilityEngine)
    const limits = await Promise.all(all.map((engine) => costLimitOf(ctx, engine, { searchesMax })))
    return {
      engines: all.map((engine, place) => ({
        engine: engine.label,
        key: engine.engine,
        provider: engine.provider,
        access: engine.access,
        model: engine.model(ctx) || 'its own choice',
        place: engine.place,
        price: limits[place]?.because ?? 'known',
        state: engine.needs(ctx).length === 0 ? 'ready' : `needs ${engine.needs(ctx).join(' and ')}`,
      })),
    }
  },
})
