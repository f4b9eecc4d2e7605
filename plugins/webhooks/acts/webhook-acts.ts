import { type ActAudit, type ActRecord, dayMs, defineAct, field, hourMs, refusedField } from 'renown'
import { Workspace } from 'renown/records'
import * as v from 'valibot'
import { Webhook, type WebhookRow } from '../records/Webhook'
import { createWebhook, deleteWebhook, pauseWebhook, resumeWebhook, rotateSecret } from './change'
import { replayEvent, replaySince } from './replay'
import { verifyWebhook } from './verify'

/** A secret that the page shows once. */
export interface ShownSecret {
  readonly webhook_id: string
  readonly secret: string
  readonly is_replaced: boolean
}

const hint = '`bun renown webhook list` lists them.'
const onWebhook: ActRecord<typeof Webhook> = { entity: Webhook, field: 'webhook_id', called: 'webhook', hint }
const onWorkspace: ActRecord<typeof Workspace> = {
  entity: Workspace,
  field: 'workspace_id',
  called: 'workspace',
  ofPerson: (ctx) => ctx.workspace.id,
}
/** Only owners, and never in a demo. */
const owners = { only: 'owner', refusesDemo: true } as const

const audited = (act: string, what: string): ActAudit<typeof Webhook, v.ObjectEntries> => ({
  action: `workspace.webhook_${act}`,
  what,
  subject: (_, { url }) => new URL(url).hostname,
})

/** Returns a webhook as the shell shows it. */
export const shownWebhook = ({ id, workspace_id, url, types, state, ...row }: WebhookRow) => ({
  webhook_id: id,
  workspace_id,
  url,
  types: types.length === 0 ? ['all'] : types,
  state,
  delivered_at: row.delivered_at ?? null,
  failing_since: row.failing_since ?? null,
  ...(row.disabled_reason === undefined ? {} : { disabled_reason: row.disabled_reason }),
})

const create = defineAct({
  ...owners,
  name: 'webhook create',
  summary: 'Create a webhook. It gets no events until it is verified. The secret is shown once',
  on: onWorkspace,
  fields: {
    url: v.pipe(
      field.text('Address of the receiver. Begins with https://'),
      v.trim(),
      v.maxLength(2_000, 'The address must have at most 2,000 characters.'),
    ),
    types: v.optional(field.texts('Types of events. Default: all. docs/reference/events.md lists them'), []),
  },
  secrets: ['secret'],
  auth: 'recent',
  label: 'Create webhook',
  done: { created: 'Webhook created.' },
  undo: 'webhook remove',
  audit: {
    action: 'workspace.webhook_create',
    what: 'Webhook created',
    subject: (_, __, { url }) => new URL(url).hostname,
  },
  async run(ctx, { row, input }) {
    const { webhook, secret } = await createWebhook(ctx, { ...input, workspace_id: row.id })
    const shown: ShownSecret = { webhook_id: webhook.id, secret, is_replaced: false }
    return { answer: { ...shownWebhook(webhook), secret }, shown }
  },
})

const rotate = defineAct({
  ...owners,
  name: 'webhook secret rotate',
  summary: 'Give a webhook a new secret. Messages are signed with both for a day',
  on: onWebhook,
  secrets: ['secret'],
  auth: 'recent',
  label: 'Rotate secret',
  done: 'The secret is replaced.',
  audit: audited('rotate', 'Secret of a webhook rotated'),
  async run(ctx, { row }) {
    const { webhook, secret } = await rotateSecret(ctx, row)
    const shown: ShownSecret = { webhook_id: webhook.id, secret, is_replaced: true }
    const until = webhook.former_until ?? null
    return { answer: { ...shownWebhook(webhook), signed_with_both_until: until, secret }, shown }
  },
})

const verify = defineAct({
  ...owners,
  name: 'webhook verify',
  summary: 'Verify the host of a webhook with a signed challenge, and start sending',
  on: onWebhook,
  label: 'Verify address',
  done: 'The webhook is verified. Events are sent from now on.',
  audit: audited('verify', 'Webhook verified'),
  run: async (ctx, { row }) => ({ answer: shownWebhook(await verifyWebhook(ctx, row)) }),
})

const pause = defineAct({
  ...owners,
  name: 'webhook pause',
  summary: 'Pause a webhook. Its events wait',
  on: onWebhook,
  label: 'Pause webhook',
  done: 'The webhook is paused. Its events wait.',
  undo: 'webhook resume',
  audit: audited('pause', 'Webhook paused'),
  run: async (ctx, { row }) => ({ answer: shownWebhook(await pauseWebhook(ctx, row)) }),
})

const resume = defineAct({
  ...owners,
  name: 'webhook resume',
  summary: 'Resume a paused webhook, beginning where it stopped',
  on: onWebhook,
  label: 'Resume webhook',
  done: 'The webhook is active again.',
  undo: 'webhook pause',
  audit: audited('resume', 'Webhook resumed'),
  run: async (ctx, { row }) => ({ answer: shownWebhook(await resumeWebhook(ctx, row)) }),
})

const remove = defineAct({
  ...owners,
  name: 'webhook remove',
  summary: 'Delete a webhook with its deliveries and attempts',
  on: onWebhook,
  auth: 'recent',
  label: 'Delete webhook',
  done: { deleted: 'Webhook deleted.' },
  question: 'This cannot be undone. Waiting events are not sent.',
  audit: audited('delete', 'Webhook deleted'),
  async run(ctx, { row }) {
    await deleteWebhook(ctx, row)
    return { answer: { webhook_id: row.id, deleted: true } }
  },
})

const spanMs = { hour: hourMs, day: dayMs, week: 7 * dayMs } as const

const replay = defineAct({
  ...owners,
  name: 'webhook replay',
  summary: 'Send one event again, or all events since a time',
  on: onWebhook,
  fields: {
    event_id: v.optional(field.text('The event')),
    since: v.optional(field.instant('All events since then')),
  },
  seen: { span: v.optional(v.picklist(['hour', 'day', 'week'])) },
  label: 'Send again',
  done: { replayed: 'The event is sent again.', 'replayed-all': 'The events are sent again.' },
  audit: {
    ...audited('replay', ''),
    what: ({ event_id }) => `${event_id === undefined ? 'Events' : 'Event'} of a webhook replayed`,
  },
  async run(ctx, { row, input: { event_id, since: typed }, seen }) {
    const span = seen?.span
    const since = span === undefined ? typed : new Date(ctx.now().getTime() - spanMs[span]).toISOString()
    if (event_id !== undefined && since === undefined) {
      await replayEvent(ctx, row, event_id)
      return { answer: { webhook_id: row.id, replayed: 1 } }
    }
    if (event_id !== undefined || since === undefined)
      throw refusedField('event_id', 'Give either event_id or since.')
    const replayed = await replaySince(ctx, row, since)
    return { answer: { webhook_id: row.id, replayed }, said: 'replayed-all' }
  },
})

/** What owners do with webhooks, by the name of its form. No agent can do it. */
export const webhookActs = { create, rotate, replay, remove, verify, pause, resume }
