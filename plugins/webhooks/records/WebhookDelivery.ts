import { defineEntity, defineStates, field, type Row } from 'renown'
import * as v from 'valibot'

/** The states of a delivery. A person can replay one that has ended. */
export const deliveryState = defineStates({
  entity: 'WebhookDelivery',
  field: 'state',
  initial: ['pending'],
  moves: { pending: ['delivered', 'failed'], delivered: ['pending'], failed: ['pending'] },
  stamps: { delivered: 'settled_at', failed: 'settled_at' },
})

/** Internal: one event for one webhook, and how far its delivery is. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  summary: 'An event on its way to a webhook',
  idPrefix: 'whd',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    webhook_id: field.text('The webhook'),
    event_id: field.text('The event. Also the webhook-id of each attempt'),
    type: field.text('Type of the event'),
    seq: field.integer('Position of the event in the log', { min: 1 }),
    state: field.oneOf(['pending', 'delivered', 'failed'], 'How far it is'),
    attempts: field.integer('Attempts since it was last queued', { min: 0 }),
    due_at: field.instant('When the next attempt is due'),
    settled_at: v.optional(field.instant('When it was delivered or given up')),
    expire_at: v.optional(field.instant('When the row is deleted')),
  },
  states: [deliveryState],
  sortable: ['seq', 'due_at', 'created_date'],
  defaultSort: 'seq',
  indexes: [
    { on: ['webhook_id', 'event_id'], unique: true },
    { on: ['webhook_id', 'state', 'seq'] },
    { on: ['expire_at'], ttlSeconds: 0 },
  ],
})
/** A stored delivery. */
export type DeliveryRow = Row<typeof WebhookDelivery>
