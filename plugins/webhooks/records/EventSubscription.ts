import { defineEntity, defineStates, field, type Row } from 'renown'
import { callbackFailures } from 'renown/sending'
import * as v from 'valibot'

/** The states of a subscription. One that ended begins again when the app asks for the same events again. */
export const subscriptionState = defineStates({
  entity: 'EventSubscription',
  field: 'state',
  initial: ['active'],
  moves: { active: ['ended'], ended: ['active'] },
  stamps: { ended: 'ended_at' },
  clears: { ended: ['ended_at', 'ended_reason', 'notice', 'notices', 'expire_at'] },
})

/** Internal: a callback of an agent that gets the events of one type until the subscription expires. */
export const EventSubscription = defineEntity({
  name: 'EventSubscription',
  summary: 'A callback of an agent that gets events of a workspace',
  idPrefix: 'sub',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    agency_id: field.text('Agency of the credential'),
    credential: field.text('The agent key or the connected app that asked for the events'),
    key_minted_at: v.optional(field.instant('When the agent key was created. A later key is another one')),
    client: v.optional(field.text('Which app it is, also after it was connected again')),
    type: field.text('Type of the events'),
    location_id: v.optional(field.text('Only events about this location')),
    url: field.text('The callback'),
    secret: field.text('Sealed'),
    former_secret: v.optional(field.text('Sealed. The secret before the last renewal')),
    former_until: v.optional(field.instant('Until when messages are signed with the former secret too')),
    state: field.oneOf(['active', 'ended'], 'Whether events are sent'),
    cursor: field.integer('Events up to this one were delivered', { min: 0 }),
    attempts: field.integer('Attempts to send the next event', { min: 0 }),
    due_at: v.optional(field.instant('When the next attempt is due')),
    expires_at: field.instant('When it ends, unless the app renews it'),
    verified_at: field.instant('When the callback proved that it expects the events'),
    is_suspended: v.optional(field.flag('Failed for long. Its events wait until the app renews it')),
    is_slow: v.optional(field.flag('Whether the callback took long for the last event')),
    delivered: field.integer('How many events arrived', { min: 0 }),
    delivered_at: v.optional(field.instant('When the last event arrived')),
    failing_since: v.optional(
      field.instant('When the first attempt of the present row of failures was made'),
    ),
    last_error: v.optional(field.oneOf([...callbackFailures], 'How the last attempt failed')),
    ended_at: v.optional(field.instant('When it ended')),
    ended_reason: v.optional(field.text('Why it ended')),
    is_stopped: v.optional(
      field.flag(
        'A person stopped it. It begins again only after a person allows it, and is kept until then',
      ),
    ),
    notice: v.optional(field.text('The message for the callback that it ended, until it was sent')),
    notices: v.optional(field.integer('Attempts to send that message', { min: 0 })),
    expire_at: v.optional(field.instant('When the row is deleted')),
  },
  hidden: ['secret', 'former_secret'],
  sealed: ['secret', 'former_secret'],
  states: [subscriptionState],
  sortable: ['created_date'],
  indexes: [{ on: ['state', '-created_date'] }, { on: ['expire_at'], ttlSeconds: 0 }],
})
/** A stored subscription. */
export type SubscriptionRow = Row<typeof EventSubscription>
