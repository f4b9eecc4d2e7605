import { inferOnlineOnlyOf } from 'renown/records'
import type { EnrichedRow } from '../EnrichedLocation'
import type { BusinessData } from './business-data'
import type { Listing } from './listing'

/** Types of schema.org for businesses without a shop. */
const onlineTypes = new Set(['OnlineBusiness', 'OnlineStore', 'SoftwareApplication', 'WebApplication'])

/** The known facts about a business's address. */
export interface OnlineOnlyFacts {
  readonly location: Pick<EnrichedRow, 'address_line1' | 'postal_code' | 'business_category'>
  readonly listing: Pick<Listing, 'hasPlace' | 'isServiceArea'> | null
  readonly data: Pick<BusinessData, 'street' | 'types'> | null
}

/**
 * Whether a business has no physical location. A street, a postal code or a service area from any source
 * means that it has one. Otherwise, a category or type of online business means that it has none. Null if
 * neither is known.
 */
export function inferOnlineOnly({ location, listing, data }: OnlineOnlyFacts): boolean | null {
  const { address_line1, postal_code, business_category } = location
  const isSomewhere = (data?.street ?? '') !== '' || listing?.hasPlace || listing?.isServiceArea
  const known = inferOnlineOnlyOf({ address_line1, postal_code, business_category })
  if (isSomewhere || known === false) return false
  const isOnline = known === true || (data?.types ?? []).some((type) => onlineTypes.has(type))
  return isOnline ? true : null
}
