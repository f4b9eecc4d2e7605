import { defineEntity, field, timezone } from 'renown'
import * as v from 'valibot'

const { code, flag, instant, integer, oneOf } = field

/** A report that is made regularly. Its recipients are never returned. */
export const ScheduledReport = defineEntity({
  name: 'ScheduledReport',
  summary: 'A schedule for reports',
  idPrefix: 'srp',
  store: 'documents',
  scope: { by: 'location', field: 'business_location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    workspace_id: code('Workspace the schedule belongs to'),
    business_location_id: code('Business location that the reports are about'),
    template: code('Template they are rendered from'),
    cadence: oneOf(['weekly', 'monthly', 'quarterly'], 'How often'),
    day: integer('Day of the week (1 = Monday) or of the month for the report', { min: 1, max: 31 }),
    timezone: timezone('IANA time zone of that day'),
    recipients_count: integer('Number of recipients', { min: 0 }),
    review_first: v.optional(
      flag('It is sent 24 hours after it is made, so that people can look at it first'),
    ),
    keep_paragraph: v.optional(flag('A new report begins with the paragraph of the one before')),
    is_active: flag('The schedule is switched on'),
    last_run_at: v.optional(instant('Time of the last report')),
    next_run_at: v.optional(instant('Time of the next report')),
    last_report_id: v.optional(code('Id of the last report')),
  },
  namedIn: { arguments: ['schedule_id', 'scheduled_report_id'], names: [], domains: [] },
  sortable: ['created_date', 'updated_date', 'next_run_at'],
  indexes: [{ on: ['business_location_id'] }, { on: ['is_active', 'next_run_at'] }],
})
