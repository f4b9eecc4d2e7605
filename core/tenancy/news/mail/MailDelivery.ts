import * as v from 'valibot'
import { defineEntity, defineStates, field } from '../../../kit'

/** MailDelivery.state. All ends are final. */
export const deliveryState = defineStates({
  entity: 'MailDelivery',
  field: 'state',
  initial: ['queued'],
  moves: { queued: ['sent', 'failed', 'cancelled'], sent: [], failed: [], cancelled: [] },
  stamps: { sent: 'sent_at', failed: 'ended_at', cancelled: 'ended_at' },
})

/** Internal: one message to one person, with its state. */
export const MailDelivery = defineEntity({
  name: 'MailDelivery',
  summary: 'An email that was or will be sent',
  idPrefix: 'mdl',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: { through: [{ field: 'user_id', entity: 'User' }], erase: 'row' },
  fields: {
    workspace_id: field.text('Workspace that it is about'),
    user_id: field.text('Person who gets it'),
    choice_id: field.text('The choice of the person that it is sent for'),
    state: field.oneOf(['queued', 'sent', 'failed', 'cancelled'], 'State of the message'),
    from_instant: field.instant('It contains the notifications after this instant'),
    until_instant: field.instant('It contains the notifications up to this instant'),
    sent_at: v.optional(field.instant('When the mail server accepted it')),
    ended_at: v.optional(field.instant('When it failed or was cancelled')),
    error: v.optional(field.text('Why it was not sent')),
  },
  states: [deliveryState],
  sortable: ['created_date'],
  indexes: [{ on: ['choice_id', 'from_instant'], unique: true }, { on: ['-created_date'] }],
})
