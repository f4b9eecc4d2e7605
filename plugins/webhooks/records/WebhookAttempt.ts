import { defineEntity, defineStates, field, type Row } from 'renown'
import * as v from 'valibot'

/** The outcomes of an attempt. `unknown`: the process ended before the answer, and the message is sent again. */
export const attemptState = defineStates({
  entity: 'WebhookAttempt',
  field: 'outcome',
  initial: ['calling'],
  moves: { calling: ['delivered', 'failed', 'unknown'], delivered: [], failed: [], unknown: [] },
})

/** Internal: one request to a webhook. Written before the request and settled after it. */
export const WebhookAttempt = defineEntity({
  name: 'WebhookAttempt',
  summary: 'A request to a webhook, written before it is sent',
  idPrefix: 'wha',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    webhook_id: field.text('The webhook'),
    delivery_id: field.text('The delivery'),
    event_id: field.text('The event'),
    type: field.text('Type of the event'),
    number: field.integer('Number of the attempt', { min: 1 }),
    started_at: field.instant('When it was recorded, before the request'),
    outcome: field.oneOf(['calling', 'delivered', 'failed', 'unknown'], 'Its result'),
    status: v.optional(field.integer('Status of the answer', { min: 100, max: 999 })),
    took_ms: v.optional(field.integer('How long the receiver took', { min: 0 })),
    answer: v.optional(field.text('Beginning of the answer')),
    error: v.optional(field.text('Why there was no answer, or what was wrong with it')),
    expire_at: field.instant('When the row is deleted'),
  },
  states: [attemptState],
  sortable: ['started_at', 'created_date'],
  defaultSort: '-started_at',
  indexes: [
    { on: ['webhook_id', '-started_at'] },
    { on: ['delivery_id', '-started_at'] },
    { on: ['expire_at'], ttlSeconds: 0 },
  ],
})
/** A stored attempt. */
export type AttemptRow = Row<typeof WebhookAttempt>
