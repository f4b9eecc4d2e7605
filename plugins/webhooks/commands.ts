import { defineCommand, field, type OwnerContext, refusedField, where } from 'renown'
import * as v from 'valibot'
import { createWebhook, deleteWebhook, pauseWebhook, resumeWebhook, rotateSecret } from './acts/change'
import { ownWebhook } from './acts/find'
import { replayEvent, replaySince } from './acts/replay'
import { verifyWebhook } from './acts/verify'
import { Webhook, type WebhookRow } from './records/Webhook'
import { WebhookAttempt } from './records/WebhookAttempt'

const webhook_id = field.text('Id of the webhook')
const one = { input: v.strictObject({ webhook_id }), positional: ['webhook_id'] }

const shown = ({ id, workspace_id, url, types, state, ...row }: WebhookRow) => ({
  webhook_id: id,
  workspace_id,
  url,
  types: types.length === 0 ? ['all'] : types,
  state,
  delivered_at: row.delivered_at ?? null,
  failing_since: row.failing_since ?? null,
  ...(row.disabled_reason === undefined ? {} : { disabled_reason: row.disabled_reason }),
})

const create = defineCommand({
  name: 'webhook create',
  summary: 'Create a webhook. It gets no events until it is verified. The secret is shown once',
  input: v.strictObject({
    workspace_id: field.text('Workspace whose events are sent'),
    url: field.text('Address of the receiver. Begins with https://'),
    types: v.optional(field.texts('Types of events. Default: all. docs/EVENTS.md lists them'), []),
  }),
  secrets: ['secret'],
  async run(ctx, given) {
    const { webhook, secret } = await createWebhook(ctx, given)
    return { ...shown(webhook), secret }
  },
})

const rotate = defineCommand({
  name: 'webhook secret rotate',
  summary: 'Give a webhook a new secret. Messages are signed with both for a day',
  ...one,
  secrets: ['secret'],
  async run(ctx, { webhook_id: id }) {
    const { webhook, secret } = await rotateSecret(ctx, id)
    return { ...shown(webhook), signed_with_both_until: webhook.former_until ?? null, secret }
  },
})

const act = (name: string, summary: string, run: (ctx: OwnerContext, id: string) => Promise<WebhookRow>) =>
  defineCommand({
    name: `webhook ${name}`,
    summary,
    ...one,
    run: async (ctx, { webhook_id: id }) => shown(await run(ctx, id)),
  })

const list = defineCommand({
  name: 'webhook list',
  summary: 'List webhooks and their states',
  input: v.strictObject({ workspace_id: v.optional(field.text('Only those of this workspace')) }),
  async run(ctx, { workspace_id }) {
    const own = workspace_id === undefined ? {} : { where: where.eq('workspace_id', workspace_id) }
    return { webhooks: (await ctx.rows(Webhook).list({ ...own, limit: 1_000 })).map(shown) }
  },
})

const attempts = defineCommand({
  name: 'webhook attempt list',
  summary: 'List the last attempts to send events to a webhook, newest first',
  input: v.strictObject({
    webhook_id,
    limit: v.optional(field.integer('How many. Default 50', { min: 1, max: 500 }), 50),
  }),
  positional: ['webhook_id'],
  async run(ctx, { webhook_id: id, limit }) {
    const { workspace_id } = await ownWebhook(ctx, id)
    const own = where.and(where.eq('workspace_id', workspace_id), where.eq('webhook_id', id))
    const rows = await ctx.rows(WebhookAttempt).list({ where: own, limit })
    return {
      attempts: rows.map(({ started_at, event_id, type, number, outcome, status, error }) => ({
        at: started_at,
        type,
        event_id,
        number,
        outcome,
        status: status ?? null,
        ...(error === undefined ? {} : { error }),
      })),
    }
  },
})

const remove = defineCommand({
  name: 'webhook remove',
  summary: 'Delete a webhook with its deliveries and attempts',
  ...one,
  async run(ctx, { webhook_id: id }) {
    await deleteWebhook(ctx, id)
    return { webhook_id: id, deleted: true }
  },
})

const replay = defineCommand({
  name: 'webhook replay',
  summary: 'Send one event again, or all events since a time',
  input: v.strictObject({
    webhook_id,
    event_id: v.optional(field.text('The event')),
    since: v.optional(field.instant('All events since then')),
  }),
  positional: ['webhook_id'],
  async run(ctx, { webhook_id: id, event_id, since }) {
    if ((event_id === undefined) === (since === undefined))
      throw refusedField('event_id', 'Give either event_id or since.')
    if (since !== undefined)
      return { webhook_id: id, replayed: await replaySince(ctx, { webhook_id: id, since }) }
    if (event_id !== undefined) await replayEvent(ctx, { webhook_id: id, event_id })
    return { webhook_id: id, replayed: 1 }
  },
})

/** The commands for webhooks. No agent can do what they do. */
export const webhookCommands = [
  create,
  list,
  attempts,
  rotate,
  replay,
  remove,
  act('verify', 'Verify the host of a webhook with a signed challenge, and start sending', verifyWebhook),
  act('pause', 'Pause a webhook. Its events wait', pauseWebhook),
  act('resume', 'Resume a paused webhook, beginning where it stopped', resumeWebhook),
]
