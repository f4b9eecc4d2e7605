import { mayMove, where } from 'renown'
import type { ListData, PageContext, ShownList } from 'renown/pages'
import { Lead } from '../records/Lead'
import { leadStages } from '../records/leadStages'
import { type Stage, stages } from '../records/stage-names'
import { type BoardFilters, isBoard } from './board-filters'
import { type Board, boardOf, nameOf } from './list-leads'
import type { ShownLead } from './load-lead'
import type { ShownCard } from './shown-card'

/** What was done with a lead just now, and how it can be undone. */
export interface DoneAct {
  readonly lead: string
  readonly stage: Stage
  /** The stage before the move, if the lead may go back to it. */
  readonly undo_to: Stage | null
}

/** What the page of leads shows besides its list. */
export interface BoardOwn {
  /** Number of all leads of each stage. Null for the list of one stage. */
  readonly totals: Board['totals'] | null
  /** Stages that a lead of each stage may move to. */
  readonly moves: Readonly<Record<Stage, readonly Stage[]>>
  /** The lead was moved just now. */
  readonly moved: DoneAct | null
  /** The name under which this person handles leads. */
  readonly me: string
}

/** The data of the page of leads. */
export type BoardData = ListData<BoardOwn, ShownCard, ShownLead>

/** Counts the new leads that nobody has seen. */
export const countUnseen = (ctx: Pick<PageContext, 'rows'>): Promise<number> =>
  ctx.rows(Lead).count(unseenWhere)

/** Matches new leads that nobody has seen. */
export const unseenWhere = where.and(
  where.eq('seen_at', null),
  where.eq('stage', 'new'),
  where.ne('is_archived', true),
)

/** Loads what the page of leads shows besides its list. */
export async function loadBoard(
  ctx: PageContext,
  query: URLSearchParams,
  { asked: read }: ShownList,
): Promise<BoardOwn> {
  const asked = read as BoardFilters
  return {
    totals: isBoard(asked) ? (await boardOf(ctx, asked)).totals : null,
    moves: leadStages.moves as BoardOwn['moves'],
    moved: await movedLead(ctx, query),
    me: nameOf(ctx),
  }
}

/** Returns the lead that was moved just now, if it is still in that stage. */
async function movedLead(ctx: PageContext, query: URLSearchParams): Promise<DoneAct | null> {
  const from = stages.find((stage) => stage === query.get('from'))
  const to = query.get('to')
  const id = query.get('moved') ?? ''
  if (!from || id === '' || id.length > 100) return null
  const lead = await ctx.rows(Lead).get(id)
  if (!lead || lead.stage !== to || lead.stage === from) return null
  const mayGoBack = mayMove(leadStages, lead.stage, from) && from !== 'lost'
  return { lead: id, stage: lead.stage, undo_to: mayGoBack ? from : null }
}
