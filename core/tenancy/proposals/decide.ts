import { isConflict, isRefusal, Refusal, recoverIf } from '../../contracts/errors'
import type { OwnerContext } from '../../contracts/plugin'
import { where } from '../../contracts/where'
import { moveState } from '../../kit'
import { type Changes, type Judged, judge, outcomeOf } from './changes'
import { Proposal, type ProposalRow, proposalState } from './Proposal'

/** A person's decision about a proposal. The caller has found the row in the person's workspace. */
export interface Deciding {
  readonly changes: Changes
  readonly id: string
  readonly person: string
}

const lockOf = (id: string) => `proposal ${id}`

/**
 * Makes or queues a proposed change for a person, once. Returns the proposal as it is then. The approval is stored before the change, and the change is judged again right
 * before that. If the process ends in between, `settleInterrupted` finds out whether the change was made.
 */
export const approveProposal = (ctx: OwnerContext, { changes, id, person }: Deciding): Promise<ProposalRow> =>
  ctx.withLock(lockOf(id), async () => {
    const row = await openProposal(ctx, id)
    const judgement = await judgeNow(ctx, changes, row)
    if ('why' in judgement) throw await outdate(ctx, row, judgement.why)
    const approved = await move(ctx, row, 'approved', { decided_by: person })
    // Before the change, so that an approval is on record also if the process ends in between.
    await auditApproval(ctx, approved)
    let act: string | undefined
    try {
      act = (await changes.get(row.change)?.proposal.run(ctx, judgement.change)) ?? undefined
    } catch (error) {
      // Other errors leave open what was done. The job settles that.
      if (isRefusal(error) && error.status < 500) throw await outdate(ctx, approved, error.message)
      throw error
    }
    return move(ctx, approved, act === undefined ? 'done' : 'queued', { outcome: undefined, act })
  })

/** Stores how far a queued change is, as its record says. */
export const followQueued = (ctx: OwnerContext, changes: Changes, id: string): Promise<void> =>
  ctx.withLock(lockOf(id), async () => {
    const row = await ctx.rows(Proposal).get(id)
    const inside = row && (await ctx.workspaceReads(row.workspace_id))
    const found = inside && (await outcomeOf({ ...inside, settings: ctx.settings }, changes, row))
    if (!found || (found.state === row.state && found.why === row.outcome)) return
    const given = { outcome: found.why?.slice(0, 500) }
    if (found.state === row.state) await ctx.rows(Proposal).update(id, given)
    else await move(ctx, row, found.state, given)
  })

/** Declines a proposal for a person, with words for the agent. */
export const declineProposal = (
  ctx: OwnerContext,
  { id, person, note }: Omit<Deciding, 'changes'> & { readonly note?: string | undefined },
): Promise<ProposalRow> =>
  ctx.withLock(lockOf(id), async () => {
    const row = await openProposal(ctx, id)
    const outcome = note || undefined
    return move(ctx, row, 'declined', { decided_by: person, outcome })
  })

/** Settles a proposal whose outcome nobody could prove, as a person saw it at the record. */
export const settleUnknown = (
  ctx: OwnerContext,
  { id, person, isDone }: Omit<Deciding, 'changes'> & { readonly isDone: boolean },
): Promise<ProposalRow> =>
  ctx.withLock(lockOf(id), async () => {
    const row = await ctx.rows(Proposal).get(id)
    if (row?.state !== 'unknown' || row.act !== undefined)
      throw new Refusal('conflict', 'This proposal does not wait for an answer.')
    const given = { decided_by: person, outcome: isDone ? undefined : 'A person looked: it was not done.' }
    return move(ctx, row, isDone ? 'done' : 'outdated', given)
  })

/**
 * Settles an approved proposal whose process ended, or that failed, before its change was stored. If the record is as it was,
 * nothing was done, and the proposal is open again. Otherwise a person must look.
 */
export const settleInterrupted = (ctx: OwnerContext, changes: Changes, id: string): Promise<void> =>
  ctx.withLock(lockOf(id), async () => {
    const row = await ctx.rows(Proposal).get(id)
    if (row?.state !== 'approved') return
    const judgement = await judgeNow(ctx, changes, row)
    if ('change' in judgement) {
      const outcome = 'Renown stopped before it made the change. Nothing was changed.'
      // If the agent has proposed the same again in the meantime, that one waits.
      const closed = recoverIf(isConflict, () => move(ctx, row, 'outdated', { outcome }))
      await move(ctx, row, 'open', { outcome }).catch(closed)
    } else {
      const outcome = 'Renown stopped while it made the change. Look at the record whether it was made.'
      await move(ctx, row, 'unknown', { outcome })
    }
  })

async function openProposal(ctx: OwnerContext, id: string): Promise<ProposalRow> {
  const row = await ctx.rows(Proposal).get(id)
  if (!row) throw new Refusal('not_found', 'There is no such proposal.')
  await ctx.requireActive(row.workspace_id)
  if (row.state !== 'open')
    throw new Refusal('conflict', `This proposal is no longer open. It is ${row.state}.`)
  if (Date.parse(row.expires_at) <= ctx.now().getTime())
    throw new Refusal('conflict', 'This proposal has expired. The agent can propose the change again.')
  return row
}

async function judgeNow(ctx: OwnerContext, changes: Changes, row: ProposalRow): Promise<Judged> {
  const inside = await ctx.workspaceReads(row.workspace_id)
  const { settings } = ctx
  return inside ? judge({ ...inside, settings }, changes, row) : { why: 'The workspace no longer exists.' }
}

/** Moves a proposal to `outdated`, and returns the refusal for the person. */
async function outdate(ctx: OwnerContext, row: ProposalRow, why: string): Promise<Refusal> {
  await move(ctx, row, 'outdated', { outcome: why.slice(0, 500) })
  return new Refusal('conflict', `Nothing was changed, and the proposal is closed. ${why}`)
}

async function move(
  ctx: OwnerContext,
  row: ProposalRow,
  to: ProposalRow['state'],
  given: Readonly<Record<string, unknown>>,
): Promise<ProposalRow> {
  const moved = moveState(proposalState, row.state, to, { now: ctx.now(), with: given })
  const changed = await ctx.rows(Proposal).updateWhere(where.eq('id', row.id), moved as Partial<ProposalRow>)
  if (!changed) throw new Refusal('conflict', 'Somebody else decided about this proposal at the same time.')
  return changed
}

/** Returns how audit entries name a proposal. */
export const proposalSubject = ({ title, change, proposed_by }: ProposalRow): string =>
  `${title} (${change}, proposed by ${proposed_by})`

const auditApproval = (ctx: OwnerContext, row: ProposalRow): Promise<void> =>
  ctx.recordAudit({
    workspace_id: row.workspace_id,
    action: 'workspace.proposal_approve',
    what: 'Proposal approved',
    by: ctx.by,
    subject: proposalSubject(row),
    record_id: row.record_id,
  })
