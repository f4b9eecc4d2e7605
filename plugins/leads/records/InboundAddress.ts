import { defineEntity, field, type Row } from 'renown'
import * as v from 'valibot'

/** Internal: the address to which services send posts for one tracker. Its token is stored only as a hash. */
export const InboundAddress = defineEntity({
  name: 'InboundAddress',
  summary: 'The address to which services send posts for a tracker',
  idPrefix: 'iad',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    location_id: field.text('Business location of the tracker'),
    tracker_id: field.text('Tracker that the posts are for'),
    token_hash: field.text('SHA-256 of the token in the address'),
    token_last4: field.text('Last four characters of the token'),
    secret: v.optional(field.text('Sealed: the secret that signs the messages')),
    received_at: v.optional(field.instant('When the last message arrived')),
    posts_seen: field.integer('Number of posts that arrived', { min: 0 }),
    unread_seen: field.integer('Number of posts that could not be read', { min: 0 }),
    unread_reason: v.optional(field.text('Why the last of them could not be read')),
  },
  hidden: ['token_hash', 'secret'],
  sealed: ['secret'],
  sortable: ['created_date'],
  indexes: [
    { on: ['tracker_id', 'workspace_id'], unique: true },
    { on: ['token_hash'], unsafeUniqueAcrossTenants: true },
  ],
})
/** A stored address. */
export type InboundAddressRow = Row<typeof InboundAddress>
