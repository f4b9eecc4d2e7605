import { actCommands, defineCommand, field, requireRow, where } from 'renown'
import * as v from 'valibot'
import { costLimitOf } from '../engines/ask-engine'
import { visibilityEngine } from '../engines/engine'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { visibilitySettings } from '../settings'
import { promptsOf } from './change-prompts'
import { editTracker, setUpTracker } from './edit-acts'
import { aboutTracker } from './on-tracker'
import { promptActs } from './prompt-acts'
import { trackerActs } from './tracker-acts'

const trackersMax = 1_000

const listTrackers = defineCommand({
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

const listEngines = defineCommand({
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

const listPrompts = defineCommand({
  name: 'visibility prompt list',
  summary: 'List the prompts of a tracker',
  input: v.strictObject({ tracker_id: field.text('Id of the tracker') }),
  positional: ['tracker_id'],
  async run(ctx, { tracker_id }) {
    const { hint } = aboutTracker.on
    const { id, name } = await requireRow(ctx.rows(VisibilityTracker), 'tracker', tracker_id, hint)
    return {
      tracker: name,
      prompts: (await promptsOf(ctx, id)).map((prompt) => ({
        text: prompt.text,
        id: prompt.id,
        status: prompt.status,
        country: prompt.country,
        last_run_at: prompt.last_run_at ?? null,
      })),
    }
  },
})

/** The commands of trackers, their prompts and the engines. */
export const trackingCommands = [
  listTrackers,
  listEngines,
  listPrompts,
  ...actCommands([setUpTracker, editTracker, ...Object.values(trackerActs), ...Object.values(promptActs)]),
]
