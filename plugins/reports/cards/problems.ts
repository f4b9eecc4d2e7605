import type { WorkspaceProblemSource } from 'renown/pages'
import { failedUnmade } from './inbox'

/** Reports that failed and that nobody made again. */
export const reportProblems: WorkspaceProblemSource = {
  name: 'reports',
  order: 55,
  async read(ctx, limit) {
    const failed = await failedUnmade(ctx)
    return failed
      .slice(0, limit)
      .map(({ id, business_location_id, template, period_start, period_end, ...row }) => ({
        kind: 'report_failed',
        severity: 'warning' as const,
        ...(business_location_id === undefined ? {} : { location_id: business_location_id }),
        about: `${template}, ${period_start} to ${period_end}: ${id}`,
        since: row.completed_at ?? row.created_date,
        ...(row.error_message === undefined ? {} : { why: row.error_message }),
        todo: 'Make it again with generateReport, or in /app/inbox.',
      }))
  },
}
