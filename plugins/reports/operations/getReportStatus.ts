import { defineOperation, field, type ReadContext, Refusal, type Row, type Where, where } from 'renown'
import * as v from 'valibot'
import { BusinessLocation } from '../records/foreign'
import { Report } from '../records/Report'

const progress = {
  status: Report.fields.status,
  pdf_url: Report.fields.pdf_url,
  error_message: Report.fields.error_message,
}

/** Names of locations in an answer. */
const mostNames = 20

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
    locations_without: v.optional(
      v.pipe(
        v.object({
          total: field.integer('How many locations', { min: 0 }),
          names: v.pipe(
            v.array(field.text('The name of a location')),
            v.description(`By name, at most ${mostNames}`),
          ),
        }),
        v.description('Locations that have no report of the period. Only in answers about a period'),
      ),
    ),
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
    if (!newest)
      throw new Refusal('not_found', 'There is no such report in this workspace.', await candidates(ctx))
    const ofPeriod = period_start !== undefined && !report_id && !business_location_id
    const ids = [...new Set(found.flatMap((one) => one.business_location_id ?? []))]
    const locations = await ctx.rows(BusinessLocation).list({ where: where.in('id', ids), limit })
    const names = new Map(locations.map(({ id, business_name }) => [id, business_name]))
    return {
      ...progressOf(newest),
      reports: found.map((one) => {
        const name = names.get(one.business_location_id ?? '')
        return {
          report_id: one.id,
          ...(name === undefined ? {} : { business_name: name }),
          template: one.template,
          period_start: one.period_start,
          period_end: one.period_end,
          requested_at: one.created_date,
          ...progressOf(one),
        }
      }),
      total,
      ...(ofPeriod ? { locations_without: await locationsWithout(ctx, matching) } : {}),
    }
  },
})

/** The locations that none of these reports is about. A client asks which one was forgotten. */
async function locationsWithout(ctx: ReadContext, reports: Where) {
  const about = new Set<string>()
  for await (const { business_location_id } of ctx.rows(Report).each({
    where: reports,
    fields: ['business_location_id'],
  }))
    if (business_location_id) about.add(business_location_id)
  const names: string[] = []
  const clients = where.and(where.eq('is_active', true), where.eq('is_prospect', false))
  for await (const { id, business_name } of ctx.rows(BusinessLocation).each({
    where: clients,
    fields: ['business_name'],
  }))
    if (!about.has(id)) names.push(business_name)
  return { total: names.length, names: names.toSorted().slice(0, mostNames) }
}

/** What a client can ask for instead: the newest reports, with their ids and periods. */
async function candidates(ctx: ReadContext): Promise<{ readonly hint?: string }> {
  const newest = await ctx.rows(Report).list({
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: 5,
    fields: ['template', 'period_start', 'period_end'],
  })
  const words = newest.map((one) => `${one.id} (${one.template}, ${one.period_start} to ${one.period_end})`)
  return words.length === 0 ? {} : { hint: `The newest reports are ${words.join(', ')}.` }
}

const parts = ['status', 'pdf_url', 'error_message'] as const

const progressOf = ({ status, pdf_url, error_message }: Progress) => ({
  status,
  ...(pdf_url === undefined ? {} : { pdf_url }),
  ...(error_message === undefined ? {} : { error_message }),
})

type Progress = Pick<Row<typeof Report>, (typeof parts)[number]>
