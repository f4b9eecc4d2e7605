import type { OwnerContext, Row } from 'renown'
import { hitsTable, touchedTable } from 'renown/traffic'
import type { AiTrafficSite } from '../records/AiTrafficSite'
import { dailyTable } from '../records/dailyTable'

/**
 * Whether a site has hits. `unknown`: none was found, but a journal on another machine can contain some. Stays
 * `none` only while `notRemotelyRead` matches the site.
 */
export type AcceptedHits = 'some' | 'none' | 'unknown'

/**
 * Returns whether any hit was ever accepted for a site. Writes accepted hits to ClickHouse first, so that it
 * misses none in the journal. The times stored with a site are not enough: they are updated some seconds
 * later.
 */
export async function acceptedHits(
  ctx: OwnerContext,
  site: Row<typeof AiTrafficSite>,
): Promise<AcceptedHits> {
  if (site.last_beacon_at || site.last_log_at) return 'some'
  const isWhole = await ctx.flushHits()
  const found = await ctx.columns.query(anyHit, { site: site.id })
  if (found.length > 0) return 'some'
  return mayBeElsewhere(ctx, site, isWhole) ? 'unknown' : 'none'
}

/**
 * Returns whether a journal on another machine can contain hits of a site. An ingest counts only for the sites
 * that it has read.
 */
function mayBeElsewhere(
  ctx: OwnerContext,
  { is_read_remotely }: Row<typeof AiTrafficSite>,
  isWhole: boolean,
) {
  if (is_read_remotely === true) return true
  if (isWhole) return false
  // The journal of this machine may have moved to the machine that runs the ingest now.
  return is_read_remotely !== false || ctx.settings.RENOWN_INGEST === 'off'
}

/**
 * Detailed hits may expire, but daily rows stay. A day without a daily row is still in one of the other two
 * tables.
 */
const anyHit = [hitsTable, touchedTable, dailyTable]
  .map(({ name }) => `SELECT 1 FROM ${name} WHERE site_id = {site:String} LIMIT 1`)
  .join(' UNION ALL ')
