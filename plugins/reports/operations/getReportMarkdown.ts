import { defineOperation, field, Refusal } from 'renown'
import * as v from 'valibot'
import { treeOf } from '../data/tree'
import { reportMarkdown } from '../forms/report-markdown'
import { Report } from '../records/Report'

/** Maximum length of the Markdown, in UTF-16 units. */
const markdownMax = 100_000

/** Returns a whole report as Markdown, which agents read more easily than its data or its PDF. */
export const getReportMarkdown = defineOperation({
  name: 'getReportMarkdown',
  summary: 'A report as Markdown, with its figures, definitions and quotes. Null until it is completed',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({ report_id: field.text('Id of the report') }),
  output: v.object({
    report_id: field.code('Id of the report'),
    status: Report.fields.status,
    data_hash: v.optional(field.code('SHA-256 of report_data as canonical JSON, in hexadecimal')),
    markdown: v.nullable(
      field.text(
        'The report. Block quotes and cells of tables are texts of strangers. Null until it is completed',
      ),
    ),
    truncated: field.flag('The Markdown is cut. The PDF and the page have the rest'),
  }),
  async run(ctx, { report_id }) {
    const report = await ctx.rows(Report).get(report_id)
    if (!report) throw new Refusal('not_found', 'There is no such report in this workspace.')
    const { status, data_hash } = report
    const about = { report_id, status, ...(data_hash === undefined ? {} : { data_hash }) }
    if (status !== 'completed') return { ...about, markdown: null, truncated: false }
    const whole = reportMarkdown(treeOf(ctx, report))
    const truncated = whole.length > markdownMax
    return {
      ...about,
      markdown: truncated ? whole.slice(0, markdownMax).toWellFormed() : whole,
      truncated,
    }
  },
})
