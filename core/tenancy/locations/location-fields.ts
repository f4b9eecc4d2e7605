import * as v from 'valibot'
import { profileFields } from '../../contracts/enrichment'
import { field } from '../../kit'

const { anything, flag, instant, number, oneOf, provided, text } = field

/** Which business it is, where it came from and whether it is active. */
export const identityFields = {
  google_place_id: v.optional(text('Place id of the business profile')),
  google_account_id: v.optional(text('Account that manages the business profile')),
  google_location_id: v.optional(text('Location id of the business profile')),
  facebook_page_id: v.optional(
    text(
      'Set when created from a connected Page. In practice exclusive with google_location_id: the listing and the Page of one business are separate rows',
    ),
  ),
  youtube_channel_id: v.optional(
    text('YouTube channel of the business, set by people. Renown does not connect to YouTube yet'),
  ),
  reddit_account_id: v.optional(
    text(
      'Reddit account of the business, by its fullname, set by people. Renown does not connect to Reddit yet',
    ),
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
  is_active: flag('The location is worked on. A prospect never is'),
  is_prospect: flag(
    'Created by a prospect audit for a business being pitched, not a client. Always with is_active=false; left out of lists unless the filter names it',
  ),
  is_demo: v.optional(flag('Made up: it belongs to a demo')),
  billing_exempt: v.optional(
    flag('Complimentary or internal: outside plan capacity and over-capacity checks, forever free'),
  ),
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

/** Where it is and how to contact it. */
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

/** What its reviews say, and how they are answered. */
export const ratingFields = {
  average_rating: v.optional(number('Average rating on the platform', { min: 0, max: 5 })),
  total_reviews: v.optional(number('Number of reviews on the platform', { min: 0 })),
  review_link: v.optional(text('Address where a customer writes a review')),
  ai_insights: v.optional(anything('Insights that a language model drew from the reviews')),
  ai_insights_updated_at: v.optional(instant('When the insights were drawn')),
  ai_insights_review_count: v.optional(
    number('Number of reviews that the insights are based on', { min: 0 }),
  ),
  auto_response_enabled: flag(
    'Opt-in of this business for automatic review replies: only where true are replies queued by the agency rules',
  ),
}

/** What is known about the business beyond its listing, and the edits of people. */
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
      'partial: either the website or the listing could not be read, and the profile is still useful',
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
