import { nullIfConflict, type OwnerContext, requireRow, where } from 'renown'
import { Workspace } from 'renown/records'
import { PostRules } from '../records/PostRules'

/** Sets whether a workspace publishes only posts that a client approved. */
export async function setNeedsApproval(
  ctx: OwnerContext,
  { workspace_id, needs_approval }: { readonly workspace_id: string; readonly needs_approval: boolean },
): Promise<void> {
  const workspace = await requireRow(ctx.rows(Workspace), 'workspace', workspace_id)
  await ctx.requireActive(workspace_id)
  const own = where.eq('workspace_id', workspace_id)
  for (;;) {
    if (await ctx.rows(PostRules).updateWhere(own, { needs_approval })) break
    if (await ctx.rows(PostRules).insert({ workspace_id, needs_approval }).catch(nullIfConflict)) break
  }
  const what = needs_approval ? 'Posts need an approval' : 'Posts need no approval'
  await ctx.recordAudit({
    workspace_id,
    action: 'workspace.post_rules',
    what,
    by: ctx.by,
    subject: workspace.name,
  })
}
