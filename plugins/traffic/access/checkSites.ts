import { hourMs, type JobDeclaration, messageOf, type OwnerContext, type Row, where } from 'renown'
import { productState } from 'renown/pages'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { SiteAccess } from '../records/SiteAccess'
import { checkSite } from './checkSite'

/** How often a site is checked. A file may be changed at any time, and crawlers use a copy for up to a day. */
export const everyMs = 6 * hourMs
/** Maximum sites of one run. */
const sitesMax = 40
/** Sites that are checked at the same time. */
const together = 4
/** New sites are looked for among those that were created since the last run. */
const overlapMs = 60_000

const lastSeen = productState(() => ({ createdAfter: '' }))

/** Checks the robots.txt, llms.txt and sitemap of each site. Longest waiting first. */
export const checkSites: JobDeclaration = {
  summary:
    'Fetches the robots.txt, llms.txt and sitemap of sites, and compares them with what crawlers fetched',
  everyMs: 5 * 60_000,
  async run(ctx, signal) {
    await planNewSites(ctx)
    const due = await ctx.rows(SiteAccess).list({
      where: where.lte('next_check_at', ctx.now().toISOString()),
      sort: [{ field: 'next_check_at', direction: 'asc' }],
      limit: sitesMax,
    })
    for (let at = 0; at < due.length && !signal.aborted; at += together)
      await Promise.all(due.slice(at, at + together).map((access) => checkOne(ctx, access)))
  },
}

async function checkOne(ctx: OwnerContext, access: Row<typeof SiteAccess>) {
  const site = await ctx.rows(AiTrafficSite).get(access.site_id)
  if (!site) return void (await ctx.rows(SiteAccess).removeWhere(where.eq('site_id', access.site_id)))
  // Planned first, so that a site at which the process stops does not come first again.
  const next_check_at = new Date(ctx.now().getTime() + everyMs).toISOString()
  await ctx.rows(SiteAccess).update(access.id, { next_check_at })
  if (!site.is_active) return
  try {
    await checkNow(ctx, site, access.id)
  } catch (error) {
    // What one site publishes must not keep others from being checked.
    ctx.log.warn('a site could not be checked; it is tried again later', {
      site_id: site.id,
      reason: messageOf(error),
    })
  }
}

/** Checks one site and stores what was found. */
export async function checkNow(
  ctx: OwnerContext,
  site: Row<typeof AiTrafficSite>,
  accessId: string,
): Promise<void> {
  const found = await checkSite(ctx, site)
  await ctx.rows(SiteAccess).update(accessId, { ...found, checked_at: ctx.now().toISOString() })
}

/** Plans the first check of sites that have none. */
async function planNewSites(ctx: OwnerContext) {
  const state = lastSeen(ctx)
  const since = new Date(ctx.now().getTime() - overlapMs).toISOString()
  const isNew = where.gte('created_date', state.createdAfter || new Date(0).toISOString())
  for await (const sites of ctx.rows(AiTrafficSite).pages({ where: isNew, size: 200 })) {
    const ids = sites.map(({ id }) => id)
    const planned = await ctx.rows(SiteAccess).list({ where: where.in('site_id', ids), limit: ids.length })
    const known = new Set(planned.map(({ site_id }) => site_id))
    await ctx.rows(SiteAccess).insertMany(
      sites
        .filter(({ id }) => !known.has(id))
        .map(({ id, workspace_id, location_id }) => ({
          site_id: id,
          workspace_id,
          location_id,
          next_check_at: ctx.now().toISOString(),
        })),
    )
  }
  state.createdAfter = since
}
