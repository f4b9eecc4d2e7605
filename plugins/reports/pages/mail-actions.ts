import { field, Refusal } from 'renown'
import { type ActionContext, defineAction } from 'renown/pages'
import * as v from 'valibot'
import { addRecipient, askToConfirm, mailList, removeRecipient } from '../mail/recipients'
import { decideMail } from '../mail/release'
import { ReportMail } from '../records/ReportMail'
import { ReportRecipient } from '../records/ReportRecipient'

const byOwner = { auth: 'session', only: 'owner', refusesDemo: true } as const

const missing = () => new Refusal('not_found', 'There is no such recipient in this workspace.')

/** Returns the list that a form names, if it belongs to the workspace. */
const listOf = ({ owner, workspace }: ActionContext, id: string) => mailList(owner, id, workspace.id)

async function ownRecipient(ctx: ActionContext, id: string) {
  const row = await ctx.rows(ReportRecipient).get(id)
  if (!row) throw missing()
  return row
}

/** The actions on recipients and messages, for the pages of a schedule and of a report. */
export const mailActions = {
  'add-recipient': defineAction({
    input: v.strictObject({ id: field.text('Schedule or report'), email: field.text('Email address') }),
    ...byOwner,
    done: 'The recipient was added.',
    async run(ctx, { id, email }) {
      await addRecipient(ctx.owner, await listOf(ctx, id), email)
    },
  }),
  'remove-recipient': defineAction({
    input: v.strictObject({
      id: field.text('Schedule or report'),
      list: field.text('List'),
      recipient: field.text('Recipient'),
    }),
    ...byOwner,
    done: 'The recipient was removed.',
    async run(ctx, { recipient }) {
      const row = await ownRecipient(ctx, recipient)
      await removeRecipient(ctx.owner, await listOf(ctx, row.list_id), row.id)
    },
  }),
  'ask-again': defineAction({
    input: v.strictObject({
      id: field.text('Schedule or report'),
      list: field.text('List'),
      recipient: field.text('Recipient'),
    }),
    ...byOwner,
    done: 'The recipient is asked again.',
    async run(ctx, { recipient }) {
      const row = await ownRecipient(ctx, recipient)
      await listOf(ctx, row.list_id)
      if (row.state !== 'pending') throw new Refusal('conflict', 'This recipient does not have to confirm.')
      await askToConfirm(ctx.owner, row)
    },
  }),
  decide: defineAction({
    input: v.strictObject({
      id: field.text('Schedule or report'),
      mail: field.text('Message'),
      decision: v.picklist(['arrived', 'again'], 'Choose one of the buttons.'),
    }),
    ...byOwner,
    done: 'Your decision was saved.',
    async run(ctx, { mail, decision }) {
      const row = await ctx.rows(ReportMail).get(mail)
      if (!row) throw new Refusal('not_found', 'There is no such message in this workspace.')
      await decideMail(ctx.owner, row.id, decision)
    },
  }),
}
