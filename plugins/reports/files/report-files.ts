import { nullIfConflict, type OwnerContext, where } from 'renown'
import type { ReportRow } from '../records/moveReport'
import { ReportFile } from '../records/ReportFile'

const partBytes = 384 * 1024
const form = /^\/uploads\/reports\/([\w-]{1,64})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.pdf$/

/** Returns an address for a PDF that nobody knows yet. */
export const newPdfUrl = (workspace_id: string): string =>
  `/uploads/reports/${workspace_id}/${crypto.randomUUID()}.pdf`

/** Moves the stored PDF of a report from its address to another. */
export async function movePdf(
  ctx: Pick<OwnerContext, 'rows'>,
  { id }: Pick<ReportRow, 'id'>,
  [from, to]: readonly [from: string, to: string],
): Promise<void> {
  const [, , was = ''] = form.exec(from) ?? []
  const [, , file = ''] = form.exec(to) ?? []
  const same = where.and(where.eq('report_id', id), where.eq('file', was))
  await ctx.rows(ReportFile).updateMany(same, { file })
}

/**
 * Stores a PDF, and returns its `pdf_url`. The name of a new file is a random UUID. Parts that are left of a known one are
 * removed before, because they may be of another rendering.
 */
export async function storePdf(
  ctx: Pick<OwnerContext, 'rows'>,
  { id: report_id, workspace_id }: Pick<ReportRow, 'id' | 'workspace_id'>,
  pdf: Uint8Array,
  known?: string,
): Promise<string> {
  const url = known ?? newPdfUrl(workspace_id)
  const [, , file] = form.exec(url) ?? []
  if (file === undefined) throw new Error(`${url} is no address of a PDF`)
  const left = where.and(where.eq('file', file), where.eq('report_id', report_id))
  if (known !== undefined) await ctx.rows(ReportFile).removeWhere(left)
  const parts = Math.max(1, Math.ceil(pdf.length / partBytes))
  for (let part = 0; part < parts; part++) {
    const bytes = Buffer.from(pdf.subarray(part * partBytes, (part + 1) * partBytes)).toString('base64')
    await ctx
      .rows(ReportFile)
      .insert({ workspace_id, report_id, file, part, parts, bytes })
      .catch(nullIfConflict)
  }
  return url
}

/**
 * Replaces the PDF at a `pdf_url`. The new parts are stored before the old ones are removed. If the process ends in between,
 * the PDF is rendered again when somebody opens it.
 */
export async function replacePdf(
  ctx: Pick<OwnerContext, 'rows'>,
  report: Pick<ReportRow, 'id' | 'workspace_id'>,
  url: string,
  pdf: Uint8Array,
): Promise<void> {
  const stored = await storePdf(ctx, report, pdf)
  await removeOtherPdfs(ctx, report, stored)
  await movePdf(ctx, report, [stored, url])
}

/** Reads the PDF at a `pdf_url`. Null if there is none, or if a part of it is missing. */
export async function readPdf(
  ctx: Pick<OwnerContext, 'rows'>,
  url: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const [, workspace_id, file] = form.exec(url) ?? []
  if (workspace_id === undefined || file === undefined) return null
  const rows = await ctx.rows(ReportFile).list({
    where: where.and(where.eq('file', file), where.eq('workspace_id', workspace_id)),
    sort: [{ field: 'created_date', direction: 'asc' }],
    limit: 1_000,
  })
  const parts = rows.toSorted((a, b) => a.part - b.part)
  const [first] = parts
  if (!first || parts.length !== first.parts) return null
  return new Uint8Array(Buffer.concat(parts.map(({ bytes }) => Buffer.from(bytes, 'base64'))))
}

/** Removes the files of a report but the one at this address. */
export async function removeOtherPdfs(
  ctx: Pick<OwnerContext, 'rows'>,
  { id }: Pick<ReportRow, 'id'>,
  kept: string | undefined,
): Promise<void> {
  const [, , file] = form.exec(kept ?? '') ?? []
  const others = file === undefined ? [] : [where.ne('file', file)]
  await ctx.rows(ReportFile).removeWhere(where.and(where.eq('report_id', id), ...others))
}
