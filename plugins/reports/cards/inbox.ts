import { dayMs, type ReadContext, Refusal, where } from 'renown'
import { englishText, type InboxEntry, type InboxSource, type PageContext, type Wording } from 'renown/pages'
import { retryReport } from '../acts/report-acts'
import { BusinessLocation } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'
import { ScheduledReport } from '../records/ScheduledReport'
import { templatesOf } from '../templates/templates'
import { reportWords } from '../words'

/** How long a failed report stays in the inbox, and a new one. */
const failedMs = 14 * dayMs
const newMs = 7 * dayMs
const rowsMax = 50
const schedulesMax = 100

const fields = [
  'template',
  'period_start',
  'period_end',
  'period_label',
  'error_message',
  'created_date',
  'completed_at',
  'business_location_id',
] as const
type Listed = Pick<ReportRow, (typeof fields)[number] | 'id'>

/** Reports that failed, reports that wait before they are mailed, reports that a schedule or an agent made, and schedules of paused locations. */
export const reportEntries: InboxSource = {
  name: 'reports',
  title: reportWords('kind'),
  order: 60,
  icon: 'file-text',
  async list(ctx, limit) {
    const [failed, planned, made, paused] = await Promise.all([
      failedReports(ctx),
      plannedReports(ctx),
      newReports(ctx),
      pausedSchedules(ctx),
    ])
    return [...failed, ...planned, ...made, ...paused]
      .toSorted((a, b) => (a.at < b.at ? 1 : -1))
      .slice(0, limit)
  },
  action: {
    label: async (_, { id }) => (id.startsWith('failed.') ? reportWords('makeAgain') : null),
    async run(ctx, { id }) {
      const report = await ctx.rows(Report).get(id.replace(/^failed\./, ''))
      const phrase = reportWords('noReport')
      if (!report) throw new Refusal('not_found', englishText(phrase), { phrase })
      await retryReport.perform(ctx.owner, { row: report, input: {} })
    },
  },
}

const recent = (ctx: Pick<ReadContext, 'now'>, status: ReportRow['status'], sinceMs: number) =>
  where.and(
    where.eq('status', status),
    where.gte('created_date', new Date(ctx.now().getTime() - sinceMs).toISOString()),
  )
const newest = [{ field: 'created_date', direction: 'desc' }] as const

/** Returns failed reports of the last days that nobody made again since. */
export async function failedUnmade(ctx: Pick<ReadContext, 'rows' | 'now'>): Promise<readonly Listed[]> {
  const failed: readonly Listed[] = await ctx.rows(Report).list({
    where: recent(ctx, 'failed', failedMs),
    sort: newest,
    limit: rowsMax,
    fields,
  })
  const [oldest] = failed.slice(-1)
  if (!oldest) return []
  const locations = [...new Set(failed.map(({ business_location_id: id }) => id ?? ''))]
  const later = await ctx.rows(Report).list({
    where: where.and(
      where.in('business_location_id', locations),
      where.gte('created_date', oldest.created_date),
    ),
    sort: newest,
    limit: 10 * rowsMax,
    fields,
  })
  const latest = new Map<string, string>()
  for (const row of later) if (!latest.has(sameOf(row))) latest.set(sameOf(row), row.id)
  return failed.filter((row) => (latest.get(sameOf(row)) ?? row.id) === row.id)
}

async function failedReports(ctx: PageContext): Promise<InboxEntry[]> {
  const failed = await failedUnmade(ctx)
  const words = await wordsOf(ctx, failed)
  return failed.map((row) => ({
    id: `failed.${row.id}`,
    state: 'failed',
    word: reportWords('failed'),
    tone: 'bad' as const,
    at: row.completed_at ?? row.created_date,
    ...words(row),
    text: [
      reportWords('reportFailed'),
      row.error_message === undefined
        ? reportWords('unknownReason')
        : { text: row.error_message, lang: 'en' },
    ],
  }))
}

const sameOf = (row: Listed) =>
  JSON.stringify([row.business_location_id, row.template, row.period_start, row.period_end])

