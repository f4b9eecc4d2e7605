import { defineOperation, field, Refusal, type Row, where } from 'renown'
import * as v from 'valibot'
import { BusinessLocation } from '../records/foreign'
import { Report } from '../records/Report'

const progress = {
  status: Report.fields.status,
  pdf_url: Report.fields.pdf_url,
  error_message: Report.fields.error_message,
}

/** Returns the progress of a report, or of the newest reports of a period. */
export const getReportStatus = defineOperation({
  name: 'getReportStatus',
  summary: 'Whether reports are ready, newest first, and the paths of their PDFs',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    report_id: v.optional(v.pipe(v.string(), v.description('Default: the newest reports'))),
    business_location_id: v.optional(v.pipe(v.string(), v.description('Only reports about this location'))),
    period_start: v.optional(field.day('Only reports whose period begins on this day')),
    limit: v.optional(field.integer('Maximum reports in the answer', { min: 1, max: 100 }), 20),
  }),
  output: v.object({
    ...progress,
    reports: v.pipe(
      v.array(
        v.object({
          report_id: field.code('The report'),
          business_name: v.optional(field.text('Business location that it is about')),
          template: Report.fields.template,
          period_start: Report.fields.period_start,
          period_end: Report.fields.period_end,
          requested_at: field.instant('When it was requested'),
          ...progress,
        }),
      ),
      v.description('The reports, newest first. The fields above are of the first'),
    ),
    total: field.integer('Reports that match', { min: 0 }),
  }),
  async run(ctx, { report_id, business_location_id, period_start, limit }) {
    const asked = Object.entries({ id: report_id, business_location_id, period_start })
    const matching = where.and(
      ...asked.flatMap(([name, value]) => (value === undefined ? [] : [where.eq(name, value)])),
    )
    const rows = ctx.rows(Report)
    const [found, total] = await Promise.all([
      rows.list({
        where: matching,
        sort: [{ field: 'created_date', direction: 'desc' }],
        limit,
        fields: ['template', 'period_start', 'period_end', 'business_location_id', 'created_date', ...parts],
      }),
      rows.count(matching),
    ])
    const [newest] = found
    if (!newest) throw new Refusal('not_found', 'There is no such report in this workspace.')
    const ids = [...new Set(found.flatMap((one) => one.business_location_id ?? []))]
    const locations = await ctx.rows(BusinessLocation).list({ where: where.in('id', ids), limit })
    const names = new Map(locations.map(({ id, business_name }) => [id, business_name]))
    return {
      ...progressOf(newest),
      reports: found.map((one) => {
        const name = names.get(one.business_location_id ?? '')
        return {
          ...{ report_id: one.id, ...(name === undefined ? {} : { business_name: name }) },
          ...{ template: one.template, period_start: one.period_start, period_end: one.period_end },
          requested_at: one.created_date,
          ...progressOf(one),
        }
      }),
      total,
    }
  },
})

const parts = ['status', 'pdf_url', 'error_message'] as const

const progressOf = ({ status, pdf_url, error_message }: Progress) => ({
  status,
  ...(pdf_url === undefined ? {} : { pdf_url }),
  ...(error_message === undefined ? {} : { error_message }),
})

type Progress = Pick<Row<typeof Report>, (typeof parts)[number]>
