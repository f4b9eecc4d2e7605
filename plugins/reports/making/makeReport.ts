import {
  isServiceFault,
  type JobDeclaration,
  messageOf,
  minuteMs,
  type OwnerContext,
  type QueueDeclaration,
  ServiceFault,
  type Task,
  throwIfStoreAway,
  where,
} from 'renown'
import * as v from 'valibot'
import { hashOf } from '../data/canonical'
import { collectData } from '../data/collect'
import { removeOtherPdfs, storePdf } from '../files/report-files'
import { renderPdf } from '../pdf/render-pdf'
import { workOf } from '../pdf/report-work'
import { publishCompleted } from '../records/events'
import { isEnded, moveReport, type ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'

const payload = v.strictObject({ report_id: v.string() })
const tokenMs = 5 * minuteMs
const errorMax = 500

/**
 * Makes one report: collects its data, freezes it, and renders its PDF. It is tried at most three times. The queue counts the attempts,
 * because only it knows a process that died from a store that was away.
 */
export const makeReport: QueueDeclaration<typeof payload> = {
  summary: 'Makes a report',
  payload,
  attemptsMax: 3,
  atOnce: 2,
  async run(ctx, { report_id }, task) {
    const found = await ctx.rows(Report).get(report_id)
    if (!found) return
    // The process may have ended between the last move and what follows it.
    if (isEnded(found)) return tidyUp(ctx, found)
    // A report that is being rendered belonged to a process that ended: this job runs in one process at a time.
    const report = found.status === 'rendering' ? await moveReport(ctx, found, 'queued') : found
    if (!report) return
    const frozen = await freeze(ctx, report, task)
    if (typeof frozen === 'string') return fail(ctx, report, frozen)
    if (frozen) await render(ctx, frozen, task)
  },
  async onDeadLetter(ctx, { report_id }, error) {
    const report = await ctx.rows(Report).get(report_id)
    if (report && !isEnded(report)) await fail(ctx, report, error.message || 'The report failed.')
  },
}

/**
 * Collects the data of a report and stores it. If another process stored it first, that data is used. Returns a text if the report
 * cannot be made, and null if somebody else ended it.
 */
async function freeze(ctx: OwnerContext, report: ReportRow, task: Task): Promise<ReportRow | string | null> {
  if (report.data_hash !== undefined) return report
  const data = await collectData(ctx, report, task.signal)
  if (typeof data === 'string') return data
  await task.hold()
  const unfrozen = where.and(
    where.eq('id', report.id),
    where.eq('data_hash', null),
    where.eq('status', 'queued'),
  )
  const stored = await ctx.rows(Report).updateWhere(unfrozen, { report_data: data, data_hash: hashOf(data) })
  if (stored) return stored
  const now = await ctx.rows(Report).get(report.id)
  return now?.data_hash === undefined ? null : now
}

async function render(ctx: OwnerContext, report: ReportRow, task: Task): Promise<void> {
  if (hashOf(report.report_data) !== report.data_hash) {
    return fail(ctx, report, 'The frozen data does not match its hash.')
  }
  const { token, hash } = await ctx.newToken('rrt_')
  const render_token_until = new Date(ctx.now().getTime() + tokenMs).toISOString()
  await task.hold()
  const started = await moveReport(ctx, report, 'rendering', {
    render_token: hash,
    render_token_until,
  })
  if (!started) return
  let done: ReportRow | null
  try {
    const pdf = await renderPdf({
      report_id: report.id,
      token,
      signal: task.signal,
      open: (order) => openOrder(ctx, order),
    })
    await task.hold()
    const pdf_url = await storePdf(ctx, report, pdf.bytes)
    done = await moveReport(ctx, started, 'completed', { pdf_url, pdf_standard: pdf.standard })
  } catch (error) {
    await task.hold()
    return failOrRepeat(ctx, started, error)
  }
  if (done) await tidyUp(ctx, done)
}

/** Does what follows the end of a report. Can be repeated. */
async function tidyUp(ctx: OwnerContext, report: ReportRow): Promise<void> {
  await removeOtherPdfs(ctx, report, report.pdf_url)
  if (report.status === 'completed') await publishCompleted(ctx, report)
}

/** Returns the texts of the report that a renderer asks for, if its token is the one of this rendering. */
async function openOrder(ctx: OwnerContext, order: { readonly report_id: string; readonly token: string }) {
  const report = await ctx.rows(Report).get(order.report_id)
  const hash = new Bun.CryptoHasher('sha256').update(order.token).digest('hex')
  const isValid =
    report?.status === 'rendering' &&
    report.render_token === hash &&
    (report.render_token_until ?? '') > ctx.now().toISOString()
  if (!isValid) return null
  return workOf(ctx, report)
}

async function failOrRepeat(ctx: OwnerContext, report: ReportRow, error: unknown): Promise<void> {
  if (isServiceFault(error) && error.kind === 'permanent') return fail(ctx, report, error.message)
  if (!(await moveReport(ctx, report, 'queued'))) return
  throwIfStoreAway(error)
  throw new ServiceFault('transient', messageOf(error))
}

async function fail(ctx: OwnerContext, report: ReportRow, why: string): Promise<void> {
  const failed = await moveReport(ctx, report, 'failed', { error_message: why.slice(0, errorMax) })
  if (failed) await tidyUp(ctx, failed)
}

/**
 * How many reports of one workspace wait in the queue at the same time. More than are made until the next look, and few
 * enough that another workspace of the agency waits only for them.
 */
const waitingMax = 20

/** Puts the oldest reports that each workspace asked for into their queue. */
export const queuedReports: JobDeclaration = {
  summary: 'Starts reports that were asked for',
  everyMs: 5_000,
  async run(ctx, signal) {
    const open = where.eq('is_open', true)
    const waiting = new Map<string, number>()
    // Ids are in the order of time.
    const rows = ctx.rows(Report).each({ where: open, fields: ['workspace_id'], signal })
    for await (const { id, workspace_id } of rows) {
      const before = waiting.get(workspace_id) ?? 0
      if (before >= waitingMax) continue
      waiting.set(workspace_id, before + 1)
      await ctx.enqueue('make-report', { workspace_id, key: id, payload: { report_id: id } })
    }
  },
}
