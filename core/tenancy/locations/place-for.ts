import type { OwnerContext } from '../../kit'
import { capacityOf, hasRoom, overCapacity } from '../capacity'
import { trialChanges } from '../trials/begin'
import type { Candidate, Location } from './find-location'

/**
 * The changes that put a location to work, made in the agency's turn: a paid place where there is one, else a trial where
 * that was asked for. Throws an `over_capacity` Refusal where there is neither.
 */
export async function placeFor(
  ctx: OwnerContext,
  agencyId: string,
  location: Candidate,
  wantsTrial: boolean,
): Promise<Pick<Location, 'is_active' | 'is_prospect'> & Partial<Location>> {
  const active = { is_active: true, is_prospect: false }
  if (location.billing_exempt === true) return active
  const capacity = await capacityOf(ctx, agencyId, location.id)
  if (hasRoom(capacity)) return active
  if (!wantsTrial) throw overCapacity(capacity, location.business_name)
  return { ...active, ...(await trialChanges(ctx, capacity, location)) }
}
