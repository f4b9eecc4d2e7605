import {
  dayMs,
  hourMs,
  isServiceFault,
  messageOf,
  minuteMs,
  moveState,
  type OwnerContext,
  type QueueDeclaration,
  type RowChanges,
  type ServiceFault,
  type Task,
  usesAttempt,
  where,
} from 'renown'
import * as v from 'valibot'
import { BusinessLocation, Workspace } from '../records/foreign'
import { Report } from '../records/Report'
import { type MailRow, mailState, ReportMail } from '../records/ReportMail'
import { ReportRecipient } from '../records/ReportRecipient'
import { ScheduledReport } from '../records/ScheduledReport'
import { buildMail } from './build-mail'
import { isMember } from './recipients'

const payload = v.strictObject({ mail_id: v.string() })
/** Waits after each failed attempt: a day together. */
const waitsMs = [1, 5, 15, 30, 60, 120, 240, 480, 480].map((minutes) => minutes * minuteMs)
const triedMs = dayMs + hourMs
const errorMax = 300

/** Thrown if a message may no longer be sent. */
class NotWanted extends Error {
  override readonly name = 'NotWanted'
}

/**
 * Sends one message. Its state is stored before each step, so that a process that ends at any point neither loses it nor
 * sends it twice: without content it is sent again, and with content its outcome is unknown until a person decides.
 */
export const sendReportMail: QueueDeclaration<typeof payload> = {
  summary: 'Sends a report by mail',
  payload,
  atOnce: 2,
  async run(ctx, { mail_id }, task) {
    const found = await ctx.rows(ReportMail).get(mail_id)
    // A message that is being sent belonged to a process that ended: this job runs in one process at a time.
    const mail = found?.state === 'sending' ? await settleLost(ctx, found) : found
    if (mail?.state !== 'queued' || mail.due_at > ctx.now().toISOString()) return
    const why = await whyNotSent(ctx, mail)
    if (why !== null) {
      await move(ctx, mail, 'cancelled', { error: why })
      return
    }
    const now = ctx.now().toISOString()
    const begun = await move(ctx, mail, 'sending', {
      attempts: mail.attempts + 1,
      has_content: false,
      first_at: mail.first_at ?? now,
      error: undefined,
    })
    if (begun) await send(ctx, begun, task)
  },
}

async function settleLost(ctx: OwnerContext, mail: MailRow): Promise<MailRow | null> {
  if (!mail.has_content) return move(ctx, mail, 'queued', {})
  await end(ctx, mail, 'unknown', 'Renown stopped before the mail server answered.')
  return null
}

async function send(ctx: OwnerContext, mail: MailRow, task: Task): Promise<void> {
  try {
    const message = await buildMail(ctx, mail)
    await ctx.outbound.mail.send({ ...message, beforeContent: () => beforeContent(ctx, mail, task) })
  } catch (error) {
    if (error instanceof NotWanted) {
      await move(ctx, mail, 'cancelled', { error: error.message })
      return
    }
    // Nothing was sent: a fault of this installation, which the queue tries again.
    if (!usesAttempt(error) && !isServiceFault(error)) {
      await move(ctx, mail, 'queued', { attempts: mail.attempts - 1 })
      throw error
    }
    if (!isServiceFault(error)) {
      await move(ctx, mail, 'queued', { error: messageOf(error).slice(0, errorMax) })
      throw error
    }
    await settle(ctx, mail, error)
    return
  }
  await move(ctx, mail, 'sent', { error: undefined })
}

/** Judges again and stores that the content follows. Nothing is sent if this throws. */
async function beforeContent(ctx: OwnerContext, mail: MailRow, task: Task): Promise<void> {
  const why = await whyNotSent(ctx, mail)
  if (why !== null) throw new NotWanted(why)
  await task.hold()
  const sending = where.and(
    where.eq('id', mail.id),
    where.eq('state', 'sending'),
    where.eq('attempts', mail.attempts),
  )
  const stored = await ctx.rows(ReportMail).updateWhere(sending, { has_content: true })
  if (!stored) throw new NotWanted('Another process sends it.')
}

