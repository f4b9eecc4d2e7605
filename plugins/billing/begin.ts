import { dayIn, dayMs, moveState, type OwnerContext, Refusal } from 'renown'
import { type Candidate, trialState } from 'renown/records'
import { formatDay } from 'renown/web'
import { type Capacity, countOf, workspaceIdsOf } from './capacity'
import type { BillingLocation } from './location'
import { findEarlierTrial } from './past-trials'
import { billingSettings } from './settings'

/**
 * Returns the changes that start a trial, under the agency's lock. Throws if the agency already had this
 * business on trial.
 */
export async function trialChanges(
  ctx: OwnerContext,
  { agency, paid, used }: Capacity,
  location: Candidate,
): Promise<Partial<BillingLocation>> {
  const had = await findEarlierTrial(ctx, agency.id, await workspaceIdsOf(ctx, agency.id), location)
  if (had) {
    const since = formatDay(dayIn('UTC', new Date(had.trial_started_at)))
    throw new Refusal(
      'conflict',
      `${location.business_name} was on trial before, as ${had.location_id} from ${since}. A business has only one trial. The agency pays for ${countOf(paid ?? 0)} and uses ${used}.`,
      {
        hint: `Pay for more (\`agency capacity set ${agency.id} --paid ${used + 1}\`), or deactivate another location (\`location deactivate <location_id>\`).`,
        extra: { location_id: had.location_id },
        errors: [{ pointer: '/trial', code: 'trial_had', message: 'the business already had its trial' }],
      },
    )
  }
  const now = ctx.now()
  const trial_end = new Date(now.getTime() + billingSettings.of(ctx).TRIAL_DAYS * dayMs).toISOString()
  const { location_charge_amount: amount, location_charge_interval: interval = 'month' } = agency
  const charge = amount === undefined ? {} : { trial_charge_amount: amount, trial_charge_interval: interval }
  return moveState(trialState, location.trial_state ?? null, 'trialing', {
    now,
    with: { trial_end, ...charge },
  })
}
