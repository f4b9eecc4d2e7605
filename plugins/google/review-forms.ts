import type { ReplyAtSource, SourcePage, SourceReview } from 'renown/reviews'
import { readRows, unreadOf } from 'renown/reviews'
import { isSameWords, jsonObject } from 'renown/sources'
import * as v from 'valibot'

/** Google's stars. STAR_RATING_UNSPECIFIED is a rating that Google does not know. */
const stars = { STAR_RATING_UNSPECIFIED: null, ONE: 1, TWO: 2, THREE: 3, FOUR: 4, FIVE: 5 } as const

const instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
  v.check((date) => !Number.isNaN(date.getTime())),
  v.transform((date) => date.toISOString()),
)

/** A reply to a review. Google always sends its text, so an object without one is not a reply. */
const reply = v.object({
  comment: v.string(),
  updateTime: v.optional(instant),
  reviewReplyState: v.optional(v.string()),
  policyViolation: v.optional(v.unknown()),
})
export type GoogleReply = v.InferOutput<typeof reply>

const starNames = Object.keys(stars) as (keyof typeof stars)[]

/** The fields of a review. `googleAbsences` says what it means if an optional one is left out. */
export const reviewFields = v.object({
  name: v.string(),
  reviewId: v.pipe(v.string(), v.minLength(1)),
  reviewer: v.optional(
    v.object({
      displayName: v.optional(v.string()),
      profilePhotoUrl: v.optional(v.string()),
      isAnonymous: v.optional(v.boolean()),
    }),
  ),
  starRating: v.picklist(starNames),
  comment: v.optional(v.string()),
  createTime: instant,
  updateTime: instant,
  reviewReply: v.optional(reply),
})

/** A complete review of one location. Google always sends the name, id, stars and times of a review. */
const reviewOf = (locationId: string) =>
  v.pipe(
    reviewFields,
    v.check(
      ({ name, reviewId }) => name.endsWith(`/locations/${locationId}/reviews/${reviewId}`),
      'the name of another review',
    ),
  )

/** The form of a review that was requested by its id. Accepts only that review. */
export const reviewForm = (locationId: string, reviewId: string) =>
  v.pipe(
    reviewOf(locationId),
    v.check((review) => review.reviewId === reviewId, 'another review'),
  )

/** The form of Google's answer to a reply: the text that was sent, and the time. */
export const sentForm = (text: string) =>
  v.pipe(
    v.object({ ...reply.entries, updateTime: instant }),
    v.check(({ comment }) => isSameWords(comment, text), 'a different reply from the one that was sent'),
  )

/** The location and the position of a page of reviews. */
export interface PageOf {
  readonly locationId: string
  /** The token of the requested page. Null for the first. */
  readonly token: string | null
  /** The number of reviews that Google last reported. */
  readonly knownTotal: number
}

/** The fields of a page. Its reviews are read one by one. */
export const pageFields = v.object({
  reviews: v.optional(v.array(v.unknown()), []),
  averageRating: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(5))),
  totalReviewCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  nextPageToken: v.optional(v.string(), ''),
})

const known = Object.keys(pageFields.entries)

/**
 * Creates the schema of a page of reviews. Google omits empty fields, so a location without reviews is `{}`,
 * but so are some failed answers. `{}` is an empty page only as the first page, and only if Google never
 * counted a review of the location. The count then stays unknown.
 */
export const pageForm = (place: PageOf) =>
  v.pipe(
    jsonObject,
    v.check((page) => {
      const isEmpty = Object.keys(page).length === 0
      if (isEmpty) return place.token === null && place.knownTotal === 0
      return known.some((name) => name in page)
    }, 'neither reviews nor a count'),
    pageFields,
    v.check(
      ({ reviews, totalReviewCount = 0, nextPageToken }) =>
        place.token !== null || reviews.length > 0 || nextPageToken !== '' || totalReviewCount === 0,
      'a count without reviews',
    ),
    v.transform((page) => pageOf(page, place.locationId)),
  )

