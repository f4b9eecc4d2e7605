import { oneLine, type Row } from 'renown'
import { definePage, type PageContext, shownDomain } from 'renown/pages'
import { AiTrafficSite } from '../records/AiTrafficSite'
import type { MarkdownNode } from '../senders/markdown-node'
import { senderPage, senderTitles } from '../senders/sender-pages'
import { rotateSiteToken } from '../sites/site-acts'
import { homeOf, isTrial, pageOfSite, testVisitTo } from '../sites/site-address'
import { pluginZip } from '../wordpress/plugin-zip'
import { trafficWords } from '../words'
import { installStyle } from './install-style'
import { look } from './look-form'
import { type SiteSigns, signsOf, watchSite } from './site-signs'

/** The site of the page. */
export interface InstallSite {
  readonly id: string
  readonly domain: string
  /** The domain as `shownDomain` writes it. */
  readonly name: string
  readonly is_active: boolean
  readonly is_trial: boolean
  readonly forwarder_token_last4: string
  readonly beacon_tag: string
  readonly site_key: string
  readonly home: string
  /** The address of the opened page, and the same with the test parameter. */
  readonly page: string
  readonly test_visit: string
  readonly signs: SiteSigns
}

export interface InstallData {
  readonly sites: readonly Pick<InstallSite, 'id' | 'domain' | 'name'>[]
  /** Whether there are more sites than the list shows. */
  readonly has_more: boolean
  readonly site: InstallSite | null
  /** The id in the address, if the workspace has no site with it. */
  readonly unknown_site: string | null
  readonly ingest_url: string
  /** Whether the person may create sites and tokens. Only owners may. */
  readonly may_change: boolean
  readonly senders: Awaited<ReturnType<typeof senderTitles>>
  /** The typed words for which senders are shown. */
  readonly find: string
  readonly sender: {
    readonly page: string
    readonly title: string
    /** Whether the page contains the forwarder token. */
    readonly needs_token: boolean
    readonly nodes: readonly MarkdownNode[]
  } | null
}

const sitesMax = 200

/** A page with the tag and the set-up of a sender, and a check of both. */
export const installPage = definePage<InstallData>({
  path: '/app/install',
  title: 'Install',
  nav: { label: trafficWords('navInstall'), order: 30, icon: 'plug', group: 'setup' },
  module: new URL('./install.tsx', import.meta.url),
  async load(ctx, query) {
    const sites = await ctx
      .rows(AiTrafficSite)
      .list({ sort: [{ field: 'domain', direction: 'asc' }], limit: sitesMax + 1 })
    const asked = query.get('site') || null
    const named = asked === null ? null : await ctx.rows(AiTrafficSite).get(asked)
    const chosen = named ?? sites.find((site) => site.is_active) ?? sites[0] ?? null
    const page = query.get('sender') ?? ''
    const recipe = await senderPage(page)
    return {
      sites: sites.slice(0, sitesMax).map(({ id, domain }) => ({ id, domain, name: shownDomain(domain) })),
      has_more: sites.length > sitesMax,
      unknown_site: asked !== null && named === null ? oneLine(asked, 60) : null,
      site: chosen && (await siteOf(ctx, chosen, query.get('address') ?? '')),
      ingest_url: ctx.ingestUrl,
      may_change: ctx.person.role === 'owner',
      senders: await senderTitles(),
      find: oneLine(query.get('find') ?? '', 60),
      sender: recipe && { page, ...recipe, needs_token: hasToken(recipe.nodes) },
    }
  },
  actions: { look, rotate: rotateSiteToken.form },
  files: { 'renown-wordpress.zip': { type: 'application/zip', load: pluginZip } },
  events: { install: watchSite },
  style: installStyle,
})

type Site = Row<typeof AiTrafficSite>

async function siteOf(ctx: PageContext, site: Site, typed: string): Promise<InstallSite> {
  const home = homeOf(site.domain)
  const page = pageOfSite(typed, site.domain) ?? home
  return {
    id: site.id,
    domain: site.domain,
    name: shownDomain(site.domain),
    is_active: site.is_active,
    is_trial: isTrial(site.domain),
    forwarder_token_last4: site.forwarder_token_last4,
    site_key: site.site_key,
    beacon_tag: `<script defer src="${ctx.ingestUrl}/s/${site.site_key}.js"></script>`,
    home,
    page,
    test_visit: testVisitTo(page, nonceOf(ctx.requestId)),
    signs: await signsOf(ctx.counter, site),
  }
}

/** The script reports at most 64 letters. */
const nonceOf = (requestId: string) => requestId.replace(/[^\w-]/g, '').slice(0, 64) || 'visit'

const hasToken = (nodes: readonly MarkdownNode[]): boolean =>
  nodes.some((node) =>
    typeof node === 'string' ? node.includes('<forwarder token>') : hasToken(node.children),
  )
