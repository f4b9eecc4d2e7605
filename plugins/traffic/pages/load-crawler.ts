import { type Period, shiftDay } from 'renown'
import { type PageContext, shownDomain } from 'renown/pages'
import { readAccess } from '../access/site-access'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { docsOf } from '../records/crawler-docs'
import { daysWhere, type SiteInput, sitesOf, siteWhere, todayOf } from '../records/days'
import { readErrors } from '../sums/crawler-errors'
import { readDisallowed } from '../sums/disallowed'
import type { CrawlerData, CrawlerDay } from './crawler-data'

const shownDays = 90
const listedMax = 25
const nameMax = 200

/** Reads one crawler. Returns null if the address names none that was ever counted. */
export async function loadCrawler(ctx: PageContext, query: URLSearchParams): Promise<CrawlerData | null> {
  const agent = query.get('agent') ?? ''
  if (agent === '' || agent.length > nameMax) return null
  const all = await sitesOf(ctx, {})
  const chosen = all.find(({ id }) => id === query.get('site')) ?? (all.length === 1 ? all[0] : undefined)
  const input: SiteInput = chosen ? { site_id: chosen.id } : {}
  const date_to = todayOf(ctx, chosen ? [chosen] : all).latest
  const period = { date_from: shiftDay(date_to, 1 - shownDays), date_to, days: shownDays }
  const about = await readAgent(ctx, input, agent)
  if (!about) return null
  const where = daysWhere(input, period)
  const [counted, pages, errors, robots, access] = await Promise.all([
    readDays(ctx, input, agent, period),
    readPages(ctx, input, agent, period),
    readErrors(ctx, where),
    readDisallowed(ctx, where),
    chosen ? readAccess(ctx, chosen, [agent]) : null,
  ])
  const own = access?.agents.find((one) => one.agent === agent)
  const coverage = access?.sitemap?.coverage
  const covered = coverage?.agents.find((one) => one.agent === agent)
  const ofAgent = <T extends { readonly agent: string }>(list: readonly T[]) =>
    list.filter((one) => one.agent === agent).slice(0, listedMax)
  return {
    agent,
    ...about,
    docs: docsOf(about.operator),
    period,
    ...counted,
    pages,
    sites: all.map(({ id, domain }) => ({ id, name: shownDomain(domain) })),
    site: chosen ? { id: chosen.id, name: shownDomain(chosen.domain) } : null,
    errors: ofAgent(errors).map(({ path, status, hits }) => ({ path, status, hits })),
    disallowed: ofAgent(robots.pages).map(({ path, rule, hits, verified }) => ({
      path,
      rule,
      hits,
      verified,
    })),
    judged: robots.judged,
    access: own ? { group: own.group, closed: own.closed } : null,
    access_fault: access?.robots?.fault ?? null,
    coverage: coverage
      ? { pages: coverage.pages, fetched: covered?.fetched ?? 0, missing: covered?.missing ?? [] }
      : null,
  }
}

const isAgent = (agent: string) => ({ entry: 'key', value: agent }) as const

async function readAgent(ctx: PageContext, input: SiteInput, agent: string) {
  const found = await ctx.rows(AiTrafficDaily).groupEntries({
    where: siteWhere(input),
    of: 'by_agent',
    entryIs: isAgent(agent),
    by: [
      { as: 'agent', entry: 'key' },
      { as: 'operator', entry: 'value.operator' },
      { as: 'category', entry: 'value.category' },
    ],
    measures: [
      { as: 'first', fn: 'min', field: 'date' },
      { as: 'last', fn: 'max', field: 'date' },
    ],
  })
  const day = (value: unknown) => String(value).slice(0, 10)
  // An agent that changed its purpose has the newest one.
  const newest = found.toSorted((a, b) => (day(a.last) < day(b.last) ? 1 : -1))[0]
  if (!newest) return null
  return {
    operator: String(newest.operator),
    category: String(newest.category),
    last: day(newest.last),
    first: found.map(({ first }) => day(first)).sort()[0] ?? '',
  }
}

const counts = [
  'hits',
  'verified',
  'spoofed',
  'with_status',
  'client_errors',
  'server_errors',
  'disallowed',
] as const

async function readDays(ctx: PageContext, input: SiteInput, agent: string, period: Period) {
  const found = await ctx.rows(AiTrafficDaily).groupEntries({
    where: daysWhere(input, period),
    of: 'by_agent',
    entryIs: isAgent(agent),
    by: ['date', { as: 'agent', entry: 'key' }],
    measures: counts.map((name) => ({ as: name, fn: 'sum' as const, entry: `value.${name}` as const })),
  })
  const byDate = new Map(found.map((row) => [String(row.date).slice(0, 10), row]))
  const days: CrawlerDay[] = Array.from({ length: period.days }, (_, place) => {
    const date = shiftDay(period.date_from, place)
    const row = byDate.get(date)
    return {
      date,
      hits: Number(row?.hits ?? 0),
      verified: Number(row?.verified ?? 0),
      spoofed: Number(row?.spoofed ?? 0),
    }
  })
  const sum = (name: (typeof counts)[number]) => found.reduce((total, row) => total + Number(row[name]), 0)
  return {
    days,
    totals: {
      hits: sum('hits'),
      verified: sum('verified'),
      spoofed: sum('spoofed'),
      with_status: sum('with_status'),
      client_errors: sum('client_errors'),
      server_errors: sum('server_errors'),
      disallowed: sum('disallowed'),
    },
  }
}

async function readPages(ctx: PageContext, input: SiteInput, agent: string, period: Period) {
  const found = await ctx.rows(AiTrafficDaily).groupEntries({
    where: daysWhere(input, period),
    of: 'agent_paths',
    entryIs: { entry: 'value.agent', value: agent },
    by: [
      { as: 'agent', entry: 'value.agent' },
      { as: 'path', entry: 'value.path' },
    ],
    measures: [{ as: 'hits', fn: 'sum', entry: 'value.hits' }],
  })
  return found
    .map(({ path, hits }) => ({ path: String(path), hits: Number(hits) }))
    .sort((a, b) => b.hits - a.hits || (a.path < b.path ? -1 : 1))
    .slice(0, listedMax)
}
