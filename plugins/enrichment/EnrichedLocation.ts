import { field, foreignEntity, type OwnerContext, type Row } from 'renown'
import { profileFields } from 'renown/records'
import * as v from 'valibot'

const { anything, flag, instant, number, oneOf, text } = field

const fields = {
  business_name: text('Name of the business'),
  business_category: v.optional(text('Category of the business')),
  address_line1: v.optional(text('First line of the address')),
  address_line2: v.optional(text('Second line of the address')),
  city: v.optional(text('City')),
  state: v.optional(text('State or region')),
  postal_code: v.optional(text('Postal code')),
  country: v.optional(text('Country')),
  phone: v.optional(text('Telephone number')),
  website: v.optional(text('Website')),
  google_maps_url: v.optional(text('Address on the map')),
  latitude: v.optional(number('Degrees north')),
  longitude: v.optional(number('Degrees east')),
  cover_photo_url: v.optional(text('Cover photo')),
  logo_url: v.optional(text('Logo')),
  is_verified: v.optional(flag('The platform has verified the profile')),
  review_link: v.optional(text('Address where a customer writes a review')),
  google_place_id: v.optional(text('Place id')),
  google_account_id: v.optional(text('Account that manages the profile')),
  google_location_id: v.optional(text('Location id of the profile')),
  facebook_page_id: v.optional(text('Page')),
  is_active: flag('It is worked on'),
  is_demo: v.optional(flag('It is made up')),
  is_online_only: v.optional(flag('It has no physical location')),
  is_online_only_overridden: v.optional(flag('A person set is_online_only')),
  ...profileFields,
  enrichment_updated_at: v.optional(instant('When enrichment last succeeded')),
  enrichment_source: v.optional(oneOf(['first-add', 'manual-refresh'], 'What started the enrichment')),
  enrichment_status: v.optional(oneOf(['pending', 'success', 'partial', 'failed'], 'How far it is')),
  enrichment_error: v.optional(text('Sources that could not be read')),
  enrichment_method: v.optional(text('Method of the profile')),
  listing_from: v.optional(anything('Which profile filled which listing fields')),
} as const

/** The fields that reading a profile changes. */
const writes = [
  'enrichment',
  'enrichment_overrides',
  'enrichment_status',
  'enrichment_source',
  'enrichment_error',
  'enrichment_updated_at',
  'enrichment_method',
  'is_online_only',
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
  'listing_from',
] as const

/** The fields of a location that its profile needs. */
export const EnrichedLocation = foreignEntity('BusinessLocation', fields, { writes })

/** A location's row. */
export type EnrichedRow = Row<typeof EnrichedLocation>

/** The parts of a context that outside requests need. */
export type SourceReading = Pick<OwnerContext, 'outbound' | 'settings' | 'now' | 'log'>
