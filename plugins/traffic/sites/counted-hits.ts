import { hitsTable, type OwnerContext, type Row, touchedTable } from 'renown'
import type { AiTrafficSite } from '../records/AiTrafficSite'
import { dailyTable } from '../records/dailyTable'

/** Whether a site has hits. `unknown`: none was found, but a journal on another machine can contain some. */
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
  return isWhole ? 'none' : 'unknown'
}

/**
 * Detailed hits may expire, but daily rows stay. A day without a daily row is still in one of the other two
 * tables.
 */
const anyHit = [hitsTable, touchedTable, dailyTable]
  .map(({ name }) => `SELECT 1 FROM ${name} WHERE site_id = {site:String} LIMIT 1`)
  .join(' UNION ALL ')
