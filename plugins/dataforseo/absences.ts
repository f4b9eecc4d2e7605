import type { Absences } from 'renown/reviews'

const doc = 'docs.dataforseo.com/v3/business_data/google/reviews/task_get'

/**
 * What it means when an answer of DataForSEO leaves something out of a review. It returns what it found on a page, so an absence
 * never proves anything. No reply is sent through it.
 */
export const dataforseoAbsences: Absences = {
  fields: {
    reviewer_name: { means: 'unknown', wire: ['profile_name'], source: doc },
    reviewer_photo_url: { means: 'unknown', wire: ['profile_image_url'], source: doc },
    reviewer_is_local_guide: { means: 'unknown', wire: ['local_guide'], source: doc },
    star_rating: { means: 'unknown', wire: ['rating', 'rating.value'], source: doc },
    review_text: { means: 'unknown', wire: ['review_text', 'original_review_text'], source: doc },
    review_language: { means: 'unknown', wire: ['original_language'], source: doc },
    review_created_at: { means: 'unknown', wire: ['timestamp'], source: doc },
    reply: {
      means: 'unknown',
      wire: ['owner_answer', 'original_owner_answer', 'owner_timestamp'],
      source: doc,
    },
    metadata: { means: 'unknown', wire: ['review_url'], source: doc },
  },
}
