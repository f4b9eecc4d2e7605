import {
  dayMs,
  type JobDeclaration,
  minuteMs,
  moveState,
  nullIfConflict,
  type OwnerContext,
  Refusal,
  type RowChanges,
  requireRow,
  where,
} from 'renown'
import { BusinessLocation } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'
import { type MailRow, mailState, ReportMail } from '../records/ReportMail'
import { ReportRecipient } from '../records/ReportRecipient'
import { reportMailState } from '../records/reportMailState'
import { ScheduledReport } from '../records/ScheduledReport'
import { recipientsMax } from './recipients'

type MailStep = NonNullable<ReportRow['mail_state']>

/** Queues one message for each confirmed recipient of a report. Can be repeated: a recipient has one message of a report. */
export async function releaseMail(ctx: OwnerContext, report: ReportRow, by_person: boolean): Promise<number> {
  const { id: report_id, workspace_id } = report
  const lists = [report_id, ...(report.scheduled_report_id === undefined ? [] : [report.scheduled_report_id])]
  const theirs = where.and(where.in('list_id', lists), where.eq('state', 'confirmed'))
  const recipients = await ctx.rows(ReportRecipient).list({ where: theirs, limit: recipientsMax * 2 })
  const due_at = ctx.now().toISOString()
  const once = new Map(recipients.map((one) => [one.email_key, one]))
  let queued = 0
  for (const { id: recipient_id, email, email_key } of once.values()) {
    const row = await ctx
      .rows(ReportMail)
      .insert({
        workspace_id,
        kind: 'report',
        once: `${report_id} ${email_key}`,
        report_id,
        recipient_id,
        email,
        by_person,
        state: 'queued',
        attempts: 0,
        due_at,
        has_content: false,
      })
      .catch(nullIfConflict)
    const isQueued =
      row !== null || (by_person && (await queueAgain(ctx, `${report_id} ${email_key}`, recipient_id)))
    if (isQueued) queued += 1
  }
  await moveMail(ctx, report, 'released')
  return queued
}

/** Queues a message that failed or was cancelled. One of unknown outcome waits for a decision of its own. */
async function queueAgain(ctx: OwnerContext, once: string, recipient_id: string): Promise<boolean> {
  const [row] = await ctx.rows(ReportMail).list({ where: where.eq('once', once), limit: 1 })
  if (!row || (row.state !== 'failed' && row.state !== 'cancelled')) return false
  return (await requeue(ctx, row, { recipient_id })) !== null
}

/** Queues an ended message, by the decision of a person. */
export async function requeue(
  ctx: OwnerContext,
  row: MailRow,
  changes: Partial<MailRow> = {},
): Promise<MailRow | null> {
  const moved = moveState(mailState, row.state, 'queued', { now: ctx.now() })
  const fresh = { attempts: 0, has_content: false, by_person: true, first_at: undefined, error: undefined }
  const same = where.and(where.eq('id', row.id), where.eq('state', row.state))
  return ctx.rows(ReportMail).updateWhere(same, {
    ...moved,
    ...fresh,
    ...changes,
    due_at: ctx.now().toISOString(),
  } as RowChanges<typeof ReportMail>)
}

/** Moves the mail of a report, if nobody else moved it. */
export async function moveMail(
  ctx: OwnerContext,
  { id, mail_state }: Pick<ReportRow, 'id' | 'mail_state'>,
  to: MailStep,
  mail_note?: string,
): Promise<ReportRow | null> {
  if (mail_state === to) return null
  const moved = moveState(reportMailState, mail_state ?? null, to, { now: ctx.now() })
  const same = where.and(where.eq('id', id), where.eq('mail_state', mail_state ?? null))
  return ctx.rows(Report).updateWhere(same, { ...moved, mail_note } as RowChanges<typeof Report>)
}

