import type { OwnerContext, Row } from 'renown'
import { touchedTable } from 'renown/traffic'
import { AiTrafficSite } from '../records/AiTrafficSite'
import type { PendingDay } from './pendingDays'

/** Maximum delay of a time while hits keep coming, so that a busy site is not written every few seconds. */
const lagMs = 60_000
/** When a day was not touched for this long, its exact time is stored. */
const quietMs = 2_500

/** Updates the time of the last hit of sites, never backwards. */
export async function stampSites(
  ctx: OwnerContext,
  sites: readonly Row<typeof AiTrafficSite>[],
  days: readonly PendingDay[],
): Promise<void> {
  const last = await ctx.columns.query<{ site_id: string; source: string; at: number }>(
    `SELECT site_id, source, toUnixTimestamp64Milli(max(last_hit_at)) AS at FROM ${touchedTable.name}
     WHERE site_id IN {sites:Array(String)} GROUP BY site_id, source`,
    { sites: sites.map(({ id }) => id) },
  )
  for (const site of sites) {
    const isQuiet = days.every((day) => day.site_id !== site.id || day.asked_ms - day.touched_ms > quietMs)
    const stamp = (source: string, stands: string | null | undefined) => {
      const found = last.find((row) => row.site_id === site.id && row.source === source)
      if (!found) return undefined
      const at = Math.min(found.at, ctx.now().getTime())
      const ahead = stands ? at - Date.parse(stands) : Number.POSITIVE_INFINITY
      return ahead > (isQuiet ? 0 : lagMs) ? new Date(at).toISOString() : undefined
    }
    const last_beacon_at = stamp('beacon', site.last_beacon_at)
    const last_log_at = stamp('log', site.last_log_at)
    if (!last_beacon_at && !last_log_at) continue
    await ctx.rows(AiTrafficSite).update(site.id, {
      ...(last_beacon_at ? { last_beacon_at } : {}),
      ...(last_log_at ? { last_log_at } : {}),
    })
  }
}
