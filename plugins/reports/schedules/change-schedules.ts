import { type OwnerContext, Refusal, type Row, refusedField, requireRow } from 'renown'
import { BusinessLocation, Workspace } from '../records/foreign'
import { ReportRecipient } from '../records/ReportRecipient'
import { ScheduledReport } from '../records/ScheduledReport'
import { templateNamed } from '../templates/templates'
import { nextRun } from './next-run'

/** A stored schedule. */
export type ScheduleRow = Row<typeof ScheduledReport>

/** A schedule that a person makes. */
export interface NewSchedule {
  readonly business_location_id: string
  readonly template: string
  readonly cadence: ScheduleRow['cadence']
  readonly day: number
  /** Whether a new report begins with the paragraph of the one before. */
  readonly keep_paragraph?: boolean | undefined
  /** Whether it is sent 24 hours after it is made, so that people can look at it first. */
  readonly review_first?: boolean | undefined
}

/** Schedules of one location. */
export const schedulesMax = 20

/** Makes a schedule. Its days are those of the workspace's time zone. */
export async function addSchedule(ctx: OwnerContext, asked: NewSchedule): Promise<ScheduleRow> {
  templateNamed(ctx, asked.template)
  if (asked.cadence === 'weekly' && asked.day > 7) {
    throw refusedField('day', 'A weekly report needs a day from 1 (Monday) to 7 (Sunday).')
  }
  const location = await requireRow(ctx.rows(BusinessLocation), 'location', asked.business_location_id)
  if (location.is_prospect || location.is_demo) {
    throw refusedField('business_location_id', 'Reports are made of clients, not of prospects or a demo.')
  }
  await ctx.requireActive(location.workspace_id)
  const workspace = await requireRow(ctx.rows(Workspace), 'workspace', location.workspace_id)
  const own = { op: 'eq', field: 'business_location_id', value: location.id } as const
  if ((await ctx.rows(ScheduledReport).count(own)) >= schedulesMax) {
    throw new Refusal('conflict', `A location has at most ${schedulesMax} schedules. Remove one first.`)
  }
  const { timezone } = workspace
  const { cadence, day, template, keep_paragraph = false, review_first = false } = asked
  return ctx.rows(ScheduledReport).insert({
    workspace_id: workspace.id,
    business_location_id: location.id,
    template,
    cadence,
    day,
    timezone,
    recipients_count: 0,
    keep_paragraph,
    review_first,
    is_active: true,
    next_run_at: nextRun({ cadence, day, timezone }, ctx.now()).toISOString(),
  })
}

/** Removes a schedule. Its reports stay. */
export async function removeSchedule(ctx: OwnerContext, id: string): Promise<ScheduleRow> {
  const schedule = await requireRow(ctx.rows(ScheduledReport), 'schedule', id)
  await ctx.rows(ScheduledReport).removeWhere({ op: 'eq', field: 'id', value: id })
  await ctx.rows(ReportRecipient).removeWhere({ op: 'eq', field: 'list_id', value: id })
  return schedule
}

/** Pauses a schedule: it makes no reports, and those that were not sent yet are not sent. Resuming begins at its next run. */
export async function pauseSchedule(ctx: OwnerContext, id: string, is_active: boolean): Promise<ScheduleRow> {
  const schedule = await requireRow(ctx.rows(ScheduledReport), 'schedule', id)
  const next_run_at = nextRun(schedule, ctx.now()).toISOString()
  const changed = await ctx
    .rows(ScheduledReport)
    .update(id, { is_active, ...(is_active ? { next_run_at } : {}) })
  return changed ?? schedule
}
