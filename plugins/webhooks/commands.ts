import { actCommands, defineCommand, field, where } from 'renown'
import * as v from 'valibot'
import { ownWebhook } from './acts/find'
import { shownWebhook, webhookActs } from './acts/webhook-acts'
import { Webhook } from './records/Webhook'
import { WebhookAttempt } from './records/WebhookAttempt'

const list = defineCommand({
  name: 'webhook list',
  summary: 'List webhooks and their states',
  input: v.strictObject({ workspace_id: v.optional(field.text('Only those of this workspace')) }),
  async run(ctx, { workspace_id }) {
    const own = workspace_id === undefined ? {} : { where: where.eq('workspace_id', workspace_id) }
    return { webhooks: (await ctx.rows(Webhook).list({ ...own, limit: 1_000 })).map(shownWebhook) }
  },
})

const attempts = defineCommand({
  name: 'webhook attempt list',
  summary: 'List the last attempts to send events to a webhook, newest first',
  input: v.strictObject({
    webhook_id: field.text('Id of the webhook'),
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

/** The commands for webhooks. No agent can do what they do. */
export const webhookCommands = [list, attempts, ...actCommands(Object.values(webhookActs))]
