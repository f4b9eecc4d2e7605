import { instantsOf, where } from 'renown'
import type { JourneyStage } from 'renown/visibility'
import { Lead } from '../records/Lead'

/** Leads of a location. Renown does not know which page a lead came from. */
export const leadsStage: JourneyStage = {
  name: 'leads',
  stage: 'leads',
  async read(ctx, { location_id, period }) {
    const { timezone } = ctx.workspace
    const { from, before } = instantsOf(period, timezone)
    const groups = await ctx.rows(Lead).group({
      where: where.and(
        where.gte('created_date', from),
        where.lt('created_date', before),
        ...(location_id === undefined ? [] : [where.eq('location_id', location_id)]),
      ),
      by: [{ field: 'created_date', unit: 'day', timezone }, 'source'],
      measures: [{ as: 'n', fn: 'count' }],
    })
    if (groups.length === 0) return null
    const days = groups.map(({ created_date }) => String(created_date)).sort()
    const sources = Map.groupBy(groups, ({ source }) => String(source ?? 'unknown'))
    const sumOf = (rows: typeof groups) => rows.reduce((sum, { n }) => sum + Number(n), 0)
    return {
      scope: 'location',
      total: sumOf(groups),
      is_at_least: false,
      first_day: days[0] ?? null,
      last_day: days.at(-1) ?? null,
      by: [...sources]
        .map(([name, rows]) => ({ name, scope: 'location' as const, count: sumOf(rows), verified: null }))
        .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
      notes: ['Leads come from mentions on the web. Renown does not know which of them saw this page.'],
    }
  },
}
