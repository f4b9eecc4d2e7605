import { type ActRecord, actCommands, defineAct, defineCommand, field, Refusal, where } from 'renown'
import * as v from 'valibot'
import { Report } from '../records/Report'
import { type MailRow, ReportMail } from '../records/ReportMail'
import { type RecipientRow, ReportRecipient } from '../records/ReportRecipient'
import { ScheduledReport } from '../records/ScheduledReport'
import { addRecipient, askToConfirm, mailList, recipientsMax, removeRecipient } from './recipients'
import { decideMail, holdMail, sendNow } from './release'

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
  input: v.strictObject({ list_id: field.text('Schedule, or one report') }),
  positional: ['list_id'],
  async run(ctx, asked) {
    const theirs = where.eq('list_id', asked.list_id)
    const rows = await ctx.rows(ReportRecipient).list({ where: theirs, limit: recipientsMax })
    return { recipients: rows.map(shownRecipient) }
  },
})

/** Acts on the schedule or report whose mail somebody gets. Its pages have parameters of their own, so forms send `id`. */
const onList: ActRecord<typeof ScheduledReport | typeof Report> = {
  entity: ScheduledReport,
  otherwise: [Report],
  field: 'list_id',
  called: 'schedule or report',
  inForms: 'id',
}

/** Acts on a recipient. The shell names the list and the address. */
const onRecipient: ActRecord<typeof ReportRecipient> = {
  entity: ReportRecipient,
  field: 'recipient_id',
  called: 'recipient',
  inShell: {
    fields: { list_id: field.text('Schedule, or one report'), email: field.text('One e-mail address') },
    async find(ctx, { list_id, email }) {
      const same = where.and(
        where.eq('list_id', String(list_id)),
        where.eq('email_key', String(email).toLowerCase()),
      )
      const [row] = await ctx.rows(ReportRecipient).list({ where: same, limit: 1 })
      return row ?? null
    },
  },
}
const owners = { only: 'owner', refusesDemo: true } as const

/** Adds a recipient. */
export const addRecipientAct = defineAct({
  ...owners,
  name: 'recipient add',
  summary: 'Mail the reports of a schedule, or one report, to somebody. Strangers confirm first',
  on: onList,
  fields: { email: field.text('One e-mail address') },
  positional: ['email'],
  label: 'Add recipient',
  done: 'The recipient was added.',
  undo: 'recipient remove',
  audit: {
    action: 'location.report_recipient_add',
    what: 'Recipient of reports added',
    subject: (_, __, ___, { created }) => `recipient ${created}`,
    historyOf: ({ id }) => id,
  },
  async run(ctx, { row, input: { email } }) {
    const added = await addRecipient(ctx, await mailList(ctx, row.id), email)
    return { answer: shownRecipient(added), created: added.id }
  },
})

const ask = defineAct({
  ...owners,
  name: 'recipient ask',
  summary: 'Ask somebody again to confirm the address',
  on: onRecipient,
  label: 'Ask again',
  done: 'The recipient is asked again.',
  async run(ctx, { row }) {
    await mailList(ctx, row.list_id)
    if (row.state !== 'pending') throw new Refusal('conflict', 'This recipient does not have to confirm.')
    await askToConfirm(ctx, row)
    return { answer: { asked: true } }
  },
})

const remove = defineAct({
  ...owners,
  name: 'recipient remove',
  summary: 'No longer mail reports to somebody',
  on: onRecipient,
  label: 'Remove recipient',
  done: 'The recipient was removed.',
  audit: {
    action: 'location.report_recipient_remove',
    what: 'Recipient of reports removed',
    subject: (_, { id }) => `recipient ${id}`,
    historyOf: ({ list_id }) => list_id,
  },
  async run(ctx, { row }) {
    const removed = await removeRecipient(ctx, await mailList(ctx, row.list_id), row.id)
    return { answer: { ...shownRecipient(removed), removed: true } }
  },
})

/** Acts on a report. The pages have a parameter `report`, so forms send the id as `id`. */
const onReport: ActRecord<typeof Report> = {
  entity: Report,
  field: 'report_id',
  called: 'report',
  inForms: 'id',
}
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
  input: v.strictObject({ report_id: field.text('Report') }),
  positional: ['report_id'],
  async run(ctx, asked) {
    const theirs = where.eq('report_id', asked.report_id)
    const rows = await ctx.rows(ReportMail).list({ where: theirs, limit: 200 })
    return { deliveries: rows.map(shownMail) }
  },
})

const decide = defineAct({
  ...owners,
  name: 'report delivery settle',
  summary: 'Decide about a message of unknown outcome: it arrived, or it is sent again',
  on: { entity: ReportMail, field: 'mail_id', called: 'message', inForms: 'mail' },
  fields: { decision: field.oneOf(['arrived', 'again'], 'arrived: it is there. again: send it again') },
  positional: ['decision'],
  label: 'Decide',
  done: { arrived: 'The message counts as arrived.', again: 'The message is sent again.' },
  audit: {
    action: { arrived: 'location.report_mail_arrived', again: 'location.report_mail_again' },
    what: ({ decision }) =>
      decision === 'again' ? 'Mail with a report sent again' : 'Mail with a report marked as arrived',
    subject: (_, { id }) => `message ${id}`,
    historyOf: ({ report_id, id }) => report_id ?? id,
  },
  run: async (ctx, { row, input: { decision } }) => ({
    answer: shownMail(await decideMail(ctx, row.id, decision)),
    said: decision,
  }),
})

/** What owners do with recipients and messages, on the pages of a schedule and of a report. */
export const mailActs = {
  'add-recipient': addRecipientAct,
  'remove-recipient': remove,
  'ask-again': ask,
  decide,
}

/** The commands of mail with reports. */
export const mailCommands = [list, log, ...actCommands([...Object.values(mailActs), sendReport, holdReport])]
