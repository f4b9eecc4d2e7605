import * as v from 'valibot'
import { profileFields } from '../../contracts/enrichment'
import { field } from '../../kit'

const { anything, flag, instant, number, oneOf, provided, text } = field

/** Name, source and state of the business. */
export const identityFields = {
  google_place_id: v.optional(text('Place id of the business profile')),
  google_account_id: v.optional(text('Account that manages the business profile')),
  google_location_id: v.optional(text('Location id of the business profile')),
  facebook_page_id: v.optional(
    text(
      'Id of the connected Page. A row usually has either this or google_location_id, because the listing and the Page of a business are separate rows',
    ),
  ),
  platform_id: v.optional(
    text(
      'Id on a platform without a field of its own, behind the name of the platform, such as guild:shop-1',
    ),
  ),
  youtube_channel_id: v.optional(
    text('YouTube channel of the business, entered by people. People answer mentions with it'),
  ),
  reddit_account_id: v.optional(
    text('Reddit account of the business (its fullname), entered by people. People answer mentions with it'),
  ),
  reddit_username: v.optional(text('Display name of that Reddit account')),
  source: v.optional(provided('reviews.source', [], 'Platform the business was found on')),
  added_via: v.optional(
    oneOf(
      ['gbp_oauth', 'places', 'website', 'dfs_keyword'],
      'How the business was added. Decides how its reviews are read',
    ),
  ),
  business_name: text('Name of the business'),
  business_category: v.optional(text('Category of the business')),
  is_verified: v.optional(flag('The platform has verified the profile')),
  is_active: flag('Renown works for this location. Always false for a prospect'),
  is_prospect: flag(
    'A business that the agency pitches to, not a client. is_active is then false. Lists leave it out unless the filter names this field',
  ),
  is_demo: v.optional(flag('Sample data of a demo')),
  billing_exempt: v.optional(flag('The location is free of charge and does not count against the capacity')),
}

/** Its postal address. */
export const addressFields = {
  address_line1: v.optional(text('First line of the address')),
  address_line2: v.optional(text('Second line of the address')),
  city: v.optional(text('City')),
  state: v.optional(text('State or region')),
  postal_code: v.optional(text('Postal code')),
  country: v.optional(text('Country')),
}

/** Address and contact of the business. */
export const contactFields = {
  ...addressFields,
  phone: v.optional(text('Telephone number')),
  website: v.optional(text('Website of the business')),
  google_maps_url: v.optional(text('Address of the business on the map')),
  latitude: v.optional(number('Degrees north', { min: -90, max: 90 })),
  longitude: v.optional(number('Degrees east', { min: -180, max: 180 })),
  cover_photo_url: v.optional(text('Cover photo')),
  logo_url: v.optional(text('Logo')),
  is_online_only: v.optional(
    flag('The business has no place that customers visit. Enrichment infers it from address and category'),
  ),
  is_online_only_overridden: v.optional(
    flag('A person set is_online_only, so enrichment does not overwrite it'),
  ),
}

/** Figures of its reviews, and its automatic replies. */
export const ratingFields = {
  average_rating: v.optional(number('Average rating on the platform', { min: 0, max: 5 })),
  total_reviews: v.optional(number('Number of reviews on the platform', { min: 0 })),
  review_link: v.optional(text('Address where a customer writes a review')),
  ai_insights: v.optional(anything('Insights that a language model wrote from the reviews')),
  ai_insights_updated_at: v.optional(instant('When the insights were drawn')),
  ai_insights_review_count: v.optional(
    number('Number of reviews that the insights are based on', { min: 0 }),
  ),
  auto_response_enabled: flag(
    'Whether automatic replies are on for this location. If true, Renown replies by the rules of the agency',
  ),
}

/** The profile of the business beyond its listing, and edits by people. */
export const enrichmentFields = {
  ...profileFields,
  manual_notes: v.optional(
    text('Notes by people about the business. Renown keeps them and does not use them yet'),
  ),
  enrichment_updated_at: v.optional(instant('When enrichment last succeeded')),
  enrichment_source: v.optional(oneOf(['first-add', 'manual-refresh'], 'What started the enrichment')),
  enrichment_status: v.optional(
    oneOf(
      ['pending', 'success', 'partial', 'failed'],
      'State of the enrichment. partial: either the website or the listing could not be read',
    ),
  ),
  enrichment_error: v.optional(
    text('Why enrichment failed, or which source of a partial one could not be read'),
  ),
  enrichment_method: v.optional(
    text('Method of the profile: structured, or structured+llm:<model>. Absent until enrichment succeeds'),
  ),
  listing_from: v.optional(anything('Which profile filled which listing fields, with the values it gave')),
}
