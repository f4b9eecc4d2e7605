import { defineEntity, field, timezone } from 'renown'
import * as v from 'valibot'

const { flag, instant, integer, oneOf, text, texts } = field

/** A report that is made again and again. Who receives it stays inside. */
export const ScheduledReport = defineEntity({
  name: 'ScheduledReport',
  summary: 'A report that is made on a schedule',
  idPrefix: 'srp',
  store: 'documents',
  scope: { by: 'location', field: 'business_location_id' },
  reads: ['list', 'get'],
  fields: {
    workspace_id: text('Workspace the schedule belongs to'),
    business_location_id: text('Business location the reports are about'),
    template: text('Template they are rendered from'),
    cadence: oneOf(['weekly', 'monthly', 'quarterly'], 'How often'),
    day: integer('Day of the week (1 = Monday) or of the month on which it is made', { min: 1, max: 31 }),
    timezone: timezone('IANA time zone of that day'),
    recipients: v.optional(texts('Who receives it')),
    recipients_count: integer('How many receive it', { min: 0 }),
    is_active: flag('It is made'),
    last_run_at: v.optional(instant('When it was last made')),
    next_run_at: v.optional(instant('When it is made next')),
    last_report_id: v.optional(text('The last one')),
  },
  hidden: ['recipients'],
  sortable: ['created_date', 'updated_date', 'next_run_at'],
  indexes: [{ on: ['business_location_id'] }, { on: ['is_active', 'next_run_at'] }],
})
