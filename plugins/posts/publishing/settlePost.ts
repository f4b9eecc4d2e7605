import { hourMs, moveState, type OwnerContext, where } from 'renown'
import { type ActFailure, isOfService, meaningOf } from 'renown/sending'
import { publishFailed, publishHeld, publishPublished } from '../records/events'
import { Post, type PostRow, undecidedKinds } from '../records/Post'
import type { AttemptRow } from '../records/PostAttempt'
import { PostedLocation } from '../records/PostedLocation'
import { postStatus } from '../records/postStatus'
import { targetOf } from './destination'
import { type DoubtSubject, explainDoubt, raiseDoubt } from './doubt'
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

/** Whether a person has to decide about a post, because it may be there or may still appear. */
export const isUndecided = ({ status, failure_kind }: Pick<PostRow, 'status' | 'failure_kind'>): boolean =>
  status === 'failed' && undecidedKinds.some((kind) => kind === failure_kind)

/**
 * Marks a post as published, from the attempt that did it. The proof also counts if the search for it was given up in the
 * meantime and no person has decided yet. Notifies people if the platform shows it more than once.
 */
export async function publishedPost(
  ctx: OwnerContext,
  post: PostRow,
  { external_id = '', external_url, shown_at, platform_state, twins = [] }: AttemptRow,
): Promise<void> {
  const given = {
    external_post_id: external_id,
    scheduled_at: null,
    error_message: undefined,
    platform_state,
    ...(shown_at === undefined ? {} : { published_at: shown_at }),
    ...(external_url === undefined ? {} : { external_url }),
    ...(twins.length === 0 ? {} : { duplicate_urls: [...twins] }),
  }
  if (twins.length > 0) await notifyTwins(ctx, post, [external_url ?? external_id, ...twins])
  else await explainDoubt(ctx, post, post.id)
  await publishPublished(ctx, post)
  const moved = await movePost(ctx, post, 'published', given)
  const now = moved ? null : await ctx.rows(Post).get(post.id)
  const isSame = now?.revision === post.revision
  if (now && isSame && isUndecided(now)) await movePost(ctx, now, 'published', given)
  if (now?.status === 'published' && isSame && twins.length > 0) {
    await ctx.rows(Post).update(post.id, { duplicate_urls: [...twins] })
  }
  await dropPlan(ctx, post)
}

async function notifyTwins(ctx: OwnerContext, post: PostRow, urls: readonly string[]): Promise<void> {
  const { label, of } = await namesOf(ctx, post)
  const why = `The same post was found ${urls.length} times: ${urls.join(' and ')}.`
  await raiseDoubt(ctx, post, why, subjectOf(post))
  await ctx.notify({
    ...aboutPost(post),
    type: 'post_published_twice',
    severity: 'warning',
    once: `post_twice ${post.id} ${post.revision ?? 1}`,
    title: `A post${of} is on ${label} ${urls.length === 2 ? 'twice' : `${urls.length} times`}`,
    body: `${why} Delete the one that you do not want.`,
  })
}

/** Platforms process most posts within a minute, so nobody is notified before that. */
const processingMs = hourMs

/**
 * Records that the platform holds a post back. It stays `publishing`, with the state of the platform. Notifies people once. Can be
 * repeated.
 */
export async function heldPost(
  ctx: OwnerContext,
  post: PostRow,
  { external_id = '', external_url, platform_state = 'held', held_since, twins = [] }: AttemptRow,
): Promise<void> {
  if (twins.length > 0) await notifyTwins(ctx, post, [external_url ?? external_id, ...twins])
  else await explainDoubt(ctx, post, post.id)
  const shown = {
    platform_state,
    ...(twins.length === 0 ? {} : { duplicate_urls: [...twins] }),
    ...(external_url === undefined ? {} : { external_url }),
  }
  const heldMs = Math.abs(ctx.now().getTime() - Date.parse(held_since ?? ''))
  const proof = targetOf(ctx, post.platform)?.proof
  const isProcessing = proof && 'states' in proof && meaningOf(proof, platform_state) === 'processing'
  if (isProcessing && heldMs < processingMs) {
    await ctx.rows(Post).updateWhere(unchanged(post), shown)
    return
  }
  const { label, of } = await namesOf(ctx, post)
  await publishHeld(ctx, post, platform_state)
  await ctx.notify({
    ...aboutPost(post),
    type: 'post_held',
    severity: 'info',
    once: `post_held ${post.id} ${post.revision ?? 1}`,
    title: `${label} holds back a post${of}`,
    body: `Its state there is “${platform_state}”. Renown looks at it for seven days. You can also release it there.`,
  })
  await ctx.rows(Post).updateWhere(unchanged(post), { ...shown, held_since })
}

/** Returns a post as what a doubt is about. */
export const subjectOf = ({ id, revision = 1 }: PostRow): DoubtSubject => ({
  entity: 'Post',
  entity_id: id,
  revision,
})

const aboutPost = ({ id, workspace_id, business_location_id }: PostRow) => ({
  workspace_id,
  location_id: business_location_id,
  entity: 'Post',
  entity_id: id,
})

async function namesOf(ctx: OwnerContext, { business_location_id, platform }: PostRow) {
  const location = await ctx.rows(PostedLocation).get(business_location_id)
  const label = targetOf(ctx, platform)?.label ?? platform
  return { label, of: location ? ` of ${location.business_name}` : '' }
}

/** Marks a post as failed and notifies people once. */
export async function failPost(ctx: OwnerContext, post: PostRow, failure: ActFailure): Promise<void> {
  // Notifies people first. If the process ends in between, both are repeated, and the notification is sent once.
  await notifyFailure(ctx, post, failure)
  await publishFailed(ctx, post, failure.kind)
  await movePost(ctx, post, 'failed', {
    error_message: failure.message.slice(0, 500),
    failure_kind: failure.kind,
    error_count: (post.error_count ?? 0) + Number(isOfService(failure)),
    scheduled_at: null,
  })
  await dropPlan(ctx, post)
}

/** Plans the next step of a post that is being published. */
export const stepLater = (ctx: OwnerContext, post: PostRow, waitMs: number): Promise<void> =>
  planStep(ctx, post, new Date(ctx.now().getTime() + waitMs))

async function notifyFailure(ctx: OwnerContext, post: PostRow, { kind, message }: ActFailure): Promise<void> {
  const { id, revision = 1 } = post
  const { label, of } = await namesOf(ctx, post)
  const title =
    kind === 'unknown_outcome'
      ? `Is this post${of} on ${label}?`
      : kind === 'held_by_platform'
        ? `${label} still holds back a post${of}`
        : `A post${of} was not published on ${label}`
  await ctx.notify({
    ...aboutPost(post),
    type: 'post_failed',
    severity: 'warning',
    once: `post_failed ${id} ${revision}`,
    title,
    body: `${message.replace(/\.$/, '')}. ${advice[kind] ?? 'Change the post or choose a new time.'}`,
  })
}

const openAdvice =
  'Look at the platform. Then tell Renown that the post is there, or publish it again. Renown does neither by itself.'
const advice: Readonly<Partial<Record<ActFailure['kind'], string>>> = {
  unknown_outcome: openAdvice,
  held_by_platform: `Delete it there before you publish it again. ${openAdvice}`,
}