/** Sends a completed report now, by the decision of a person. Nobody who has it gets it again. Returns how many messages were queued. */
export async function sendNow(ctx: OwnerContext, id: string): Promise<{ readonly queued: number }> {
  const report = await requireRow(ctx.rows(Report), 'report', id)
  await ctx.requireActive(report.workspace_id)
  if (report.status !== 'completed') throw new Refusal('conflict', 'Only a completed report can be mailed.')
  if (!ctx.outbound.mail.isConfigured) {
    throw new Refusal('conflict', 'No mail server is set up. Operators set SMTP_URL and MAIL_FROM.')
  }
  const queued = await releaseMail(ctx, report, true)
  return { queued }
}

/** Keeps a report from being mailed. Messages that were not sent yet are cancelled. */
export async function holdMail(ctx: OwnerContext, id: string): Promise<ReportRow> {
  const report = await requireRow(ctx.rows(Report), 'report', id)
  if (report.mail_state !== 'planned' && report.mail_state !== 'released') {
    throw new Refusal('conflict', 'No mail with this report is planned.')
  }
  const held = await moveMail(ctx, report, 'held')
  if (!held) throw new Refusal('conflict', 'The report changed. Reload the page.')
  return held
}

/** Decides about a message of unknown outcome: it arrived, or it is sent again. */
export async function decideMail(ctx: OwnerContext, id: string, it: 'arrived' | 'again'): Promise<MailRow> {
  const row = await requireRow(ctx.rows(ReportMail), 'message', id)
  const isOpen = row.state === 'unknown' || (it === 'again' && row.state === 'failed')
  if (!isOpen) throw new Refusal('conflict', 'This message needs no decision.')
  await ctx.requireActive(row.workspace_id)
  const same = where.and(where.eq('id', id), where.eq('state', row.state))
  const changed =
    it === 'again'
      ? await requeue(ctx, row)
      : await ctx
          .rows(ReportMail)
          .updateWhere(
            same,
            moveState(mailState, row.state, 'sent', { now: ctx.now() }) as RowChanges<typeof ReportMail>,
          )
  if (!changed) throw new Refusal('conflict', 'The message changed. Reload the page.')
  return changed
}

/** How long a report waits for a mail server to be set up. */
const waitMs = dayMs

/** Releases the mail that is due, and puts each message into its queue. */
export const dueReportMail: JobDeclaration = {
  summary: 'Starts mail with reports',
  everyMs: minuteMs / 6,
  async run(ctx, signal) {
    const now = ctx.now().toISOString()
    const planned = where.and(where.eq('mail_state', 'planned'), where.lte('mail_at', now))
    for await (const report of ctx.rows(Report).each({ where: planned, signal })) await release(ctx, report)
    const due = where.and(where.in('state', ['queued', 'sending']), where.lte('due_at', now))
    for await (const { id, workspace_id } of ctx.rows(ReportMail).each({ where: due, signal })) {
      await ctx.enqueue('send-report-mail', { workspace_id, key: id, payload: { mail_id: id } })
    }
  },
}

async function release(ctx: OwnerContext, report: ReportRow): Promise<void> {
  const location = await ctx.rows(BusinessLocation).get(report.business_location_id ?? '')
  if (location?.is_demo === true) return
  if (report.status === 'failed') {
    await moveMail(ctx, report, 'cancelled', 'The report failed.')
    return
  }
  if (report.status !== 'completed') return
  const schedule = await ctx.rows(ScheduledReport).get(report.scheduled_report_id ?? '')
  if (!schedule?.is_active) {
    await moveMail(
      ctx,
      report,
      'cancelled',
      schedule ? 'The schedule is paused.' : 'The schedule was removed.',
    )
    return
  }
  if (ctx.outbound.mail.isConfigured) {
    await releaseMail(ctx, report, false)
    return
  }
  const isLate = ctx.now().getTime() - Date.parse(report.mail_at ?? '') > waitMs
  if (isLate) await moveMail(ctx, report, 'cancelled', 'No mail server is set up.')
}
