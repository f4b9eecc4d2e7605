import { hourMs, minuteMs, nullIfConflict, type OwnerContext, where } from 'renown'
import type { PostRow } from '../records/Post'
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

/** Removes the plan of a post that needs no further step. */
export async function dropPlan(ctx: OwnerContext, post: Planned): Promise<void> {
  await ctx.rows(PostPlan).removeWhere(planOf(post))
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
