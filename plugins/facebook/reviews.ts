import { isPassing, isServiceFault, type OwnerContext, ServiceFault, where } from 'renown'
import type { Listing, RepliedReview, ReviewedLocation, ReviewSource } from 'renown/reviews'
import { type Said, said } from 'renown/sources'
import * as v from 'valibot'
import { facebookAbsences } from './absences'
import { commentFields, commentsMax, ownComment } from './comments'
import { keepFigures } from './figures'
import { askFacebook, pageConnection } from './graph'
import { lookAtFacebook } from './look'
import { removedAtFacebook } from './removed-reviews'
import {
  doneForm,
  type FacebookComment,
  type FacebookComments,
  isStoryless,
  isUnnamed,
  pageOf,
  ratingsForm,
  sentForm,
  withId,
  withReply,
} from './review-forms'

/** Facebook sometimes refuses larger pages. */
const pageSize = 25

const fields =
  'created_time,has_rating,has_review,rating,recommendation_type,review_text,reviewer{id,name},' +
  `open_graph_story{id,comments.limit(${commentsMax}){${commentFields}}}`

/** Recommendations of a Page. The listing has an end but no count, so a removal needs two complete syncs. */
export const facebookReviews: ReviewSource = {
  name: 'facebook',
  source: 'facebook',
  label: 'Facebook',
  order: 20,
  reads: (_, { facebook_page_id }) => facebook_page_id !== undefined,
  locationsOf: ({ provider, account_id }) =>
    provider === 'facebook' ? where.eq('facebook_page_id', account_id) : null,
  evidence: 'paged',
  absences: facebookAbsences,
  // Facebook leaves the comments out of its list if a story has none, and for other reasons.
  readReply: async (ctx, location, review) =>
    isUnnamed(review.source_id)
      ? review
      : withReply(review, await listedReply(ctx, location, review.source_id)),
  reviewLink: ({ facebook_page_id: id }) =>
    id === undefined ? null : `https://www.facebook.com/${encodeURIComponent(id)}/reviews`,
  async open(ctx, location, { signal }): Promise<Listing> {
    return {
      async page(after) {
        const query = { fields, limit: String(pageSize), ...(after === null ? {} : { after }) }
        const path = `${encodeURIComponent(location.facebook_page_id ?? '')}/ratings`
        const what = "Facebook's page of recommendations"
        const asked = { path, query, signal, what, answer: ratingsForm }
        const page = await askFacebook(ctx, location, asked)
        if (after === null) {
          await again(ctx, location)
          await keepFigures(ctx, location)
        }
        return pageOf(page, async ({ id, comments }) =>
          comments ? listedReply(ctx, location, id, comments) : said.unknown('the comments were left out'),
        )
      },
    }
  },
  unnamed: { isUnnamed, withId },
  isGone: removedAtFacebook,
  isTurned: (before, { metadata }) => before?.recommendation_type !== metadata?.recommendation_type,
  async gone(ctx, location, why) {
    const { id } = await pageConnection(ctx, location)
    await ctx.outbound.connections.fail(id, 'source_unavailable', why)
    await keepFigures(ctx, location)
  },
  replies: {
    isIdempotent: false,
    takes: ({ source_id }) => !isUnnamed(source_id),
    mayTakeLater: ({ source_id }) => isStoryless(source_id),
    async send(ctx, location, { source_id }, text) {
      const path = `${encodeURIComponent(source_id)}/comments`
      const asked = { path, method: 'POST', form: { message: text }, answer: sentForm } as const
      const { id } = await askFacebook(ctx, location, { ...asked, what: "Facebook's answer to the comment" })
      return { metadata: { reply_comment_id: id } }
    },
    look: lookAtFacebook,
    async edit(ctx, location, review, text) {
      const asked = { path: commentPath(review), method: 'POST', form: { message: text } } as const
      await askFacebook(ctx, location, { ...asked, what: "Facebook's answer to the edit", answer: doneForm })
      return {}
    },
    async remove(ctx, location, review) {
      const asked = { path: commentPath(review), method: 'DELETE', answer: doneForm } as const
      await askFacebook(ctx, location, { ...asked, what: "Facebook's answer to the deletion" })
    },
  },
}

/** Like `ownComment`, for a sync: a story whose comments cannot be read to the end does not stop the others. */
async function listedReply(
  ctx: OwnerContext,
  location: ReviewedLocation,
  storyId: string,
  first?: FacebookComments,
): Promise<Said<FacebookComment>> {
  try {
    return await ownComment(ctx, location, storyId, first)
  } catch (error) {
    if (!isServiceFault(error) || isPassing(error) || error.kind !== 'permanent') throw error
    return said.unknown(error.message)
  }
}

const commented = v.object({ reply_comment_id: v.pipe(v.string(), v.minLength(1)) })

/** Returns the path of the Page's own comment below a story, as the last sync found it. */
function commentPath({ source_metadata }: RepliedReview): string {
  const read = v.safeParse(commented, source_metadata)
  if (read.success) return encodeURIComponent(read.output.reply_comment_id)
  throw new ServiceFault('permanent', 'It is unknown which comment is the reply')
}

/** Marks the connection as working, because recommendations can be read again. */
async function again(ctx: OwnerContext, location: ReviewedLocation): Promise<void> {
  const { id, state } = await pageConnection(ctx, location)
  if (state === 'source_unavailable') await ctx.outbound.connections.works(id)
}
