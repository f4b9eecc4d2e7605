import { nullIfConflict, type OwnerContext, where } from 'renown'
import { PostRules } from '../records/PostRules'

/** Sets whether a workspace publishes only posts that a client approved. */
export async function setNeedsApproval(
  ctx: OwnerContext,
  { workspace_id, needs_approval }: { readonly workspace_id: string; readonly needs_approval: boolean },
): Promise<void> {
  await ctx.requireActive(workspace_id)
  const own = where.eq('workspace_id', workspace_id)
  for (;;) {
    if (await ctx.rows(PostRules).updateWhere(own, { needs_approval })) break
    if (await ctx.rows(PostRules).insert({ workspace_id, needs_approval }).catch(nullIfConflict)) break
  }
}
