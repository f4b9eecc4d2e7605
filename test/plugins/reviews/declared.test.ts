import { expect, test } from 'bun:test'
import { Review } from '../../../plugins/reviews/records/Review'
import { declares } from '../../support/declared'

declares(Review, {
  location_id: 'string',
  google_review_id: 'string',
  source: 'enum(google,facebook)',
  source_id: 'string',
  source_metadata: 'object',
  reviewer_name: 'string',
  reviewer_photo_url: 'string',
  reviewer_is_local_guide: 'boolean',
  star_rating: 'integer|null',
  review_text: 'string',
  review_language: 'string',
  review_created_at: 'instant',
  review_updated_at: 'instant',
  reply_text: 'string',
  reply_created_at: 'instant',
  reply_updated_by: 'string',
  sentiment: 'enum(positive,neutral,negative,mixed)',
  sentiment_score: 'number',
  key_topics: 'string[]',
  emotion: 'enum(joy,anger,sadness,fear,surprise,disgust,neutral)',
  analysis_method: 'string',
  is_flagged: 'boolean',
  flag_reason: 'string',
  is_read: 'boolean',
  needs_response: 'boolean',
  priority: 'enum(urgent,high,medium,low)',
  ai_suggested_response: 'string',
  notes: 'string',
  synced_at: 'instant',
  gbp_api_synced_at: 'instant',
  removed_at_source_at: 'instant|null',
  auto_response_status: 'enum(pending,sent,skipped,failed)|null',
  auto_response_scheduled_at: 'instant',
  auto_response_error: 'string',
})

test('rows removed at their source are left out of lists and counts whatever the filter says', () => {
  expect(Review.exceptSet).toEqual(['removed_at_source_at'])
})

test('the extras of a platform are passed through and never filtered on', () => {
  expect(Review.opaque).toEqual(['source_metadata'])
})
