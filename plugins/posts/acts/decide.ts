import { type OwnerContext, Refusal, refusedField, where } from 'renown'
import { webAddress } from 'renown/sources'
import { explainDoubt } from '../publishing/doubt'
import { isUndecided, movePost } from '../publishing/settlePost'
import { publishPublished } from '../records/events'
import type { PostRow } from '../records/Post'
import { PostAttempt } from '../records/PostAttempt'
import { changedMeanwhile, ownPost } from './edit'
import { publishNow, publishSoon } from './schedule'

/** Records that a post whose outcome was unknown, or that was held back, is on the platform, as a person saw it. */
export async function confirmPublished(
  ctx: OwnerContext,
  { post_id, basis, url }: { readonly post_id: string; readonly basis?: string; readonly url: string },
): Promise<PostRow> {
  const { post } = await ownPost(ctx, post_id, basis)
  requireUndecided(post)
  const address = webAddress(url)
  if (address === undefined) {
    const message = 'url must be the address of the published post. It begins with https:// or http://.'
    throw refusedField('url', message)
  }
  await closeAttempts(ctx, post)
  await publishPublished(ctx, post)
  const moved = await movePost(ctx, post, 'published', { external_post_id: address, external_url: address })
  if (!moved) throw changedMeanwhile()
  await explainDoubt(ctx, moved, moved.id)
  return moved
}

/** Publishes a post again that a person did not find on the platform, or deleted there. */
export async function publishAgain(ctx: OwnerContext, post_id: string, basis?: string): Promise<PostRow> {
  const { post, location } = await ownPost(ctx, post_id, basis)
  requireUndecided(post)
  await closeAttempts(ctx, post)
  await explainDoubt(ctx, post, post.id)
  // The duplicate that the check would find is this post.
  return publishSoon(ctx, { post, location, allowed: true })
}

/** Publishes a failed post now. One whose outcome is unknown is refused. */
export async function retryPost(ctx: OwnerContext, post_id: string, basis?: string): Promise<PostRow> {
  const { post } = await ownPost(ctx, post_id, basis)
  if (post.status !== 'failed')
    throw new Refusal('conflict', `The post is ${post.status}. Only a failed post is retried.`)
  return publishNow(ctx, { post_id, ...(basis === undefined ? {} : { basis }) })
}

function requireUndecided(post: PostRow): void {
  if (isUndecided(post)) return
  throw new Refusal(
    'conflict',
    'Only a post whose outcome is unknown, or that its platform holds back, needs a decision.',
  )
}

/** Ends the search for the outcome, so that another attempt can begin. */
async function closeAttempts(ctx: OwnerContext, { id, workspace_id }: PostRow): Promise<void> {
  const open = where.and(
    where.eq('workspace_id', workspace_id),
    where.eq('post_id', id),
    where.eq('is_open', true),
  )
  await ctx.rows(PostAttempt).updateMany(open, { is_open: false })
}
