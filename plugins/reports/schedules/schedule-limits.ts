import { where } from 'renown'
import type { LimitSource } from 'renown/pages'
import { BusinessLocation } from '../records/foreign'
import { ScheduledReport } from '../records/ScheduledReport'
import { schedulesMax } from './change-schedules'

/** Locations that are listed. */
const locationsMax = 20

/** Scheduled reports of each location that has some. Reports that wait have no limit of their own. */
export const reportLimits: LimitSource = {
  name: 'reports',
  order: 40,
  async read(ctx, { workspace }) {
    const groups = await ctx.rows(ScheduledReport).group({
      where: where.eq('workspace_id', workspace.id),
      by: ['business_location_id'],
      measures: [{ as: 'used', fn: 'count' }],
    })
    const most = groups.toSorted((a, b) => Number(b.used) - Number(a.used)).slice(0, locationsMax)
    const ids = most.map(({ business_location_id: id }) => String(id))
    const known = { where: where.in('id', ids), limit: ids.length, fields: ['business_name'] } as const
    const rows = ids.length === 0 ? [] : await ctx.rows(BusinessLocation).list(known)
    const names = new Map(rows.map(({ id, business_name }) => [id, business_name]))
    return most.map(({ business_location_id: id, used }) => ({
      name: 'scheduled_reports',
      per: 'location',
      unit: 'schedules',
      subject: names.get(String(id)) ?? String(id),
      used: Number(used),
      limit: schedulesMax,
      atLimit: 'A further schedule of the location is refused until one is removed.',
    }))
  },
}