function pageOf(
  page: {
    readonly reviews: readonly unknown[]
    readonly totalReviewCount?: number | undefined
    readonly averageRating?: number | undefined
    readonly nextPageToken: string
  },
  locationId: string,
): SourcePage {
  const { totalReviewCount: total = null, averageRating: average, nextPageToken } = page
  const { rows, unread } = readRows(reviewOf(locationId), page.reviews, 'reviewId')
  return {
    reviews: rows.map(toReview),
    total,
    next: nextPageToken || null,
    ...unreadOf(unread),
    ...(average === undefined ? {} : { average }),
  }
}

/** The state of a reply that Google rejected after it had accepted it. Nobody sees such a reply. */
const rejected = 'REJECTED'

/** Returns why Google does not show a reply, or null if it shows it. */
export function rejectionOf({ reviewReplyState, policyViolation = null }: GoogleReply): {
  readonly rejected?: string
} {
  if (reviewReplyState !== rejected) return {}
  return { rejected: `Google rejected the reply: ${JSON.stringify(policyViolation)}`.slice(0, 300) }
}

/** Google answers the deletion of a reply with an empty object. */
export const deletedForm = v.strictObject({})

/** Returns what Google said about a reply, from the stored row. */
export function replyStateOf(kept: unknown): ReplyAtSource | null {
  const read = v.safeParse(keptForm, kept)
  if (!read.success) return null
  const { reply_state: state, reply_policy_violation: policyViolation } = read.output
  if (state === 'PENDING') return { state: 'pending' }
  const { rejected: reason } = rejectionOf({ comment: '', reviewReplyState: state, policyViolation })
  return reason === undefined ? { state: 'published' } : { state: 'rejected', reason }
}

const keptForm = v.object({ reply_state: v.string(), reply_policy_violation: v.optional(v.unknown()) })

/** Converts a Google review to Renown's form. */
export function toReview(told: v.InferOutput<typeof reviewFields>): SourceReview {
  const { reviewId, reviewer, starRating, comment, createTime, updateTime, reviewReply } = told
  const isAnonymous = reviewer?.isAnonymous === true
  const name = isAnonymous ? undefined : reviewer?.displayName
  const metadata = metadataOf(told)
  return {
    source_id: reviewId,
    google_review_id: reviewId,
    star_rating: stars[starRating],
    ...(name === undefined ? {} : { reviewer_name: name }),
    ...(reviewer?.profilePhotoUrl === undefined ? {} : { reviewer_photo_url: reviewer.profilePhotoUrl }),
    ...(comment === undefined || comment === '' ? {} : { review_text: comment }),
    review_created_at: createTime,
    review_updated_at: updateTime,
    ...(reviewReply === undefined ? {} : replyOf(reviewReply)),
    ...(isAnonymous ? { saidNone: ['reviewer_name'] as const } : {}),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

/** Returns what the row stores as it is: the state of the reply, and that the reviewer is anonymous. */
const metadataOf = ({ reviewer, reviewReply }: v.InferOutput<typeof reviewFields>) => ({
  ...(reviewReply?.reviewReplyState === undefined ? {} : replyMetadata(reviewReply)),
  // Only needed while it is true. Google leaves it out for other people.
  ...(reviewer?.isAnonymous === true ? { reviewer_is_anonymous: true } : {}),
})

function replyOf(reply: GoogleReply): Pick<SourceReview, 'reply' | 'rejectedReply'> {
  const { comment: text, updateTime } = reply
  const { rejected: reason } = rejectionOf(reply)
  if (reason !== undefined) return { rejectedReply: { text, reason } }
  return { reply: { text, ...(updateTime === undefined ? {} : { at: updateTime }) } }
}

/** Returns Google's decision on a reply, as the row stores it. */
export const replyMetadata = ({ reviewReplyState, policyViolation }: GoogleReply) => ({
  ...(reviewReplyState === undefined ? {} : { reply_state: reviewReplyState }),
  ...(policyViolation == null ? {} : { reply_policy_violation: policyViolation }),
})
