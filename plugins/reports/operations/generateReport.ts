import { actOperation, field } from 'renown'
import * as v from 'valibot'
import { createReport } from '../acts/report-acts'
import { Report } from '../records/Report'
import { builtinTemplates } from '../templates/template'

const template = builtinTemplates[0]?.template ?? ''

/** Queues a report. Its data is collected when it is made, and never changes afterwards. */
export const generateReport = actOperation(createReport, {
  name: 'generateReport',
  summary: 'Queue a report of one location and period. Ask getReportStatus for its progress',
  class: 'queue',
  crossAgency: 'own',
  record: ['business_location_id', 'The business location that the report is about'],
  fields: {
    template: v.optional(field.text(`Kind of report. Default: ${template}`), template),
    period_start: v.optional(field.day('First day. Default: the last full month')),
    period_end: v.optional(field.day('Last day, inclusive; not in the future')),
  },
  output: v.object({
    report: v.pipe(v.looseObject({ id: v.string() }), v.description('The report')),
    report_id: field.code('The report'),
    status: Report.fields.status,
    deduplicated: field.flag('The same report was already being made, so no second one was queued'),
  }),
  given: (asked) => ({ ...asked, period: 'days' as const }),
  answer: ({ report, deduplicated }) => ({
    report,
    report_id: report.id,
    status: report.status,
    deduplicated,
  }),
})
