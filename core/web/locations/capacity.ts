import type { Refusal } from '../../contracts/errors'
import { capacityOf, hasRoom } from '../../tenancy/capacity'
import type { Place } from '../places'
import type { LocationDeps } from './location-deps'

/** How much of what an agency pays for is in use. */
export interface Used {
  readonly words: string
  readonly isFull: boolean
}

/** Null where the agency's locations are not counted, as in a demo. */
export async function usedOf({ owner }: Pick<LocationDeps, 'owner'>, place: Place): Promise<Used | null> {
  if (place.is_demo) return null
  const capacity = await capacityOf(owner, place.info.agency_id)
  const { paid, used, trialing, exempt } = capacity
  if (paid === null) return null
  const beside = [
    trialing > 0 ? `${trialing} on trial` : '',
    exempt > 0 ? `${exempt} free of charge` : '',
  ].filter(Boolean)
  const more = beside.length > 0 ? `; besides, ${beside.join(' and ')}` : ''
  return {
    words: `${used} of ${paid} paid ${paid === 1 ? 'location' : 'locations'} used${more}.`,
    isFull: !hasRoom(capacity),
  }
}

/** Whether a place for one more was missing, so that a trial is a way out. */
export const isOverCapacity = ({ code }: Refusal): boolean => code === 'over_capacity'
