import type { InboxEntry, InboxSource } from '../../contracts/inbox'
import type { PageContext } from '../../contracts/page'
import { where } from '../../contracts/where'
import type { Changes } from '../../tenancy/proposals/changes'
import { approveProposal, declineProposal, settleUnknown } from '../../tenancy/proposals/decide'
import { Proposal, type ProposalRow } from '../../tenancy/proposals/Proposal'

export const proposalsPath = '/app/proposals'

/** Changes that agents proposed, those that failed, and those that Renown cannot tell whether they were made. */
export const proposalEntries = (changes: Changes): InboxSource => ({
  name: 'proposals',
  title: 'Proposals',
  order: 5,
  icon: 'circle-check',
  async list(ctx, limit) {
    const rows = await ctx.rows(Proposal).list({
      // An unknown outcome of a queued change can still become known, and the record is in the inbox itself.
      where: where.or(
        where.in('state', ['open', 'failed']),
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
      if (row?.state === 'failed') return null
      return (row && changes.get(row.change)?.proposal.label) ?? null
    },
    async run(ctx, entry) {
      const { id, state } = (await rowOf(ctx, entry)) ?? { id: '', state: null }
      if (state === 'unknown') await settleUnknown(ctx.owner, { id, person: ctx.person.id, isDone: true })
      else await approveProposal(ctx.owner, { changes, id, person: ctx.person.id })
    },
  },
  otherAction: {
    async label(ctx, entry) {
      const { state } = (await rowOf(ctx, entry)) ?? {}
      if (state === 'unknown') return 'It was not made'
      return state === 'failed' ? null : 'Decline'
    },
    async run(ctx, entry) {
      const { id, state } = (await rowOf(ctx, entry)) ?? { id: '', state: null }
      if (state === 'unknown') await settleUnknown(ctx.owner, { id, person: ctx.person.id, isDone: false })
      else await declineProposal(ctx.owner, { id, person: ctx.person.id })
    },
  },
})

/** Returns the proposal of an entry, if it is in the person's workspace. */
const rowOf = (ctx: PageContext, { id }: Pick<InboxEntry, 'id'>) => ctx.rows(Proposal).get(id)

const words: Readonly<Partial<Record<ProposalRow['state'], readonly [string, string]>>> = {
  failed: ['Failed', 'This was approved, but not done'],
  unknown: ['Unknown', 'This was approved'],
}

function entryOf(row: ProposalRow): InboxEntry {
  const [word, before] = words[row.state] ?? ['Proposed', 'If you approve']
  return {
    id: row.id,
    state: `${row.state} ${row.updated_date}`,
    at: row.created_date,
    title: row.title.slice(0, 300) || row.change,
    word,
    tone: row.state === 'open' ? 'warn' : 'bad',
    about: `Proposed by ${row.proposed_by}`,
    quote: { text: row.reason, by: `Why, in the words of ${row.proposed_by}` },
    text: [...(row.outcome === undefined ? [] : [`${row.outcome}\n`]), `${before}:`, row.effect].join('\n'),
    link: { href: `${proposalsPath}?${new URLSearchParams({ proposal: row.id })}`, label: 'Open proposal' },
  }
}
