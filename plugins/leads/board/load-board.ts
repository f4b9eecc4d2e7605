import { type IgnoredValue, mayMove, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { BusinessLocation } from '../records/foreign'
import { Lead } from '../records/Lead'
import { leadStages } from '../records/leadStages'
import { type Stage, stages } from '../records/stage-names'
import { type BoardFilters, readBoardFilters } from './board-filters'
import { type Column, listColumns, listLeads, nameOf } from './list-leads'
import { loadLead, type ShownLead } from './load-lead'
import type { ShownCard } from './shown-card'

/** What was done with a lead just now, and how it can be undone. */
export interface DoneAct {
  readonly lead: string
  readonly stage: Stage
  /** The stage before the move, if the lead may go back to it. */
  readonly undo_to: Stage | null
}

export interface BoardData {
  readonly asked: BoardFilters
  readonly ignored: readonly IgnoredValue[]
  /** Whether the page shows one list instead of columns. */
  readonly is_list: boolean
  readonly columns: readonly Column[]
  readonly lines: readonly ShownCard[]
  readonly next: string | null
  /** Number of leads in the list. Null on later pages, and on the board. */
  readonly total: number | null
  /** Stages that a lead of each stage may move to. */
  readonly moves: Readonly<Record<Stage, readonly Stage[]>>
  readonly lead: ShownLead | null
  /** The lead was moved just now. */
  readonly moved: DoneAct | null
  /** The name under which this person handles leads. */
  readonly me: string
  /** Whether the workspace has any lead at all. */
  readonly has_any: boolean
  readonly locations: readonly (readonly [id: string, name: string])[]
}

const locationsMax = 500

/** Counts the new leads that nobody has seen. */
export const countUnseen = (ctx: Pick<PageContext, 'rows'>): Promise<number> =>
  ctx.rows(Lead).count(unseenWhere)

/** Matches new leads that nobody has seen. */
export const unseenWhere = where.and(
  where.eq('seen_at', null),
  where.eq('stage', 'new'),
  where.ne('is_archived', true),
)

/** Loads the data of the page of leads. */
export async function loadBoard(ctx: PageContext, query: URLSearchParams): Promise<BoardData> {
  const { asked, ignored } = readBoardFilters(query)
  const isList = asked.stage !== '' || asked.lead !== '' || asked.after !== ''
  const [columns, list, lead, moved, locations] = await Promise.all([
    isList ? [] : listColumns(ctx, asked),
    isList ? listLeads(ctx, asked) : { lines: [], next: null, total: null },
    asked.lead === '' ? null : loadLead(ctx, asked.lead),
    movedLead(ctx, query),
    ctx.rows(BusinessLocation).list({
      where: where.eq('is_prospect', false),
      sort: [{ field: 'id', direction: 'asc' }],
      limit: locationsMax,
      fields: ['business_name'],
    }),
  ])
  const isFound = columns.some(({ total }) => total > 0) || list.lines.length > 0 || lead !== null
  return {
    asked,
    ignored,
    is_list: isList,
    columns,
    ...list,
    lead,
    moved,
    moves: leadStages.moves as BoardData['moves'],
    me: nameOf(ctx),
    has_any: isFound || (await ctx.rows(Lead).list({ limit: 1, fields: ['stage'] })).length > 0,
    locations: locations
      .map(({ id, business_name }) => [id, business_name] as const)
      .toSorted(([, a], [, b]) => a.localeCompare(b)),
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
