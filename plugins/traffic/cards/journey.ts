import { type ReadContext, where } from 'renown'
import type { JourneyFigures, JourneyPart, JourneyQuestion, JourneyStage } from 'renown/visibility'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { daysWhere, type Site, sitesOf } from '../records/days'
import { verifiedShare } from '../records/rates'
import { type PageDay, pageDays } from '../sums/pageDays'

/** Most agents that are listed. */
const agentsMax = 10
const listed =
  'A daily row keeps the 25 paths with most hits, and 12 for each purpose. On other days the page may have been fetched less often.'

/** Fetches of a page by AI agents. */
export const crawlsStage: JourneyStage = {
  name: 'ai-traffic-crawls',
  stage: 'crawls',
  async read(ctx, asked) {
    const sites = await sitesFor(ctx, asked)
    if (sites.length === 0) return null
    const days = (await daysOf(ctx, sites, asked)).filter(({ hits }) => hits > 0)
    const byPurpose = Object.entries(sumByPurpose(days)).filter(([, count]) => count > 0)
    return {
      ...spanOf(days, ({ hits }) => hits),
      is_at_least: true,
      by: [
        ...byPurpose.map(([name, count]): JourneyPart => ({ name, scope: 'page', count, verified: null })),
        ...(await agentsOf(ctx, sites, days)),
      ],
      notes: [
        listed,
        'Agents are counted for each site and day, not for each page: those with the scope site fetched something there on these days.',
      ],
    }
  },
}

/** Visits that began on a page, of people who came from an AI assistant. */
export const visitsStage: JourneyStage = {
  name: 'ai-traffic-visits',
  stage: 'visits',
  async read(ctx, asked) {
    const sites = await sitesFor(ctx, asked)
    if (sites.length === 0) return null
    const days = (await daysOf(ctx, sites, asked)).filter(({ visits }) => visits > 0)
    return {
      ...spanOf(days, ({ visits }) => visits),
      is_at_least: true,
      by: [],
      notes: [
        'A daily row keeps the 25 paths with most visits.',
        'Only the script on a site sees visits. Visits from assistants that send no referrer are not known.',
      ],
    }
  },
}

async function sitesFor(ctx: ReadContext, { location_id, domain }: JourneyQuestion): Promise<Site[]> {
  const sites = await sitesOf(ctx, location_id === undefined ? {} : { location_id })
  // A site counts its subdomains too.
  return domain === null
    ? sites
    : sites.filter((site) => `.${domain}`.endsWith(`.${site.domain.replace(/^www\./, '')}`))
}

/**
 * The days of a page at these sites, with and without a slash at the end of its path. All sites are read at once and
 * the paths one after the other, because an agency may have only a limited number of reads waiting.
 */
async function daysOf(
  ctx: ReadContext,
  sites: readonly Site[],
  { path, period }: JourneyQuestion,
): Promise<PageDay[]> {
  const paths = path === '/' ? [path] : [path, `${path}/`]
  const input = { site_ids: sites.map(({ id }) => id) }
  const days: PageDay[] = []
  for (const one of paths) days.push(...(await pageDays(ctx, { input, path: one, category: null }, period)))
  return days.sort((a, b) => (a.date < b.date ? -1 : 1))
}

function sumByPurpose(days: readonly PageDay[]) {
  const sums: PageDay['by_category'] = { ai_answers: 0, search_index: 0, training: 0, other_ai: 0 }
  for (const { by_category } of days)
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += by_category[name]
  return sums
}

const spanOf = (days: readonly PageDay[], of: (day: PageDay) => number) =>
  ({
    scope: 'page',
    total: days.reduce((sum, day) => sum + of(day), 0),
    first_day: days[0]?.date ?? null,
    last_day: days.at(-1)?.date ?? null,
  }) satisfies Partial<JourneyFigures>

/** Agents at these sites on the days on which they fetched the page, the most active first. */
async function agentsOf(
  ctx: ReadContext,
  sites: readonly Site[],
  days: readonly PageDay[],
): Promise<JourneyPart[]> {
  const first = days[0]?.date
  const last = days.at(-1)?.date
  if (first === undefined || last === undefined) return []
  const span = daysWhere({}, { date_from: first, date_to: last })
  const dates = [...new Set(days.map(({ date }) => date))]
  const rows = await ctx.rows(AiTrafficDaily).groupEntries({
    where: where.and(
      span,
      where.in('date', dates),
      where.in(
        'site_id',
        sites.map(({ id }) => id),
      ),
    ),
    of: 'by_agent',
    by: [{ as: 'agent', entry: 'key' }],
    measures: [
      { as: 'hits', fn: 'sum', entry: 'value.hits' },
      { as: 'verified', fn: 'sum', entry: 'value.verified' },
    ],
  })
  return rows
    .map(({ agent, hits, verified }) => ({
      name: String(agent),
      scope: 'site' as const,
      count: Number(hits),
      verified: verifiedShare.of(Number(verified), Number(hits)),
    }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, agentsMax)
}
