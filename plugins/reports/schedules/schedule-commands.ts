import { defineCommand, field, where } from 'renown'
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

const unschedule = defineCommand({
  name: 'report schedule remove',
  summary: 'Remove a schedule. Its reports stay',
  input: v.strictObject({ schedule_id: field.text('Schedule') }),
  positional: ['schedule_id'],
  run: async (ctx, { schedule_id }) => ({ ...shown(await removeSchedule(ctx, schedule_id)), removed: true }),
})

const schedule_id = field.text('Schedule')

const pause = defineCommand({
  name: 'report schedule pause',
  summary: 'Pause a schedule: it makes and mails no reports',
  input: v.strictObject({ schedule_id }),
  positional: ['schedule_id'],
  run: async (ctx, asked) => shown(await pauseSchedule(ctx, asked.schedule_id, false)),
})

const resume = defineCommand({
  name: 'report schedule resume',
  summary: 'Resume a schedule from its next run on',
  input: v.strictObject({ schedule_id }),
  positional: ['schedule_id'],
  run: async (ctx, asked) => shown(await pauseSchedule(ctx, asked.schedule_id, true)),
})

/** The commands of schedules. */
export const scheduleCommands = [schedule, list, unschedule, pause, resume]
