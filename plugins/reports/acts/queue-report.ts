import { dayIn, defineExtensionPoint, type Extension, type OwnerContext, Refusal, requireRow } from 'renown'
import * as v from 'valibot'
import { BusinessLocation, Workspace } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'
import { templatesOf } from '../templates/templates'
import { requestReport } from './request-report'

interface WantedReport {
  readonly location_id: string
  readonly template: string
}
type QueuedReport = Pick<ReportRow, 'id' | 'status'>

/** What makes reports for other plugins, with the rights of this one. */
export interface ReportQueue extends Extension {
  queue(ctx: OwnerContext, wanted: WantedReport): Promise<QueuedReport>
}
/** The extension point by which other plugins reach the queue of reports. Only this plugin provides it. */
export const reportQueue = defineExtensionPoint<ReportQueue>({
  id: 'reports.queue',
  summary: 'Makes reports for other plugins',
  shape: { queue: v.function() },
})

/**
 * Queues a report of a kind that another plugin provides, for a person. A report about a prospect has no period: it is of
 * today. Returns the report that is being made already, if there is one.
 */
export async function queueReport(ctx: OwnerContext, wanted: WantedReport): Promise<QueuedReport> {
  const [found] = ctx.extensions(reportQueue)
  if (!found) throw new Refusal('not_found', 'Nothing makes reports.')
  return found.queue(ctx, wanted)
}

/** The queue of this plugin. */
export const ownQueue: ReportQueue = {
  name: 'reports',
  async queue(ctx, wanted) {
    const isKnown = templatesOf(ctx).some(({ template }) => template === wanted.template)
    if (!isKnown) throw new Refusal('not_found', `There is no kind of report ${wanted.template}.`)
    return queue(ctx, wanted)
  },
}

/** A report that a person asks for, with its period. */
interface DatedReport extends WantedReport {
  readonly period_start?: string | undefined
  readonly period_end?: string | undefined
}

/** Queues a report of a location of its own workspace. A report about a prospect without a period is of today. */
export async function queue(
  ctx: OwnerContext,
  { location_id, template, ...period }: DatedReport,
): Promise<ReportRow> {
  const about = templatesOf(ctx).find((one) => one.template === template)?.about
  const location = await requireRow(ctx.rows(BusinessLocation), 'location', location_id)
  const { workspace_id } = location
  await ctx.requireActive(workspace_id)
  const { timezone } = await requireRow(ctx.rows(Workspace), 'workspace', workspace_id)
  const today = dayIn(timezone, ctx.now())
  const rows = ctx.rows(Report)
  const { report } = await requestReport(
    { insert: (row) => rows.insert({ ...row, workspace_id }), list: (query) => rows.list(query) },
    {
      ...(about === 'prospect' ? { period_start: today, period_end: today } : {}),
      ...period,
      location,
      template,
      about,
      source: 'manual',
      today,
    },
  )
  return report
}
