import {
  type DemoBusiness,
  type DemoDeclaration,
  type DemoRow,
  type DemoWorld,
  demoLoggedDays,
  demoRows,
  demoRowsOf,
  hourMs,
  shiftDay,
} from 'renown'
import { hashOf } from '../data/canonical'
import { completedEvent, reportCompleted } from '../records/events'
import { Report } from '../records/Report'
import { ReportMail } from '../records/ReportMail'
import { ReportRecipient } from '../records/ReportRecipient'
import { ScheduledReport } from '../records/ScheduledReport'
import { nextRun } from '../schedules/next-run'
import { demoData } from './demo-data'
import { mailedOf, mailsOf, recipientsOf } from './demo-mail'

type Made = DemoRow<typeof Report>

const months = 6
const monthNames =
  'January February March April May June July August September October November December'.split(' ')

/**
 * Monthly reports of half a year: shared and not shared, one in each state, one without a location, and their
 * schedules.
 */
export const reportsDemo: DemoDeclaration = {
  rows(world) {
    const reported = world.businesses.filter((_, place) => place % 2 === 0)
    return [
      demoRows(
        ScheduledReport,
        reported.map((business, place) => scheduleOf(world, business, place)),
      ),
      demoRows(
        ReportRecipient,
        reported.flatMap((business) => recipientsOf(world, business)),
      ),
      demoRows(
        ReportMail,
        reported.flatMap((business) => mailsOf(world, business)),
      ),
      demoRows(Report, [
        ...reported.flatMap((business) =>
          Array.from({ length: months }, (_, ago) => monthly(world, business, ago + 1)),
        ),
        ...unfinished(world, reported),
        rollup(world),
      ]),
    ]
  },
  events: (world, rows) =>
    demoRowsOf(rows, Report).flatMap((report) => {
      const at = report.completed_at ?? ''
      const isLogged = report.status === 'completed' && at >= world.at(demoLoggedDays, 0)
      return isLogged ? [{ type: reportCompleted, event: completedEvent(report), at }] : []
    }),
}

function scheduleOf(
  world: DemoWorld,
  business: DemoBusiness,
  place: number,
): DemoRow<typeof ScheduledReport> {
  const cadence = (['monthly', 'weekly', 'quarterly'] as const)[place % 3] as 'monthly'
  const when = { cadence, day: 1, timezone: business.timezone }
  return {
    id: world.id(ScheduledReport, business.key),
    workspace_id: business.workspace_id,
    business_location_id: business.id,
    template: place === 1 ? 'competitor_comparison' : 'monthly_reputation_report',
    ...when,
    recipients_count: 3,
    review_first: place === 0,
    keep_paragraph: place === 1,
    is_active: place !== 2,
    last_run_at: world.at(19, 6),
    next_run_at: nextRun(when, new Date(world.at(0))).toISOString(),
    last_report_id: world.id(Report, `${business.key} 1`),
    created_date: world.at(300),
  }
}

/** Returns a full calendar month, `ago` months before this one. */
function monthOf(today: string, ago: number) {
  let first = `${today.slice(0, 7)}-01`
  for (let n = 0; n < ago; n++) first = `${shiftDay(first, -1).slice(0, 7)}-01`
  const last = shiftDay(`${shiftDay(first, 31).slice(0, 7)}-01`, -1)
  const name = monthNames[Number(first.slice(5, 7)) - 1] as string
  return { period_start: first, period_end: last, period_label: `${name} ${first.slice(0, 4)}` }
}

/** The reports of some months are of another kind, so that each kind has a sample. */
const templates: Readonly<Record<number, string>> = {
  4: 'competitor_comparison',
  5: 'visibility_report',
  6: 'ai_traffic_report',
}

function monthly(world: DemoWorld, business: DemoBusiness, ago: number): Made {
  const random = world.random(`report ${business.key} ${ago}`)
  const period = monthOf(world.today, ago)
  const began = Date.parse(shiftDay(period.period_end, 1)) + random.integer(6, 7) * hourMs
  const started_at = new Date(Math.min(began, Date.parse(world.today) - 60_000)).toISOString()
  const isShared = ago === 2
  const template = templates[ago] ?? 'monthly_reputation_report'
  const report_data = demoData(world, business, {
    start: period.period_start,
    end: period.period_end,
    at: started_at,
    template,
  })
  return {
    id: world.id(Report, `${business.key} ${ago}`),
    workspace_id: business.workspace_id,
    template,
    ...period,
    status: 'completed',
    pdf_url: `/uploads/reports/${business.workspace_id}/${fileName(world, `${business.key} ${ago}`)}.pdf`,
    started_at,
    completed_at: new Date(Date.parse(started_at) + 20_000).toISOString(),
    report_data,
    data_hash: hashOf(report_data),
    pdf_standard: ago === 3 ? '1.7' : 'ua-1',
    business_location_id: business.id,
    source: ago % 3 === 0 ? 'manual' : 'scheduled',
    ...(ago % 3 === 0 ? {} : { scheduled_report_id: world.id(ScheduledReport, business.key) }),
    public_share_id: isShared ? world.id(Report, `share ${business.key}`).slice(-12) : null,
    is_public: isShared,
    share_view_count: isShared ? random.integer(1, 60) : 0,
    ...(isShared ? { share_created_at: new Date(Date.parse(started_at) + hourMs).toISOString() } : {}),
    ...mailedOf(ago, started_at),
    created_date: started_at,
  }
}

function unfinished(world: DemoWorld, reported: readonly DemoBusiness[]): Made[] {
  const states: readonly Partial<Made>[] = [
    { status: 'queued', mail_state: 'planned', mail_at: world.at(-1) },
    {
      status: 'rendering',
      pdf_state: 'outdated',
      paragraph: 'A month with a new menu.',
      started_at: world.at(0, -0.02),
      render_token: 'demo-not-a-token',
    },
    {
      status: 'failed',
      started_at: world.at(3),
      completed_at: world.at(3, 9.1),
      error_message: 'The page did not load within 30 s.',
    },
  ]
  return states.map((state, place): Made => {
    const business = reported[place] as DemoBusiness
    return {
      id: world.id(Report, `unfinished ${place}`),
      workspace_id: business.workspace_id,
      template: place === 1 ? 'visibility_report' : 'ai_traffic_report',
      ...monthOf(world.today, 1),
      status: 'queued',
      business_location_id: business.id,
      source: place === 0 ? 'agent' : 'manual',
      is_public: false,
      share_view_count: 0,
      created_date: place === 2 ? world.at(3) : world.at(0, -0.05),
      ...state,
    }
  })
}

/** Reports about the whole workspace, from the time before reports had locations. */
function rollup(world: DemoWorld): Made {
  const [home] = world.workspaces
  const workspace_id = home?.id ?? ''
  const { period_start, period_end } = monthOf(world.today, 20)
  return {
    id: world.id(Report, 'rollup'),
    workspace_id,
    template: 'monthly_reputation_report',
    period_start,
    period_end,
    period_label: null,
    status: 'completed',
    pdf_url: `/uploads/reports/${workspace_id}/${fileName(world, 'rollup')}.pdf`,
    started_at: world.at(570),
    completed_at: world.at(570, 9.1),
    created_date: world.at(570),
  }
}

/** Returns a UUID for the name of a PDF. */
function fileName(world: DemoWorld, key: string): string {
  const random = world.random(`report file ${key}`)
  const digits = Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join('')
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
  ]
  return [...parts, digits.slice(20)].join('-')
}
