import { type OwnerContext, Refusal, requireRow } from 'renown'
import { checkContent } from '../content/checkContent'
import { textHash } from '../content/post-text'
import { targetOf } from '../publishing/destination'
import { isUndecided, movePost, unchanged } from '../publishing/settlePost'
import type { PostContent, PostPlatform, PostType } from '../records/content'
import { Post, type PostRow } from '../records/Post'
import { PostedLocation, type PostedLocationRow } from '../records/PostedLocation'

/** What people write. */
export interface NewPost {
  readonly location_id: string
  readonly platform: PostPlatform
  readonly post_type: PostType
  readonly content: PostContent
}

/** Returns a location whose posts people may write. Throws for a demo and for a prospect. */
export async function ownLocation(ctx: OwnerContext, id: string): Promise<PostedLocationRow> {
  const location = await requireRow(ctx.rows(PostedLocation), 'location', id)
  refuseSample(location)
  await ctx.requireActive(location.workspace_id)
  return location
}

/** Throws for a demo and for a prospect. */
export function refuseSample(location: PostedLocationRow): void {
  if (location.is_demo === true) {
    throw new Refusal(
      'conflict',
      'This location belongs to the demo. Its posts are samples and are never published.',
    )
  }
  if (location.is_prospect)
    throw new Refusal('conflict', 'This location is a prospect. Renown publishes no posts for it.')
}

/**
 * Returns a post and its location, for an act of a person. Throws a `conflict` Refusal if the post is no longer the version
 * that the person saw. Each act then changes only that version.
 */
export async function ownPost(
  ctx: OwnerContext,
  id: string,
  basis = '',
): Promise<{ readonly post: PostRow; readonly location: PostedLocationRow }> {
  const post = await requireRow(ctx.rows(Post), 'post', id)
  if (basis !== '' && basis !== versionOf(post)) throw changedMeanwhile()
  return { post, location: await ownLocation(ctx, post.business_location_id) }
}

/** Identifies the version of a post that a person sees, for acts that must not change another one. */
export const versionOf = ({ status, revision = 1 }: PostRow): string => `${status}.${revision}`

/** The error when two people change a post at the same time. */
export const changedMeanwhile = () =>
  new Refusal('conflict', 'The post changed in the meantime. Read it again, then try again.')

/** Creates a draft. */
export async function createPost(ctx: OwnerContext, given: NewPost): Promise<PostRow> {
  const location = await ownLocation(ctx, given.location_id)
  const { platform, post_type, content } = given
  return ctx.rows(Post).insert({
    workspace_id: location.workspace_id,
    business_location_id: location.id,
    platform,
    post_type,
    content,
    status: 'draft',
    scheduled_at: null,
    error_count: 0,
    is_active: true,
    ai_generated: false,
    revision: 1,
    text_hash: textHash(given),
  })
}

/** What a person changes. */
export interface PostEdit {
  readonly post_id: string
  /** The version that the person saw, by `versionOf`. */
  readonly basis?: string
  readonly post_type?: PostType | undefined
  readonly content?: Partial<PostContent> | undefined
}

const editable: readonly PostRow['status'][] = ['draft', 'scheduled', 'failed']

/** Changes a post that is not published. A failed one becomes a draft. Its approval no longer counts. */
export async function editPost(
  ctx: OwnerContext,
  { post_id, basis, post_type, content }: PostEdit,
): Promise<PostRow> {
  const { post } = await ownPost(ctx, post_id, basis)
  if (!editable.includes(post.status)) {
    throw new Refusal('conflict', `A post that is ${post.status} cannot be changed.`)
  }
  refuseUndecided(post)
  const next = { post_type: post_type ?? post.post_type, content: { ...post.content, ...content } }
  const target = targetOf(ctx, post.platform)
  if (post.status === 'scheduled' && target) checkContent(next, target)
  const changes = {
    ...next,
    text_hash: textHash(next),
    revision: (post.revision ?? 1) + 1,
    approval: undefined,
    approval_note: undefined,
    // No client takes back what a person replaced.
    ...(content?.summary === undefined ? {} : { written_by: undefined, previous_text: undefined }),
  }
  const changed =
    post.status === 'failed'
      ? await movePost(ctx, post, 'draft', changes)
      : await ctx.rows(Post).updateWhere(unchanged(post), changes)
  if (!changed) throw changedMeanwhile()
  return changed
}

/** Throws if a post may be on the platform, or may still appear there, so that a person decides that first. */
export function refuseUndecided(post: PostRow): void {
  if (!isUndecided(post)) return
  const isHeld = post.failure_kind === 'held_by_platform'
  throw new Refusal(
    'conflict',
    isHeld
      ? 'The platform still holds this post back. Look there. Then say that it is there, or delete it there and publish it again.'
      : 'Nobody knows whether this post was published. Look at the platform. Then say that it is there, or publish it again.',
  )
}
