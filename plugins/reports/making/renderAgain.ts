import {
  type JobDeclaration,
  minuteMs,
  type OwnerContext,
  type QueueDeclaration,
  type Task,
  where,
} from 'renown'
import * as v from 'valibot'
import { replacePdf } from '../files/report-files'
import { renderPdf } from '../pdf/render-pdf'
import { workOf } from '../pdf/report-work'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'

const payload = v.strictObject({ report_id: v.string() })

/**
 * Renders the PDF of a completed report again after a person changed its paragraph. The address stays, and so does the old
 * PDF until the new one is stored.
 */
export const renderAgain: QueueDeclaration<typeof payload> = {
  summary: 'Renders a PDF again after its paragraph changed',
  payload,
  atOnce: 1,
  attemptsMax: 4,
  async run(ctx, { report_id }, task) {
    const report = await ctx.rows(Report).get(report_id)
    if (report && isOutdated(report)) await render(ctx, report, task)
  },
  async onDeadLetter(ctx, { report_id }) {
    const outdated = where.and(where.eq('id', report_id), where.eq('pdf_state', 'outdated'))
    await ctx.rows(Report).updateWhere(outdated, { pdf_state: 'failed' })
  },
}

type OutdatedReport = ReportRow & { readonly pdf_url: string }

const isOutdated = (report: ReportRow): report is OutdatedReport =>
  report.status === 'completed' && report.pdf_state === 'outdated' && report.pdf_url !== undefined

async function render(ctx: OwnerContext, report: OutdatedReport, task: Task): Promise<void> {
  const { id, pdf_url, paragraph } = report
  const token = crypto.randomUUID()
  const work = await workOf(ctx, report)
  const pdf = await renderPdf({
    report_id: id,
    token,
    signal: task.signal,
    open: async (order) => (order.report_id === id && order.token === token ? work : null),
  })
  await task.hold()
  await replacePdf(ctx, report, pdf_url, pdf.bytes)
  // If somebody changed the paragraph or the address in the meantime, the PDF stays outdated and is rendered again.
  const unchanged = where.and(
    where.eq('id', id),
    where.eq('pdf_state', 'outdated'),
    where.eq('pdf_url', pdf_url),
    where.eq('paragraph', paragraph ?? null),
  )
  await ctx.rows(Report).updateWhere(unchanged, { pdf_state: undefined, pdf_standard: pdf.standard })
}

/** Puts each report with an outdated PDF into its queue. */
export const outdatedPdfs: JobDeclaration = {
  summary: 'Starts rendering PDFs whose paragraph changed',
  everyMs: minuteMs / 6,
  async run(ctx, signal) {
    const outdated = where.and(where.eq('pdf_state', 'outdated'), where.eq('status', 'completed'))
    for await (const { id, workspace_id } of ctx.rows(Report).each({ where: outdated, signal })) {
      await ctx.enqueue('render-report-again', { workspace_id, key: id, payload: { report_id: id } })
    }
  },
}
