import { todayOf, where } from 'renown'
import { actForm, actsOnPage, definePage, type FileTable, fileColumns, type PageContext } from 'renown/pages'
import { createReport } from '../acts/report-acts'
import { namedPeriod } from '../data/report-period'
import { reportStyle } from '../html/report-style'
import { BusinessLocation } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'
import { ScheduledReport } from '../records/ScheduledReport'
import { scheduleWords } from '../schedules/next-run'
import { createSchedule, removeScheduleAct } from '../schedules/schedule-commands'
import { clientTemplatesOf, templatesOf } from '../templates/templates'
import { reportWords } from '../words'

/** A report in the list. */
export interface ListedReport {
  readonly id: string
  readonly title: string
  readonly business: string
  readonly period: string
  readonly status: 'queued' | 'rendering' | 'completed' | 'failed'
  readonly error: string | null
  readonly created: string
  readonly pdf_url: string | null
  readonly is_shared: boolean
  readonly views: number
}

/** The data of the page. */
export interface ReportsData {
  readonly reports: readonly ListedReport[]
  readonly location: string
  readonly before: string | null
  readonly locations: readonly (readonly [id: string, name: string])[]
  readonly templates: readonly (readonly [template: string, title: string])[]
  readonly schedules: readonly ShownSchedule[]
  readonly mayMake: boolean
  /** The day in the time zone of the workspace. */
  readonly today: string
  /** Owners change schedules. */
  readonly maySchedule: boolean
}

/** A schedule in the list. */
export interface ShownSchedule {
  readonly id: string
  readonly title: string
  readonly business: string
  /** Such as `Monthly, on day 1`. */
  readonly when: string
  readonly next: string | null
}

const shownMax = 50
const schedulesMax = 100
const locationsMax = 500

/** The reports of a workspace, newest first, with a form to make one. */
export const reportsPage = definePage<ReportsData>({
  path: '/app/reports',
  title: 'Reports',
  nav: { label: reportWords('navReports'), order: 70, icon: 'file-text' },
  module: new URL('./ReportsPage.tsx', import.meta.url),
  isStatic: true,
  load: loadReports,
  download: downloadReports,
  submit: actForm(createReport, 'queued', {
    to: (_, done, { created = '' }) => `/app/reports/one?${new URLSearchParams({ report: created, done })}`,
  }),
  ...actsOnPage({ schedule: createSchedule, unschedule: removeScheduleAct }),
  style: reportStyle,
})

async function loadReports(ctx: PageContext, query: URLSearchParams): Promise<ReportsData> {
  const location = (query.get('location') ?? '').slice(0, 100)
  const before = (query.get('before') ?? '').slice(0, 40)
  const rows = await ctx.rows(Report).list({
    where: where.and(
      ...(location === '' ? [] : [where.eq('business_location_id', location)]),
      ...(before === '' ? [] : [where.lt('created_date', before)]),
    ),
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: shownMax + 1,
    fields: listFields,
  })
  const shown = rows.slice(0, shownMax)
  const locations = await ctx.rows(BusinessLocation).list({
    where: where.eq('is_prospect', false),
    limit: locationsMax,
    fields: ['business_name'],
  })
  const schedules = await ctx.rows(ScheduledReport).list({ limit: schedulesMax })
  const choices = locations.map(({ id, business_name }) => [id, business_name] as const)
  const names = await namesOf(ctx, [...shown, ...schedules])
  const titles = templatesOf(ctx.system).map(({ template, title }) => [template, title] as const)
  return {
    reports: shown.map((row) => listed(row, names, new Map(titles))),
    location,
    templates: clientTemplatesOf(ctx.system).map(({ template, title }) => [template, title]),
    before: rows.length > shownMax ? (shown.at(-1)?.created_date ?? null) : null,
    locations: choices.toSorted(([, a], [, b]) => a.localeCompare(b)),
    mayMake: !ctx.isDemo,
    today: todayOf(ctx),
    maySchedule: !ctx.isDemo && ctx.person.role === 'owner',
    schedules: schedules.map((row) => ({
      id: row.id,
      title: new Map(titles).get(row.template) ?? row.template,
      business: businessOf(row, names),
      when: scheduleWords(row),
      next: row.is_active ? (row.next_run_at ?? null) : null,
    })),
  }
}

/** Returns all reports of the list, the oldest first. */
async function downloadReports(ctx: PageContext, query: URLSearchParams): Promise<FileTable> {
  const location = (query.get('location') ?? '').slice(0, 100)
  const names = new Map<string, string>()
  const titles = new Map(templatesOf(ctx.system).map(({ template, title }) => [template, title]))
  const rows = ctx.rows(Report).each({
    where: where.and(...(location === '' ? [] : [where.eq('business_location_id', location)])),
    fields: listFields,
  })
  return {
    columns: fileColumns({
      id: null,
      report: null,
      location: null,
      first_day: 'day',
      last_day: 'day',
      state: null,
      made_at: 'instant',
      shared: null,
      views: 'count',
      error: null,
      data_hash: null,
    }),
    rows: (async function* () {
      for await (const row of rows) {
        const { business_location_id: id } = row
        if (id !== undefined && !names.has(id)) names.set(id, businessOf(row, await namesOf(ctx, [row])))
        const { title, business, status, created, is_shared, views, error } = listed(row, names, titles)
        yield [
          row.id,
          title,
          business,
          row.period_start,
          row.period_end,
          status,
          created,
          is_shared,
          views,
          error,
          row.data_hash ?? null,
        ]
      }
    })(),
  }
}

/** A row about a location, or about all locations. */
interface About {
  readonly business_location_id?: string | undefined
}

/** Returns the names of the locations of these rows, also of prospects. Locations that were removed have none. */
async function namesOf(ctx: PageContext, rows: readonly About[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.flatMap(({ business_location_id: id }) => id ?? []))]
  if (ids.length === 0) return new Map()
  const found = await ctx.rows(BusinessLocation).list({
    where: where.in('id', ids),
    limit: ids.length,
    fields: ['business_name'],
  })
  return new Map(found.map(({ id, business_name }) => [id, business_name]))
}

const businessOf = ({ business_location_id: id }: About, names: ReadonlyMap<string, string>): string =>
  id === undefined ? 'All locations' : (names.get(id) ?? 'A removed location')

/** What the list shows of a report: everything but its data. */
const listFields = [
  'template',
  'period_start',
  'period_end',
  'period_label',
  'status',
  'error_message',
  'created_date',
  'pdf_url',
  'is_public',
  'share_view_count',
  'business_location_id',
  'data_hash',
] as const

const listed = (
  row: Pick<ReportRow, (typeof listFields)[number] | 'id'>,
  names: ReadonlyMap<string, string>,
  titles: ReadonlyMap<string, string>,
): ListedReport => ({
  id: row.id,
  title: titles.get(row.template) ?? row.template,
  business: businessOf(row, names),
  period: row.period_label ?? namedPeriod(row.period_start, row.period_end).label,
  status: row.status,
  error: row.error_message ?? null,
  created: row.created_date,
  pdf_url: row.pdf_url ?? null,
  is_shared: row.is_public === true,
  views: row.share_view_count ?? 0,
})
