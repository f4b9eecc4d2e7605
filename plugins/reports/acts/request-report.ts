import { isConflict, type ListQuery, type NewRow, Refusal, refusedField, type Where, where } from 'renown'
import { reportPeriod } from '../data/report-period'
import type { ReportedLocationRow } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import type { Report } from '../records/Report'

/** The reports of one workspace, as an operation, a page or a command has them. */
export interface OwnReports {
  insert(row: NewRow<typeof Report>): Promise<ReportRow>
  list(query: ListQuery): Promise<ReportRow[]>
}

/** A report that somebody asks for. */
export interface ReportRequest {
  readonly location: ReportedLocationRow | null
  readonly template: string
  /** What the kind of report is about. Default: `client`. */
  readonly about?: 'client' | 'prospect' | undefined
  readonly period_start?: string | undefined
  readonly period_end?: string | undefined
  readonly source: 'manual' | 'scheduled' | 'agent'
  /** The day in the workspace's time zone. */
  readonly today: string
  /** The paragraph of a schedule that keeps it. Default: that of the newest report of the same kind and period. */
  readonly paragraph?: string | undefined
}

/**
 * Queues a report, unless the same report is already being made. A report that is made again takes over the paragraph of
 * the newest one of the same location, kind and period.
 */
export async function requestReport(
  reports: OwnReports,
  { location, template, about, source, today, ...asked }: ReportRequest,
): Promise<{ readonly report: ReportRow; readonly deduplicated: boolean }> {
  if (!location) throw new Refusal('not_found', 'There is no such location in this workspace.')
  if (location.is_prospect && about !== 'prospect') {
    throw refusedField('business_location_id', 'Reports are made of clients. This location is a prospect.')
  }
  const { period, label } = reportPeriod(asked, today)
  const same = {
    business_location_id: location.id,
    template,
    period_start: period.date_from,
    period_end: period.date_to,
  }
  const former = await newest(reports, same)
  const paragraph = former ? former.paragraph : asked.paragraph
  try {
    const report = await reports.insert({
      ...same,
      status: 'queued',
      source,
      period_label: label,
      ...(paragraph === undefined ? {} : { paragraph }),
      is_open: true,
      is_public: false,
      public_share_id: null,
      share_view_count: 0,
    })
    return { report, deduplicated: false }
  } catch (error) {
    if (!isConflict(error)) throw error
    const report = await newest(reports, same, where.in('status', ['queued', 'rendering']))
    if (!report) throw error
    return { report, deduplicated: true }
  }
}

async function newest(
  reports: OwnReports,
  same: Readonly<Record<string, string>>,
  ...more: readonly Where[]
): Promise<ReportRow | undefined> {
  const [report] = await reports.list({
    where: where.and(...Object.entries(same).map(([name, value]) => where.eq(name, value)), ...more),
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: 1,
  })
  return report
}
