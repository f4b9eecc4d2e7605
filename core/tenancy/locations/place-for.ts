import type { OwnerContext } from '../../kit'
import { capacityOf, hasRoom, overCapacity } from '../capacity'
import { trialChanges } from '../trials/begin'
import type { Candidate, Location } from './find-location'

/**
 * Returns the changes that activate a location, under the agency's lock: as a paid location if one is free, otherwise
 * as a trial if requested. Throws an `over_capacity` Refusal if neither is possible.
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
