import { where } from 'renown'
import type { PageContext } from 'renown/pages'
import { recipientsMax } from '../mail/recipients'
import { type MailRow, ReportMail } from '../records/ReportMail'
import { type RecipientRow, ReportRecipient } from '../records/ReportRecipient'

/** A recipient on a page. */
export type ShownRecipient = Pick<RecipientRow, 'id' | 'list_id' | 'email' | 'state' | 'proof'>

/** A message on a page. */
export interface ShownMail extends Pick<MailRow, 'id' | 'email' | 'state' | 'attempts'> {
  /** When it was sent or ended, or when it is tried next. */
  readonly at: string
  readonly error: string | null
}

/** The recipients and messages of a schedule or a report. */
export interface ShownMailing {
  /** Whether a mail server is set up. */
  readonly isConfigured: boolean
  readonly recipients: readonly ShownRecipient[]
  readonly mails: readonly ShownMail[]
}

const mailsMax = 200

/** Reads who gets mail of these lists, and the messages of a report or of the confirmations of its recipients. */
export async function mailingOf(
  ctx: PageContext,
  lists: readonly string[],
  report_id: string | null,
): Promise<ShownMailing> {
  const theirs = where.in('list_id', lists)
  const recipients = await ctx.rows(ReportRecipient).list({ where: theirs, limit: recipientsMax * 2 })
  const ids = recipients.map(({ id }) => id)
  const wanted =
    report_id === null
      ? where.and(where.in('recipient_id', ids), where.eq('kind', 'confirmation'))
      : where.eq('report_id', report_id)
  const mails =
    report_id === null && ids.length === 0
      ? []
      : await ctx.rows(ReportMail).list({
          where: wanted,
          sort: [{ field: 'created_date', direction: 'desc' }],
          limit: mailsMax,
        })
  return {
    isConfigured: ctx.system.outbound.mail.isConfigured,
    recipients: recipients.map(({ id, list_id, email, state, proof }) => ({
      id,
      list_id,
      email,
      state,
      ...(proof === undefined ? {} : { proof }),
    })),
    mails: mails.map(({ id, email, state, attempts, due_at, sent_at, ended_at, error = null }) => ({
      id,
      email,
      state,
      attempts,
      error,
      at: sent_at ?? ended_at ?? due_at,
    })),
  }
}
