import { defineEntity, defineStates, field } from 'renown'
import * as v from 'valibot'

const states = ['queued', 'sent', 'deleted', 'rejected', 'failed', 'cancelled'] as const

/** The states of an action. A person can act again unless an action is queued. */
export const replyActs = defineStates({
  entity: 'ReviewReply',
  field: 'state',
  initial: ['queued'],
  moves: {
    queued: ['sent', 'deleted', 'rejected', 'failed', 'cancelled'],
    sent: ['queued'],
    deleted: ['queued'],
    rejected: ['queued'],
    failed: ['queued'],
    cancelled: ['queued'],
  },
  stamps: {
    sent: 'settled_at',
    deleted: 'settled_at',
    rejected: 'settled_at',
    failed: 'settled_at',
    cancelled: 'settled_at',
  },
  needs: { failed: ['error'], rejected: ['error'] },
})

/** Internal: the last action of a person on the reply of a review. One row per review. */
export const ReviewReply = defineEntity({
  name: 'ReviewReply',
  summary: 'The last action of a person on the reply of a review',
  idPrefix: 'rrp',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: { through: [{ field: 'review_id', entity: 'Review' }], erase: 'row' },
  fields: {
    review_id: field.text('Review of the reply'),
    location_id: field.text('Reviewed business location'),
    act: field.oneOf(['publish', 'delete'], 'What to do: publish covers new and edited replies'),
    act_id: field.text('Distinguishes this action from earlier ones on the same review'),
    text: v.optional(field.text('The reply to publish')),
    replaces: v.optional(field.text('The reply that the person saw; absent when they saw none')),
    basis: field.text('Digest of the stars and text that the person saw'),
    is_approved: v.optional(
      field.flag('Whether it was approved together with others, and is checked again before it is sent'),
    ),
    state: field.oneOf(states, 'How far it is'),
    error: v.optional(field.text('Why the last attempt failed, or why the reply was rejected')),
    requested_by: field.text('Id of the person, or `command line`'),
    requested_at: field.instant('When the person requested it'),
    settled_at: v.optional(field.instant('When it was sent, deleted or rejected, or failed')),
  },
  states: [replyActs],
  sortable: ['requested_at', 'created_date'],
  defaultSort: 'requested_at',
  indexes: [
    { on: ['review_id'], unique: true },
    { on: ['location_id'], where: { state: 'queued' } },
  ],
})
