import { defineEntity, defineStates, field } from 'renown'
import * as v from 'valibot'

const states = ['queued', 'sent', 'deleted', 'rejected', 'failed', 'cancelled'] as const

/** Internal: the last action of a person on the reply of a review. One row per review. */
export const ReviewReply = defineEntity({
  name: 'ReviewReply',
  summary: 'What a person last did to the reply of a review',
  idPrefix: 'rrp',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  fields: {
    review_id: field.text('Review that is answered'),
    location_id: field.text('Business location that was reviewed'),
    act: field.oneOf(['publish', 'delete'], 'What to do: publish covers new and edited replies'),
    act_id: field.text('Tells this act from earlier ones on the same review'),
    text: v.optional(field.text('The reply to publish')),
    replaces: v.optional(field.text('The reply that the person saw; absent when they saw none')),
    basis: field.text('Digest of the stars and words that the person saw'),
    is_approved: v.optional(field.flag('Approved together with others: judged again before it is sent')),
    state: field.oneOf(states, 'How far it is'),
    error: v.optional(field.text('Why the last try failed, or why the reply was rejected')),
    requested_by: field.text('Id of the person, or `command line`'),
    requested_at: field.instant('When the person asked for it'),
    settled_at: v.optional(field.instant('When it was sent, deleted, rejected, or given up')),
  },
  sortable: ['requested_at', 'created_date'],
  defaultSort: 'requested_at',
  indexes: [
    { on: ['review_id'], unique: true },
    { on: ['location_id'], where: { state: 'queued' } },
  ],
})

/** The states of an action. A person can act again unless an action is queued. */
export const replyActs = defineStates({
  entity: 'ReviewReply',
  field: 'state',
  initial: ['queued'],
  moves: {
    queued: ['sent', 'deleted', 'rejected', 'failed', 'cancelled'],
    ...{ sent: ['queued'], deleted: ['queued'], rejected: ['queued'] },
    ...{ failed: ['queued'], cancelled: ['queued'] },
  },
  stamps: {
    ...{ sent: 'settled_at', deleted: 'settled_at', rejected: 'settled_at' },
    ...{ failed: 'settled_at', cancelled: 'settled_at' },
  },
  needs: { failed: ['error'], rejected: ['error'] },
})
