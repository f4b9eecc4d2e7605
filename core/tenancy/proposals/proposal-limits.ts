import { where } from '../../contracts/where'
import type { LimitSource } from '../../contracts/workspace-limits'
import { Proposal } from './Proposal'
import { openMax } from './proposeChange'

/** Proposals of a workspace that wait for people. */
export const proposalLimits: LimitSource = {
  ...{ name: 'proposals', order: 20 },
  async read(ctx, { workspace }) {
    const open = where.and(where.eq('workspace_id', workspace.id), where.eq('state', 'open'))
    return [
      {
        ...({ name: 'open_proposals', per: 'workspace', unit: 'proposals' } as const),
        ...{ limit: openMax.workspace, used: await ctx.rows(Proposal).count(open) },
        atLimit: 'Nothing can be proposed until people decide about a proposal.',
      },
    ]
  },
}
