import { hitsTable, type OwnerContext, type Row, touchedTable } from 'renown'
import type { AiTrafficSite } from '../records/AiTrafficSite'
import { dailyTable } from '../records/dailyTable'

/** Whether a site has hits. `unknown`: none is known, but a journal on another machine can hold some. */
export type AcceptedHits = 'some' | 'none' | 'unknown'

/**
 * Returns whether any hit was ever accepted for a site. Accepted hits are written to ClickHouse first, so that none is overlooked in the
 * journal. The stamps of a site alone do not tell: they follow the daily rows, and some seconds after an acceptance.
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

/** Detailed hits may expire, and daily rows stay. A day without a daily row yet is in the other two tables. */
const anyHit = [hitsTable, touchedTable, dailyTable]
  .map(({ name }) => `SELECT 1 FROM ${name} WHERE site_id = {site:String} LIMIT 1`)
  .join(' UNION ALL ')
