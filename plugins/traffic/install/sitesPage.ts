import { domainToASCII } from 'node:url'
import { oneLine, type Row, where } from 'renown'
import { actsOnPage, definePage, shownDomain } from 'renown/pages'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { BusinessLocation } from '../sites/on-site'
import { removeSite } from '../sites/removeSite'
import { changeSite, createSite, rotateSiteToken } from '../sites/site-acts'
import { trafficWords } from '../words'
import { installStyle } from './install-style'

/** A site as the page shows it. */
export interface ShownSite {
  readonly id: string
  readonly domain: string
  /** The domain as `shownDomain` writes it. */
  readonly name: string
  readonly location: string
  readonly timezone: string
  readonly is_active: boolean
  readonly count_search_engines: boolean
  readonly respect_dnt: boolean
  readonly last_beacon_at: string | null
  readonly last_log_at: string | null
  readonly forwarder_token_last4: string
}

export interface SitesData {
  readonly sites: readonly ShownSite[]
  /** The search text for domains. */
  readonly q: string
  readonly page: number
  /** The value of `at`, if there is no such page. The first one is shown. */
  readonly unknown_page: string | null
  readonly has_more: boolean
  readonly count: number
  readonly locations: readonly { readonly id: string; readonly name: string }[]
  readonly timezone: string
  /** Whether the person may add and change sites. Only owners may. */
  readonly may_change: boolean
}

const { actions, notices } = actsOnPage({
  create: createSite,
  rotate: rotateSiteToken,
  change: changeSite,
})

const sitesPerPage = 25
const locationsMax = 500

/** A page of the workspace's sites: create them, switch them on and off, and replace forwarder tokens. */
export const sitesPage = definePage<SitesData>({
  path: '/app/sites',
  title: 'Sites',
  nav: { label: trafficWords('navSites'), order: 20, icon: 'globe', group: 'setup' },
  module: new URL('./sites.tsx', import.meta.url),
  async load(ctx, query) {
    const q = (query.get('q') ?? '').trim().toLowerCase().slice(0, 253)
    const matching =
      q === '' ? where.and() : ({ op: 'contains', field: 'domain', value: storedForm(q) } as const)
    const rows = ctx.rows(AiTrafficSite)
    const found_count = await rows.count(matching)
    const { page, unknown_page } = pageAsked(query.get('at'), Math.ceil(found_count / sitesPerPage))
    const [found, count, locations] = await Promise.all([
      rows.list({
        where: matching,
        sort: [{ field: 'domain', direction: 'asc' }],
        limit: sitesPerPage + 1,
        skip: (page - 1) * sitesPerPage,
      }),
      rows.count(),
      ctx.rows(BusinessLocation).list({ where: where.eq('is_prospect', false), limit: locationsMax }),
    ])
    const names = new Map(locations.map(({ id, business_name }) => [id, business_name]))
    return {
      sites: found.slice(0, sitesPerPage).map((site) => shownSite(site, names.get(site.location_id))),
      q,
      page,
      unknown_page,
      count,
      has_more: found.length > sitesPerPage,
      locations: locations.map(({ id, business_name }) => ({ id, name: business_name })),
      timezone: ctx.workspace.timezone,
      may_change: ctx.person.role === 'owner',
    }
  },
  actions,
  notices: { ...notices, ...actsOnPage({ remove: removeSite }).notices },
  style: installStyle,
})

/** Returns the requested page, or the first one if it does not exist. */
function pageAsked(at: string | null, pages: number) {
  const page = at === null || at === '' ? 1 : /^[1-9]\d{0,5}$/.test(at) ? Number(at) : 0
  const isThere = page === 1 || (page > 1 && page <= pages)
  return isThere ? { page, unknown_page: null } : { page: 1, unknown_page: oneLine(at ?? '', 40) }
}

/** Domains are stored in ASCII. */
const storedForm = (q: string) => (/[^\x20-\x7e]/.test(q) && domainToASCII(q)) || q

const shownSite = (site: Row<typeof AiTrafficSite>, location: string | undefined): ShownSite => ({
  id: site.id,
  domain: site.domain,
  name: shownDomain(site.domain),
  location: location ?? site.location_id,
  timezone: site.timezone,
  is_active: site.is_active,
  count_search_engines: site.count_search_engines,
  respect_dnt: site.respect_dnt,
  last_beacon_at: site.last_beacon_at ?? null,
  last_log_at: site.last_log_at ?? null,
  forwarder_token_last4: site.forwarder_token_last4,
})
