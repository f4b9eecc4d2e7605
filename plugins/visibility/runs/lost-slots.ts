import { dayMs, type OwnerContext, type Row, where } from 'renown'
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
/** How long claims are stored. By then, the day is over and its runs are stored. */
const keptMs = 8 * dayMs

/**
 * Records the questions whose process ended while the engine was asked. They count as errors and are not
 * asked again.
 */
export async function settleLost(ctx: OwnerContext, tracker: Row<typeof VisibilityTracker>): Promise<void> {
  const before = new Date(ctx.now().getTime() - lostAfterMs).toISOString()
  const lost = where.and(
    where.eq('tracker_id', tracker.id),
    where.eq('settled_at', null),
    where.lt('claimed_at', before),
  )
  for await (const slot of ctx.rows(VisibilitySlot).each({ where: lost })) await settle(ctx, tracker, slot)
}

async function settle(
  ctx: OwnerContext,
  tracker: Row<typeof VisibilityTracker>,
  slot: Row<typeof VisibilitySlot>,
): Promise<void> {
  const { prompt_id, engine, country, local_day } = slot
  const own = where.and(
    ...[where.eq('tracker_id', tracker.id), where.eq('prompt_id', prompt_id), where.eq('engine', engine)],
    ...[where.eq('country', country), where.eq('local_day', local_day)],
  )
  if ((await ctx.rows(VisibilityRun).count(own)) === 0) {
    await ctx.rows(VisibilityRun).insert({
      ...{ workspace_id: tracker.workspace_id, tracker_id: tracker.id, location_id: tracker.location_id },
      ...{ prompt_id, engine, country, local_day, started_at: slot.claimed_at, batch_id: 'lost' },
      ...{ provider: tracker.provider, access: 'api' },
      ...faultedRun({ kind: 'unavailable', message: lostMessage }),
      finished_at: ctx.now().toISOString(),
    })
  }
  await ctx.rows(VisibilitySlot).update(slot.id, { settled_at: ctx.now().toISOString() })
}

/** Removes claims of past days. */
export async function removeOldSlots(ctx: OwnerContext): Promise<void> {
  const day = new Date(ctx.now().getTime() - keptMs).toISOString().slice(0, 10)
  await ctx
    .rows(VisibilitySlot)
    .removeWhere(where.and(where.lt('local_day', day), where.ne('settled_at', null)))
}
