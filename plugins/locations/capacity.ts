import type { PageContext } from 'renown/pages'
import { locationCapacity } from 'renown/records'

/** How many of the paid locations are in use. */
export interface Used {
  readonly words: string
  readonly isFull: boolean
}

/** Returns the capacity. Null for members, in a demo, and for agencies whose locations are not counted. */
export async function usedOf({ person, workspace, system, isDemo }: PageContext): Promise<Used | null> {
  if (isDemo || person.role !== 'owner') return null
  const [capacity] = system.extensions(locationCapacity)
  if (!capacity) return null
  const { paid, used, trialing, exempt } = await capacity.usage(system, workspace.agency_id)
  if (paid === null) return null
  const beside = [
    trialing > 0 ? `${trialing} on trial` : '',
    exempt > 0 ? `${exempt} free of charge` : '',
  ].filter(Boolean)
  const more = beside.length > 0 ? `; in addition, ${beside.join(' and ')}` : ''
  return {
    words: `${used} of ${paid} paid ${paid === 1 ? 'location' : 'locations'} used${more}.`,
    isFull: used >= paid,
  }
}
