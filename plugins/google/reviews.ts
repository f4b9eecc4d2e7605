import { isServiceFault, type OwnerContext, ServiceFault, where } from 'renown'
import {
  compareExistence,
  type Existence,
  type FoundReview,
  type Listing,
  type RepliedReview,
  type ReviewedLocation,
  type ReviewSource,
  type SendableText,
  type SentReply,
  type SourcePage,
  standingReply,
  unconfirmedCode,
} from 'renown/reviews'
import { rpcNotFound } from 'renown/sources'
import { googleAbsences } from './absences'
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
  absences: googleAbsences,
  listing: 'own',
  reviewLink: ({ google_place_id: id }) =>
    id === undefined
      ? null
      : `https://search.google.com/local/writereview?${new URLSearchParams({ placeid: id })}`,
  async open(ctx, location, { signal }): Promise<Listing> {
    return { page: async (token) => pageOf(ctx, location, { token, signal }) }
  },
  async failed(ctx, location, { code, message }) {
    if (code !== refusedTokenCode) return
    await ctx.outbound.connections.fail(await connectionOf(ctx, location), 'broken', message)
  },
  async isGone(ctx, location, sourceId, shown) {
    const found = await existence(ctx, location, sourceId, { shown })
    return found.is === 'gone' ? found.statement : null
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
    look,
  },
}

/**
 * Reads one review. A 404 is compared with the location and its other reviews, because a moved location and a stray error
 * answer in the same way.
 */
async function look(
  ctx: OwnerContext,
  location: ReviewedLocation,
  asked: RepliedReview,
): Promise<FoundReview> {
  const first = await oneOrNone(ctx, location, asked, true)
  if (first !== null) return first
  const found = await existence(ctx, location, asked.source_id, { isUrgent: true })
  if (found.is === 'gone') return { isGone: true }
  const again = found.is === 'there' ? await oneOrNone(ctx, location, asked, true) : null
  if (again !== null) return again
  const because = found.is === 'unknown' ? found.because : 'it answers in different ways'
  throw new ServiceFault('permission', `Google does not find the review now, and ${because}`, {
    code: unconfirmedCode,
  })
}

/** Returns a review, or null if Google answers that it does not exist. */
async function oneOrNone(
  ctx: OwnerContext,
  location: ReviewedLocation,
  asked: RepliedReview,
  isUrgent: boolean,
): Promise<FoundReview | null> {
  const found = await orNotFound(async () => one(ctx, location, asked, isUrgent))
  if (found === null) return null
  const review = toReview(found)
  return { isGone: false, review, reply: standingReply(review) }
}

async function orNotFound<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (isServiceFault(error) && error.code === rpcNotFound) return null
    throw error
  }
}

/** Google's statement about a review that does not exist. It also answers so for a location that has moved. */
const notFound = 'google: 404 NOT_FOUND'

const existence = (
  ctx: OwnerContext,
  location: ReviewedLocation,
  sourceId: string,
  { shown, isUrgent = false }: { readonly shown?: Iterable<string>; readonly isUrgent?: boolean },
): Promise<Existence> => {
  const questions = {
    async statementOf(source_id: string) {
      return (await orNotFound(async () => one(ctx, location, { source_id }, isUrgent))) === null
        ? notFound
        : null
    },
    async listed() {
      const page = await orNotFound(async () => pageOf(ctx, location, { token: null, isUrgent }))
      return page && { ids: page.reviews.map(({ source_id }) => source_id), total: page.total }
    },
  }
  return compareExistence(sourceId, questions, shown)
}

/** Reads one page of the reviews of a location. */
async function pageOf(
  ctx: OwnerContext,
  location: ReviewedLocation,
  {
    token,
    ...how
  }: { readonly token: string | null; readonly signal?: AbortSignal; readonly isUrgent?: boolean },
): Promise<SourcePage> {
  const { path, locationId } = profileOf(location)
  const query = new URLSearchParams({ pageSize: String(pageSize), orderBy: 'updateTime desc' })
  if (token !== null) query.set('pageToken', token)
  const answer = pageForm({ locationId, token, knownTotal: location.total_reviews ?? 0 })
  return askGoogle(ctx, location, {
    path: `${path}/reviews?${query}`,
    what: "Google's page of reviews",
    answer,
    ...how,
  })
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
    answer: reviewForm(locationId, source_id),
    isUrgent,
  })
}
