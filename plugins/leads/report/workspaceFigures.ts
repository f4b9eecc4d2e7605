import { type GroupRow, instantsOf, type Period, type ReadContext, where } from 'renown'
import type {
  ClientReads,
  ClientWorkspace,
  FigureValue,
  ReadFigures,
  WorkspaceFigureSource,
} from 'renown/pages'
import { countedMentions, countedMentionsText } from '../records/counted-mentions'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'

/** Mentions and leads of each workspace. */
export const leadFigures: WorkspaceFigureSource = {
  name: 'leads',
  order: 20,
  figures: [
    { name: 'mentions', unit: 'count', definition: `Mentions posted in the period. ${countedMentionsText}` },
    { name: 'leads', unit: 'count', definition: 'Leads found in the period that are not archived.' },
    { name: 'leads_won', unit: 'count', definition: 'Those of them that are won now.' },
  ],
  async read(ctx, { period, previous }) {
    const [now, before] = await Promise.all([countsOf(ctx, period), countsOf(ctx, previous)])
    return figuresIn(now, before)
  },
  async readMany(reads, periodsOf) {
    const zones = Map.groupBy(reads.workspaces, ({ timezone }) => timezone)
    const read = await Promise.all([...zones.values()].map((own) => readZone(reads, own, periodsOf)))
    return new Map(read.flat())
  },
}

type Days = Pick<Period, 'date_from' | 'date_to'>
type Counts = Readonly<Record<'mentions' | 'leads' | 'won', FigureValue>>

function figuresIn(now: Counts, before: Counts): ReadFigures {
  const changeNote = 'Older leads had more time to be won.'
  return {
    mentions: { now: now.mentions, before: before.mentions },
    leads: { now: now.leads, before: before.leads },
    leads_won: { now: now.won, before: before.won, changeNote },
  }
}

/** Counts in the workspaces of one time zone, which have the same periods. Four reads. */
async function readZone(
  reads: ClientReads,
  own: readonly ClientWorkspace[],
  periodsOf: (workspace: ClientWorkspace) => { readonly period: Days; readonly previous: Days },
): Promise<(readonly [string, ReadFigures])[]> {
  const [first] = own
  if (!first) return []
  const ids = own.map(({ id }) => id)
  const measures = [{ as: 'n', fn: 'count' }] as const
  const countAll = async (days: Days) => {
    const { mentioned, found } = conditionsOf(days, first.timezone)
    const [mentions, leads] = await Promise.all([
      reads.rows(Mention, ids).group({ where: mentioned, by: ['workspace_id'], measures }),
      reads.rows(Lead, ids).group({ where: found, by: ['workspace_id', 'stage'], measures }),
    ])
    const posted = new Map(mentions.map(({ workspace_id, n }) => [workspace_id, Number(n)]))
    const stages = Map.groupBy(leads, ({ workspace_id }) => workspace_id)
    const sum = (groups: readonly GroupRow[]) => groups.reduce((all, { n }) => all + Number(n), 0)
    return (id: string): Counts => {
      const groups = stages.get(id) ?? []
      return {
        mentions: count(posted.get(id) ?? 0),
        leads: count(sum(groups)),
        won: count(sum(groups.filter(({ stage }) => stage === 'won'))),
      }
    }
  }
  const { period, previous } = periodsOf(first)
  const [now, before] = await Promise.all([countAll(period), countAll(previous)])
  return ids.map((id) => [id, figuresIn(now(id), before(id))] as const)
}

const count = (n: number): FigureValue => ({ value: n, n })

function conditionsOf(days: Days, timezone: string) {
  const { from, before } = instantsOf(days, timezone)
  const within = (field: string) => where.and(where.gte(field, from), where.lt(field, before))
  return {
    mentioned: where.and(within('posted_at'), ...countedMentions),
    found: where.and(within('created_date'), where.eq('is_archived', false)),
  }
}

async function countsOf(ctx: ReadContext, period: Days): Promise<Counts> {
  const { mentioned, found } = conditionsOf(period, ctx.workspace.timezone)
  const [mentions, leads, won] = await Promise.all([
    ctx.rows(Mention).count(mentioned),
    ctx.rows(Lead).count(found),
    ctx.rows(Lead).count(where.and(found, where.eq('stage', 'won'))),
  ])
  return { mentions: count(mentions), leads: count(leads), won: count(won) }
}
