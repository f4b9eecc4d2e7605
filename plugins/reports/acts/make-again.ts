import { Refusal, todayOf } from 'renown'
import type { ActionContext } from 'renown/pages'
import { BusinessLocation } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'
import { templatesOf } from '../templates/templates'
import { requestReport } from './request-report'

/** Queues the same report again, because a failed report stays failed. */
export async function makeAgain(ctx: ActionContext, failed: ReportRow): Promise<ReportRow> {
  if (failed.status !== 'failed') throw new Refusal('conflict', 'Only a failed report can be made again.')
  const { business_location_id = '', template, period_start, period_end } = failed
  await ctx.owner.requireActive(ctx.workspace.id)
  const rows = ctx.owner.rows(Report)
  const { report } = await requestReport(
    {
      insert: (row) => rows.insert({ ...row, workspace_id: ctx.workspace.id }),
      list: (query) => ctx.rows(Report).list(query),
    },
    {
      location: await ctx.rows(BusinessLocation).get(business_location_id),
      about: templatesOf(ctx.system).find((one) => one.template === template)?.about,
      template,
      period_start,
      period_end,
      source: 'manual',
      today: todayOf(ctx),
    },
  )
  return report
}
