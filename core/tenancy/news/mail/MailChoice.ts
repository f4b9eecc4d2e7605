import * as v from 'valibot'
import { defineEntity, field } from '../../../kit'

/** How often mail is sent, as people choose it. */
export const frequencies = ['at_once', 'daily', 'weekly', 'off'] as const
export type Frequency = (typeof frequencies)[number]

/** Internal: how often a person gets mail about a workspace, and up to where they got it. */
export const MailChoice = defineEntity({
  name: 'MailChoice',
  summary: 'How often a person gets mail about a workspace',
  idPrefix: 'mch',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: { through: [{ field: 'user_id', entity: 'User' }], erase: 'row' },
  fields: {
    workspace_id: field.text('Workspace that the mail is about'),
    user_id: field.text('Person who gets it'),
    frequency: field.oneOf(frequencies, 'How often'),
    mailed_until: field.instant('Notifications up to this instant were mailed'),
    due_at: v.optional(field.instant('When the next mail may be sent; absent while mail is off')),
    unsubscribe_token: field.text('Secret in the link that stops this mail'),
  },
  hidden: ['unsubscribe_token'],
  sortable: ['created_date', 'due_at'],
  indexes: [
    { on: ['user_id'], unique: true },
    { on: ['due_at'] },
    { on: ['unsubscribe_token'], unsafeUniqueAcrossTenants: true },
  ],
})
