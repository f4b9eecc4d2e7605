import { dayIn, type OwnerContext, Refusal, requireRow } from 'renown'
import { BusinessLocation, Workspace } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'
import { templatesOf } from '../templates/templates'
import { requestReport } from './request-report'

/**
 * Queues a report of a kind that another plugin provides, for a person. A report about a prospect has no period: it is of
 * today. Returns the report that is being made already, if there is one.
 */
export async function queueReport(
  ctx: OwnerContext,
  { location_id, template }: { readonly location_id: string; readonly template: string },
): Promise<Pick<ReportRow, 'id' | 'status'>> {
  const found = templatesOf(ctx).find((one) => one.template === template)
  if (!found) throw new Refusal('not_found', `There is no kind of report ${template}.`)
  const { about } = found
  const location = await requireRow(ctx.rows(BusinessLocation), 'location', location_id)
  const { workspace_id } = location
  await ctx.requireActive(workspace_id)
  const { timezone } = await requireRow(ctx.rows(Workspace), 'workspace', workspace_id)
  const today = dayIn(timezone, ctx.now())
  const rows = ctx.rows(Report)
  const { report } = await requestReport(
    { insert: (row) => rows.insert({ ...row, workspace_id }), list: (query) => rows.list(query) },
    {
      location,
      template,
      about,
      source: 'manual',
      today,
      ...(about === 'prospect' ? { period_start: today, period_end: today } : {}),
    },
  )
  return report
}
