import { hourMs, type JobDeclaration, type OwnerContext, where } from 'renown'
import { Post, type PostRow } from '../records/Post'
import { instantOf } from '../times/wall-time'
import { replan } from './plan'
import { unchanged } from './settlePost'

/**
 * Computes the instants of scheduled posts again from their local times, because governments change time zones and a new
 * version of the runtime brings their rules.
 */
export const recomputeTimes: JobDeclaration = {
  summary: 'Corrects the times of scheduled posts after a change of time zone rules',
  everyMs: hourMs,
  async run(ctx, signal) {
    const scheduled = where.and(where.eq('status', 'scheduled'), where.gte('revision', 1))
    for await (const post of ctx.rows(Post).each({ where: scheduled, signal })) await recompute(ctx, post)
  },
}

async function recompute(ctx: OwnerContext, post: PostRow): Promise<void> {
  const { wall_time, timezone, occurrence, scheduled_at } = post
  if (wall_time === undefined || timezone === undefined) return
  const { instant } = instantOf({ wall_time, timezone, occurrence })
  // A post that is due now is published by its stored time.
  const isDue = Date.parse(scheduled_at ?? '') <= ctx.now().getTime()
  if (instant === scheduled_at || isDue) return
  const same = where.and(unchanged(post), where.eq('scheduled_at', scheduled_at ?? null))
  const change = () => ctx.rows(Post).updateWhere(same, { scheduled_at: instant })
  if (!(await replan(ctx, post, new Date(instant), change))) return
  await ctx.notify({
    workspace_id: post.workspace_id,
    location_id: post.business_location_id,
    entity: 'Post',
    entity_id: post.id,
    type: 'post_time_changed',
    severity: 'info',
    once: `post_time ${post.id} ${instant}`,
    title: `The rules of the time zone ${timezone} changed`,
    body: `A post is still scheduled for ${wall_time.replace('T', ' ')} there. In UTC that is now ${instant}.`,
  })
}
