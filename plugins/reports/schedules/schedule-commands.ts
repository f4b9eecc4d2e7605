import { type ActRecord, actCommands, defineAct, defineCommand, field, where } from 'renown'
import * as v from 'valibot'
import { ScheduledReport } from '../records/ScheduledReport'
import { addSchedule, pauseSchedule, removeSchedule, type ScheduleRow } from './change-schedules'

const shown = ({
  id,
  business_location_id,
  template,
  cadence,
  day,
  timezone,
  next_run_at,
  is_active,
  keep_paragraph = false,
  review_first = false,
  recipients_count,
}: ScheduleRow) => ({
  id,
  business_location_id,
  template,
  cadence,
  day,
  timezone,
  is_active,
  keep_paragraph,
  review_first,
  recipients_count,
  next_run_at: next_run_at ?? null,
})

const schedule = defineCommand({
  name: 'report schedule create',
  summary: 'Make a report of a location every week, month or quarter',
  input: v.strictObject({
    location_id: field.text('Business location'),
    template: v.optional(field.text('Kind of report'), 'monthly_reputation_report'),
    cadence: v.optional(field.oneOf(['weekly', 'monthly', 'quarterly'], 'How often'), 'monthly'),
    day: v.optional(
      field.integer('Day of the week (1 = Monday), of the month, or of the first month of a quarter', {
        min: 1,
        max: 31,
      }),
      1,
    ),
    review_first: v.optional(
      field.flag('Send it 24 hours after it is made, so that people can look at it first'),
      false,
    ),
    keep_paragraph: v.optional(field.flag('Begin a new report with the paragraph of the one before'), false),
  }),
  positional: ['location_id'],
  run: async (ctx, { location_id, ...asked }) =>
    shown(await addSchedule(ctx, { ...asked, business_location_id: location_id })),
})

const list = defineCommand({
  name: 'report schedule list',
  summary: 'List the schedules of a location',
  input: v.strictObject({ location_id: field.text('Business location') }),
  positional: ['location_id'],
  async run(ctx, { location_id }) {
    const rows = await ctx.rows(ScheduledReport).list({
      where: where.eq('business_location_id', location_id),
      limit: 100,
    })
    return { schedules: rows.map(shown) }
  },
})

const onSchedule: ActRecord<typeof ScheduledReport> = {
  entity: ScheduledReport,
  field: 'schedule_id',
  called: 'schedule',
  inForms: 'id',
}
const owners = { only: 'owner', refusesDemo: true } as const

const audited = (verb: 'remove' | 'pause' | 'resume', what: string) => ({
  action: `location.report_schedule_${verb}` as const,
  what,
  subject: (_: unknown, { id }: ScheduleRow) => `schedule ${id}`,
  isHistory: true as const,
})

/** Removes a schedule. */
export const removeScheduleAct = defineAct({
  ...owners,
  name: 'report schedule remove',
  summary: 'Remove a schedule. Its reports stay',
  on: onSchedule,
  label: 'Remove schedule',
  done: 'The schedule was removed. Its reports stay.',
  audit: audited('remove', 'Schedule of reports removed'),
  run: async (ctx, { row }) => ({ answer: { ...shown(await removeSchedule(ctx, row.id)), removed: true } }),
})

/** Pauses a schedule. */
export const pauseScheduleAct = defineAct({
  ...owners,
  name: 'report schedule pause',
  summary: 'Pause a schedule: it makes and mails no reports',
  on: onSchedule,
  label: 'Pause schedule',
  done: 'The schedule is paused.',
  undo: 'report schedule resume',
  audit: audited('pause', 'Schedule of reports paused'),
  run: async (ctx, { row }) => ({ answer: shown(await pauseSchedule(ctx, row.id, false)) }),
})

/** Resumes a schedule. */
export const resumeScheduleAct = defineAct({
  ...owners,
  name: 'report schedule resume',
  summary: 'Resume a schedule from its next run on',
  on: onSchedule,
  label: 'Resume schedule',
  done: 'The schedule is active again.',
  undo: 'report schedule pause',
  audit: audited('resume', 'Schedule of reports resumed'),
  run: async (ctx, { row }) => ({ answer: shown(await pauseSchedule(ctx, row.id, true)) }),
})

/** The commands of schedules. */
export const scheduleCommands = [
  schedule,
  list,
  ...actCommands([removeScheduleAct, pauseScheduleAct, resumeScheduleAct]),
]
