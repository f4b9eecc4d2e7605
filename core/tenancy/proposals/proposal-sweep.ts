import type { JobDeclaration } from '../../contracts/plugin'
import { where } from '../../contracts/where'
import { moveState } from '../../kit'
import type { Changes } from './changes'
import { followQueued, settleInterrupted } from './decide'
import { Proposal, type ProposalRow, proposalState } from './Proposal'

const everyMs = 60_000
/** A change takes seconds. Later, its process has ended or it failed. */
const interruptedMs = 60_000
const perRun = 200

const isQueued = where.or(
  where.eq('state', 'queued'),
  where.and(where.eq('state', 'unknown'), where.ne('act', null)),
)

/** Ends proposals that nobody decided about, follows queued changes, and settles those that were interrupted. */
export const proposalSweep = (changes: Changes): JobDeclaration => ({
  summary: 'End proposals that expired, follow queued ones, and settle interrupted ones',
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
    for await (const { id } of ctx.rows(Proposal).each({ where: isQueued, fields: ['state'], signal })) {
      const failed = (error: unknown) =>
        ctx.log.warn('the outcome of a proposal could not be read', { id, reason: String(error) })
      await followQueued(ctx, changes, id).catch(failed)
    }
  },
})
