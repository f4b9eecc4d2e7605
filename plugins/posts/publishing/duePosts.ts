import { hourMs, type JobDeclaration, type OwnerContext, where } from 'renown'
import { heldLookMaxMs } from 'renown/sending'
import { Post } from '../records/Post'
import { PostedLocation } from '../records/PostedLocation'
import { PostPlan } from '../records/PostPlan'
import { planStep } from './plan'

/** Maximum steps of one workspace that a run queues, so that many due posts of one do not delay the others. */
const perWorkspaceMax = 50

/** Queues the posts whose next step is due. */
export const duePosts: JobDeclaration = {
  summary: 'Queues the posts that are due for publishing',
  everyMs: 10_000,
  async run(ctx, signal) {
    const due = where.lte('due_at', ctx.now().toISOString())
    const counts = new Map<string, number>()
    for await (const { workspace_id, post_id } of ctx.rows(PostPlan).each({ where: due, signal })) {
      const count = counts.get(workspace_id) ?? 0
      if (count >= perWorkspaceMax) continue
      counts.set(workspace_id, count + 1)
      await ctx.enqueue('publish-post', { workspace_id, key: post_id, payload: { post_id } })
    }
  },
}

/** Plans the posts that are scheduled or being published and have no plan in time, for example after a restored backup. */
export const findPosts: JobDeclaration = {
  summary: 'Finds scheduled posts that nothing would publish',
  everyMs: hourMs,
  async run(ctx, signal) {
    const planned = new Map<string, number>()
    for await (const { post_id, due_at } of ctx.rows(PostPlan).each({ signal })) {
      planned.set(post_id, Date.parse(due_at))
    }
    // A revision says that a person scheduled the post here. Sample posts have none.
    const waiting = where.and(where.in('status', ['scheduled', 'publishing']), where.gte('revision', 1))
    for await (const post of ctx.rows(Post).each({ where: waiting, signal })) {
      const at = Date.parse(post.scheduled_at ?? '')
      const dueMs = post.status === 'scheduled' && !Number.isNaN(at) ? at : ctx.now().getTime()
      // A post that is being published may wait for its next look, and one that is held back for longer.
      const waitsMs = post.held_since === undefined ? hourMs : heldLookMaxMs
      const latestMs = post.status === 'scheduled' ? dueMs : dueMs + waitsMs
      const isPlanned = (planned.get(post.id) ?? Number.POSITIVE_INFINITY) <= latestMs
      if (isPlanned || (await isDemo(ctx, post.business_location_id))) continue
      await planStep(ctx, post, new Date(dueMs))
    }
  },
}

const isDemo = async (ctx: OwnerContext, id: string) =>
  (await ctx.rows(PostedLocation).get(id))?.is_demo === true
