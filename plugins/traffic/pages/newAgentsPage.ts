import { oneLine } from 'renown'
import { definePage, shownDomain } from 'renown/pages'
import { AiTrafficSite } from '../records/AiTrafficSite'
import type { ShownNewAgent } from '../sums/new-agent-words'
import { readNewAgents } from '../sums/readNewAgents'
import { trafficWords } from '../words'

export interface NewAgentsData {
  readonly agents: readonly (ShownNewAgent & { readonly name: string })[]
  /** The name of the chosen site, or null for all sites. */
  readonly site: string | null
  /** The id in the address, if the workspace has no site with it. */
  readonly unknown_site: string | null
  readonly has_sites: boolean
}

const sitesMax = 500
const shownMax = 200

/** A page of user agents that look like agents and that the registry does not know. */
export const newAgentsPage = definePage<NewAgentsData>({
  path: '/app/new-agents',
  title: 'New agents',
  nav: { label: trafficWords('navNewAgents'), order: 40, icon: 'bot', group: 'setup' },
  module: new URL('./new-agents.tsx', import.meta.url),
  async load(ctx, query) {
    const sites = await ctx.rows(AiTrafficSite).list({ limit: sitesMax, fields: ['domain'] })
    const asked = query.get('site') || null
    const chosen = asked === null ? null : await ctx.rows(AiTrafficSite).get(asked)
    const shown = chosen ? [chosen] : sites
    const names = new Map(shown.map(({ id, domain }) => [id, shownDomain(domain)]))
    const found = await readNewAgents(ctx, [...names.keys()])
    return {
      agents: found.slice(0, shownMax).map((agent) => ({ ...agent, name: names.get(agent.site_id) ?? '' })),
      site: chosen && shownDomain(chosen.domain),
      unknown_site: asked !== null && chosen === null ? oneLine(asked, 60) : null,
      has_sites: sites.length > 0,
    }
  },
})
