import { defineEntity, defineStates, field, type Row } from 'renown'
import * as v from 'valibot'

/** The states of a webhook. People verify, pause and resume. Renown disables a webhook that fails for long. */
export const webhookState = defineStates({
  entity: 'Webhook',
  field: 'state',
  initial: ['unverified'],
  moves: {
    unverified: ['active'],
    active: ['paused', 'disabled'],
    paused: ['active'],
    disabled: ['active'],
  },
  stamps: {},
  clears: { disabled: ['disabled_reason', 'failing_since', 'resume_at'] },
})

/** Internal: an address of the owner that gets the events of a workspace. Never offered to callers. */
export const Webhook = defineEntity({
  name: 'Webhook',
  summary: 'An address that gets the events of a workspace',
  idPrefix: 'whk',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    url: field.text('Where events are sent'),
    types: field.texts('Types of events. Empty for all'),
    state: field.oneOf(
      ['unverified', 'active', 'paused', 'disabled'],
      'Whether events are sent. Off until the host is verified',
    ),
    secret: field.text('Sealed'),
    former_secret: v.optional(field.text('Sealed. The secret before the last rotation')),
    former_until: v.optional(field.instant('Until when messages are signed with the former secret too')),
    cursor: field.integer('Events up to this one have deliveries', { min: 0 }),
    verified_at: v.optional(field.instant('When the host proved that it expects the events')),
    failing_since: v.optional(
      field.instant('When the first attempt of the present row of failures was made'),
    ),
    is_slow: v.optional(field.flag('Whether the receiver took long for the last message')),
    delivered_at: v.optional(field.instant('When the last message arrived')),
    resume_at: v.optional(field.instant('Nothing is sent before, because the receiver asked for a break')),
    disabled_reason: v.optional(field.text('Why Renown disabled it')),
  },
  hidden: ['secret', 'former_secret'],
  sealed: ['secret', 'former_secret'],
  states: [webhookState],
  sortable: ['created_date'],
  indexes: [{ on: ['state', '-created_date'] }],
})
/** A stored webhook. */
export type WebhookRow = Row<typeof Webhook>
