import { messageOf, type PublicPageDeclaration, Refusal } from 'renown'
import type { ReportTree } from '../blocks/block'
import { treeOf } from '../data/tree'
import { reportStyle } from '../html/report-style'
import { Report } from '../records/Report'
import { countView, sharedReport } from './share'

/** The data of the page of a shared report. */
export interface SharedData {
  readonly tree: ReportTree
  readonly pdf_url: string | null
}

/** The page of a shared report, for people without an account. */
export const sharedReportPage: PublicPageDeclaration<SharedData> = {
  summary: 'A shared report',
  async find(ctx, { text }) {
    const report = await sharedReport(ctx, text)
    return report && { id: report.id, workspace_id: report.workspace_id }
  },
  page: {
    module: new URL('./SharedReport.tsx', import.meta.url),
    title: 'Report',
    async load(ctx, { id }) {
      const report = await ctx.rows(Report).get(id)
      if (!report) throw new Refusal('not_found', 'There is nothing at this address.')
      countView(ctx, id).catch((error) =>
        ctx.log.warn('a view of a shared report was not counted', { report_id: id, error: messageOf(error) }),
      )
      return { tree: treeOf(ctx, report), pdf_url: report.pdf_url ?? null }
    },
    style: reportStyle,
  },
}
