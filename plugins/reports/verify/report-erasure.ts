import type { OwnerContext } from 'renown'
import type { PersonErasure } from 'renown/records'
import { hashOf } from '../data/canonical'
import { removeOtherPdfs } from '../files/report-files'
import { Report } from '../records/Report'

/**
 * Erases a person from a report. Its data and their hash change, and its PDF is removed: it is made again from the data when
 * somebody opens it.
 */
export const reportErasure: PersonErasure = {
  name: 'reports',
  record_type: Report.name,
  async erase(ctx: OwnerContext, { id }, { redact }) {
    const row = await ctx.rows(Report).get(id)
    if (!row) return
    const redacted = redact(row)
    const changed = Object.entries(redacted).filter(
      ([field, value]) => value !== row[field as keyof typeof row],
    )
    if (changed.length === 0) return
    await removeOtherPdfs(ctx, row, undefined)
    const { report_data } = redacted
    const hash =
      row.data_hash === undefined || report_data === undefined ? {} : { data_hash: hashOf(report_data) }
    await ctx.rows(Report).update(id, { ...Object.fromEntries(changed), ...hash })
  },
}
