import { isServiceFault, type OwnerContext, ServiceFault, unreadable } from 'renown'
import {
  type FoundReview,
  type RepliedReview,
  type ReviewedLocation,
  type SourceReview,
  standingReply,
  unconfirmedCode,
} from 'renown/reviews'
import { said } from 'renown/sources'
import { ownComment } from './comments'
import { askFacebook } from './graph'
import { facebookNotVisible } from './graph-api'
import { removedAtFacebook } from './removed-reviews'
import { nextOf, pageOf, ratingsForm, withReply } from './review-forms'

/** Facebook sometimes refuses larger pages. */
const pageSize = 25
/** Number of pages that are searched for one recommendation. Replies usually go to recent ones. */
const pagesMax = 40

const fields =
  'created_time,has_rating,has_review,rating,recommendation_type,review_text,reviewer{id,name},open_graph_story{id}'

/**
 * Reads one recommendation with the Page's own comment. Facebook returns the text of a recommendation only in
 * its list, so the list is read until it contains the story.
 */
export async function lookAtFacebook(
  ctx: OwnerContext,
  location: ReviewedLocation,
  { source_id }: RepliedReview,
): Promise<FoundReview> {
  try {
    const review = await listedReview(ctx, location, source_id)
    if (review === null) return await unlisted(ctx, location, source_id)
    const found = withReply(review, await ownComment(ctx, location, source_id))
    return { isGone: false, review: found, reply: standingReply(found) }
  } catch (error) {
    if (!isServiceFault(error) || error.code !== facebookNotVisible) throw error
    // The story is gone, or the token may not see it.
    if ((await removedAtFacebook(ctx, location, source_id)) !== null) return { isGone: true }
    throw new ServiceFault('permission', error.message, { code: unconfirmedCode })
  }
}

async function listedReview(
  ctx: OwnerContext,
  location: ReviewedLocation,
  storyId: string,
): Promise<SourceReview | null> {
  const path = `${encodeURIComponent(location.facebook_page_id ?? '')}/ratings`
  let after: string | null = null
  for (let pages = 0; pages < pagesMax; pages++) {
    const query: Record<string, string> = {
      fields,
      limit: String(pageSize),
      ...(after === null ? {} : { after }),
    }
    const asked = { path, query, what, isUrgent: true, answer: ratingsForm }
    const page = await askFacebook(ctx, location, asked)
    const { reviews } = await pageOf(page, async () => said.unknown('the comments are read separately'))
    const found = reviews.find(({ source_id }) => source_id === storyId)
    if (found) return found
    after = nextOf(page)
    if (after === null) return null
  }
  return null
}

const what = "Facebook's page of recommendations"

/**
 * Handles a recommendation that is missing in the list. That proves nothing: Facebook itself must say that it
 * does not exist.
 */
async function unlisted(
  ctx: OwnerContext,
  location: ReviewedLocation,
  storyId: string,
): Promise<FoundReview> {
  if ((await removedAtFacebook(ctx, location, storyId)) !== null) return { isGone: true }
  throw unreadable(what, 'Facebook does not return the recommendation, but does not say that it was deleted')
}
