import type { Absences } from 'renown/reviews'

const doc = 'developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places: Review'

/**
 * What it means when an answer of the Places API leaves something out of a review. It never returns replies, and never proves
 * anything by an absence.
 */
export const publicReviewAbsences: Absences = {
  fields: {
    reviewer_name: {
      means: 'unknown',
      wire: ['authorAttribution', 'authorAttribution.displayName'],
      source: doc,
    },
    reviewer_photo_url: { means: 'unknown', wire: ['authorAttribution.photoUri'], source: doc },
    star_rating: { means: 'unknown', wire: ['rating'], source: doc },
    review_text: { means: 'unknown', wire: ['text', 'originalText'], source: doc },
    review_language: {
      means: 'unknown',
      wire: ['text.languageCode', 'originalText.languageCode'],
      source: doc,
    },
    review_created_at: { means: 'unknown', wire: ['publishTime'], source: doc },
    metadata: { means: 'unknown', wire: ['googleMapsUri'], source: doc },
  },
}
