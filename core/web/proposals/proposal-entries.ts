import type { InboxEntry, InboxSource } from '../../contracts/inbox'
import type { PageContext } from '../../contracts/page'
import { where } from '../../contracts/where'
import type { Changes } from '../../tenancy/proposals/changes'
import { approveProposal, declineProposal, settleUnknown } from '../../tenancy/proposals/decide'
import { Proposal, type ProposalRow } from '../../tenancy/proposals/Proposal'

export const proposalsPath = '/app/proposals'

/** Changes that agents proposed, and those that Renown cannot tell whether they were made. */
export const proposalEntries = (changes: Changes): InboxSource => ({
  ...{ name: 'proposals', title: 'Proposals', order: 5, icon: 'circle-check' },
  async list(ctx, limit) {
    const rows = await ctx.rows(Proposal).list({
      // The record says the outcome of a queued change, and is in the inbox itself if a person must look.
      where: where.or(
        where.eq('state', 'open'),
        where.and(where.eq('state', 'unknown'), where.eq('act', null)),
      ),
      sort: [{ field: 'created_date', direction: 'desc' }],
      limit,
    })
    return rows.map(entryOf)
  },
  action: {
    label: async (ctx, entry) => {
      const row = await rowOf(ctx, entry)
      if (row?.state === 'unknown') return 'It was made'
      return (row && changes.get(row.change)?.proposal.label) ?? null
    },
    async run(ctx, entry) {
      const { id, state } = (await rowOf(ctx, entry)) ?? { id: '', state: null }
      if (state === 'unknown') await settleUnknown(ctx.owner, { id, person: ctx.person.id, isDone: true })
      else await approveProposal(ctx.owner, { changes, id, person: ctx.person.id })
    },
  },
  otherAction: {
    label: async (ctx, entry) =>
      (await rowOf(ctx, entry))?.state === 'unknown' ? 'It was not made' : 'Decline',
    async run(ctx, entry) {
      const { id, state } = (await rowOf(ctx, entry)) ?? { id: '', state: null }
      if (state === 'unknown') await settleUnknown(ctx.owner, { id, person: ctx.person.id, isDone: false })
      else await declineProposal(ctx.owner, { id, person: ctx.person.id })
    },
  },
})

/** Returns the proposal of an entry, if it is in the person's workspace. */
const rowOf = (ctx: PageContext, { id }: Pick<InboxEntry, 'id'>) => ctx.rows(Proposal).get(id)

function entryOf(row: ProposalRow): InboxEntry {
  const isUnknown = row.state === 'unknown'
  return {
    ...{ id: row.id, state: `${row.state} ${row.updated_date}`, at: row.created_date },
    ...{ title: row.title.slice(0, 300) || row.change, word: isUnknown ? 'Unknown' : 'Proposed' },
    tone: isUnknown ? 'bad' : 'warn',
    about: `Proposed by ${row.proposed_by}`,
    quote: { text: row.reason, by: row.proposed_by },
    text: row.outcome === undefined ? row.effect : `${row.outcome}\n\n${row.effect}`,
    link: { href: `${proposalsPath}?${new URLSearchParams({ proposal: row.id })}`, label: 'Open proposal' },
  }
}
