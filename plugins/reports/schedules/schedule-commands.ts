import {
  type ActRecord,
  actCommands,
  defineAct,
  defineCommand,
  field,
  oneLine,
  refusedField,
  where,
} from 'renown'
import { isMailAddress } from 'renown/sending'
import * as v from 'valibot'
import { addRecipientAct } from '../mail/mail-commands'
import { recipientsMax } from '../mail/recipients'
import { BusinessLocation } from '../records/foreign'
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

const owners = { only: 'owner', refusesDemo: true } as const

/** Makes a schedule. */
export const createSchedule = defineAct({
  ...owners,
  name: 'report schedule create',
  summary: 'Make a report of a location every week, month or quarter',
  on: {
    entity: BusinessLocation,
    field: 'location_id',
    called: 'location',
    inForms: 'location',
    choose: 'Choose a location of this workspace.',
  },
  fields: {
    template: v.optional(field.text('Kind of report'), 'monthly_reputation_report'),
    cadence: v.optional(field.oneOf(['weekly', 'monthly', 'quarterly'], 'How often'), 'monthly'),
    day: v.optional(
      field.integer('Day of the week (1 = Monday), of the month, or of the first month of a quarter', {
        min: 1,
        max: 31,
      }),
      1,
    ),
    recipients: v.optional(field.texts('E-mail addresses of the people who get it'), []),
    review_first: v.optional(
      field.flag('Send it 24 hours after it is made, so that people can look at it first'),
      false,
    ),
    keep_paragraph: v.optional(field.flag('Begin a new report with the paragraph of the one before'), false),
  },
  forms: {
    day: v.pipe(
      v.optional(v.string(), ''),
      v.trim(),
      v.regex(/^([1-9]|[12]\d|3[01])$/, 'Type a day from 1 to 31.'),
      v.transform(Number),
    ),
    recipients: v.pipe(
      v.optional(v.string(), ''),
      v.transform((typed) => typed.split(/[\r\n,;]+/).flatMap((part) => part.trim() || [])),
    ),
  },
  label: 'Make the schedule',
  done: 'The schedule was made.',
  undo: 'report schedule remove',
  audit: {
    action: 'location.report_schedule_add',
    what: 'Schedule of reports added',
    subject: (_, __, ___, { created }) => `schedule ${created}`,
    isHistory: true,
  },
  async run(ctx, { row, input: { recipients, ...asked } }) {
    refuseAddresses(recipients)
    const made = await addSchedule(ctx, { ...asked, business_location_id: row.id })
    for (const email of recipients) await addRecipientAct.perform(ctx, { row: made, input: { email } })
    return { answer: shown(made), created: made.id }
  },
})

/** Throws if one of the addresses is none. All are checked before anything is stored. */
function refuseAddresses(emails: readonly string[]): void {
  const wrong = emails.find((email) => !isMailAddress(email))
  if (wrong !== undefined)
    throw refusedField(
      'recipients',
      `Type one email address on each line. This is none: ${oneLine(wrong, 80)}`,
    )
  if (emails.length > recipientsMax)
    throw refusedField('recipients', `Type at most ${recipientsMax} addresses.`)
}

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
  list,
  ...actCommands([createSchedule, removeScheduleAct, pauseScheduleAct, resumeScheduleAct]),
]
