import { isServiceFault, type OwnerContext, rpcNotFound, ServiceFault, where } from 'renown'
import {
  type Listing,
  type RepliedReview,
  type ReviewedLocation,
  type ReviewSource,
  type SendableText,
  type SentReply,
  standingReply,
} from 'renown/reviews'
import { askGoogle, connectionOf, refusedTokenCode } from './ask-reviews'
import { profileOf } from './profile-path'
import {
  deletedForm,
  pageForm,
  rejectionOf,
  replyMetadata,
  replyStateOf,
  reviewForm,
  sentForm,
  toReview,
} from './review-forms'

/** The maximum page size at Google. */
const pageSize = 50
/** Google's limit for a reply, in bytes. */
export const replyBytesMax = 4_096

/** Reviews through Google's own API. It has a count, so a complete sync can prove a removal. */
export const googleReviews: ReviewSource = {
  name: 'google',
  source: 'google',
  label: 'Google',
  order: 10,
  reads: (_, { added_via, google_location_id }) =>
    added_via === 'gbp_oauth' && google_location_id !== undefined,
  locationsOf: ({ provider, account_id }) =>
    provider === 'google'
      ? where.in('google_account_id', [bare(account_id), `accounts/${bare(account_id)}`])
      : null,
  evidence: 'counted',
  listing: 'own',
  reviewLink: ({ google_place_id: id }) =>
    id === undefined
      ? null
      : `https://search.google.com/local/writereview?${new URLSearchParams({ placeid: id })}`,
  async open(ctx, location, { signal }): Promise<Listing> {
    const { path, locationId } = profileOf(location)
    return {
      page(token) {
        const query = new URLSearchParams({ pageSize: String(pageSize), orderBy: 'updateTime desc' })
        if (token !== null) query.set('pageToken', token)
        const answer = pageForm({ locationId, token, knownTotal: location.total_reviews ?? 0 })
        const what = "Google's page of reviews"
        return askGoogle(ctx, location, { path: `${path}/reviews?${query}`, what, answer, signal })
      },
    }
  },
  async failed(ctx, location, { code, message }) {
    if (code !== refusedTokenCode) return
    await ctx.outbound.connections.fail(await connectionOf(ctx, location), 'broken', message)
  },
  async isGone(ctx, location, sourceId) {
    try {
      await one(ctx, location, { source_id: sourceId })
      return null
    } catch (error) {
      if (isServiceFault(error) && error.code === rpcNotFound) return 'google: 404 NOT_FOUND'
      throw error
    }
  },
  replies: {
    isIdempotent: true,
    bytesMax: replyBytesMax,
    send: putReply,
    // Google has one reply per review, and sending another replaces it.
    edit: putReply,
    async remove(ctx, location, review) {
      const asked = { path: replyPath(location, review), method: 'DELETE', answer: deletedForm } as const
      await askGoogle(ctx, location, { ...asked, what: "Google's answer to the deletion" })
    },
    stateOf: ({ source_metadata }) => replyStateOf(source_metadata),
    async look(ctx, location, asked) {
      try {
        const review = toReview(await one(ctx, location, asked, true))
        return { isGone: false, review, reply: standingReply(review) }
      } catch (error) {
        if (isServiceFault(error) && error.code === rpcNotFound) return { isGone: true }
        throw error
      }
    },
  },
}

const replyPath = (location: ReviewedLocation, { source_id }: RepliedReview) =>
  `${profileOf(location).path}/reviews/${encodeURIComponent(source_id)}/reply`

async function putReply(
  ctx: OwnerContext,
  location: ReviewedLocation,
  review: RepliedReview,
  text: SendableText,
): Promise<SentReply> {
  const path = replyPath(location, review)
  if (Buffer.byteLength(text) > replyBytesMax) {
    throw new ServiceFault('permanent', `The reply is longer than ${replyBytesMax} bytes`)
  }
  const asked = { path, method: 'PUT', json: { comment: text }, answer: sentForm(text) } as const
  const sent = await askGoogle(ctx, location, { ...asked, what: "Google's answer to the reply" })
  return { ...rejectionOf(sent), metadata: replyMetadata(sent) }
}

const bare = (id: string) => id.replace(/^accounts\//, '')

/** Returns one review by its id. A review that does not exist is a fault with the code `rpcNotFound`. */
async function one(
  ctx: OwnerContext,
  location: ReviewedLocation,
  { source_id }: RepliedReview,
  isUrgent = false,
) {
  const { path, locationId } = profileOf(location)
  return askGoogle(ctx, location, {
    path: `${path}/reviews/${encodeURIComponent(source_id)}`,
    what: "Google's review",
    ...{ answer: reviewForm(locationId, source_id), isUrgent },
  })
}
