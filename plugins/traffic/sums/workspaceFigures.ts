import { type Period, type ReadContext, type WorkspaceFigureSource, where } from 'renown'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'

/** Crawls and visits on the websites of each workspace. */
export const trafficFigures: WorkspaceFigureSource = {
  ...{ name: 'traffic', order: 40 },
  figures: [
    {
      ...{ name: 'crawler_hits', unit: 'count' },
      definition: 'Pages that AI crawlers read. n: days of websites with figures.',
      acrossNote: 'Websites differ in size, and in whether their logs are sent.',
    },
    {
      ...{ name: 'ai_visits', unit: 'count' },
      definition: 'Visits that AI assistants sent, at least. n: days of websites with figures.',
      acrossNote: 'Websites differ in size, and only pages with the beacon count.',
    },
  ],
  async read(ctx, { period, previous }) {
    if ((await ctx.rows(AiTrafficSite).count()) === 0) return {}
    const [now, before] = await Promise.all([sumsOf(ctx, period), sumsOf(ctx, previous)])
    const changeNote =
      now.days === before.days ? undefined : `${now.days} and ${before.days} days of websites have figures.`
    const pair = (name: 'hits' | 'visits') => ({
      now: { value: now.days === 0 ? null : now[name], n: now.days },
      before: { value: before.days === 0 ? null : before[name], n: before.days },
      changeNote,
    })
    return { crawler_hits: pair('hits'), ai_visits: pair('visits') }
  },
}

async function sumsOf(ctx: ReadContext, { date_from, date_to }: Period) {
  const [row] = await ctx.rows(AiTrafficDaily).group({
    where: where.and(where.gte('date', date_from), where.lte('date', date_to)),
    by: [],
    measures: [
      { as: 'days', fn: 'count' },
      { as: 'hits', fn: 'sum', field: 'crawler_hits' },
      { as: 'visits', fn: 'sum', field: 'referral_visits' },
    ],
  })
  return { days: Number(row?.days ?? 0), hits: Number(row?.hits ?? 0), visits: Number(row?.visits ?? 0) }
}
