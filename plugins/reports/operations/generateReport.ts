import { defineOperation, field, todayOf } from 'renown'
import * as v from 'valibot'
import { requestReport } from '../acts/request-report'
import { BusinessLocation } from '../records/foreign'
import { Report } from '../records/Report'
import { builtinTemplates } from '../templates/template'
import { templateNamed } from '../templates/templates'

const template = builtinTemplates[0]?.template ?? ''

/** Queues a report. Its data is collected when it is made, and never changes afterwards. */
export const generateReport = defineOperation({
  name: 'generateReport',
  summary: 'Queue a report of one location and period. Ask getReportStatus for its progress',
  class: 'queue',
  crossAgency: 'own',
  input: v.strictObject({
    business_location_id: field.text('The business location that the report is about'),
    template: v.optional(field.text(`Kind of report. Default: ${template}`), template),
    period_start: v.optional(field.day('First day. Default: the last full month')),
    period_end: v.optional(field.day('Last day, inclusive; not in the future')),
  }),
  output: v.object({
    report: v.pipe(v.looseObject({ id: v.string() }), v.description('The report')),
    report_id: field.code('The report'),
    status: Report.fields.status,
    deduplicated: field.flag('The same report was already being made, so no second one was queued'),
  }),
  async run(ctx, { business_location_id, ...asked }) {
    templateNamed(ctx, asked.template)
    const location = await ctx.rows(BusinessLocation).get(business_location_id)
    const { report, deduplicated } = await requestReport(ctx.rows(Report), {
      ...asked,
      location,
      source: 'agent',
      today: todayOf(ctx),
    })
    return { report, report_id: report.id, status: report.status, deduplicated }
  },
})
