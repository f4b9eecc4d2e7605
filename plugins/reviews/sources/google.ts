import { isServiceFault, type OwnerContext, ServiceFault } from 'renown'
import * as v from 'valibot'
import { askGoogle, connectionOf, refusedTokenCode } from './google-api'
import type {
  Listing,
  RepliedReview,
  ReviewedLocation,
  ReviewSource,
  SourcePage,
  SourceReview,
} from './source'

/** The most that Google gives on a page. */
const pageSize = 50
/** Google's bound of a reply, in bytes. */
export const replyBytesMax = 4_096

const stars: Readonly<Record<string, number>> = { ONE: 1, TWO: 2, THREE: 3, FOUR: 4, FIVE: 5 }

const instant = v.pipe(
  v.string(),
  v.transform((text) => new Date(text)),
  v.check((date) => !Number.isNaN(date.getTime())),
  v.transform((date) => date.toISOString()),
)

const reply = v.object({
  comment: v.string(),
  updateTime: v.optional(v.fallback(v.optional(instant), undefined)),
  reviewReplyState: v.optional(v.string()),
  policyViolation: v.optional(v.unknown()),
})

const review = v.object({
  reviewId: v.pipe(v.string(), v.minLength(1)),
  reviewer: v.optional(
    v.object({
      displayName: v.optional(v.string()),
      profilePhotoUrl: v.optional(v.string()),
      isAnonymous: v.optional(v.boolean()),
    }),
  ),
  starRating: v.optional(v.string()),
  comment: v.optional(v.string()),
  createTime: v.optional(instant),
  updateTime: v.optional(instant),
  reviewReply: v.optional(reply),
})

/** An answer without reviews and totals also comes back on hiccups: `total` is then not known. */
const page = v.object({
  reviews: v.optional(v.array(review), []),
  averageRating: v.optional(v.number()),
  totalReviewCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  nextPageToken: v.optional(v.string()),
})

/** Reviews of business profiles through Google's own API: counted, so that a whole reading can prove a removal. */
export const google: ReviewSource = {
  name: 'google',
  reader: 'google',
  evidence: 'counted',
  async open(ctx, location, { signal }): Promise<Listing> {
    const path = profileOf(location)
    return {
      async page(token) {
        const query = new URLSearchParams({ pageSize: String(pageSize), orderBy: 'updateTime desc' })
        if (token !== null) query.set('pageToken', token)
        const json = await askGoogle(ctx, location, { path: `${path}/reviews?${query}`, signal })
        return read(json)
      },
    }
  },
  async failed(ctx, location, { code, message }) {
    if (code !== refusedTokenCode) return
    await ctx.outbound.connections.fail(await connectionOf(ctx, location), 'broken', message)
  },
  async isThere(ctx, location, sourceId) {
    try {
      return (await one(ctx, location, { source_id: sourceId })) !== null
    } catch (error) {
      if (isServiceFault(error) && error.code === '404') return false
      throw error
    }
  },
  replies: {
    isIdempotent: true,
    async send(ctx, location, { source_id }, text) {
      const path = `${profileOf(location)}/reviews/${encodeURIComponent(source_id)}/reply`
      if (Buffer.byteLength(text) > replyBytesMax) {
        throw new ServiceFault('permanent', `The reply is longer than ${replyBytesMax} bytes`)
      }
      const json = await askGoogle(ctx, location, { path, method: 'PUT', json: { comment: text } })
      const sent = v.safeParse(reply, json)
      if (!sent.success) return {}
      const { reviewReplyState: reply_state } = sent.output
      return { ...rejection(sent.output), metadata: reply_state === undefined ? {} : { reply_state } }
    },
    async find(ctx, location, asked) {
      const held = (await one(ctx, location, asked))?.reviewReply
      return held === undefined ? null : { text: held.comment, ...rejection(held) }
    },
  },
}

async function one(ctx: OwnerContext, location: ReviewedLocation, { source_id }: RepliedReview) {
  const path = `${profileOf(location)}/reviews/${encodeURIComponent(source_id)}`
  const read = v.safeParse(review, await askGoogle(ctx, location, { path }))
  return read.success ? read.output : null
}

/** Google moderates replies after it took them; one that it rejected is shown to nobody. */
const rejected = 'REJECTED'

function rejection({ reviewReplyState, policyViolation = null }: v.InferOutput<typeof reply>) {
  if (reviewReplyState !== rejected) return {}
  return { rejected: `Google rejected the reply: ${JSON.stringify(policyViolation)}`.slice(0, 300) }
}

/** The profile's name in Google's older API, which has the reviews: account and location together. */
function profileOf({ google_account_id = '', google_location_id = '' }: ReviewedLocation): string {
  const account = google_account_id.replace(/^accounts\//, '')
  const location = google_location_id.split('/').at(-1) ?? ''
  const named = /^accounts\/([^/]+)\/locations\//.exec(google_location_id)?.[1]
  if (account === '' || location === '') {
    throw new ServiceFault('permanent', 'The location names no Google account and location')
  }
  if (named !== undefined && named !== account) {
    throw new ServiceFault(
      'permission',
      "The location's Google profile belongs to another account than its own",
    )
  }
  return `accounts/${account}/locations/${location}`
}

function read(json: unknown): SourcePage {
  const parsed = v.safeParse(page, json)
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw new ServiceFault(
      'transient',
      `Google's page of reviews is in no known form: ${v.getDotPath(issue)}`,
    )
  }
  const { reviews, totalReviewCount, averageRating, nextPageToken } = parsed.output
  return {
    reviews: reviews.map(toReview),
    total: totalReviewCount ?? null,
    next: nextPageToken || null,
    ...(averageRating === undefined ? {} : { average: averageRating }),
  }
}

function toReview(told: v.InferOutput<typeof review>): SourceReview {
  const { reviewId, reviewer, starRating, comment, createTime, updateTime, reviewReply } = told
  const name = reviewer?.isAnonymous ? undefined : reviewer?.displayName
  const state = reviewReply?.reviewReplyState
  return {
    source_id: reviewId,
    google_review_id: reviewId,
    star_rating: stars[starRating ?? ''] ?? null,
    ...(name === undefined ? {} : { reviewer_name: name }),
    ...(reviewer?.profilePhotoUrl === undefined ? {} : { reviewer_photo_url: reviewer.profilePhotoUrl }),
    ...(comment === undefined || comment === '' ? {} : { review_text: comment }),
    ...(createTime === undefined ? {} : { review_created_at: createTime }),
    ...(updateTime === undefined ? {} : { review_updated_at: updateTime }),
    ...(reviewReply === undefined || state === rejected ? {} : { reply: replyOf(reviewReply) }),
    ...(state === undefined ? {} : { metadata: { reply_state: state } }),
  }
}

const replyOf = ({ comment, updateTime }: v.InferOutput<typeof reply>) => ({
  text: comment,
  ...(updateTime === undefined ? {} : { at: updateTime }),
})
