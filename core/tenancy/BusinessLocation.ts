import { defineEntity } from '../kit'
import { enrichmentStatus } from '../kit/enrichment-status'
import { contactFields, enrichmentFields, identityFields, ratingFields } from './locations/location-fields'
import { syncFields, trialFields } from './locations/location-upkeep'
import { trialState } from './states'

/**
 * A business as its customers know it. Prospects are always inactive, and lists leave them out unless a
 * filter names them.
 */
export const BusinessLocation = defineEntity({
  name: 'BusinessLocation',
  summary: 'A business location that is tracked, with its profile, its state and its enrichment',
  idPrefix: 'loc',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    ...identityFields,
    ...contactFields,
    ...ratingFields,
    ...trialFields,
    ...syncFields,
    ...enrichmentFields,
  },
  hidden: ['is_demo', 'listing_from', 'platform_id'],
  readableByPlugins: ['is_demo', 'platform_id'],
  shared: [
    'average_rating',
    'total_reviews',
    'review_link',
    'last_synced_at',
    'last_full_review_sync_at',
    'review_count_recheck_after',
    'in_doubt',
    'ai_insights',
    'ai_insights_updated_at',
    'ai_insights_review_count',
    'enrichment',
    'enrichment_overrides',
    'enrichment_status',
    'enrichment_source',
    'enrichment_error',
    'enrichment_updated_at',
    'enrichment_method',
    'is_online_only',
    // Fields that a listing contains and that reading it may fill in.
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
    'listing_from',
  ],
  opaque: ['ai_insights', 'listing_from'],
  searchable: ['business_name', 'business_category', 'city', 'website'],
  states: [trialState, enrichmentStatus],
  sortable: [
    'created_date',
    'updated_date',
    'business_name',
    'average_rating',
    'total_reviews',
    'last_synced_at',
  ],
  indexes: [
    { on: ['is_prospect', 'is_active'] },
    { on: ['business_name'] },
    { on: ['google_place_id'] },
    { on: ['google_location_id'] },
    { on: ['facebook_page_id'] },
    { on: ['platform_id'] },
  ],
  namedIn: {
    arguments: ['location_id', 'business_location_id'],
    names: ['business_name', 'address_line1'],
    domains: ['website'],
  },
  except: { is_prospect: true },
})
