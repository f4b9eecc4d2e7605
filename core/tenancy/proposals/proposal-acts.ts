import * as v from 'valibot'
import type { ActAudit, ActRecord } from '../../contracts/act'
import { defineAct, field, type OwnerContext } from '../../kit'
import type { Changes } from './changes'
import { approveProposal, declineProposal, proposalSubject, settleUnknown } from './decide'
import { Proposal, type ProposalRow } from './Proposal'

const onProposal: ActRecord<typeof Proposal> = {
  entity: Proposal,
  field: 'proposal_id',
  called: 'proposal',
}

/** Only pages have them, because a person must see what an agent proposes before deciding. */
const aboutProposal = { on: onProposal, isPageOnly: true } as const

const audited: Pick<ActAudit<typeof Proposal, Record<never, never>>, 'subject' | 'historyOf'> = {
  subject: (_, row) => proposalSubject(row),
  historyOf: ({ record_id }) => record_id,
}

const shown = ({ id, state }: ProposalRow) => ({ proposal_id: id, state })
const deciderOf = ({ id }: ProposalRow, { by }: OwnerContext) => ({ id, person: by?.user_id ?? '' })

/** Makes a proposed change. Its audit entry is recorded before the change, by `approveProposal`. */
const approve = (changes: Changes) =>
  defineAct({
    ...aboutProposal,
    name: 'proposal approve',
    summary: 'Approve a change that an agent proposed. Renown makes it',
    label: 'Approve',
    done: {
      made: 'Approved. Renown made the change.',
      queued: 'Approved and queued. This page shows the outcome.',
    },
    async run(ctx, { row }) {
      const approved = await approveProposal(ctx, { changes, ...deciderOf(row, ctx) })
      return { answer: shown(approved), said: approved.state === 'queued' ? 'queued' : 'made' }
    },
  })

const decline = defineAct({
  ...aboutProposal,
  name: 'proposal decline',
  summary: 'Decline a change that an agent proposed. Nothing is changed',
  fields: {
    note: v.optional(
      v.pipe(field.text('Words for the agent'), v.trim(), v.maxLength(300, 'Use at most 300 characters.')),
    ),
  },
  label: 'Decline',
  done: { declined: 'Declined. Nothing was changed.' },
  audit: { ...audited, action: 'workspace.proposal_decline', what: 'Proposal declined' },
  run: async (ctx, { row, input: { note } }) => ({
    answer: shown(await declineProposal(ctx, { note, ...deciderOf(row, ctx) })),
  }),
})

const settle = defineAct({
  ...aboutProposal,
  name: 'proposal settle',
  summary: 'Say whether a change was made whose outcome nobody could prove',
  fields: { made: field.oneOf(['yes', 'no'], 'Whether it was made') },
  label: 'Store the answer',
  done: { settled: 'Your answer is stored.' },
  audit: {
    ...audited,
    action: 'workspace.proposal_settle',
    what: ({ made }) => (made === 'yes' ? 'Proposal confirmed as done' : 'Proposal confirmed as not done'),
  },
  run: async (ctx, { row, input: { made } }) => ({
    answer: shown(await settleUnknown(ctx, { ...deciderOf(row, ctx), isDone: made === 'yes' })),
  }),
})

/** What people decide about proposals, by the name of its form. */
export const proposalActs = (changes: Changes) => ({ approve: approve(changes), decline, settle })

/** These acts. */
export type ProposalActs = ReturnType<typeof proposalActs>
