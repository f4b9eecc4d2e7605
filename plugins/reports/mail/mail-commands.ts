import { type ActRecord, actCommands, defineAct, defineCommand, field, where } from 'renown'
import * as v from 'valibot'
import { Report } from '../records/Report'
import { type MailRow, ReportMail } from '../records/ReportMail'
import { type RecipientRow, ReportRecipient } from '../records/ReportRecipient'
import { addRecipient, askToConfirm, mailList, recipientsMax, removeRecipient } from './recipients'
import { decideMail, holdMail, sendNow } from './release'

const list_id = field.text('Schedule, or one report')
const email = field.text('One e-mail address')
const report_id = field.text('Report')

const shownRecipient = ({ id, email, state, proof, confirmed_at, stopped_at }: RecipientRow) => ({
  id,
  email,
  state,
  proof: proof ?? null,
  confirmed_at: confirmed_at ?? null,
  stopped_at: stopped_at ?? null,
})

const shownMail = ({ id, email, kind, state, attempts, due_at, sent_at, ended_at, error }: MailRow) => ({
  id,
  email,
  kind,
  state,
  attempts,
  due_at: state === 'queued' ? due_at : null,
  sent_at: sent_at ?? null,
  ended_at: ended_at ?? null,
  error: error ?? null,
})

const list = defineCommand({
  name: 'recipient list',
  summary: 'List the people who get the reports of a schedule, or one report, by mail',
  input: v.strictObject({ list_id }),
  positional: ['list_id'],
  async run(ctx, asked) {
    const theirs = where.eq('list_id', asked.list_id)
    const rows = await ctx.rows(ReportRecipient).list({ where: theirs, limit: recipientsMax })
    return { recipients: rows.map(shownRecipient) }
  },
})

const add = defineCommand({
  name: 'recipient add',
  summary: 'Mail the reports of a schedule, or one report, to somebody. Strangers confirm first',
  input: v.strictObject({ list_id, email }),
  positional: ['list_id', 'email'],
  run: async (ctx, asked) =>
    shownRecipient(await addRecipient(ctx, await mailList(ctx, asked.list_id), asked.email)),
})

/** Returns the recipient with this address. */
async function recipientOf(ctx: Parameters<typeof mailList>[0], asked: { list_id: string; email: string }) {
  const same = where.and(where.eq('list_id', asked.list_id), where.eq('email_key', asked.email.toLowerCase()))
  const [row] = await ctx.rows(ReportRecipient).list({ where: same, limit: 1 })
  return row
}

const ask = defineCommand({
  name: 'recipient ask',
  summary: 'Ask somebody again to confirm the address',
  input: v.strictObject({ list_id, email }),
  positional: ['list_id', 'email'],
  async run(ctx, asked) {
    const row = await recipientOf(ctx, asked)
    if (row?.state === 'pending') await askToConfirm(ctx, row)
    return { asked: row?.state === 'pending' }
  },
})

const remove = defineCommand({
  name: 'recipient remove',
  summary: 'No longer mail reports to somebody',
  input: v.strictObject({ list_id, email }),
  positional: ['list_id', 'email'],
  async run(ctx, asked) {
    const row = await recipientOf(ctx, asked)
    const removed = await removeRecipient(ctx, await mailList(ctx, asked.list_id), row?.id ?? asked.email)
    return { ...shownRecipient(removed), removed: true }
  },
})

/** Acts on a report. The pages have a parameter `report`, so forms send the id as `id`. */
const onReport: ActRecord<typeof Report> = {
  entity: Report,
  field: 'report_id',
  called: 'report',
  inForms: 'id',
}
const owners = { only: 'owner', refusesDemo: true } as const
const reportSubject = (_: unknown, { id }: { readonly id: string }) => `report ${id}`

/** Mails a report now. */
export const sendReport = defineAct({
  ...owners,
  name: 'report send',
  summary: 'Mail a completed report now to its confirmed recipients. Nobody who has it gets it again',
  on: onReport,
  label: 'Send report',
  done: 'The report is sent to its confirmed recipients. Nobody who has it gets it again.',
  audit: {
    action: 'location.report_send',
    what: 'Report sent by mail',
    subject: reportSubject,
    isHistory: true,
  },
  run: async (ctx, { row }) => ({ answer: { ...(await sendNow(ctx, row.id)) } }),
})

/** Keeps a report from being mailed. */
export const holdReport = defineAct({
  ...owners,
  name: 'report hold',
  summary: 'Keep a report from being mailed until you send it',
  on: onReport,
  label: 'Hold report',
  done: 'The report is held. It is not mailed until you send it.',
  undo: 'report send',
  audit: {
    action: 'location.report_hold',
    what: 'Mail with a report held',
    subject: reportSubject,
    isHistory: true,
  },
  async run(ctx, { row }) {
    const { id, mail_state = null } = await holdMail(ctx, row.id)
    return { answer: { id, mail_state } }
  },
})

const log = defineCommand({
  name: 'report delivery list',
  summary: 'List the messages of a report with their states',
  input: v.strictObject({ report_id }),
  positional: ['report_id'],
  async run(ctx, asked) {
    const theirs = where.eq('report_id', asked.report_id)
    const rows = await ctx.rows(ReportMail).list({ where: theirs, limit: 200 })
    return { deliveries: rows.map(shownMail) }
  },
})

const decide = defineCommand({
  name: 'report delivery settle',
  summary: 'Decide about a message of unknown outcome: it arrived, or it is sent again',
  input: v.strictObject({
    mail_id: field.text('Message'),
    decision: field.oneOf(['arrived', 'again'], 'arrived: it is there. again: send it again'),
  }),
  positional: ['mail_id', 'decision'],
  run: async (ctx, asked) => shownMail(await decideMail(ctx, asked.mail_id, asked.decision)),
})

/** The commands of mail with reports. */
export const mailCommands = [list, add, ask, remove, log, decide, ...actCommands([sendReport, holdReport])]
