import type { OwnerContext, QueueDeclaration } from 'renown'
import { afterDeadLetter, runStep } from 'renown/sending'
import * as v from 'valibot'
import { Post, type PostRow } from '../records/Post'
import { PostedLocation } from '../records/PostedLocation'
import { delayPlan, leavePlan, removePlan } from './plan'
import { postAct } from './postAct'
import { movePost } from './settlePost'

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
    if (post.status === 'publishing') return runStep(postAct(ctx, post), task)
    if (post.status !== 'scheduled') return leavePlan(ctx, post)
    const claimed = await claim(ctx, post)
    if (claimed) await runStep(postAct(ctx, claimed), task)
  },
  async onDeadLetter(ctx, { post_id }, { message }) {
    const post = await ctx.rows(Post).get(post_id)
    if (post?.status === 'publishing') await afterDeadLetter(postAct(ctx, post), message)
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
