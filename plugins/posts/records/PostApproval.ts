import { defineEntity, defineStates, field, type Row } from 'renown'
import * as v from 'valibot'

/** The states of a link. A link that was answered or ended never opens again: another link is another row. */
export const approvalState = defineStates({
  entity: 'PostApproval',
  field: 'state',
  initial: ['open'],
  moves: { open: ['approved', 'rejected', 'ended'], approved: [], rejected: [], ended: [] },
  stamps: { approved: 'answered_at', rejected: 'answered_at' },
})

/**
 * Internal: a link by which a client approves or rejects a post without an account, and the answer. A post has at most one
 * link that works. Only the hash of its token is stored.
 */
export const PostApproval = defineEntity({
  name: 'PostApproval',
  summary: 'A link by which a client approves or rejects a post',
  idPrefix: 'pap',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: {
    who: { name: ['answered_by'], email: ['answered_by'] },
    words: ['note'],
    erase: { answered_by: '[erased]', note: null },
  },
  fields: {
    post_id: field.text('Post'),
    location_id: field.text('Business location of the post'),
    token_hash: field.text('SHA-256 of the token in the address'),
    expires_at: field.instant('When the link stops working'),
    state: field.oneOf(['open', 'approved', 'rejected', 'ended'], 'How far it is'),
    is_current: field.flag('Whether the link works until it expires'),
    answered_at: v.optional(field.instant('When the client answered')),
    answered_by: v.optional(field.text('The name that the client entered')),
    note: v.optional(field.text('What the client wrote')),
  },
  hidden: ['token_hash'],
  personal: ['answered_by'],
  states: [approvalState],
  sortable: ['created_date'],
  indexes: [
    { on: ['token_hash'], unsafeUniqueAcrossTenants: true },
    { on: ['post_id'], unique: true, where: { is_current: true } },
    { on: ['post_id', '-created_date'] },
  ],
})
/** A stored link with its answer. */
export type ApprovalRow = Row<typeof PostApproval>
