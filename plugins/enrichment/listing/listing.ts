import type { Hours } from './hours'

/** The fields of a location that a profile at a platform fills. */
export const listingFields = [
  ...([
    'business_category',
    'address_line1',
    'address_line2',
    'city',
    'state',
    'postal_code',
    'country',
  ] as const),
  ...([
    'phone',
    'website',
    'google_maps_url',
    'latitude',
    'longitude',
    'cover_photo_url',
    'logo_url',
  ] as const),
  ...(['is_verified', 'review_link'] as const),
] as const
/** The name of one of them. */
export type ListingField = (typeof listingFields)[number]

/** What a profile at a platform says of a business. */
export interface Listing {
  /** Who is asked, as SyncStatus names it. */
  readonly reader: 'google' | 'facebook' | 'places'
  /** Which profile it is: reader and the platform's id. */
  readonly id: string
  /** Where people see it. */
  readonly url: string
  readonly fetched_at: string
  readonly fields: Readonly<Partial<Record<ListingField, string | number | boolean>>>
  /** Fields that could not be read this time: what the profile gave before stays. */
  readonly unread?: readonly ListingField[]
  readonly about: string
  readonly services: readonly string[]
  readonly attributes: readonly string[]
  readonly hours: Hours
  readonly area: string
  readonly languages: readonly string[]
  readonly socials: readonly string[]
  /** It names a place that customers can come to. */
  readonly hasPlace: boolean
  /** It works at its customers', within an area. */
  readonly isServiceArea: boolean
}

/** What a listing says where it says nothing. */
export const silentListing = {
  ...{ fields: {}, about: '', services: [], attributes: [], hours: {}, area: '', languages: [], socials: [] },
  ...{ hasPlace: false, isServiceArea: false },
} as const satisfies Omit<Listing, 'reader' | 'id' | 'url' | 'fetched_at'>
