import type { InboxEntry, InboxSource } from '../../../contracts/inbox'
import type { PageContext } from '../../../contracts/page'
import { where } from '../../../contracts/where'
import type { Phrase } from '../../../contracts/words'
import type { Changes } from '../../../tenancy/proposals/changes'
import { Proposal, type ProposalRow } from '../../../tenancy/proposals/Proposal'
import type { ProposalActs } from '../../../tenancy/proposals/proposal-acts'
import { inboxWords } from '../inbox/words'

export const proposalsPath = '/app/proposals'

/** Changes that agents proposed, those that failed, and those that Renown cannot tell whether they were made. */
export const proposalEntries = (
  changes: Changes,
  { approve, decline, settle }: ProposalActs,
): InboxSource => ({
  name: 'proposals',
  title: inboxWords('proposals'),
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
      if (row?.state === 'unknown') return inboxWords('itWasMade')
      if (row?.state === 'failed') return null
      const label = row && changes.get(row.change)?.proposal.label
      return label ? english(label) : null
    },
    async run(ctx, entry) {
      const { id: proposal, state } = (await rowOf(ctx, entry)) ?? { id: '' }
      if (state === 'unknown') await settle.submit(ctx, { proposal, made: 'yes' })
      else await approve.submit(ctx, { proposal })
    },
  },
  otherAction: {
    async label(ctx, entry) {
      const { state } = (await rowOf(ctx, entry)) ?? {}
      if (state === 'unknown') return inboxWords('itWasNotMade')
      return state === 'failed' ? null : inboxWords('decline')
    },
    async run(ctx, entry) {
      const { id: proposal, state } = (await rowOf(ctx, entry)) ?? { id: '' }
      if (state === 'unknown') await settle.submit(ctx, { proposal, made: 'no' })
      else await decline.submit(ctx, { proposal })
    },
  },
})

/** Returns the proposal of an entry, if it is in the person's workspace. */
const rowOf = (ctx: PageContext, { id }: Pick<InboxEntry, 'id'>) => ctx.rows(Proposal).get(id)

const words = {
  failed: [inboxWords('failed'), inboxWords('approvedNotDone')],
  unknown: [inboxWords('unknown'), inboxWords('approved')],
} as const satisfies Partial<Record<ProposalRow['state'], readonly [Phrase, Phrase]>>
const openWords = [inboxWords('proposed'), inboxWords('ifYouApprove')] as const

/** A text that the product wrote in English when the change was proposed. */
const english = (text: string): Phrase => ({ text, lang: 'en' })

function entryOf(row: ProposalRow): InboxEntry {
  const [word, before] = row.state === 'failed' || row.state === 'unknown' ? words[row.state] : openWords
  return {
    id: row.id,
    state: `${row.state} ${row.updated_date}`,
    at: row.created_date,
    title: english(row.title || row.change),
    word,
    tone: row.state === 'open' ? 'warn' : 'bad',
    about: inboxWords('proposedBy', { name: row.proposed_by }),
    quote: { text: row.reason, by: inboxWords('inWordsOf', { name: row.proposed_by }) },
    text: [...(row.outcome === undefined ? [] : [english(`${row.outcome}\n`)]), before, english(row.effect)],
    link: {
      href: `${proposalsPath}?${new URLSearchParams({ proposal: row.id })}`,
      label: inboxWords('openProposal'),
    },
  }
}
