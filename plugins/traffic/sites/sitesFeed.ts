import type { FeedDeclaration, OwnerContext } from 'renown'
import type { SitesFeed } from 'renown/traffic'
import { registryInUse } from '../registry/registry-in-use'
import { everySite } from './every-site'
import { finishHandOvers } from './handOver'
import { storedMapping } from './log-mapping'
import { markRemotelyRead } from './remotely-read'

/**
 * The sites for the ingest, including inactive ones, so that it can report them. A site of an inactive
 * workspace is inactive.
 */
export const sitesFeed: FeedDeclaration = {
  summary: 'Sites the ingest counts for, with the hashes of their forwarder tokens',
  async run(ctx, _, reader): Promise<SitesFeed> {
    const [stored, inactive, agents] = await Promise.all([
      currentSites(ctx),
      ctx.inactiveWorkspaces(),
      registryInUse(ctx, ctx),
    ])
    const sites = reader === 'remote' ? await markRemotelyRead(ctx, stored) : stored
    const off = new Set(inactive)
    return {
      ...(agents && { agents }),
      sites: sites.map((site) => ({
        site_id: site.id,
        site_key: site.site_key,
        forwarder_token_hash: site.forwarder_token_hash,
        domain: site.domain,
        timezone: site.timezone,
        is_active: site.is_active && !off.has(site.workspace_id),
        count_search_engines: site.count_search_engines,
        respect_dnt: site.respect_dnt,
        ...(site.log_mapping ? { log_mapping: storedMapping(site.log_mapping) } : {}),
      })),
    }
  },
}

/**
 * Returns all sites. The feed is read at every start. If a killed process left a key without a site, the key
 * works again before the first hit.
 */
async function currentSites(ctx: OwnerContext) {
  const stored = await everySite(ctx)
  return (await finishHandOvers(ctx, stored)) ? everySite(ctx) : stored
}
