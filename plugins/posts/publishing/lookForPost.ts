import { faultInfo, type OwnerContext, type Task, where } from 'renown'
import type { OpenTarget, PublishedPost } from '../contract'
import type { PostRow } from '../records/Post'
import { type AttemptRow, PostAttempt } from '../records/PostAttempt'
import { PostedLocation } from '../records/PostedLocation'
import { moveAttempt, outgoing, settlePublished, targetAttempt } from './attempts'
import { type Calling, callTarget, nextLookMs } from './callTarget'
import { type Route, routeOf } from './destination'
import { judgePost } from './judge'
import { failPost, publishedPost, stepLater } from './settlePost'

/** What a look found: the post, that it is not there, or why nobody can tell. */
type Looked = PublishedPost | 'absent' | { readonly why: string }

/**
 * Finds out whether an attempt with an unknown outcome published the post. Never publishes it blindly: a call is repeated
 * only at a target that recognizes its key.
 */
export async function lookForPost(
  ctx: OwnerContext,
  { post, row, task }: { readonly post: PostRow; readonly row: AttemptRow; readonly task: Task },
): Promise<void> {
  const opened = await open(ctx, post)
  const looked = 'why' in opened ? opened : await look(ctx, opened.session, post, row)
  if (looked !== 'absent' && 'external_id' in looked) {
    const settled = await settlePublished(ctx, row, { ...looked, evidence: `Found: ${looked.evidence}` })
    if (settled) await publishedPost(ctx, post, settled)
    return
  }
  const looks = row.looks + 1
  const same = where.and(where.eq('id', row.id), where.eq('outcome', 'unknown'), where.eq('looks', row.looks))
  const evidence = looked === 'absent' ? row.evidence : looked.why
  const counted = await ctx.rows(PostAttempt).updateWhere(same, { looks, ...(evidence ? { evidence } : {}) })
  if (!counted) return
  if (looked === 'absent' && !('why' in opened) && (await mayRepeat(ctx, opened, post, row))) {
    await task.hold()
    const calls = { calls: row.calls + 1, called_at: ctx.now().toISOString() }
    const again = await moveAttempt(ctx, counted, 'calling', calls)
    if (again) await callTarget(ctx, { ...opened, post, row: again })
    return
  }
  const waitMs = 'why' in opened ? nextLookMs({}, looks) : nextLookMs(opened.target, looks)
  if (waitMs !== null) return stepLater(ctx, post, waitMs)
  await giveUp(ctx, post, counted)
}

type Opened = Pick<Calling, 'target' | 'session'> & Pick<Route, 'destination'>

async function open(ctx: OwnerContext, post: PostRow): Promise<Opened | { readonly why: string }> {
  const location = await ctx.rows(PostedLocation).get(post.business_location_id)
  if (!location) return { why: 'The location of the post no longer exists.' }
  const route = await routeOf(ctx, location, post.platform)
  if ('why' in route) return route
  try {
    return { ...route, session: await route.target.open(ctx, route.destination) }
  } catch (error) {
    return { why: faultInfo(error).message }
  }
}

async function look(ctx: OwnerContext, session: OpenTarget, post: PostRow, row: AttemptRow): Promise<Looked> {
  // A target that cannot be read recognizes the key, so that the repeated call is the look.
  if (!session.look) return 'absent'
  try {
    const attempt = await targetAttempt(ctx, row)
    const found = await session.look(outgoing(post), attempt)
    return found === null || attempt.others.has(found.external_id) ? 'absent' : found
  } catch (error) {
    return { why: faultInfo(error).message }
  }
}

/** Whether the call may be repeated: the target still recognizes its key, and the post may still be published. */
async function mayRepeat(
  ctx: OwnerContext,
  { target }: Opened,
  post: PostRow,
  { started_at }: AttemptRow,
): Promise<boolean> {
  const ageMs = ctx.now().getTime() - Date.parse(started_at)
  // A clock that went back does not say how old the key is.
  if (target.keyMs === undefined || ageMs < 0 || ageMs >= target.keyMs) return false
  return !('kind' in (await judgePost(ctx, post)))
}

/** Leaves the decision to a person. */
export async function giveUp(ctx: OwnerContext, post: PostRow, row: AttemptRow): Promise<void> {
  const last = row.evidence === undefined ? '' : ` The last answer: ${row.evidence}`
  await failPost(ctx, post, {
    kind: 'unknown_outcome',
    message: `Renown sent the post and cannot find out whether it was published.${last}`,
  })
  await ctx.rows(PostAttempt).update(row.id, { is_open: false })
}
