import { dayIn, defineAct, field, Refusal, refusedField, requireRow } from 'renown'
import * as v from 'valibot'
import { chosenPeriod, periodChoices } from '../data/period-choices'
import { BusinessLocation, Workspace } from '../records/foreign'
import { Report } from '../records/Report'
import { templateNamed } from '../templates/templates'
import { queue } from './queue-report'
import { requestReport } from './request-report'

/** Makes a report. `generateReport` is its operation. */
export const createReport = defineAct({
  name: 'report create',
  summary: 'Make a report of a location and a period',
  on: {
    entity: BusinessLocation,
    field: 'location_id',
    called: 'location',
    inForms: 'business_location_id',
    choose: 'Choose a location of this workspace.',
  },
  fields: {
    template: field.text('Kind of report'),
    period: v.optional(
      field.oneOf(
        periodChoices.map(([name]) => name),
        'Period',
      ),
      'days',
    ),
    period_start: v.optional(field.text('First day')),
    period_end: v.optional(field.text('Last day')),
  },
  label: 'Make report',
  done: { queued: 'The report is being made. This takes some seconds.' },
  isPageOnly: true,
  startsWork: true,
  async runInWorkspace(ctx, { row: location, input, isByAgent }) {
    const { template, period, period_start, period_end } = input
    templateNamed(ctx, template)
    const isOwn = period === 'days'
    if (!isOwn && (period_start ?? period_end) !== undefined)
      throw refusedField('period', 'Choose “Own days”, or leave both days empty.')
    const { timezone } = await requireRow(ctx.rows(Workspace), 'workspace', ctx.workspace.id)
    const today = dayIn(timezone, ctx.now())
    const made = await requestReport(ctx.rows(Report), {
      location,
      template,
      source: isByAgent ? 'agent' : 'manual',
      today,
      ...(isOwn ? {} : chosenPeriod(period, today)),
      ...(period_start === undefined ? {} : { period_start: dayOf('period_start', period_start) }),
      ...(period_end === undefined ? {} : { period_end: dayOf('period_end', period_end) }),
    })
    const { id } = made.report
    return { answer: { report_id: id }, created: id, made }
  },
})

/** Makes the same report again, because a failed report stays failed. */
export const retryReport = defineAct({
  name: 'report retry',
  summary: 'Make a failed report again',
  on: { entity: Report, field: 'report_id', called: 'report', inForms: 'id' },
  label: 'Make it again',
  done: { queued: 'The report is being made. This takes some seconds.' },
  refusesDemo: true,
  isPageOnly: true,
  async run(
    ctx,
    { row: { status, business_location_id: location_id = '', template, period_start, period_end } },
  ) {
    if (status !== 'failed') throw new Refusal('conflict', 'Only a failed report can be made again.')
    const { id } = await queue(ctx, { location_id, template, period_start, period_end })
    return { answer: { report_id: id }, created: id }
  },
})

/** Returns a typed day. The schema accepts any text, so that the fault stands beside the field. */
function dayOf(name: string, text: string): string {
  const at = new Date(`${text}T00:00:00Z`)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at.getTime())
  if (isDay && at.toISOString().startsWith(text)) return text
  throw refusedField(name, 'Type a day such as 2026-10-01.')
}
