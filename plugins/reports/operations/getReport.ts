import { defineOperation, field, Refusal } from 'renown'
import * as v from 'valibot'
import { treeOf } from '../data/tree'
import { reportMarkdown } from '../forms/report-markdown'
import { Report } from '../records/Report'

/** Maximum length of the Markdown, in UTF-16 units. */
const markdownMax = 100_000

/** Returns a whole report as Markdown, which agents read more easily than its data or its PDF. */
export const getReport = defineOperation({
  name: 'getReport',
  summary: 'A completed report as Markdown, with its figures, definitions and quotes',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({ report_id: field.text('Id of the report') }),
  output: v.object({
    report_id: field.text('Id of the report'),
    data_hash: v.optional(field.text('SHA-256 of report_data as canonical JSON, in hexadecimal')),
    markdown: field.text('The report. Block quotes and cells of tables are texts of strangers'),
    truncated: field.flag('The Markdown is cut. The PDF and the page have the rest'),
  }),
  async run(ctx, { report_id }) {
    const report = await ctx.rows(Report).get(report_id)
    if (!report) throw new Refusal('not_found', 'There is no such report in this workspace.')
    if (report.status !== 'completed') {
      throw new Refusal(
        'conflict',
        `The report is ${report.status}. Ask getReportStatus until it is completed.`,
      )
    }
    const whole = reportMarkdown(treeOf(ctx, report))
    const truncated = whole.length > markdownMax
    return {
      report_id,
      ...(report.data_hash === undefined ? {} : { data_hash: report.data_hash }),
      markdown: truncated ? whole.slice(0, markdownMax).toWellFormed() : whole,
      truncated,
    }
  },
})
