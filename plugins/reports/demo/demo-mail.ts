import type { DemoBusiness, DemoRow, DemoWorld } from 'renown'
import { Report } from '../records/Report'
import { type MailRow, ReportMail } from '../records/ReportMail'
import { type RecipientRow, ReportRecipient } from '../records/ReportRecipient'
import { ScheduledReport } from '../records/ScheduledReport'

/** Reserved addresses, so that nobody could get mail even if a demo were mailed. */
const people: readonly (readonly [name: string, state: RecipientRow['state'], proof?: 'member' | 'link'])[] =
  [
    ['owner', 'confirmed', 'member'],
    ['manager', 'confirmed', 'link'],
    ['accountant', 'pending'],
    ['former', 'stopped'],
  ]

const emailOf = (business: DemoBusiness, name: string) => `${name}@${business.key}.example`

/** The recipients of the schedule of a business. They are never mailed. */
export const recipientsOf = (world: DemoWorld, business: DemoBusiness): DemoRow<typeof ReportRecipient>[] =>
  people.map(([name, state, proof]) => ({
    id: world.id(ReportRecipient, `${business.key} ${name}`),
    workspace_id: business.workspace_id,
    list_id: world.id(ScheduledReport, business.key),
    email: emailOf(business, name),
    email_key: emailOf(business, name),
    state,
    ...(proof === undefined ? {} : { proof, confirmed_at: world.at(200) }),
    ...(state === 'stopped' ? { stopped_at: world.at(100) } : {}),
    stop_token: world.id(ReportRecipient, `stop ${business.key} ${name}`),
    created_date: world.at(201),
  }))

const messages: readonly (readonly [name: string, ago: number, state: MailRow['state'], error?: string])[] = [
  ['owner', 1, 'sent'],
  ['manager', 1, 'failed', 'The mail server refused the message: 550 5.1.1 There is no such person here.'],
  ['owner', 2, 'sent'],
  ['manager', 2, 'unknown', 'The mail server did not answer after the message was sent.'],
  ['former', 2, 'cancelled', 'The recipient stopped this mail.'],
]

/** The messages of the last reports of a business. */
export const mailsOf = (world: DemoWorld, business: DemoBusiness): DemoRow<typeof ReportMail>[] =>
  messages.map(([name, ago, state, error]) => {
    const report_id = world.id(Report, `${business.key} ${ago}`)
    const at = world.at(ago * 30 - 11, 7)
    const email = emailOf(business, name)
    return {
      id: world.id(ReportMail, `${business.key} ${name} ${ago}`),
      workspace_id: business.workspace_id,
      kind: 'report',
      once: `${report_id} ${email}`,
      report_id,
      recipient_id: world.id(ReportRecipient, `${business.key} ${name}`),
      email,
      by_person: false,
      state,
      due_at: at,
      first_at: at,
      attempts: state === 'cancelled' ? 0 : 1,
      has_content: state === 'sent' || state === 'unknown',
      ...(state === 'sent' ? { sent_at: at } : { ended_at: at }),
      ...(error === undefined ? {} : { error }),
      created_date: at,
    }
  })

const paragraph =
  'A busy month: many new guests found you through the summer market.\n\nNext month we answer the reviews about waiting times first.'

/** How far the mail of a report is, and the paragraph of the one that is shared. */
export function mailedOf(ago: number, at: string): Partial<DemoRow<typeof Report>> {
  if (ago === 2)
    return { mail_state: 'released', mail_at: at, paragraph, paragraph_at: at, pdf_state: 'failed' }
  if (ago === 1) return { mail_state: 'released', mail_at: at }
  if (ago === 4) return { mail_state: 'held', mail_at: at }
  return ago === 5 ? { mail_state: 'cancelled', mail_at: at, mail_note: 'The schedule is paused.' } : {}
}
