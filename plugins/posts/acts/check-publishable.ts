import { Refusal, type SystemReads } from 'renown'
import { checkContent } from '../content/checkContent'
import { targetAndChannel } from '../publishing/destination'
import type { PostRow } from '../records/Post'
import type { PostedLocationRow } from '../records/PostedLocation'
import { needsApproval } from '../records/PostRules'

/**
 * Throws a Refusal that says why a post of this location cannot be published at present: the location is paused, a client has
 * not approved the post, the platform is not connected, or the content does not fit it.
 */
export async function checkPublishable(
  ctx: Pick<SystemReads, 'rows' | 'extensions'>,
  post: PostRow,
  location: PostedLocationRow,
): Promise<void> {
  if (!location.is_active) throw new Refusal('conflict', 'This location is paused. Resume it first.')
  if (post.approval === 'in_review' || post.approval === 'rejected') {
    const why =
      post.approval === 'rejected'
        ? 'The client rejected this post.'
        : 'A client is still reviewing this post.'
    throw new Refusal('conflict', `${why} Change the post, or end the review.`)
  }
  if (post.approval !== 'approved' && (await needsApproval(ctx, post.workspace_id)))
    throw new Refusal(
      'conflict',
      'This workspace publishes only approved posts. Ask a client to approve this one.',
    )
  const found = await targetAndChannel(ctx, location, post.platform)
  if ('why' in found) throw new Refusal('conflict', found.why)
  checkContent(post, found.target)
}
