import type { AnyPage, PageContext } from '../../../contracts/page'
import { actForm, actsOnPage } from '../../../kit'
import type { PageForm } from '../../../kit/acts/on-page'
import { type Changes, judge, outcomeOf } from '../../../tenancy/proposals/changes'
import { Proposal, type ProposalRow } from '../../../tenancy/proposals/Proposal'
import type { ProposalActs } from '../../../tenancy/proposals/proposal-acts'
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
export const proposalsPage = (changes: Changes, acts: ProposalActs): AnyPage =>
  definePage<ProposalsData>({
    path: proposalsPath,
    title: 'Proposals',
    module: new URL('./ProposalsPage.tsx', import.meta.url),
    isStatic: true,
    load: (ctx, query) => load(ctx, changes, query.get('proposal') ?? ''),
    notices: actsOnPage(acts).notices,
    actions: {
      approve: actForm(acts.approve, 'made', staying),
      decline: actForm(acts.decline, 'declined', staying),
      settle: actForm(acts.settle, 'settled', staying),
    },
  })

/** Shows the proposal again. */
const staying: PageForm = {
  to: ({ proposal }, done) => `${proposalsPath}?${new URLSearchParams({ proposal: String(proposal), done })}`,
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
