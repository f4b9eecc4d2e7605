import { moveState, type OwnerContext, where } from 'renown'
import {
  auditLocation,
  BusinessLocation,
  publishStatus,
  recountLocations,
  trialState,
  withAgencyLock,
} from 'renown/records'
import { type Capacity, capacityOf } from './capacity'
import type { BillingLocation } from './location'
import { recordTrial } from './past-trials'
import { notifyTrial } from './trial-notices'

/** How a trial ends: by its time, as a paid location or deactivated, or by a person. */
export type TrialEnd = 'convert' | 'end' | 'cancel'

/** Ends a trial. Null if somebody else has just ended it. The follow-up may be repeated after a crash. */
export async function leaveTrial(
  ctx: OwnerContext,
  agencyId: string,
  location: BillingLocation,
  outcome: TrialEnd,
): Promise<BillingLocation | null> {
  const to = outcome === 'convert' ? 'converted' : 'ended'
  const moved = moveState(trialState, location.trial_state ?? null, to, { now: ctx.now() })
  const atRest = to === 'ended' ? { is_active: false } : {}
  const unmoved = where.and(where.eq('id', location.id), where.eq('trial_state', 'trialing'))
  await publishStatus(ctx, location, { ...location, ...atRest })
  const changed = await ctx.rows(BusinessLocation).updateWhere(unmoved, { ...moved, ...atRest })
  if (!changed) return null
  await withAgencyLock(ctx, agencyId, () => recountLocations(ctx, changed.workspace_id))
  await followTrial(ctx, agencyId, changed)
  await auditLocation(ctx, agencyId, `location.trial_${outcome}`, changed.business_name)
  return changed
}

/**
 * Follows up a change of a trial: notifies people and records that the trial was used. Idempotent. `counted` is the
 * agency's capacity, if known.
 */
export async function followTrial(
  ctx: OwnerContext,
  agencyId: string,
  location: BillingLocation,
  counted?: Capacity,
): Promise<void> {
  await recordTrial(ctx, agencyId, location)
  await notifyTrial(ctx, location, counted ?? (await capacityOf(ctx, agencyId)))
}
