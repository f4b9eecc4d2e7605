import { shiftDay, todayOf, where } from 'renown'
import type { WorkspaceProblemSource } from 'renown/pages'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { isTrial } from '../sites/site-address'

/** Whole days without a hit or visit after which a site is silent. */
const silentDays = 3

/** Active sites from which nothing has come for days. */
export const trafficProblems: WorkspaceProblemSource = {
  name: 'traffic',
  order: 50,
  async read(ctx, limit) {
    const first = shiftDay(todayOf(ctx), -silentDays)
    const [sites, days] = await Promise.all([
      ctx.rows(AiTrafficSite).list({ where: where.eq('is_active', true), limit }),
      ctx.rows(AiTrafficDaily).group({
        where: where.gte('date', first),
        by: ['site_id'],
        measures: [{ as: 'days', fn: 'count' }],
      }),
    ])
    const counted = new Set(days.map(({ site_id }) => site_id))
    return sites.flatMap(({ id, location_id, domain, last_log_at, last_beacon_at, created_date }) => {
      const last = [last_log_at ?? '', last_beacon_at ?? ''].sort().at(-1) || undefined
      if (counted.has(id) || isTrial(domain) || (last ?? created_date).slice(0, 10) >= first) return []
      return [
        {
          kind: last === undefined ? 'site_never_reported' : 'site_silent',
          severity: 'critical' as const,
          location_id,
          about: domain,
          since: last ?? created_date,
          todo: 'Check the log forwarder and the tag of the site in /app/sites.',
        },
      ]
    })
  },
}
