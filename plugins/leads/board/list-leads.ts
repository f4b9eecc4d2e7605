import { dayMs, type Row, type SortKey, type Where, where } from 'renown'
import type { KeyedPart, PageContext } from 'renown/pages'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'
import { type Stage, stages } from '../records/stage-names'
import type { BoardFilters } from './board-filters'
import { cardsOf, type ShownCard } from './shown-card'

/** Cards that a column shows. The list of the stage shows all. */
const columnMax = 7

const closedStages = ['won', 'lost'] as const

type Context = Pick<PageContext, 'person' | 'now'>

/** Returns the name under which a person handles leads. */
export const nameOf = ({ person }: Pick<PageContext, 'person'>): string => person.name ?? person.email ?? 'me'

/** Returns the condition for the filters in the address, without the stage. */
export function leadsWhere(asked: BoardFilters, ctx: Context): Where {
  const { location, source, seen, assigned, days, due, archived } = asked
  const now = ctx.now()
  const since = new Date(now.getTime() - Number(days) * dayMs).toISOString()
  return where.and(
    archived === '1' ? where.eq('is_archived', true) : where.ne('is_archived', true),
    ...(location === '' ? [] : [where.eq('location_id', location)]),
    ...(source === '' ? [] : [where.eq('source', source)]),
    ...(seen === '' ? [] : [seen === 'no' ? where.eq('seen_at', null) : where.ne('seen_at', null)]),
    ...(assigned === '' ? [] : [where.eq('assigned_to', assigneeOf(assigned, ctx))]),
    ...(days === '' ? [] : [where.gte('created_date', since)]),
    ...(due === '1' ? [dueWhere(now)] : []),
  )
}

const assigneeOf = (assigned: string, ctx: Context) =>
  assigned === 'none' ? null : assigned === 'me' ? nameOf(ctx) : assigned

/** Matches open leads whose next step is due. It names the closed stages, so that the index on `due_at` is used. */
export const dueWhere = (now: Date): Where =>
  where.and(
    where.lte('due_at', now.toISOString()),
    ...closedStages.map((stage) => where.ne('stage', stage)),
    where.ne('is_archived', true),
  )

/** The board: the newest leads of each stage, and how many there are. */
export interface Board {
  readonly cards: readonly ShownCard[]
  /** Number of all leads of each stage with these filters. */
  readonly totals: Readonly<Record<Stage, number>>
}

const newestFirst = (asked: BoardFilters): SortKey => ({
  field: asked.due === '1' ? 'due_at' : 'created_date',
  direction: 'desc',
})

/** Reads the board, once for a request. */
export const boardOf = (ctx: PageContext, asked: BoardFilters): Promise<Board> =>
  ctx.once('board of leads', () => readBoard(ctx, asked))

async function readBoard(ctx: PageContext, asked: BoardFilters): Promise<Board> {
  const all = leadsWhere(asked, ctx)
  const pages = await Promise.all(
    stages.map((stage) =>
      ctx.joined(
        Lead,
        { where: where.and(where.eq('stage', stage), all), sort: [newestFirst(asked)], limit: columnMax },
        { entity: Mention, by: 'mention_id' },
      ),
    ),
  )
  const totals = stages.map((stage, place) => [stage, pages[place]?.total ?? 0] as const)
  return {
    cards: await cardsOf(
      ctx,
      pages.flatMap(({ rows }) => rows),
    ),
    totals: Object.fromEntries(totals) as Board['totals'],
  }
}

/** Returns leads of the list after a cursor, without reading earlier rows. Only its first page counts all. */
export async function listLeads(
  ctx: PageContext,
  asked: BoardFilters,
  { after: from, limit }: { readonly after: string; readonly limit: number },
): Promise<KeyedPart<ShownCard>> {
  const sort = newestFirst(asked)
  const cursor = cursorOf(from)
  const wanted = where.and(
    ...(asked.stage === '' ? [] : [where.eq('stage', asked.stage)]),
    leadsWhere(asked, ctx),
    ...(cursor === null ? [] : [after(sort.field, cursor)]),
  )
  const { rows, total } = await ctx.joined(
    Lead,
    { where: wanted, sort: [sort], limit: limit + 1 },
    { entity: Mention, by: 'mention_id' },
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)?.row
  return {
    rows: await cardsOf(ctx, shown),
    next: rows.length > limit && last ? `${sortValue(last, sort.field)}~${last.id}` : null,
    total: cursor === null ? total : null,
  }
}

const sortValue = (row: Row<typeof Lead>, field: string) =>
  field === 'due_at' ? (row.due_at ?? '') : row.created_date

const after = (field: string, { at, id }: { readonly at: string; readonly id: string }): Where =>
  where.and(where.lte(field, at), where.or(where.lt(field, at), where.lt('id', id)))

function cursorOf(text: string) {
  const [at = '', id = ''] = text.split('~')
  return id === '' || Number.isNaN(Date.parse(at)) ? null : { at, id }
}
