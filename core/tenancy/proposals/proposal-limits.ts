import { where } from '../../contracts/where'
import type { LimitSource } from '../../contracts/workspace-limits'
import { Proposal } from './Proposal'
import { openMax } from './proposeChange'

/** Proposals of a workspace that wait for people. */
export const proposalLimits: LimitSource = {
  name: 'proposals',
  order: 20,
  async read(ctx, { workspace, credential }) {
    const open = where.and(where.eq('workspace_id', workspace.id), where.eq('state', 'open'))
    const own = where.and(open, where.eq('credential', credential))
    return [
      {
        name: 'open_proposals',
        per: 'workspace',
        unit: 'proposals',
        limit: openMax.workspace,
        used: await ctx.rows(Proposal).count(open),
        atLimit: 'Nothing can be proposed until people decide about a proposal.',
      },
      {
        name: 'own_open_proposals',
        per: 'credential',
        unit: 'proposals',
        limit: openMax.credential,
        used: await ctx.rows(Proposal).count(own),
        atLimit: 'You can propose nothing until people decide about one of your proposals.',
      },
    ]
  },
}
