import { type Period, shiftDay } from 'renown'
import { actForm, actsOnPage, definePage, type PageContext, redirectTo, shownDomain } from 'renown/pages'
import { readablePath } from 'renown/web'
import { checkSiteAct } from '../access/check-site-act'
import { readAccess, type SiteAccessView } from '../access/site-access'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { daysWhere, sitesOf, todayOf } from '../records/days'
import { type CrawlerError, readErrors } from '../sums/crawler-errors'
import { type RobotsSums, readDisallowed } from '../sums/disallowed'

const shownDays = 28
const listedMax = 100

export interface AccessData {
  readonly site: { readonly id: string; readonly name: string }
  readonly sites: readonly { readonly id: string; readonly name: string }[]
  readonly period: Period
  readonly isDemo: boolean
  readonly access: SiteAccessView
  readonly robots: RobotsSums
  readonly errors: readonly CrawlerError[]
  /** Hits without spoofed ones, and how many of them have a known status. */
  readonly answers: Readonly<Record<'hits' | 'with_status' | 'client_errors' | 'server_errors', number>>
}

/** What a site lets crawlers read, and what they met. */
export const accessPage = definePage<AccessData>({
  path: '/app/traffic/access',
  title: 'Crawler access',
  module: new URL('./access.tsx', import.meta.url),
  isStatic: true,
  titleOf: ({ site }) => `Crawler access: ${site.name}`,
  notices: actsOnPage({ check: checkSiteAct }).notices,
  actions: {
    check: actForm(checkSiteAct, 'checked', {
      to: (_, word, { answer }) => `/app/traffic/access?site=${answer.site_id}&done=${word}`,
    }),
  },
  async load(ctx, query) {
    return (await loadAccess(ctx, query)) ?? redirectTo('/app/traffic')
  },
  async download(ctx, query) {
    const data = await loadAccess(ctx, query)
    return {
      columns: [
        ...['kind', 'path', 'agent', 'rule_or_status'].map((name) => ({ name })),
        ...['hits_at_least', 'verified'].map((name) => ({ name, type: 'count' as const })),
      ],
      rows: [
        ...(data?.robots.pages ?? []).map((page) => [
          'disallowed',
          readablePath(page.path),
          page.agent,
          page.rule,
          page.hits,
          page.verified,
        ]),
        ...(data?.errors ?? []).map((error) => [
          'error',
          readablePath(error.path),
          error.agent,
          String(error.status),
          error.hits,
          error.verified,
        ]),
        ...(data?.access.sitemap?.coverage?.never_paths ?? []).map((path) => [
          'never crawled',
          readablePath(path),
          '',
          '',
          0,
          0,
        ]),
      ],
    }
  },
})

async function loadAccess(ctx: PageContext, query: URLSearchParams): Promise<AccessData | null> {
  const all = await sitesOf(ctx, {})
  const site = all.find(({ id }) => id === query.get('site')) ?? all[0]
  if (!site) return null
  const date_to = todayOf(ctx, [site]).latest
  const period = { date_from: shiftDay(date_to, 1 - shownDays), date_to, days: shownDays }
  const where = daysWhere({ site_id: site.id }, period)
  const agents = await ctx.rows(AiTrafficDaily).groupEntries({
    where,
    of: 'by_agent',
    by: [{ as: 'agent', entry: 'key' }],
    measures: (['hits', 'spoofed', 'with_status', 'client_errors', 'server_errors'] as const).map((name) => ({
      as: name,
      fn: 'sum' as const,
      entry: `value.${name}` as const,
    })),
  })
  const came = agents
    .filter(({ hits, spoofed }) => Number(hits) > Number(spoofed))
    .sort((a, b) => Number(b.hits) - Number(a.hits))
  const sum = (name: string) => agents.reduce((total, row) => total + Number(row[name]), 0)
  const [access, robots, errors] = await Promise.all([
    readAccess(
      ctx,
      site,
      came.map(({ agent }) => String(agent)),
    ),
    readDisallowed(ctx, where),
    readErrors(ctx, where),
  ])
  return {
    site: { id: site.id, name: shownDomain(site.domain) },
    period,
    access,
    isDemo: ctx.isDemo,
    sites: all.map(({ id, domain }) => ({ id, name: shownDomain(domain) })),
    robots: { ...robots, pages: robots.pages.slice(0, listedMax) },
    errors: errors.slice(0, listedMax),
    answers: {
      hits: sum('hits') - sum('spoofed'),
      with_status: sum('with_status'),
      client_errors: sum('client_errors'),
      server_errors: sum('server_errors'),
    },
  }
}
