import type { JobDeclaration } from '../../contracts/plugin'
import { where } from '../../contracts/where'
import { moveState } from '../../kit'
import type { Changes } from './changes'
import { settleInterrupted } from './decide'
import { Proposal, type ProposalRow, proposalState } from './Proposal'

const everyMs = 60_000
/** A change takes seconds. Later, its process has ended or it failed. */
const interruptedMs = 60_000
const perRun = 200

/** Ends proposals that nobody decided about, and settles those whose change was interrupted. */
export const proposalSweep = (changes: Changes): JobDeclaration => ({
  summary: 'End proposals that expired, and settle interrupted ones',
  everyMs,
  async run(ctx, signal) {
    const now = ctx.now()
    const expired = where.and(where.eq('state', 'open'), where.lte('expires_at', now.toISOString()))
    const moved = moveState(proposalState, 'open', 'expired', { now })
    await ctx.rows(Proposal).updateMany(expired, moved as Partial<ProposalRow>)
    const before = new Date(now.getTime() - interruptedMs).toISOString()
    const interrupted = where.and(where.eq('state', 'approved'), where.lte('decided_at', before))
    for (const { id } of await ctx.rows(Proposal).list({ where: interrupted, limit: perRun })) {
      if (signal.aborted) return
      await settleInterrupted(ctx, changes, id)
    }
  },
})
