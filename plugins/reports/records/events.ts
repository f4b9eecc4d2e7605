import { defineEvent, field, type OwnerContext } from 'renown'
import * as v from 'valibot'
import type { ReportRow } from './moveReport'

/** A report that can be read. */
export const reportCompleted = defineEvent({
  name: 'report.completed',
  summary: 'A report was made and can be read.',
  data: v.strictObject({ report_id: field.code('The report'), template: field.code('Kind of report') }),
  example: { report_id: 'rep_01JZ8M0000000000000000000A', template: 'monthly_reputation_report' },
})

/** Publishes that a report was made. Can be repeated. */
export const publishCompleted = (ctx: OwnerContext, report: ReportRow): Promise<void> =>
  ctx.publish(reportCompleted, completedEvent(report))

type Made = Pick<ReportRow, 'id' | 'workspace_id' | 'business_location_id' | 'template'>

/** Returns the event of a report that was made. */
export const completedEvent = (report: Made) => ({
  workspace_id: report.workspace_id,
  key: report.id,
  entity: 'Report',
  entity_id: report.id,
  ...(report.business_location_id === undefined ? {} : { location_id: report.business_location_id }),
  data: { report_id: report.id, template: report.template },
})
