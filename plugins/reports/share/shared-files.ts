import { createHmac, timingSafeEqual } from 'node:crypto'
import { minuteMs, type OwnerContext } from 'renown'
import type { ReportRow } from '../records/moveReport'
import { sharedReport } from './share'

/** How long the file links of a report with a password work after somebody entered it. */
const linkMs = 15 * minuteMs
const form = /^s_([\w-]{12})_([0-9a-z]{1,10})_([0-9a-f]{32})\.([a-z0-9]{1,8})$/

type Ctx = Pick<OwnerContext, 'rows' | 'now'>

/**
 * Returns the name of a file of a shared report, such as `pdf`. It works while the report is shared. If the report has a
 * password, it works for 15 minutes, so show it only to somebody who entered the password. Null without a share.
 */
export function sharedFileName(ctx: Pick<Ctx, 'now'>, report: ReportRow, extension: string): string | null {
  const { public_share_id: id, share_key: key, share_password_hash: password } = report
  if (!report.is_public || !id || key === undefined) return null
  const until = password === undefined ? '0' : (ctx.now().getTime() + linkMs).toString(36)
  return `s_${id}_${until}_${macOf(key, [id, until, extension])}.${extension}`
}

/** Returns the report of such a name, if the name still works. */
export async function reportOfFile(
  ctx: Ctx,
  { workspace_id, file }: { readonly workspace_id: string; readonly file: string },
): Promise<ReportRow | null> {
  const [, id, until, mac, extension] = form.exec(file) ?? []
  if (id === undefined || until === undefined || mac === undefined || extension === undefined) return null
  const report = await sharedReport(ctx, id)
  if (report?.workspace_id !== workspace_id || report.share_key === undefined) return null
  const right = macOf(report.share_key, [id, until, extension])
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(right))) return null
  // A name from before the report had a password has another key.
  const isOver = until !== '0' && Number.parseInt(until, 36) <= ctx.now().getTime()
  return isOver ? null : report
}

const macOf = (key: string, parts: readonly string[]) =>
  createHmac('sha256', key).update(parts.join('.')).digest('hex').slice(0, 32)
