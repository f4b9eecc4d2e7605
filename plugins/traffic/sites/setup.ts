import { isConflict, type OwnerContext, runDeclared, where } from 'renown'
import type { SetupStep, WebsiteSetup } from 'renown/pages'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { trafficWords } from '../words'
import { everySite } from './every-site'
import { renameSite } from './renameSite'
import { createSite, rotateSiteToken } from './site-acts'
import { trialDomain } from './site-address'

const activeSites = async (ctx: OwnerContext, workspaceId: string) =>
  everySite(ctx, where.and(where.eq('workspace_id', workspaceId), where.eq('is_active', true)))

const website: WebsiteSetup = {
  async find(ctx, workspaceId, placeholder) {
    const sites = await activeSites(ctx, workspaceId)
    const site = sites.find(({ domain }) => domain !== placeholder) ?? sites[0]
    if (!site) return null
    const { id, domain, timezone, site_key } = site
    return { site_id: id, domain, timezone, site_key }
  },
  async create(ctx, { domain, location_id }) {
    const [site] = await everySite(ctx, where.eq('location_id', location_id))
    if (!site) {
      const made = await runDeclared(createSite.command, ctx, { domain, location_id })
      return {
        site_id: text(made.site_id),
        site_key: text(made.site_key),
        forwarder_token: text(made.forwarder_token),
      }
    }
    const { forwarder_token } = await runDeclared(rotateSiteToken.command, ctx, { site_id: site.id })
    return { site_id: site.id, site_key: site.site_key, forwarder_token: text(forwarder_token) }
  },
  async name(ctx, { workspace_id, location_id, domain, timezone }, placeholder) {
    const sites = await activeSites(ctx, workspace_id)
    if (sites.some((site) => site.domain === domain)) return null
    const first = sites.some((site) => site.domain !== placeholder) ? undefined : sites[0]
    const wanted = { domain, timezone, location_id }
    try {
      if (first?.timezone === timezone) {
        await runDeclared(renameSite.command, ctx, { site_id: first.id, domain })
        return null
      }
      // The time zone of a site is fixed, so another site takes over its key.
      if (first) {
        const made = await runDeclared(createSite.command, ctx, { ...wanted, replaces: first.id })
        return { replaced: first.id, by: text(made.site_id) }
      }
    } catch (error) {
      if (!isConflict(error)) throw error
    }
    await runDeclared(createSite.command, ctx, wanted)
    return null
  },
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new Error('A command of sites returned no text where one is declared')
}

/** Counting AI traffic of a website. It is done when a website reported. The first steps name the website too. */
export const trafficSetup: SetupStep = {
  name: 'traffic',
  label: trafficWords('setup'),
  href: '/app/install',
  order: 20,
  async isDone(ctx, workspaceId) {
    const own = where.and(
      where.eq('workspace_id', workspaceId),
      where.eq('is_active', true),
      where.ne('domain', trialDomain),
      where.or(where.ne('last_beacon_at', null), where.ne('last_log_at', null)),
    )
    return (await ctx.rows(AiTrafficSite).count(own)) > 0
  },
  website,
}
