import { type ActFailure, moveState, type OwnerContext, where } from 'renown'
import { publishFailed, publishPublished } from '../records/events'
import { Post, type PostRow } from '../records/Post'
import type { AttemptRow } from '../records/PostAttempt'
import { PostedLocation } from '../records/PostedLocation'
import { postStatus } from '../records/postStatus'
import { targetOf } from './destination'
import { dropPlan, planStep } from './plan'

/** Moves a post, if it still has the status and the version of the row. Returns null if it changed. */
export function movePost(
  ctx: OwnerContext,
  post: PostRow,
  to: PostRow['status'],
  given: Partial<PostRow> = {},
): Promise<PostRow | null> {
  const moved = moveState(postStatus, post.status, to, { now: ctx.now(), with: given })
  return ctx.rows(Post).updateWhere(unchanged(post), moved as Partial<PostRow>)
}

/** Matches a post while it has the status and the version of the row. */
export const unchanged = ({ id, status, revision }: PostRow) =>
  where.and(where.eq('id', id), where.eq('status', status), where.eq('revision', revision ?? null))

/**
 * Marks a post as published, from the attempt that did it. The proof also counts if the search for it was given up in the
 * meantime and no person has decided yet.
 */
export async function publishedPost(
  ctx: OwnerContext,
  post: PostRow,
  { external_id = '', external_url }: AttemptRow,
): Promise<void> {
  const given = {
    ...{ external_post_id: external_id, scheduled_at: null, error_message: undefined },
    ...(external_url === undefined ? {} : { external_url }),
  }
  await publishPublished(ctx, post)
  const moved = await movePost(ctx, post, 'published', given)
  const now = moved ? null : await ctx.rows(Post).get(post.id)
  const isUndecided = now?.failure_kind === 'unknown_outcome' && now.revision === post.revision
  if (now?.status === 'failed' && isUndecided) await movePost(ctx, now, 'published', given)
  await dropPlan(ctx, post)
}

/** Marks a post as failed and notifies people once. */
export async function failPost(ctx: OwnerContext, post: PostRow, failure: ActFailure): Promise<void> {
  // Notifies people first. If the process ends in between, both are repeated, and the notification is sent once.
  await notifyFailure(ctx, post, failure)
  await publishFailed(ctx, post, failure.kind)
  await movePost(ctx, post, 'failed', {
    ...{ error_message: failure.message.slice(0, 500), failure_kind: failure.kind },
    ...{ error_count: (post.error_count ?? 0) + 1, scheduled_at: null },
  })
  await dropPlan(ctx, post)
}

/** Plans the next step of a post that is being published. */
export const stepLater = (ctx: OwnerContext, post: PostRow, waitMs: number): Promise<void> =>
  planStep(ctx, post, new Date(ctx.now().getTime() + waitMs))

async function notifyFailure(ctx: OwnerContext, post: PostRow, { kind, message }: ActFailure): Promise<void> {
  const { id, workspace_id, business_location_id: location_id, platform, revision = 1 } = post
  const location = await ctx.rows(PostedLocation).get(location_id)
  const label = targetOf(ctx, platform)?.label ?? platform
  const of = location ? ` of ${location.business_name}` : ''
  const isOpen = kind === 'unknown_outcome'
  await ctx.notify({
    ...{ workspace_id, location_id, entity: 'Post', entity_id: id },
    ...{ type: 'post_failed', severity: 'warning', once: `post_failed ${id} ${revision}` },
    title: isOpen ? `Is this post${of} on ${label}?` : `A post${of} was not published on ${label}`,
    body: `${message.replace(/\.$/, '')}. ${isOpen ? openAdvice : 'Change the post or choose a new time.'}`,
  })
}

const openAdvice =
  'Look at the platform. Then tell Renown that the post is there, or publish it again. Renown does neither by itself.'
