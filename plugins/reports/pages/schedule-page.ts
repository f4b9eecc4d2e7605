import { actsOnPage, definePage } from 'renown/pages'
import { reportStyle } from '../html/report-style'
import { mailActs } from '../mail/mail-commands'
import { BusinessLocation } from '../records/foreign'
import { ScheduledReport } from '../records/ScheduledReport'
import { scheduleWords } from '../schedules/next-run'
import { pauseScheduleAct, resumeScheduleAct } from '../schedules/schedule-commands'
import { templatesOf } from '../templates/templates'
import { mailingOf, type ShownMailing } from './mail-data'

/** The data of the page. */
export interface ScheduleData {
  readonly id: string
  readonly title: string
  readonly business: string
  /** Such as `Monthly, on day 1`. */
  readonly when: string
  readonly next: string | null
  readonly is_active: boolean
  readonly review_first: boolean
  readonly keep_paragraph: boolean
  readonly last_report_id: string | null
  /** Null for people who may not change it. */
  readonly mailing: ShownMailing | null
}

/** The page of one schedule: when it makes reports, and who gets them by mail. */
export const schedulePage = definePage<typeof ScheduledReport, ScheduleData>({
  path: '/app/reports/scheduled',
  title: 'Schedule',
  module: new URL('./SchedulePage.tsx', import.meta.url),
  isStatic: true,
  record: { entity: ScheduledReport, param: 'schedule' },
  titleOf: ({ title }) => title,
  async load(ctx, _, { row, mayChange }) {
    const location = await ctx.rows(BusinessLocation).get(row.business_location_id)
    const template = templatesOf(ctx.system).find((one) => one.template === row.template)
    return {
      id: row.id,
      title: template?.title ?? row.template,
      is_active: row.is_active,
      business: location?.business_name ?? 'A removed location',
      when: scheduleWords(row),
      next: row.is_active ? (row.next_run_at ?? null) : null,
      review_first: row.review_first === true,
      keep_paragraph: row.keep_paragraph === true,
      last_report_id: row.last_report_id ?? null,
      mailing: mayChange || ctx.isDemo ? await mailingOf(ctx, [row.id], null) : null,
    }
  },
  ...actsOnPage({ ...mailActs, pause: pauseScheduleAct, resume: resumeScheduleAct }),
  style: reportStyle,
})
