import { type GroupRow, type Period, type ReadContext, where } from 'renown'
import type { ReadFigures, WorkspaceFigureSource } from 'renown/pages'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'

type Days = Pick<Period, 'date_from' | 'date_to'>

/** What is summed of days of websites. */
export const siteDayMeasures = [
  { as: 'days', fn: 'count' },
  { as: 'hits', fn: 'sum', field: 'crawler_hits' },
  { as: 'visits', fn: 'sum', field: 'referral_visits' },
] as const

/**
 * Returns the figures of a workspace in groups of its days. Null without a day of any website: nothing was counted then.
 * The list of clients and compareWorkspaces both use it.
 */
export function siteFigures(rows: readonly GroupRow[]) {
  const sum = (name: string) => rows.reduce((all, row) => all + Number(row[name] ?? 0), 0)
  const days = sum('days')
  return { days, hits: days === 0 ? null : sum('hits'), visits: days === 0 ? null : sum('visits') }
}

/** Matches the days of websites in a period. */
export const siteDaysIn = ({ date_from, date_to }: Days) =>
  where.and(where.gte('date', date_from), where.lte('date', date_to))

/** Crawls and visits on the websites of each workspace. */
export const trafficFigures: WorkspaceFigureSource = {
  name: 'traffic',
  order: 40,
  figures: [
    {
      name: 'crawler_hits',
      unit: 'count',
      definition: 'Pages that AI crawlers read. n: days of websites with figures.',
      acrossNote: 'Websites differ in size, and in whether their logs are sent.',
    },
    {
      name: 'ai_visits',
      unit: 'count',
      definition: 'Visits that AI assistants sent, at least. n: days of websites with figures.',
      acrossNote: 'Websites differ in size, and only pages with the beacon count.',
    },
  ],
  async read(ctx, { period, previous }) {
    if ((await ctx.rows(AiTrafficSite).count()) === 0) return {}
    const both = await daysOf(ctx, { date_from: previous.date_from, date_to: period.date_to })
    return figuresIn(sumsOf(both, period), sumsOf(both, previous))
  },
  async readMany(reads, periodsOf) {
    const count = [{ as: 'n', fn: 'count' }] as const
    const sites = await reads.rows(AiTrafficSite).group({ by: ['workspace_id'], measures: count })
    const withSites = new Set(sites.map(({ workspace_id }) => String(workspace_id)))
    const own = reads.workspaces.filter(({ id }) => withSites.has(id))
    // There are never more than three current dates in the world.
    const byDays = Map.groupBy(own, (workspace) => periodsOf(workspace).period.date_to)
    const read = await Promise.all(
      [...byDays.values()].map(async (some) => {
        const [first] = some
        if (!first) return []
        const ids = some.map(({ id }) => id)
        const { period, previous } = periodsOf(first)
        const sums = async (days: Days) => {
          const where = siteDaysIn(days)
          const by = ['workspace_id']
          const rows = await reads.rows(AiTrafficDaily, ids).group({ where, by, measures: siteDayMeasures })
          return Map.groupBy(rows, ({ workspace_id }) => String(workspace_id))
        }
        const [now, before] = await Promise.all([sums(period), sums(previous)])
        return ids.map(
          (id) => [id, figuresIn(siteFigures(now.get(id) ?? []), siteFigures(before.get(id) ?? []))] as const,
        )
      }),
    )
    return new Map(read.flat())
  },
}

type Sums = ReturnType<typeof siteFigures>

function figuresIn(now: Sums, before: Sums): ReadFigures {
  const changeNote =
    now.days === before.days ? undefined : `${now.days} and ${before.days} days of websites have figures.`
  const pair = (name: 'hits' | 'visits') => ({
    now: { value: now[name], n: now.days },
    before: { value: before[name], n: before.days },
    changeNote,
  })
  return { crawler_hits: pair('hits'), ai_visits: pair('visits') }
}

/** Both periods follow each other, so one read has both. */
const daysOf = (ctx: ReadContext, days: Days) =>
  ctx.rows(AiTrafficDaily).group({ where: siteDaysIn(days), by: ['date'], measures: siteDayMeasures })

const sumsOf = (rows: readonly GroupRow[], { date_from, date_to }: Days) =>
  siteFigures(rows.filter(({ date }) => date_from <= String(date) && String(date) <= date_to))