async function settle(ctx: OwnerContext, mail: MailRow, fault: ServiceFault): Promise<void> {
  const error = fault.message.slice(0, errorMax)
  if (fault.kind === 'permanent') return end(ctx, mail, 'failed', error)
  const isOpen =
    fault.delivery === undefined && (await ctx.rows(ReportMail).get(mail.id))?.has_content === true
  if (isOpen) return end(ctx, mail, 'unknown', 'The mail server did not answer after the message was sent.')
  const waitMs = waitsMs[mail.attempts - 1]
  const next = ctx.now().getTime() + (waitMs ?? 0)
  if (waitMs === undefined || next - Date.parse(mail.first_at ?? '') > triedMs) {
    return end(ctx, mail, 'failed', error)
  }
  await move(ctx, mail, 'queued', { error, due_at: new Date(next).toISOString() })
}

/** Ends a message that a person should know about. */
async function end(ctx: OwnerContext, mail: MailRow, to: 'failed' | 'unknown', error: string): Promise<void> {
  const { id, workspace_id, report_id, email } = mail
  await ctx.notify({
    workspace_id,
    type: `report_mail_${to}`,
    severity: 'warning',
    once: `report_mail ${id} ${mail.first_at}`,
    ...(report_id === undefined ? {} : { entity: 'Report', entity_id: report_id }),
    title: to === 'failed' ? `Mail to ${email} failed` : `Did the mail to ${email} arrive?`,
    body: to === 'failed' ? error : `${error} Open the report and decide whether it is sent again.`,
  })
  await move(ctx, mail, to, { error })
}

/** Moves a message if nobody else moved it. */
function move(
  ctx: OwnerContext,
  { id, state }: Pick<MailRow, 'id' | 'state'>,
  to: MailRow['state'],
  given: Partial<MailRow>,
): Promise<MailRow | null> {
  const moved = moveState(mailState, state, to, { now: ctx.now() })
  const same = where.and(where.eq('id', id), where.eq('state', state))
  return ctx.rows(ReportMail).updateWhere(same, { ...moved, ...given } as RowChanges<typeof ReportMail>)
}

/** Returns why a message may not be sent now, in words. Null if it may. Asked before each attempt, and again right before its content. */
async function whyNotSent(ctx: OwnerContext, mail: MailRow): Promise<string | null> {
  const [workspace, recipient] = await Promise.all([
    ctx.rows(Workspace).get(mail.workspace_id),
    ctx.rows(ReportRecipient).get(mail.recipient_id),
  ])
  if (!workspace?.is_active || workspace.is_demo === true) return 'The workspace is inactive or a demo.'
  if (!recipient) return 'The recipient was removed.'
  if (recipient.state === 'stopped') return 'The recipient stopped this mail.'
  if (mail.kind === 'confirmation') {
    return recipient.state === 'pending' ? null : 'The recipient has already confirmed.'
  }
  if (recipient.state !== 'confirmed') return 'The recipient has not confirmed.'
  const isKnown = recipient.proof !== 'member' || (await isMember(ctx, workspace.id, recipient.email_key))
  if (!isKnown) return 'The recipient no longer has access to the workspace.'
  return reportStopped(ctx, mail)
}

async function reportStopped(ctx: OwnerContext, mail: MailRow): Promise<string | null> {
  const report = await ctx.rows(Report).get(mail.report_id ?? '')
  if (report?.status !== 'completed') return 'The report was removed.'
  if (report.mail_state !== 'released') return 'The report is held.'
  const location = await ctx.rows(BusinessLocation).get(report.business_location_id ?? '')
  if (!location || location.is_demo === true) return 'The location was removed, or is a demo.'
  if (mail.by_person || report.scheduled_report_id === undefined) return null
  const schedule = await ctx.rows(ScheduledReport).get(report.scheduled_report_id)
  if (!schedule) return 'The schedule was removed.'
  return schedule.is_active ? null : 'The schedule is paused.'
}
