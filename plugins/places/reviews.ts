import { dayMs } from 'renown'
import { type ReviewSource, readRows, type SourceReview, starsOf, unreadOf } from 'renown/reviews'
import * as v from 'valibot'
import { publicReviewAbsences } from './absences'
import { askPlace, hasPlacesKey } from './ask'

const text = v.object({ text: v.string(), languageCode: v.optional(v.string()) })

/** The fields of a review. `publicReviewAbsences` says what it means if an optional one is left out. */
export const reviewFields = v.object({
  name: v.pipe(v.string(), v.regex(/\/reviews\/[^/]+$/)),
  rating: v.optional(v.number()),
  publishTime: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  text: v.optional(text),
  originalText: v.optional(text),
  authorAttribution: v.optional(
    v.object({ displayName: v.optional(v.string()), photoUri: v.optional(v.string()) }),
  ),
  googleMapsUri: v.optional(v.string()),
})

/**
 * A place. A missing rating means that it has none only if the answer has the id. The id may be newer than the
 * requested one.
 */
const place = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  rating: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(5))),
  userRatingCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  reviews: v.optional(v.array(v.unknown()), []),
})

/** Google's public reviews of a place: its figures, and at most five reviews. A missing review proves nothing. */
export const placesReviews: ReviewSource = {
  name: 'places',
  source: 'google',
  listing: 'imported',
  label: 'Google',
  order: 30,
  reads: (ctx, { added_via, google_place_id }) =>
    added_via === 'places' && google_place_id !== undefined && hasPlacesKey(ctx),
  evidence: 'none',
  absences: publicReviewAbsences,
  hidesReplies: ({ added_via }) => added_via === 'places',
  everyMs: dayMs,
  async open(ctx, { google_place_id = '' }, { signal }) {
    return {
      async page() {
        const fields = Object.keys(place.entries)
        const told = await askPlace(ctx, google_place_id, { answer: place, fields, signal })
        const { rating, userRatingCount } = told
        const { rows, unread } = readRows(reviewFields, told.reviews, 'name')
        return {
          reviews: rows.map(toReview),
          total: userRatingCount ?? null,
          next: null,
          ...unreadOf(unread),
          ...(rating === undefined ? {} : { average: rating }),
        }
      },
    }
  },
}

/** Converts a review, with the author's own words and not a translation. */
function toReview(told: v.InferOutput<typeof reviewFields>): SourceReview {
  const { name, rating, publishTime, authorAttribution: author, googleMapsUri } = told
  const id = name.slice(name.lastIndexOf('/') + 1)
  const said = told.originalText ?? told.text
  return {
    source_id: id,
    google_review_id: id,
    star_rating: starsOf(rating),
    ...(author?.displayName === undefined ? {} : { reviewer_name: author.displayName }),
    ...(author?.photoUri === undefined ? {} : { reviewer_photo_url: author.photoUri }),
    ...(said === undefined || said.text === '' ? {} : { review_text: said.text }),
    ...(said?.languageCode === undefined || said.text === '' ? {} : { review_language: said.languageCode }),
    ...(publishTime === undefined ? {} : { review_created_at: new Date(publishTime).toISOString() }),
    // Without the original, the text may be a translation.
    ...(told.originalText === undefined
      ? { doesNotReplace: ['review_text', 'review_language'] as const }
      : {}),
    ...(googleMapsUri === undefined ? {} : { metadata: { url: googleMapsUri } }),
  }
}
