import type { OwnerContext } from '../../contracts/plugin'
import { where } from '../../contracts/where'
import { Workspace } from '../Workspace'
import { WhiteLabelDomain } from './WhiteLabelDomain'

/** Returns the domain of an agency's workspaces: the oldest one that is served. */
export async function servedDomain(ctx: OwnerContext, agencyId: string): Promise<string | undefined> {
  const served = where.and(where.eq('agency_id', agencyId), where.eq('state', 'verified'))
  const oldest = [{ field: 'created_date', direction: 'asc' }] as const
  const [row] = await ctx.rows(WhiteLabelDomain).list({ where: served, sort: oldest, limit: 1 })
  return row?.domain
}

/** Updates the domain in the agency's workspaces. */
export async function stampWorkspaces(ctx: OwnerContext, agencyId: string): Promise<void> {
  const white_label_domain = await servedDomain(ctx, agencyId)
  const workspaces = await ctx
    .rows(Workspace)
    .list({ where: where.eq('agency_id', agencyId), limit: 100_000 })
  for (const { id, white_label_domain: named } of workspaces) {
    if (named !== white_label_domain) await ctx.rows(Workspace).update(id, { white_label_domain })
  }
}
