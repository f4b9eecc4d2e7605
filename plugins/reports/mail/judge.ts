import type { OwnerContext } from 'renown'
import { BusinessLocation, Workspace } from '../records/foreign'
import { Report } from '../records/Report'
import type { MailRow } from '../records/ReportMail'
import { ReportRecipient } from '../records/ReportRecipient'
import { ScheduledReport } from '../records/ScheduledReport'
import { isMember } from './recipients'

/** Returns why a message may not be sent now, in words. Null if it may. Asked before each attempt, and again right before its content. */
export async function whyNotSent(ctx: OwnerContext, mail: MailRow): Promise<string | null> {
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
