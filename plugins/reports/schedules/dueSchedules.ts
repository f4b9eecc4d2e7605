import {
  dayIn,
  dayMs,
  type JobDeclaration,
  minuteMs,
  moveState,
  type OwnerContext,
  type RowChanges,
  where,
} from 'renown'
import { requestReport } from '../acts/request-report'
import { BusinessLocation } from '../records/foreign'
import { Report } from '../records/Report'
import { reportMailState } from '../records/reportMailState'
import { ScheduledReport } from '../records/ScheduledReport'
import type { ScheduleRow } from './change-schedules'
import { nextRun, reportedPeriod } from './next-run'

/** Asks for the reports of schedules that are due. If several runs passed, only the latest is made. */
export const dueSchedules: JobDeclaration = {
  summary: 'Asks for the reports of schedules',
  everyMs: minuteMs,
  async run(ctx, signal) {
    const due = where.and(where.eq('is_active', true), where.lte('next_run_at', ctx.now().toISOString()))
    for await (const schedule of ctx.rows(ScheduledReport).each({ where: due, signal }))
      await runSchedule(ctx, schedule)
  },
}

async function runSchedule(ctx: OwnerContext, schedule: ScheduleRow): Promise<void> {
  const location = await ctx.rows(BusinessLocation).get(schedule.business_location_id)
  if (location?.is_demo) return
  const made = location && !location.is_prospect ? await reportOf(ctx, schedule) : null
  const unchanged = where.and(
    where.eq('id', schedule.id),
    where.eq('next_run_at', schedule.next_run_at ?? null),
    where.eq('is_active', true),
  )
  await ctx.rows(ScheduledReport).updateWhere(unchanged, {
    next_run_at: nextRun(schedule, ctx.now()).toISOString(),
    ...(made === null ? {} : { last_run_at: ctx.now().toISOString(), last_report_id: made }),
  })
}

/** Returns the id of the report of a run. A process that ended may have asked for it already. */
async function reportOf(ctx: OwnerContext, schedule: ScheduleRow): Promise<string> {
  const { id: scheduled_report_id, workspace_id, template, timezone } = schedule
  const period = reportedPeriod(schedule, ctx.now())
  const [known] = await ctx.rows(Report).list({
    where: where.and(
      where.eq('scheduled_report_id', scheduled_report_id),
      where.eq('period_start', period.period_start),
      where.eq('period_end', period.period_end),
    ),
    limit: 1,
  })
  if (known) return known.id
  const rows = ctx.rows(Report)
  const location = await ctx.rows(BusinessLocation).get(schedule.business_location_id)
  const today = dayIn(timezone, ctx.now())
  // The period has ended, so the figures are final when people look at the report, and when it is sent.
  const mail_at = new Date(ctx.now().getTime() + (schedule.review_first ? dayMs : 0)).toISOString()
  const planned = { scheduled_report_id, mail_state: 'planned', mail_at } as const
  const { report, deduplicated } = await requestReport(
    {
      insert: (row) => rows.insert({ ...row, ...planned, workspace_id }),
      list: (query) => rows.list(query),
    },
    {
      ...period,
      location,
      template,
      source: 'scheduled',
      today,
      paragraph: await keptParagraph(ctx, schedule),
    },
  )
  // Somebody asked for the same report at the same time.
  if (deduplicated) {
    const unplanned = where.and(where.eq('id', report.id), where.eq('mail_state', null))
    const moved = moveState(reportMailState, null, 'planned', {
      now: ctx.now(),
      with: { scheduled_report_id, mail_at },
    })
    await rows.updateWhere(unplanned, moved as RowChanges<typeof Report>)
  }
  return report.id
}

/** Returns the paragraph of the report before, if the schedule keeps it. */
async function keptParagraph(ctx: OwnerContext, schedule: ScheduleRow): Promise<string | undefined> {
  if (schedule.keep_paragraph !== true || schedule.last_report_id === undefined) return undefined
  return (await ctx.rows(Report).get(schedule.last_report_id))?.paragraph
}
