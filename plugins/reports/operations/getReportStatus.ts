import { defineOperation, field, Refusal } from 'renown'
import * as v from 'valibot'
import { Report } from '../records/Report'

/** Returns the progress of a report. */
export const getReportStatus = defineOperation({
  name: 'getReportStatus',
  summary: 'State of a report, and the path of its PDF',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({ report_id: field.text('Id of the report') }),
  output: v.object({
    status: Report.fields.status,
    pdf_url: Report.fields.pdf_url,
    error_message: Report.fields.error_message,
  }),
  async run(ctx, { report_id }) {
    const report = await ctx.rows(Report).get(report_id)
    if (!report) throw new Refusal('not_found', 'There is no such report in this workspace.')
    const { status, pdf_url, error_message } = report
    return {
      status,
      ...(pdf_url === undefined ? {} : { pdf_url }),
      ...(error_message === undefined ? {} : { error_message }),
    }
  },
})
