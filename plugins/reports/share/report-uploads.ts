import { type OwnerContext, where } from 'renown'
import { type PublicPageDeclaration, productState, type Upload, type UploadAddress } from 'renown/pages'
import { treeOf } from '../data/tree'
import { readPdf, storePdf } from '../files/report-files'
import { formName, formWith } from '../forms/forms'
import { renderPdf } from '../pdf/render-pdf'
import { workOf } from '../pdf/report-work'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'
import { reportOfFile } from './shared-files'

/** The PDFs that are being rendered again, by address. */
const rendering = productState(() => new Map<string, Promise<Uint8Array<ArrayBuffer>>>())
/** How many PDFs are rendered again at the same time. */
const atOnceMax = 2

/**
 * The PDFs of reports: `/uploads/reports/<workspace_id>/<uuid>.pdf`, and the addresses that shared pages show, which offer
 * the other forms too. A PDF that is not stored, such as after a data import of an older version, is rendered again from
 * the frozen data.
 */
export const reportUploads: PublicPageDeclaration = {
  summary: 'PDFs of reports',
  uploads: { type: 'application/pdf', load: loadFile },
}

async function loadFile(ctx: OwnerContext, { workspace_id, file }: UploadAddress): Promise<Upload | null> {
  const shared = await reportOfFile(ctx, { workspace_id, file })
  const form = shared === null ? undefined : formWith(file.slice(file.lastIndexOf('.') + 1))
  if (shared && form) {
    const bytes = await form.make(treeOf(ctx, shared))
    return { bytes, filename: formName(shared, form.extension), type: form.type }
  }
  const report = shared ?? (await reportAt(ctx, workspace_id, file))
  const url = report?.pdf_url
  if (report?.status !== 'completed' || url === undefined) return null
  const bytes = (await readPdf(ctx, url)) ?? (await renderAgain(ctx, report, url))
  if (!bytes) return null
  return { bytes, filename: formName(report, 'pdf') }
}

/** Returns the report with this `pdf_url`. */
async function reportAt(ctx: OwnerContext, workspace_id: string, file: string): Promise<ReportRow | null> {
  const url = `/uploads/reports/${workspace_id}/${file}`
  const own = where.and(where.eq('pdf_url', url), where.eq('workspace_id', workspace_id))
  const [report] = await ctx.rows(Report).list({ where: own, limit: 1 })
  return report ?? null
}

async function renderAgain(
  ctx: OwnerContext,
  report: ReportRow,
  url: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const running = rendering(ctx)
  const known = running.get(url)
  if (known) return known
  if (report.report_data === undefined || running.size >= atOnceMax) return null
  const token = crypto.randomUUID()
  const work = await workOf(ctx, report)
  const made = renderPdf({
    report_id: report.id,
    token,
    signal: new AbortController().signal,
    open: async (order) => (order.report_id === report.id && order.token === token ? work : null),
  }).then(async ({ bytes }) => {
    const pdf = new Uint8Array(bytes)
    await storePdf(ctx, report, pdf, url)
    return pdf
  })
  running.set(url, made)
  try {
    return await made
  } finally {
    running.delete(url)
  }
}
