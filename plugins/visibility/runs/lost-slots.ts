import { dayMs, hourMs, type JobDeclaration, type OwnerContext, type Row, where } from 'renown'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilitySlot } from '../records/VisibilitySlot'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { faultedRun } from './judged-run'

/**
 * A question takes at most two minutes. A claim of this age without a run belongs to a process that has
 * ended.
 */
const lostAfterMs = 15 * 60_000
const lostMessage = 'Renown stopped while the engine was asked. The question is not asked again on this day.'
/** The `batch_id` of runs of lost questions. */
export const lostBatch = 'lost'
/** How long claims are stored. By then, the day is over and its runs are stored. */
const keptMs = 8 * dayMs

/** A question whose process ended before its answer was stored. */
export type Lost = Pick<Row<typeof VisibilitySlot>, 'id' | 'engine' | 'local_day'>

/** Returns the text for people about lost questions. */
export const lostSample = (lost: readonly Lost[]): string => {
  const engines = [...new Set(lost.map(({ engine }) => engine))].sort().join(', ')
  return `${lost.length} lost (${engines}): ${lostMessage}`.slice(0, 300)
}

/**
 * Records the questions whose process ended while the engine was asked, and returns those that have no run. They
 * count as errors and are not asked again.
 */
export async function settleLost(ctx: OwnerContext, tracker: Row<typeof VisibilityTracker>): Promise<Lost[]> {
  const before = new Date(ctx.now().getTime() - lostAfterMs).toISOString()
  const unsettled = where.and(
    where.eq('workspace_id', tracker.workspace_id),
    where.eq('tracker_id', tracker.id),
    where.eq('settled_at', null),
    where.lt('claimed_at', before),
  )
  const lost: Lost[] = []
  for await (const slot of ctx.rows(VisibilitySlot).each({ where: unsettled }))
    if (await isLost(ctx, tracker, slot)) lost.push(slot)
    else await settle(ctx, [slot])
  return lost
}

/** Settles claims. Those of lost questions are settled after the summary of the tracker counts them. */
export async function settle(ctx: OwnerContext, slots: readonly Pick<Lost, 'id'>[]): Promise<void> {
  const settled_at = ctx.now().toISOString()
  for (const { id } of slots) await ctx.rows(VisibilitySlot).update(id, { settled_at })
}

/** Whether the question of a claim was lost. Stores the run of a lost question. */
async function isLost(
  ctx: OwnerContext,
  tracker: Row<typeof VisibilityTracker>,
  slot: Row<typeof VisibilitySlot>,
): Promise<boolean> {
  const { prompt_id, engine, country, local_day } = slot
  const own = where.and(
    where.eq('workspace_id', tracker.workspace_id),
    where.eq('tracker_id', tracker.id),
    where.eq('local_day', local_day),
    where.eq('prompt_id', prompt_id),
    where.eq('engine', engine),
    where.eq('country', country),
  )
  const runs = await ctx.rows(VisibilityRun).list({ where: own, limit: 1 })
  if (runs.length === 0) {
    const { reserved_usd: usd } = slot
    await ctx.rows(VisibilityRun).insert({
      workspace_id: tracker.workspace_id,
      tracker_id: tracker.id,
      location_id: tracker.location_id,
      prompt_id,
      engine,
      country,
      local_day,
      started_at: slot.claimed_at,
      batch_id: lostBatch,
      provider: tracker.provider,
      access: 'api',
      ...faultedRun({
        kind: 'unavailable',
        message: lostMessage,
        // The engine may have answered.
        ...(usd === undefined ? {} : { cost: { usd, basis: 'at_most' } }),
      }),
      finished_at: ctx.now().toISOString(),
    })
  }
  // The run has the cost now. Until here both count, so that a kill in between never frees an amount that was spent.
  if (slot.reserved_usd !== undefined)
    await ctx.rows(VisibilitySlot).update(slot.id, { reserved_usd: undefined })
  // A run of a lost question was stored before a kill, and no summary counts it yet.
  return runs[0] === undefined || runs[0].batch_id === lostBatch
}

/** Removes claims of past days. */
export const removeOldSlots: JobDeclaration = {
  summary: 'Removes the claims of questions of past days',
  everyMs: hourMs,
  async run(ctx) {
    const day = new Date(ctx.now().getTime() - keptMs).toISOString().slice(0, 10)
    await ctx
      .rows(VisibilitySlot)
      .removeWhere(where.and(where.lt('local_day', day), where.ne('settled_at', null)))
  },
}
