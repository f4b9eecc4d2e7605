import { type OwnerContext, requireRow } from 'renown'
import { hashOf } from '../data/canonical'
import { treeOf } from '../data/tree'
import { readPdf } from '../files/report-files'
import { reportForms } from '../forms/forms'
import { renderPdf } from '../pdf/render-pdf'
import { workOf } from '../pdf/report-work'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'

/** The result of one check. `unknown`: nothing is stored that it could be compared with. */
export interface ReportCheck {
  readonly what: string
  readonly result: 'same' | 'differs' | 'unknown'
  readonly detail: string
}

/**
 * Checks a stored report: the hash of its frozen data, and each form. It makes every form again and compares the PDF with
 * the stored bytes. The other forms are not stored, so each must contain the stored hash and be the same when it is made
 * twice.
 */
export async function verifyReport(ctx: OwnerContext, id: string): Promise<readonly ReportCheck[]> {
  const report = await requireRow(ctx.rows(Report), 'report', id)
  return [checkHash(report), ...(await checkForms(ctx, report)), await checkPdf(ctx, report)]
}

function checkHash({ data_hash, report_data }: ReportRow): ReportCheck {
  const what = 'data_hash'
  if (data_hash === undefined || report_data === undefined) {
    return { what, result: 'unknown', detail: 'The report has no frozen data with a hash.' }
  }
  const found = hashOf(report_data)
  return found === data_hash
    ? { what, result: 'same', detail: found }
    : { what, result: 'differs', detail: `The data has the hash ${found}, and ${data_hash} is stored.` }
}

async function checkForms(ctx: OwnerContext, report: ReportRow): Promise<ReportCheck[]> {
  const { data_hash, report_data } = report
  if (report_data === undefined) return []
  return Promise.all(
    reportForms.map(async ({ extension, make }): Promise<ReportCheck> => {
      const [first, second] = await Promise.all([make(treeOf(ctx, report)), make(treeOf(ctx, report))])
      const isSame = Buffer.from(first).equals(second)
      const sha256 = new Bun.CryptoHasher('sha256').update(first).digest('hex')
      if (!isSame) return { what: extension, result: 'differs', detail: 'Made twice, it is not the same.' }
      const { dataHash } = treeOf(ctx, report)
      if (data_hash !== undefined && dataHash !== data_hash) {
        return { what: extension, result: 'differs', detail: `It now prints the hash ${dataHash}.` }
      }
      return { what: extension, result: 'same', detail: `SHA-256 ${sha256}` }
    }),
  )
}

async function checkPdf(ctx: OwnerContext, report: ReportRow): Promise<ReportCheck> {
  const what = 'pdf'
  const { pdf_url, pdf_state, report_data, id } = report
  if (pdf_url === undefined || report_data === undefined) {
    return { what, result: 'unknown', detail: 'The report has no PDF.' }
  }
  if (pdf_state !== undefined) {
    return { what, result: 'unknown', detail: 'The PDF waits for its newest paragraph.' }
  }
  const stored = await readPdf(ctx, pdf_url)
  if (!stored)
    return { what, result: 'unknown', detail: 'The PDF is not stored. It is rendered when it is opened.' }
  const token = crypto.randomUUID()
  const work = await workOf(ctx, report)
  const made = await renderPdf({
    report_id: id,
    token,
    signal: new AbortController().signal,
    open: async (order) => (order.report_id === id && order.token === token ? work : null),
  })
  const same = Buffer.from(made.bytes).equals(stored)
  return same
    ? { what, result: 'same', detail: `${stored.length} bytes` }
    : { what, result: 'differs', detail: 'The PDF that is made now has other bytes than the stored one.' }
}
