import { defineEntity, defineStates, field, type Row } from 'renown'
import * as v from 'valibot'

const { flag, instant, integer, oneOf, text } = field

/** ReportMail.state. Only a person moves an ended message back. */
export const mailState = defineStates({
  entity: 'ReportMail',
  field: 'state',
  initial: ['queued'],
  moves: {
    queued: ['sending', 'cancelled'],
    sending: ['sent', 'failed', 'unknown', 'queued', 'cancelled'],
    sent: [],
    failed: ['queued'],
    unknown: ['queued', 'sent'],
    cancelled: ['queued'],
  },
  stamps: { sent: 'sent_at', failed: 'ended_at', unknown: 'ended_at', cancelled: 'ended_at' },
})

/** Internal: one message to one recipient, and how far it is. */
export const ReportMail = defineEntity({
  name: 'ReportMail',
  summary: 'A report on its way to a recipient by mail',
  idPrefix: 'rpm',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: {
    who: { email: ['email'] },
    through: [{ field: 'recipient_id', entity: 'ReportRecipient' }],
    erase: 'row',
  },
  fields: {
    workspace_id: text('Workspace the report belongs to'),
    kind: oneOf(['report', 'confirmation'], 'confirmation: asks the recipient to confirm the address'),
    once: text('Report and recipient, or recipient and number of the confirmation'),
    report_id: v.optional(text('The report. Absent in a confirmation')),
    recipient_id: text('The recipient'),
    email: text('The address'),
    by_person: flag('A person sent it, so a paused schedule does not stop it'),
    state: oneOf(
      ['queued', 'sending', 'sent', 'failed', 'unknown', 'cancelled'],
      'unknown: the whole message was sent, and no answer came. Only a person sends it again',
    ),
    attempts: integer('How often sending began', { min: 0 }),
    due_at: instant('When the next attempt is due'),
    has_content: flag('The server was ready for the content, so it may have the message'),
    first_at: v.optional(instant('When sending began for the first time')),
    sent_at: v.optional(instant('When the server accepted it')),
    ended_at: v.optional(instant('When it failed, became unknown or was cancelled')),
    error: v.optional(text('Why it was not sent, or is tried again')),
  },
  states: [mailState],
  sortable: ['created_date', 'due_at'],
  indexes: [
    { on: ['once'], unique: true },
    { on: ['report_id', '-created_date'] },
    { on: ['recipient_id'] },
    { on: ['state', 'due_at'] },
  ],
})
/** A stored message. */
export type MailRow = Row<typeof ReportMail>