/** Completed reports that are mailed later, so that people can look at them first. */
async function plannedReports(ctx: PageContext): Promise<InboxEntry[]> {
  const later = where.and(
    where.eq('mail_state', 'planned'),
    where.gt('mail_at', ctx.now().toISOString()),
    where.eq('status', 'completed'),
  )
  const rows = await ctx
    .rows(Report)
    .list({ where: later, sort: newest, limit: rowsMax, fields: [...fields, 'mail_at'] })
  if (rows.length === 0) return []
  const words = await wordsOf(ctx, rows)
  return rows.map(({ mail_at = '', ...row }) => ({
    id: `planned.${row.id}`,
    state: mail_at,
    word: reportWords('waiting'),
    tone: 'warn' as const,
    at: row.completed_at ?? row.created_date,
    ...words(row),
    title: reportWords('waitsForLook', { report: words(row).title }),
    text: reportWords('mailedOn', { time: { instant: mail_at } }),
  }))
}

/** Completed reports that no person asked for, that are not shared yet, and that are not mailed later. */
async function newReports(ctx: PageContext): Promise<InboxEntry[]> {
  const unasked = where.and(
    where.in('source', ['scheduled', 'agent']),
    where.ne('is_public', true),
    where.not(where.and(where.eq('mail_state', 'planned'), where.gt('mail_at', ctx.now().toISOString()))),
  )
  const rows: readonly Listed[] = await ctx.rows(Report).list({
    where: where.and(recent(ctx, 'completed', newMs), unasked),
    sort: newest,
    limit: rowsMax,
    fields,
  })
  if (rows.length === 0) return []
  const words = await wordsOf(ctx, rows)
  return rows.map((row) => ({
    id: `new.${row.id}`,
    state: 'completed',
    word: reportWords('new'),
    tone: 'warn' as const,
    at: row.completed_at ?? row.created_date,
    ...words(row),
    text: reportWords('madeThis'),
  }))
}

/** Returns the title, the location and the link of reports. */
async function wordsOf(ctx: PageContext, rows: readonly Listed[]) {
  const ids = [...new Set(rows.flatMap(({ business_location_id: id }) => (id === undefined ? [] : [id])))]
  const names = await namesOf(ctx, ids)
  const titles = new Map(templatesOf(ctx.system).map(({ template, title }) => [template, title]))
  return ({ id, template, period_label, period_start, period_end, business_location_id }: Listed) => ({
    title: titleOf(
      titles.get(template),
      period_label ?? reportWords('fromTo', { start: period_start, end: period_end }),
    ),
    about: names.get(business_location_id ?? '')?.business_name ?? reportWords('removedLocation'),
    link: { href: `/app/reports/one?report=${id}`, label: reportWords('openReport') },
  })
}

/** The title of a template and the label of a stored period are in English. */
const titleOf = (template: string | undefined, period: Wording): Wording =>
  template !== undefined && typeof period === 'string'
    ? { text: `${template}, ${period}`, lang: 'en' }
    : reportWords('reportOf', { template: template ?? reportWords('report'), period })

async function namesOf(ctx: PageContext, ids: readonly string[]) {
  const known = where.in('id', [...ids])
  const query = { where: known, limit: ids.length, fields: ['business_name', 'is_active'] } as const
  const rows = ids.length === 0 ? [] : await ctx.rows(BusinessLocation).list(query)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Schedules that are on, of locations that are paused or removed. */
async function pausedSchedules(ctx: PageContext): Promise<InboxEntry[]> {
  const on = await ctx.rows(ScheduledReport).list({
    where: where.eq('is_active', true),
    limit: schedulesMax,
    fields: ['business_location_id', 'template', 'updated_date'],
  })
  const locations = await namesOf(ctx, [...new Set(on.map(({ business_location_id: id }) => id))])
  const titles = new Map(templatesOf(ctx.system).map(({ template, title }) => [template, title]))
  return on
    .filter(({ business_location_id: id }) => locations.get(id)?.is_active !== true)
    .map(({ id, business_location_id, template, updated_date }) => ({
      id: `schedule.${id}`,
      state: 'paused',
      word: reportWords('paused'),
      tone: 'warn' as const,
      at: updated_date,
      title: reportWords('pausedSchedule', { template: titles.get(template) ?? template }),
      about: locations.get(business_location_id)?.business_name ?? reportWords('removedLocation'),
      text: reportWords('pausedText'),
      link: { href: '/app/reports', label: reportWords('openSchedules') },
    }))
}
