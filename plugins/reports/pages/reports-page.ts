import { everything, todayOf, where } from 'renown'
import {
  actForm,
  actsOnPage,
  defineList,
  definePage,
  type ListChoices,
  type ListData,
  type PageContext,
} from 'renown/pages'
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
import { stateCell } from './report-state'

/** A report in the list. */
interface ListedReport {
  readonly title: string
  readonly business: string
  readonly period: string
  readonly status: 'queued' | 'rendering' | 'completed' | 'failed'
  readonly error: string | null
  readonly is_shared: boolean
  readonly views: number
}

/** What the page shows besides its list. */
export interface ReportsOwn {
  readonly locations: readonly (readonly [id: string, name: string])[]
  readonly templates: readonly (readonly [template: string, title: string])[]
  readonly schedules: readonly ShownSchedule[]
  readonly mayMake: boolean
  /** The day in the time zone of the workspace. */
  readonly today: string
  /** Owners change schedules. */
  readonly maySchedule: boolean
}

/** The data of the page. */
export type ReportsData = ListData<ReportsOwn>

/** A schedule in the list. */
export interface ShownSchedule {
  readonly id: string
  readonly title: string
  readonly business: string
  /** Such as `Monthly, on day 1`. */
  readonly when: string
  readonly next: string | null
}

const schedulesMax = 100
const locationsMax = 500

/** The reports of a workspace, newest first, with a form to make one. */
export const reportsPage = definePage<ReportsOwn>({
  path: '/app/reports',
  title: 'Reports',
  nav: { label: reportWords('navReports'), order: 70, icon: 'file-text' },
  module: new URL('./ReportsPage.tsx', import.meta.url),
  list: defineList({
    rows: 'reports',
    perPage: 50,
    turns: ['Newer reports', 'Older reports'],
    filters: {
      location: { kind: 'record', label: 'Location', called: 'location', options: locationsOf },
    },
    source: (ctx, { location }) => {
      const rows = ctx.rows(Report)
      const about = location === '' ? everything : where.eq('business_location_id', location)
      return {
        list: (part) =>
          rows.list({
            where: about,
            sort: [{ field: 'created_date', direction: 'desc' }],
            fields: listFields,
            ...part,
          }),
        pages: () => rows.pages({ where: about, fields: listFields }) as AsyncIterable<ListedRow[]>,
      }
    },
    more: async (ctx, _, rows: readonly ListedRow[]) => {
      const names = await namesOf(ctx, rows)
      const titles = titlesOf(ctx)
      return new Map(rows.map((row) => [row.id, listed(row, names, titles)]))
    },
    columns: (_, reports) => {
      const of = ({ id }: ListedRow) => reports.get(id) as ListedReport
      return [
        { name: 'id', value: ({ id }) => id },
        {
          label: 'Report',
          name: 'report',
          value: (row) => of(row).title,
          show: (row) => [`${of(row).title}, `, { name: of(row).business }],
        },
        { name: 'location', value: (row) => of(row).business },
        { label: 'Period', show: (row) => of(row).period },
        { name: 'first_day', type: 'day', value: ({ period_start }) => period_start },
        { name: 'last_day', type: 'day', value: ({ period_end }) => period_end },
        { label: 'State', name: 'state', value: ({ status }) => status, show: (row) => stateCell(of(row)) },
        {
          label: 'Made',
          name: 'made_at',
          type: 'instant',
          value: ({ created_date }) => created_date,
          show: ({ created_date }) => ({ at: created_date }),
        },
        {
          label: 'Shared',
          name: 'shared',
          value: (row) => of(row).is_shared,
          show: (row) => (of(row).is_shared ? `yes, ${of(row).views} views` : 'no'),
        },
        { name: 'views', type: 'count', value: (row) => of(row).views },
        { name: 'error', value: (row) => of(row).error },
        { name: 'data_hash', value: ({ data_hash }) => data_hash ?? null },
        { label: 'PDF', show: ({ pdf_url }) => (pdf_url == null ? null : { link: pdf_url, words: 'PDF' }) },
      ]
    },
    detail: ({ id }) => `/app/reports/one?report=${id}`,
    empty: (_, { isFiltered }) =>
      isFiltered ? 'There is no report of this location.' : 'No reports yet. Make the first one below.',
  }),
  load: loadReports,
  submit: actForm(createReport, 'queued', {
    to: (_, done, { created = '' }) => `/app/reports/one?${new URLSearchParams({ report: created, done })}`,
  }),
  ...actsOnPage({ schedule: createSchedule, unschedule: removeScheduleAct }),
  style: reportStyle,
})

async function loadReports(ctx: PageContext): Promise<ReportsOwn> {
  const [locations, schedules] = await Promise.all([
    locationsOf(ctx),
    ctx.rows(ScheduledReport).list({ limit: schedulesMax }),
  ])
  const names = await namesOf(ctx, schedules)
  const titles = titlesOf(ctx)
  return {
    templates: clientTemplatesOf(ctx.system).map(({ template, title }) => [template, title]),
    locations,
    mayMake: !ctx.isDemo,
    today: todayOf(ctx),
    maySchedule: !ctx.isDemo && ctx.person.role === 'owner',
    schedules: schedules.map((row) => ({
      id: row.id,
      title: titles.get(row.template) ?? row.template,
      business: businessOf(row, names),
      when: scheduleWords(row),
      next: row.is_active ? (row.next_run_at ?? null) : null,
    })),
  }
}

/** Returns the names of the templates. */
const titlesOf = (ctx: PageContext): ReadonlyMap<string, string> =>
  new Map(templatesOf(ctx.system).map(({ template, title }) => [template, title]))

/** Returns the clients of the workspace by name, for a choice. */
async function locationsOf(ctx: PageContext): Promise<ListChoices> {
  const rows = await ctx.rows(BusinessLocation).list({
    where: where.eq('is_prospect', false),
    limit: locationsMax,
    fields: ['business_name'],
  })
  return rows
    .map(({ id, business_name }) => [id, business_name] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b))
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

type ListedRow = Pick<ReportRow, (typeof listFields)[number] | 'id'>

const listed = (
  row: ListedRow,
  names: ReadonlyMap<string, string>,
  titles: ReadonlyMap<string, string>,
): ListedReport => ({
  title: titles.get(row.template) ?? row.template,
  business: businessOf(row, names),
  period: row.period_label ?? namedPeriod(row.period_start, row.period_end).label,
  status: row.status,
  error: row.error_message ?? null,
  is_shared: row.is_public === true,
  views: row.share_view_count ?? 0,
})
