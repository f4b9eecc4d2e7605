import { defineExtensionPoint, type Extension, type OwnerContext } from 'renown'
import * as v from 'valibot'
import type { Hours } from './listing/hours'

export {
  addPeriod,
  closedElsewhere,
  type Day,
  dayOf,
  daysBetween,
  endOfDay,
  type Hours,
  type Period,
  timeIn,
  timeOf,
} from './listing/hours'
export { cleanText } from './website/text'

/** The fields of a location that a profile fills. */
export const profileFieldNames = [
  'business_category',
  'address_line1',
  'address_line2',
  'city',
  'state',
  'postal_code',
  'country',
  'phone',
  'website',
  'google_maps_url',
  'latitude',
  'longitude',
  'cover_photo_url',
  'logo_url',
  'is_verified',
  'review_link',
] as const
/** One name of `profileFieldNames`. */
export type ProfileFieldName = (typeof profileFieldNames)[number]

/** What a platform returns about a business. Leave out what the platform does not return. */
export interface PlatformProfile {
  /** The platform's own id of the profile, the same on every read. */
  readonly id: string
  /** Where people see the profile. */
  readonly url: string
  /** Values for the fields of the location. Renown checks and cuts them before it stores them. */
  readonly fields: Readonly<Partial<Record<ProfileFieldName, string | number | boolean>>>
  /** Fields that could not be read this time. Renown keeps their stored values. */
  readonly unread?: readonly ProfileFieldName[]
  readonly about?: string
  readonly services?: readonly string[]
  readonly attributes?: readonly string[]
  /** Opening hours by day. An empty day is closed; a missing day is unknown. */
  readonly hours?: Hours
  /** The area that the business serves. */
  readonly area?: string
  readonly languages?: readonly string[]
  /** Addresses of the business at social networks. */
  readonly socials?: readonly string[]
  /** Whether customers can visit the business. */
  readonly hasPlace?: boolean
  /** Whether the business visits its customers and has no address of its own. */
  readonly isServiceArea?: boolean
}

/** The parts that a complete listing has. */
export const listingParts = [
  'website',
  'phone',
  'address',
  'category',
  'opening_hours',
  'description',
  'photos',
] as const
/** One name of `listingParts`. */
export type ListingPart = (typeof listingParts)[number]

/** What a platform shows the public about a business. */
export interface PublicListing {
  /** Average rating from 0 to 5, or null if the platform says that there is none. */
  readonly rating: number | null
  /** Number of ratings. */
  readonly ratings: number
  /** The platform's own status of the business, such as `OPERATIONAL`. */
  readonly business_status?: string
  /**
   * Which parts have a value. Throw if an answer cannot be read, because an unread part is not a missing
   * part.
   */
  readonly filled: Readonly<Record<ListingPart, boolean>>
}

/** The fields of a location that profile sources need. */
export interface ProfiledLocation {
  readonly id: string
  readonly workspace_id: string
  readonly google_place_id?: string | undefined
  readonly google_account_id?: string | undefined
  readonly google_location_id?: string | undefined
  readonly facebook_page_id?: string | undefined
}

/** Reads the profile of one location. */
export interface ProfileReader {
  /**
   * Throws a ServiceFault if the profile cannot be read completely, except for the fields that `unread`
   * names.
   */
  read(signal: AbortSignal): Promise<PlatformProfile>
}

/** Reads what a platform shows to everybody, without an account. */
export interface PublicListings {
  /** The name of the platform for people, such as `Google`. */
  readonly label: string
  /** The service that is called, such as `Places API`. */
  readonly via: string
  /** Returns why this location cannot be read, as text for people, or null if it can. Sends no request. */
  refusal(ctx: Pick<OwnerContext, 'settings'>, location: ProfiledLocation): string | null
  /** Throws a ServiceFault if the listing cannot be read. */
  read(ctx: OwnerContext, location: ProfiledLocation, signal: AbortSignal): Promise<PublicListing>
}

/** A platform that has profiles of businesses. Its calls throw ServiceFaults. */
export interface ProfileSource extends Extension {
  /** The name of the source in SyncStatus, such as `places`. */
  readonly name: string
  /** Sort position. Renown uses the first source that can read a location. */
  readonly order: number
  /**
   * Returns a reader, or null if this source cannot read the location, such as without a connected account.
   * Sends no request.
   */
  open(ctx: OwnerContext, location: ProfiledLocation): Promise<ProfileReader | null>
  /** Omit it if the platform shows nothing without an account. */
  readonly publicListings?: PublicListings
}

/** The extension point for sources of business profiles. Each implementation reads one platform. */
export const profileSource = defineExtensionPoint<ProfileSource>({
  id: 'locations.profile',
  summary: "Reads a platform's data of a business",
  shape: {
    order: v.number(),
    open: v.function(),
    publicListings: v.optional(
      v.looseObject({
        label: v.string(),
        via: v.string(),
        refusal: v.function(),
        read: v.function(),
      }),
    ),
  },
})
