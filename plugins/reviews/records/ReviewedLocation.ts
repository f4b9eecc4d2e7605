import { field, foreignEntity } from 'renown'
import { profileFields } from 'renown/records'
import { doubt } from 'renown/sources'
import * as v from 'valibot'

/** The fields of a location that are needed for syncing and answering its reviews. */
export const ReviewedLocation = foreignEntity(
  'BusinessLocation',
  {
    business_name: field.text('Name of the business'),
    business_category: v.optional(field.text('Category of the business')),
    phone: v.optional(field.text('Telephone number')),
    website: v.optional(field.text('Website')),
    city: v.optional(field.text('City')),
    country: v.optional(field.text('Country')),
    google_place_id: v.optional(field.text('Place id')),
    google_account_id: v.optional(field.text('Account of the profile')),
    google_location_id: v.optional(field.text('Location id of the profile')),
    facebook_page_id: v.optional(field.text('Page')),
    platform_id: v.optional(field.text('Id on a platform without a field of its own')),
    added_via: v.optional(field.text('How it was added')),
    ...profileFields,
    is_active: field.flag('It is worked on'),
    is_prospect: field.flag('Whether it is a prospect'),
    is_demo: v.optional(field.flag('It is made up')),
    auto_response_enabled: field.flag('Whether it gets automatic replies'),
    average_rating: v.optional(field.number('Average rating on the platform')),
    total_reviews: v.optional(field.number('Reviews on the platform')),
    ai_insights: v.optional(field.anything('Insights that a language model wrote from the reviews')),
    ai_insights_updated_at: v.optional(field.instant('When the insights were drawn')),
    ai_insights_review_count: v.optional(field.number('Number of reviews that the insights are based on')),
    last_synced_at: v.optional(field.instant('When it was last synced')),
    last_full_review_sync_at: v.optional(field.instant('When all of its reviews were last read')),
    in_doubt: v.optional(doubt),
    review_count_recheck_after: v.optional(
      field.instant('Before this time, a different count starts no other full sync'),
    ),
  },
  {
    writes: [
      'average_rating',
      'total_reviews',
      'last_synced_at',
      'last_full_review_sync_at',
      'review_count_recheck_after',
      'ai_insights',
      'ai_insights_updated_at',
      'ai_insights_review_count',
      'in_doubt',
    ],
  },
)
