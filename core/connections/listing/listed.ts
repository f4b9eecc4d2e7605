import type { Row } from '../../contracts/entity'
import type { BusinessLocation } from '../../tenancy/BusinessLocation'

type Location = Row<typeof BusinessLocation>

/** What a service says of a location, as it is stored when it is added. */
export type ListedProfile = Pick<Location, 'business_name'> &
  Partial<
    Pick<
      Location,
      | 'google_place_id'
      | 'google_account_id'
      | 'google_location_id'
      | 'facebook_page_id'
      | 'business_category'
      | 'phone'
      | 'website'
      | 'address_line1'
      | 'address_line2'
      | 'city'
      | 'state'
      | 'postal_code'
      | 'country'
      | 'latitude'
      | 'longitude'
      | 'google_maps_url'
      | 'review_link'
      | 'is_verified'
    >
  >

/** A location of a connected account. */
export interface ListedLocation {
  /** The service's own id, as an import takes it: `locations/222`, or the id of a Page. */
  readonly id: string
  readonly profile: ListedProfile
  /** Where it is, in a line. */
  readonly place?: string | undefined
  /** What will not work with it. */
  readonly caution?: string | undefined
  /** Why it cannot be added. */
  readonly refused?: string | undefined
}

/** The locations of a connected account. */
export interface AccountListing {
  readonly locations: readonly ListedLocation[]
  /** Locations that whoever connected the account reaches through other accounts, and that are to be added there. */
  readonly elsewhere: number
}

/** An address that was typed by somebody, as far as a browser may be led to it. */
export function webAddress(given: string | undefined): string | undefined {
  const url = URL.parse(given ?? '')
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === ''
  return isWeb && url.href.length <= 2_000 ? url.href : undefined
}

/** Without the entries that say nothing. */
export const told = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== '')) as T
