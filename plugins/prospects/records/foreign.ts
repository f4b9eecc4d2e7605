import { field, foreignEntity, type Row } from 'renown'
import { profileFields } from 'renown/records'
import * as v from 'valibot'

const { flag, instant, integer, number, text } = field

/** The fields of a location that an audit reads. */
export const BusinessLocation = foreignEntity('BusinessLocation', {
  business_name: text('Name of the business'),
  business_category: v.optional(text('Category of the business')),
  website: v.optional(text('Website')),
  phone: v.optional(text('Telephone number')),
  address_line1: v.optional(text('First line of the address')),
  cover_photo_url: v.optional(text('Cover photo')),
  google_place_id: v.optional(text('Place id')),
  added_via: v.optional(text('How it was added')),
  average_rating: v.optional(number('Average rating on the platform')),
  total_reviews: v.optional(number('Reviews on the platform')),
  last_synced_at: v.optional(instant('When it was last synced')),
  is_online_only: v.optional(flag('It has no physical location')),
  is_prospect: flag('Whether it is a prospect'),
  is_demo: v.optional(flag('It is made up')),
  ...profileFields,
  enrichment_updated_at: v.optional(instant('When that was last read')),
})
export type Prospect = Row<typeof BusinessLocation>

export const Review = foreignEntity('Review', {
  location_id: text('Reviewed business location'),
  source: text('Platform'),
  star_rating: v.optional(v.nullable(integer('Stars'))),
  review_created_at: v.optional(instant('When it was written')),
  reply_text: v.optional(text('Reply of the business')),
  gbp_api_synced_at: v.optional(instant('When the business-profile API last returned it')),
  removed_at_source_at: v.optional(v.nullable(instant('When its source no longer had it'))),
})

export const Mention = foreignEntity('Mention', {
  location_id: text('Business location the mention is about'),
  source: text('Where it was posted'),
  source_id: text("The place's own id of the post"),
  posted_at: v.optional(instant('When it was posted')),
  sentiment: v.optional(text('Sentiment towards the brand')),
  relevance: v.optional(text('Whether it is about the business')),
  is_archived: flag('Put away'),
  duplicate_of: v.optional(text('Mention that it repeats')),
  same_post_as: v.optional(text('Mention that counts for the same post')),
  removed_at_source_at: v.optional(instant('When it was found to be deleted')),
})

export const BrandTracker = foreignEntity('BrandTracker', {
  location_id: text('Business location it belongs to'),
  is_active: flag('It runs'),
  last_run_at: v.optional(instant('When it last ran')),
})

export const VisibilityRun = foreignEntity('VisibilityRun', {
  location_id: text('Business location the tracker belongs to'),
  engine: text('Answer engine'),
  status: text('How it ended'),
  started_at: instant('When the question was asked'),
  brand_mentioned: flag('Whether the answer names the brand'),
  brand_cited: flag("The answer cites the brand's own site"),
  definition_version: text('Version of the rules that found mentions and citations'),
})

export const AiTrafficSite = foreignEntity('AiTrafficSite', {
  site_key: text('Public key that the script carries'),
})

/** All entities of other plugins that audits read. */
export const reads = [BusinessLocation, Review, Mention, BrandTracker, VisibilityRun, AiTrafficSite]
