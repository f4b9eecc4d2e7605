import { type OwnerContext, Refusal } from 'renown'
import { trialChanges } from './begin'
import { capacityOf, countOf, hasRoom } from './capacity'
import type { BillingLocation } from './location'

/**
 * Returns the changes that start a trial, for a client above the paid capacity. Throws a Refusal for every other
 * location.
 */
export async function onTrial(
  ctx: OwnerContext,
  agencyId: string,
  location: BillingLocation,
): Promise<Partial<BillingLocation>> {
  const { id, business_name, is_prospect, billing_exempt, trial_state, trial_end } = location
  const refused = (why: string, hint?: string) =>
    new Refusal('conflict', `${business_name} ${why}.`, hint === undefined ? {} : { hint })
  if (is_prospect) throw refused('is a prospect', `Sign it first: \`location sign ${id} --trial\`.`)
  if (billing_exempt === true) throw refused('does not count against capacity and needs no trial')
  if (trial_state === 'trialing') throw refused(`is already on trial, until ${trial_end}`)
  const capacity = await capacityOf(ctx, agencyId, id)
  if (hasRoom(capacity)) {
    const { paid, used } = capacity
    const room =
      paid === null
        ? 'the capacity of the agency is not counted'
        : `${used} of ${countOf(paid)} are in use without it`
    throw refused(
      `needs no trial: ${room}`,
      location.is_active ? undefined : `Activate it with \`location activate ${id}\`.`,
    )
  }
  return { is_active: true, ...(await trialChanges(ctx, capacity, location)) }
}
