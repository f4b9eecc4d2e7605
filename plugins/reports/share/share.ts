import { nullIfConflict, type OwnerContext, Refusal, type RowChanges, requireRow, where } from 'renown'
import { movePdf, newPdfUrl } from '../files/report-files'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'
import { hashSharePassword } from './share-password'

/** Who may open a shared report, and for how long. */
export interface ShareChoice {
  /** A new password. Null removes it, and undefined leaves it. */
  readonly password?: string | null
  /** RFC 3339. Null: it does not expire. Undefined leaves it. */
  readonly expires_at?: string | null
}

/** 12 URL-safe characters from 9 random bytes. */
const newShareId = () => Buffer.from(crypto.getRandomValues(new Uint8Array(9))).toString('base64url')
const newKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')

/** Shares a completed report. A report that is shared already gets new addresses, and the old ones no longer work. */
export async function shareReport(
  ctx: OwnerContext,
  workspace_id: string,
  id: string,
  choice: ShareChoice = {},
): Promise<ReportRow> {
  const report = await ownReport(ctx, workspace_id, id)
  if (report.status !== 'completed') throw new Refusal('conflict', 'Only a completed report can be shared.')
  if (report.business_location_id === undefined) {
    throw new Refusal('conflict', 'A report about the whole workspace cannot be shared.')
  }
  const chosen = await changesOf(ctx, choice)
  const share_created_at = report.share_created_at ?? ctx.now().toISOString()
  // A new link of an expired one works again.
  const renewed = isExpired(ctx, report) ? { share_expires_at: undefined } : {}
  // If somebody stopped sharing in the meantime, the password is gone, and a new link would open the report to everybody.
  const still = sameLink(report)
  for (let attempt = 0; attempt < 3; attempt++) {
    const changes = {
      ...renewed,
      ...chosen,
      public_share_id: newShareId(),
      share_key: newKey(),
      is_public: true,
      share_created_at,
    }
    const shared = await change(ctx, report, changes, still).catch(nullIfConflict)
    if (!shared) continue
    return shared
  }
  throw new Refusal('conflict', 'The report could not be shared. Try again.')
}

/** Changes the password or the last day of a share. The address of the page stays, and those of its files change. */
export async function changeShare(
  ctx: OwnerContext,
  workspace_id: string,
  id: string,
  choice: ShareChoice,
): Promise<ReportRow> {
  const report = await ownReport(ctx, workspace_id, id)
  if (!report.is_public) throw new Refusal('conflict', 'The report is not shared. Share it first.')
  const changes = { ...(await changesOf(ctx, choice)), share_key: newKey() }
  const changed = await change(ctx, report, changes, sameLink(report))
  if (!changed)
    throw new Refusal('conflict', 'Somebody changed the link in the meantime. Load the page again.')
  return changed
}

/** Ends the sharing of a report. Its address and those of its files answer 404 from now on. */
export async function unshareReport(ctx: OwnerContext, workspace_id: string, id: string): Promise<ReportRow> {
  const report = await ownReport(ctx, workspace_id, id)
  const ended = await change(ctx, report, {
    public_share_id: null,
    is_public: false,
    share_key: undefined,
    share_expires_at: undefined,
    share_is_protected: false,
    share_password_hash: undefined,
  })
  return ended ?? requireRow(ctx.rows(Report), 'report', id)
}

/** The report, if its link is still the one that was read. */
const sameLink = ({ id, public_share_id }: ReportRow) =>
  where.and(where.eq('id', id), where.eq('public_share_id', public_share_id ?? null))

/** Whether the link of a report has expired. */
export const isExpired = (
  ctx: Pick<OwnerContext, 'now'>,
  { share_expires_at: until }: Pick<ReportRow, 'share_expires_at'>,
): boolean => until !== undefined && Date.parse(until) <= ctx.now().getTime()

async function changesOf(
  ctx: OwnerContext,
  { password, expires_at }: ShareChoice,
): Promise<RowChanges<typeof Report>> {
  const hash = password == null ? undefined : await hashSharePassword(ctx, password)
  return {
    ...(password === undefined ? {} : { share_password_hash: hash, share_is_protected: hash !== undefined }),
    ...(expires_at === undefined ? {} : { share_expires_at: expires_at ?? undefined }),
  }
}

/**
 * Changes the share of a report, if it is still as `still` says. Versions before 1.1 showed the `pdf_url` itself to readers of a shared report. Such a report has no
 * key, and gets a new `pdf_url` when its share changes.
 */
async function change(
  ctx: OwnerContext,
  report: ReportRow,
  changes: RowChanges<typeof Report>,
  still = where.eq('id', report.id),
): Promise<ReportRow | null> {
  const { workspace_id, pdf_url: from } = report
  if (!report.is_public || report.share_key !== undefined || from === undefined) {
    return ctx.rows(Report).updateWhere(still, changes)
  }
  const pdf_url = newPdfUrl(workspace_id)
  // The report first: its old address ends at once. If the process ends in between, the PDF is rendered again.
  const changed = await ctx.rows(Report).updateWhere(still, { ...changes, pdf_url })
  if (changed) await movePdf(ctx, report, [from, pdf_url])
  return changed
}

/** Returns the report with this share id, if it is shared and the link has not expired. */
export async function sharedReport(
  ctx: Pick<OwnerContext, 'rows' | 'now'>,
  shareId: string,
): Promise<ReportRow | null> {
  const [report] = await ctx.rows(Report).list({
    where: where.and(where.eq('public_share_id', shareId), where.eq('is_public', true)),
    limit: 1,
  })
  const isShown = report?.status === 'completed' && report.business_location_id !== undefined
  return report && isShown && !isExpired(ctx, report) ? report : null
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
