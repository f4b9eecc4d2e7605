import { isTimezone, type OwnerContext, refusedField } from 'renown'
import { dropPlan, replan } from '../publishing/plan'
import { movePost, unchanged } from '../publishing/settlePost'
import { Post, type PostRow } from '../records/Post'
import type { PostedLocationRow } from '../records/PostedLocation'
import { instantOf, type WallTime } from '../times/wall-time'
import { checkPublishable } from './check-publishable'
import { refuseDuplicate } from './duplicates'
import { changedMeanwhile, ownPost, refuseUndecided } from './edit'

/** When a person wants a post published. */
export interface Schedule extends WallTime {
  readonly post_id: string
  /** The version that the person saw, by `versionOf`. */
  readonly basis?: string
  readonly allow_duplicate?: boolean | undefined
}

/** A scheduled post, and what the person must know about its time. */
export interface Scheduled {
  readonly post: PostRow
  /** Set if the local time does not exist or occurs twice. */
  readonly notice?: string
}

/** Schedules a post for a local time, or changes the time of a scheduled one. Checks everything that can be checked now. */
export async function schedulePost(ctx: OwnerContext, given: Schedule): Promise<Scheduled> {
  const { wall_time, timezone, occurrence } = given
  if (!isTimezone(timezone)) {
    throw refusedField('timezone', 'timezone must be an IANA time zone such as Europe/Madrid.')
  }
  const { instant, notice } = instantOf(given)
  if (Date.parse(instant) <= ctx.now().getTime()) {
    const message = `${wall_time} in ${timezone} is in the past. Choose a later time, or publish the post now.`
    throw refusedField('wall_time', message)
  }
  const { post, location } = await ownPost(ctx, given.post_id, given.basis)
  refuseUndecided(post)
  const time = { wall_time, timezone, occurrence }
  const scheduled = await plan(ctx, { post, location, instant, time, allowed: given.allow_duplicate })
  return { post: scheduled, ...(notice === undefined ? {} : { notice }) }
}

/** Publishes a post as soon as possible. A post whose outcome is unknown is refused: use `publishAgain`. */
export async function publishNow(
  ctx: OwnerContext,
  { post_id, basis, allow_duplicate }: Pick<Schedule, 'post_id' | 'basis' | 'allow_duplicate'>,
): Promise<PostRow> {
  const { post, location } = await ownPost(ctx, post_id, basis)
  refuseUndecided(post)
  return publishSoon(ctx, { post, location, allowed: allow_duplicate })
}

/** Queues a post for now. */
export async function publishSoon(
  ctx: OwnerContext,
  given: Omit<Planning, 'instant' | 'time'>,
): Promise<PostRow> {
  const time = { wall_time: undefined, timezone: undefined, occurrence: undefined }
  const scheduled = await plan(ctx, { ...given, instant: ctx.now().toISOString(), time })
  const { id, workspace_id } = scheduled
  await ctx.enqueue('publish-post', { workspace_id, key: id, payload: { post_id: id } })
  return scheduled
}

interface Planning {
  readonly post: PostRow
  readonly location: PostedLocationRow
  readonly instant: string
  readonly time: Pick<PostRow, 'wall_time' | 'timezone' | 'occurrence'> | { readonly wall_time: undefined }
  readonly allowed?: boolean | undefined
}

async function plan(
  ctx: OwnerContext,
  { post, location, instant, time, allowed = false }: Planning,
): Promise<PostRow> {
  await checkPublishable(ctx, post, location)
  // Two people who schedule the same text at the same time are refused too.
  return ctx.withLock(`schedule-post ${post.workspace_id}`, async () => {
    if (!allowed) await refuseDuplicate(ctx, post)
    const given = { ...time, scheduled_at: instant, revision: (post.revision ?? 1) + 1 }
    const changed = await replan(ctx, post, new Date(instant), () =>
      post.status === 'scheduled'
        ? ctx.rows(Post).updateWhere(unchanged(post), given)
        : movePost(ctx, post, 'scheduled', given),
    )
    if (!changed) throw changedMeanwhile()
    return changed
  })
}

/** Returns a scheduled post to the drafts. */
export async function unschedulePost(ctx: OwnerContext, post_id: string, basis?: string): Promise<PostRow> {
  return end(ctx, { post_id, basis }, 'draft')
}

/** Cancels a draft or a scheduled post. */
export async function cancelPost(ctx: OwnerContext, post_id: string, basis?: string): Promise<PostRow> {
  return end(ctx, { post_id, basis }, 'cancelled')
}

async function end(
  ctx: OwnerContext,
  { post_id, basis }: { readonly post_id: string; readonly basis: string | undefined },
  to: 'draft' | 'cancelled',
): Promise<PostRow> {
  const { post } = await ownPost(ctx, post_id, basis)
  const time = { wall_time: undefined, timezone: undefined, occurrence: undefined }
  const given = to === 'draft' ? { ...time, scheduled_at: null } : { scheduled_at: null, is_active: false }
  const moved = await movePost(ctx, post, to, given as Partial<PostRow>)
  if (!moved) throw changedMeanwhile()
  await dropPlan(ctx, moved)
  return moved
}
