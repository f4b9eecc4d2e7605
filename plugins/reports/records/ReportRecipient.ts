import { defineEntity, defineStates, field, type Row } from 'renown'
import * as v from 'valibot'

const { instant, oneOf, text } = field

/** ReportRecipient.state. Somebody who stopped mail gets it again only after a new confirmation. */
export const recipientState = defineStates({
  entity: 'ReportRecipient',
  field: 'state',
  initial: ['pending', 'confirmed'],
  moves: { pending: ['confirmed', 'stopped'], confirmed: ['stopped'], stopped: ['pending'] },
  stamps: { confirmed: 'confirmed_at', stopped: 'stopped_at' },
})

/** Internal: a person who gets the reports of a schedule, or one report, by mail. */
export const ReportRecipient = defineEntity({
  name: 'ReportRecipient',
  summary: 'A person who gets reports by mail',
  idPrefix: 'rpr',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: { who: { email: ['email', 'email_key'] }, erase: 'row' },
  fields: {
    workspace_id: text('Workspace the reports belong to'),
    list_id: text('The schedule, or the one report, that the person gets'),
    email: text('One e-mail address'),
    email_key: text('The address in lower case'),
    state: oneOf(
      ['pending', 'confirmed', 'stopped'],
      'pending: the person has not confirmed. stopped: the person stopped this mail',
    ),
    proof: v.optional(oneOf(['member', 'link'], 'How the address was confirmed')),
    confirm_hash: v.optional(text('SHA-256 (hex) of the token in the link that confirms')),
    confirm_until: v.optional(instant('End of that link')),
    stop_token: text('Secret in the link that stops this mail'),
    confirmed_at: v.optional(instant('When the address was confirmed')),
    stopped_at: v.optional(instant('When the person stopped this mail')),
  },
  hidden: ['confirm_hash', 'stop_token'],
  states: [recipientState],
  sortable: ['created_date'],
  indexes: [
    { on: ['list_id', 'email_key'], unique: true },
    { on: ['confirm_hash'] },
    { on: ['stop_token'], unsafeUniqueAcrossTenants: true },
  ],
})
/** A stored recipient. */
export type RecipientRow = Row<typeof ReportRecipient>
