import { defineCommand, field, where } from 'renown'
import * as v from 'valibot'
import { costLimitOf } from '../engines/ask-engine'
import { visibilityEngine } from '../engines/engine'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { visibilitySettings } from '../settings'

const trackersMax = 1_000

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
