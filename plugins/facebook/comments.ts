import { type OwnerContext, ServiceFault } from 'renown'
import type { ReviewedLocation } from 'renown/reviews'
import { type Said, said } from 'renown/sources'
import { askFacebook } from './graph'
import { commentsForm, type FacebookComment, type FacebookComments, nextOf } from './review-forms'

export const commentsMax = 50
/** Maximum pages of comments on one story that are searched for the Page's own comment. */
const commentPagesMax = 20
export const commentFields = 'id,from{id},message,created_time'

/**
 * Returns the Page's own comment on a story. There is none if the list was read whole and all comments are by others.
 * `first` is the first page of comments, if known. A comment without an author may be the Page's own, so it proves nothing.
 */
export async function ownComment(
  ctx: OwnerContext,
  location: ReviewedLocation,
  storyId: string,
  first?: FacebookComments,
): Promise<Said<FacebookComment>> {
  const own = location.facebook_page_id ?? ''
  // If there is no first page, a reply waits for the answer. If there is one, only a sync waits.
  const isUrgent = first === undefined
  let page = first ?? (await commentsOf(ctx, location, storyId, { after: null, isUrgent }))
  let isAnonymous = false
  for (let asked = 1; ; asked++) {
    const found = page.data.find(({ from }) => from?.id === own)
    if (found) return said.value(found)
    isAnonymous ||= page.data.some(({ from }) => from === undefined)
    const after = nextOf(page)
    if (after === null) break
    if (asked >= commentPagesMax) {
      throw new ServiceFault(
        'permanent',
        'There are too many comments to find out whether one is by the Page',
      )
    }
    page = await commentsOf(ctx, location, storyId, { after, isUrgent })
  }
  return isAnonymous ? said.unknown('a comment without an author may be by the Page') : said.none
}

function commentsOf(
  ctx: OwnerContext,
  location: ReviewedLocation,
  storyId: string,
  { after, isUrgent }: { readonly after: string | null; readonly isUrgent: boolean },
): Promise<FacebookComments> {
  const query = { fields: commentFields, limit: String(commentsMax), ...(after === null ? {} : { after }) }
  const path = `${encodeURIComponent(storyId)}/comments`
  const asked = { path, query, isUrgent, what: "Facebook's comments", answer: commentsForm }
  return askFacebook(ctx, location, asked)
}
