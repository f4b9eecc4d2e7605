import { hourMs, minuteMs, nullIfConflict, type OwnerContext, where } from 'renown'
import { Post, type PostRow } from '../records/Post'
import { PostPlan } from '../records/PostPlan'

type Planned = Pick<PostRow, 'id' | 'workspace_id'>

const planOf = ({ id, workspace_id }: Planned) =>
  where.and(where.eq('workspace_id', workspace_id), where.eq('post_id', id))

/** Plans the next step of a post. Replaces an earlier plan. */
export async function planStep(ctx: OwnerContext, post: Planned, at: Date): Promise<void> {
  const due_at = at.toISOString()
  const plans = ctx.rows(PostPlan)
  for (;;) {
    if (await plans.updateWhere(planOf(post), { due_at })) return
    const row = { workspace_id: post.workspace_id, post_id: post.id, due_at }
    if (await plans.insert(row).catch(nullIfConflict)) return
  }
}

/**
 * Restores a plan that another process removed or delayed. An act that changes when a post is published writes the plan before
 * and after its change, and a step that removes or delays a plan reads the post afterwards. So a scheduled post always has a plan
 * in time.
 */
async function restorePlan(ctx: OwnerContext, { id }: Planned, plannedMs: number): Promise<void> {
  const post = await ctx.rows(Post).get(id)
  if (post?.status !== 'scheduled') return
  const dueMs = Date.parse(post.scheduled_at ?? '')
  if (dueMs < plannedMs) await planStep(ctx, post, new Date(dueMs))
}

/** Plans the next step of a scheduled post that is not due yet. */
export async function delayPlan(ctx: OwnerContext, post: Planned, at: Date): Promise<void> {
  await planStep(ctx, post, at)
  await restorePlan(ctx, post, at.getTime())
}

/** Removes the plan of a post that needs no further step, unless a person has scheduled the post again since. */
export async function dropPlan(ctx: OwnerContext, post: Planned): Promise<void> {
  await removePlan(ctx, post)
  await restorePlan(ctx, post, Number.POSITIVE_INFINITY)
}

/** Removes the plan of a post that is never published. */
export async function removePlan(ctx: OwnerContext, post: Planned): Promise<void> {
  await ctx.rows(PostPlan).removeWhere(planOf(post))
}

/**
 * Changes when a post is published. The plan is first due at the earlier of both times, so that a process that ends in
 * between, or publishes the post in the meantime, delays nothing. Returns what the change returns.
 */
export async function replan<T>(
  ctx: OwnerContext,
  post: Planned & Pick<PostRow, 'status' | 'scheduled_at'>,
  at: Date,
  change: () => Promise<T | null>,
): Promise<T | null> {
  const before = post.status === 'scheduled' ? Date.parse(post.scheduled_at ?? '') : Number.NaN
  const earlier = before < at.getTime() ? new Date(before) : at
  await planStep(ctx, post, earlier)
  const changed = await change()
  if (changed) await planStep(ctx, post, at)
  return changed
}

/**
 * Handles the plan of a post that is neither scheduled nor publishing. A plan is written before the post changes, so a new
 * one may belong to a change that is not stored yet. It is checked again later.
 */
export async function leavePlan(ctx: OwnerContext, post: Planned): Promise<void> {
  const [plan] = await ctx.rows(PostPlan).list({ where: planOf(post), limit: 1 })
  if (!plan) return
  const isNew = ctx.now().getTime() - Date.parse(plan.created_date) < hourMs
  if (isNew) await planStep(ctx, post, new Date(ctx.now().getTime() + minuteMs))
  else await dropPlan(ctx, post)
}
