import { hourMs, type OwnerContext, type QueueDeclaration, type Task } from 'renown'
import * as v from 'valibot'
import type { OpenTarget } from '../contract'
import { Post, type PostRow } from '../records/Post'
import { PostAttempt } from '../records/PostAttempt'
import { PostedLocation } from '../records/PostedLocation'
import { beginAttempt, decidingAttempt, moveAttempt, sameAttempt } from './attempts'
import { afterFault, callTarget, nextLookMs } from './callTarget'
import { targetOf } from './destination'
import { type Failure, judgePost } from './judge'
import { giveUp, lookForPost } from './lookForPost'
import { paceMs } from './pace'
import { delayPlan, leavePlan, removePlan } from './plan'
import { failPost, movePost, publishedPost, stepLater } from './settlePost'

const payload = v.strictObject({ post_id: v.string() })

/** Takes the next step of a post that is due: publishes it once, or finds out whether it was published. */
export const publishPost: QueueDeclaration<typeof payload> = {
  summary: 'Publishes a post that is due, once',
  payload,
  atOnce: 4,
  async run(ctx, { post_id }, task) {
    const post = await ctx.rows(Post).get(post_id)
    if (!post) return removePlan(ctx, { id: post_id, workspace_id: task.workspace_id })
    const location = await ctx.rows(PostedLocation).get(post.business_location_id)
    if (location?.is_demo === true) return removePlan(ctx, post)
    if (post.status === 'publishing') return takeStep(ctx, post, task)
    if (post.status !== 'scheduled') return leavePlan(ctx, post)
    const claimed = await claim(ctx, post)
    if (claimed) await takeStep(ctx, claimed, task)
  },
  async onDeadLetter(ctx, { post_id }, { message }) {
    const post = await ctx.rows(Post).get(post_id)
    if (post?.status !== 'publishing') return
    const row = await decidingAttempt(ctx, post)
    if (row?.outcome === 'published') return publishedPost(ctx, post, row)
    if (row === null || row.outcome === 'rejected') return failPost(ctx, post, { kind: 'rejected', message })
    // A process that dies again and again says nothing about the post, so the search goes on, at most for a while.
    const ageMs = Math.abs(ctx.now().getTime() - Date.parse(row.started_at))
    if (row.is_open && ageMs < searchMs) return stepLater(ctx, post, busyMs)
    await giveUp(ctx, post, row)
  },
}

/** Moves a due post to `publishing`. Returns null if it is not due, or changed in the meantime. */
async function claim(ctx: OwnerContext, post: PostRow): Promise<PostRow | null> {
  const dueAt = Date.parse(post.scheduled_at ?? '')
  if (!(dueAt <= ctx.now().getTime())) {
    await delayPlan(ctx, post, new Date(dueAt))
    return null
  }
  const given = { scheduled_at: post.scheduled_at, error_message: undefined, error_count: 0 }
  return movePost(ctx, post, 'publishing', given)
}

/** Takes one step. What an earlier step did is known only from its attempt. */
async function takeStep(ctx: OwnerContext, post: PostRow, task: Task): Promise<void> {
  const row = await decidingAttempt(ctx, post)
  switch (row?.outcome) {
    case 'published':
      return publishedPost(ctx, post, row)
    case 'calling': {
      // The process of this call was lost. Its request may still arrive, so the first look waits.
      const evidence = 'The process that published the post ended before the answer.'
      if (await moveAttempt(ctx, row, 'unknown', { evidence })) {
        await stepLater(ctx, post, nextLookMs(targetOf(ctx, post.platform) ?? {}, row.looks) ?? 0)
      }
      return
    }
    case 'unknown':
      return row.is_open ? lookForPost(ctx, { post, row, task }) : giveUp(ctx, post, row)
    default:
      return publish(ctx, post, task)
  }
}

/** How long a step waits for the call of another process. */
const busyMs = 30_000
/** How long the search for an attempt goes on, though its jobs fail. */
const searchMs = 2 * hourMs

const isFailure = (judged: object): judged is Failure => 'kind' in judged

async function publish(ctx: OwnerContext, post: PostRow, task: Task): Promise<void> {
  const route = await judgePost(ctx, post)
  if (isFailure(route)) return failPost(ctx, post, route)
  const { target, destination } = route
  const waitMs = await paceMs(ctx, post, target)
  if (waitMs > 0) return stepLater(ctx, post, waitMs)
  let session: OpenTarget
  try {
    session = await target.open(ctx, destination)
  } catch (error) {
    if (task.signal.aborted) throw error
    return afterFault(ctx, post, error)
  }
  await task.hold()
  const row = await beginAttempt(ctx, post, target)
  // Another process has begun. Its attempt is settled or looked up later.
  if (!row) return stepLater(ctx, post, busyMs)
  // Opening takes time. People may have paused the location since.
  const judged = await judgePost(ctx, post)
  if (isFailure(judged)) {
    const unsent = { evidence: `Not sent. ${judged.message}`, is_open: false }
    await moveAttempt(ctx, row, 'rejected', unsent)
    return failPost(ctx, post, judged)
  }
  try {
    await task.hold()
  } catch (error) {
    await ctx.rows(PostAttempt).removeWhere(sameAttempt(row))
    throw error
  }
  await callTarget(ctx, { post, row, target, session })
}
