import * as v from 'valibot'
import { Refusal } from '../../../contracts/errors'
import type { ActionContext, AnyPage, PageContext } from '../../../contracts/page'
import { defineAction } from '../../../kit'
import { type Changes, judge, outcomeOf } from '../../../tenancy/proposals/changes'
import { approveProposal, declineProposal, settleUnknown } from '../../../tenancy/proposals/decide'
import { Proposal, type ProposalRow } from '../../../tenancy/proposals/Proposal'
import { definePage } from '../../framework/define-page'
import { proposalsPath } from './proposal-entries'

const listedMax = 100

/** A proposal in the list. */
export type ListedProposal = Pick<ProposalRow, 'id' | 'title' | 'state' | 'proposed_by' | 'created_date'>

/** The selected proposal. */
export interface ShownProposal extends ListedProposal {
  readonly effect: string
  readonly reason: string
  readonly outcome: string | null
  readonly expires_at: string
  readonly decided_at: string | null
  readonly done_at: string | null
  /** Whether a person says what was done, because no record does. */
  readonly isAsked: boolean
  /** The page of the record. */
  readonly page: string
  /** The label of the button that makes the change. Null if it cannot be made. */
  readonly label: string | null
  /** Why it cannot be made now. Null if it can, or is no longer open. */
  readonly why: string | null
}

export interface ProposalsData {
  readonly proposals: readonly ListedProposal[]
  readonly shown: ShownProposal | null
  /** Whether the address names a proposal that does not exist. */
  readonly isMissing: boolean
  readonly isDemo: boolean
}

/** All proposals of the last months, and the selected one with its decision. */
export const proposalsPage = (changes: Changes): AnyPage =>
  definePage<ProposalsData>({
    path: proposalsPath,
    title: 'Proposals',
    module: new URL('./ProposalsPage.tsx', import.meta.url),
    isStatic: true,
    load: (ctx, query) => load(ctx, changes, query.get('proposal') ?? ''),
    notices: {
      made: 'Approved. Renown made the change.',
      queued: 'Approved and queued. This page shows the outcome.',
      declined: 'Declined. Nothing was changed.',
      settled: 'Your answer is stored.',
    },
    actions: {
      approve: defineAction({
        auth: 'session',
        input: v.strictObject(common),
        async run(ctx, { proposal }) {
          const { id } = await proposalOf(ctx, proposal)
          const { state } = await approveProposal(ctx.owner, { changes, id, person: ctx.person.id })
          return doneAt(id, state === 'queued' ? 'queued' : 'made')
        },
      }),
      decline: defineAction({
        auth: 'session',
        input: v.strictObject({
          ...common,
          note: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(300, 'Use at most 300 characters.')), ''),
        }),
        async run(ctx, { proposal, note }) {
          const { id } = await proposalOf(ctx, proposal)
          await declineProposal(ctx.owner, { id, person: ctx.person.id, note })
          return doneAt(id, 'declined')
        },
      }),
      settle: defineAction({
        auth: 'session',
        input: v.strictObject({ ...common, made: v.picklist(['yes', 'no']) }),
        async run(ctx, { proposal, made }) {
          const { id } = await proposalOf(ctx, proposal)
          await settleUnknown(ctx.owner, { id, person: ctx.person.id, isDone: made === 'yes' })
          return doneAt(id, 'settled')
        },
      }),
    },
  })

const common = { proposal: v.pipe(v.string(), v.minLength(1), v.maxLength(60)) }

const doneAt = (id: string, done: string) => ({
  to: `${proposalsPath}?${new URLSearchParams({ proposal: id, done })}`,
})

/** Returns the proposal of a form. It must be in the person's workspace. */
async function proposalOf(ctx: ActionContext, id: string): Promise<ProposalRow> {
  const row = await ctx.rows(Proposal).get(id)
  if (!row) throw new Refusal('not_found', 'There is no such proposal in this workspace.')
  return row
}

async function load(ctx: PageContext, changes: Changes, id: string): Promise<ProposalsData> {
  const rows = await ctx.rows(Proposal).list({
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: listedMax,
    fields: ['title', 'state', 'proposed_by', 'created_date'],
  })
  const row = id === '' ? null : await ctx.rows(Proposal).get(id.slice(0, 60))
  return {
    proposals: rows.map(({ id, title, state, proposed_by, created_date }) => ({
      id,
      title,
      state,
      proposed_by,
      created_date,
    })),
    shown: row && (await shownOf(ctx, changes, row)),
    isMissing: id !== '' && row === null,
    isDemo: ctx.isDemo,
  }
}

const readsOf = (ctx: PageContext) => ({ ...ctx, settings: ctx.system.settings })

async function shownOf(ctx: PageContext, changes: Changes, row: ProposalRow): Promise<ShownProposal> {
  const found = await outcomeOf(readsOf(ctx), changes, row)
  const state = found?.state ?? row.state
  const { id, title, proposed_by, created_date, effect, reason, expires_at, page } = row
  const judgement = state === 'open' ? await judge(readsOf(ctx), changes, row) : null
  const label = judgement && 'change' in judgement ? changes.get(row.change)?.proposal.label : undefined
  return {
    id,
    title,
    state,
    proposed_by,
    created_date,
    effect,
    reason,
    expires_at,
    page,
    outcome: (found ? found.why : row.outcome) ?? null,
    isAsked: state === 'unknown' && row.act === undefined,
    decided_at: row.decided_at ?? null,
    done_at: row.done_at ?? null,
    label: label ?? null,
    why: judgement && 'why' in judgement ? judgement.why : null,
  }
}
