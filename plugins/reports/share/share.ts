import { nullIfConflict, type OwnerContext, Refusal, type RowChanges, requireRow, where } from 'renown'
import { movePdf, newPdfUrl } from '../files/report-files'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'

/** 12 URL-safe characters from 9 random bytes. */
const newShareId = () => Buffer.from(crypto.getRandomValues(new Uint8Array(9))).toString('base64url')

/** Shares a completed report. A report that is shared already gets new addresses, and the old ones no longer work. */
export async function shareReport(ctx: OwnerContext, workspace_id: string, id: string): Promise<ReportRow> {
  const report = await ownReport(ctx, workspace_id, id)
  if (report.status !== 'completed') throw new Refusal('conflict', 'Only a completed report can be shared.')
  if (report.business_location_id === undefined) {
    throw new Refusal('conflict', 'A report about the whole workspace cannot be shared.')
  }
  const share_created_at = report.share_created_at ?? ctx.now().toISOString()
  for (let attempt = 0; attempt < 3; attempt++) {
    const public_share_id = newShareId()
    const changes = { public_share_id, is_public: true, share_created_at }
    const shared = await (report.is_public
      ? withNewPdf(ctx, report, changes)
      : ctx.rows(Report).update(id, changes)
    ).catch(nullIfConflict)
    if (shared) return shared
  }
  throw new Refusal('conflict', 'The report could not be shared. Try again.')
}

/** Ends the sharing of a report. Its address and that of its PDF answer 404 from now on. */
export async function unshareReport(ctx: OwnerContext, workspace_id: string, id: string): Promise<ReportRow> {
  const report = await ownReport(ctx, workspace_id, id)
  const changes = { public_share_id: null, is_public: false }
  const ended = report.is_public
    ? await withNewPdf(ctx, report, changes)
    : await ctx.rows(Report).update(id, changes)
  return ended ?? requireRow(ctx.rows(Report), 'report', id)
}

/** Readers of a shared page know the address of the PDF too. So both change together. */
async function withNewPdf(
  ctx: OwnerContext,
  report: ReportRow,
  changes: RowChanges<typeof Report>,
): Promise<ReportRow | null> {
  const { id, workspace_id, pdf_url: from } = report
  if (from === undefined) return ctx.rows(Report).update(id, changes)
  const pdf_url = newPdfUrl(workspace_id)
  // The report first: its old address ends at once. If the process ends in between, the PDF is rendered again.
  const changed = await ctx.rows(Report).update(id, { ...changes, pdf_url })
  await movePdf(ctx, report, [from, pdf_url])
  return changed
}

/** Returns the report with this share id, if it is shared. */
export async function sharedReport(
  ctx: Pick<OwnerContext, 'rows'>,
  shareId: string,
): Promise<ReportRow | null> {
  const [report] = await ctx.rows(Report).list({
    where: where.and(where.eq('public_share_id', shareId), where.eq('is_public', true)),
    limit: 1,
  })
  const isShown = report?.status === 'completed' && report.business_location_id !== undefined
  return report && isShown ? report : null
}

/** Counts a view of a shared report. Nothing about the reader is stored. */
export async function countView(ctx: OwnerContext, id: string): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const report = await ctx.rows(Report).get(id)
    if (!report) return
    const seen = report.share_view_count
    const unchanged = where.and(where.eq('id', id), where.eq('share_view_count', seen ?? null))
    if (await ctx.rows(Report).updateWhere(unchanged, { share_view_count: (seen ?? 0) + 1 })) return
  }
}

async function ownReport(ctx: OwnerContext, workspace_id: string, id: string): Promise<ReportRow> {
  const report = await requireRow(ctx.rows(Report), 'report', id)
  if (report.workspace_id === workspace_id) return report
  throw new Refusal('not_found', `There is no report ${id}.`)
}
