import { defineEvent, definePlugin, type OwnerContext, type Row, type Task } from 'renown'
import * as v from 'valibot'
import { createSecrets } from '../../../../core/outbound/secrets'
import { corePlugins } from '../../../../core/product/core-plugins'
import webhooks from '../../../../plugins/webhooks'
import { Webhook, type WebhookRow } from '../../../../plugins/webhooks/records/Webhook'
import { type WebhookReceivers, webhookReceivers } from '../../../support/stand-ins/webhook-receiver'
import { type Workbench, workbench } from '../../../support/workbench'

const data = v.strictObject({ n: v.number() })
export const noteMade = defineEvent({
  name: 'note.made',
  summary: 'A note was made.',
  data,
  example: { n: 1 },
})
export const noteLost = defineEvent({
  name: 'note.lost',
  summary: 'A note was lost.',
  data,
  example: { n: 1 },
})
const notes = definePlugin({ name: 'noting', renown: '^1.0.0', events: [noteMade, noteLost] })

export interface WebhookWorld {
  readonly bench: Workbench
  readonly owner: OwnerContext
  readonly receivers: WebhookReceivers
  readonly workspace_id: string
  /** Creates a webhook of a host below `hooks.test` and verifies it. */
  hook(host: string, types?: readonly string[]): Promise<{ readonly id: string; readonly secret: string }>
  /** Publishes an event. */
  publish(n: number, type?: typeof noteMade): Promise<void>
  /** Sends what is due at a webhook. */
  send(id: string): Promise<void>
  row(id: string): Promise<WebhookRow>
  advance(ms: number): void
  stop(): Promise<void>
}

/** A workspace with receivers of its webhooks. The clock stands still unless it is advanced. */
export async function webhookWorld(): Promise<WebhookWorld> {
  const receivers = await webhookReceivers()
  const secrets = createSecrets({ keys: [`test:${'k'.repeat(42)}A`], folder: null })
  const bench = await workbench([...corePlugins, notes, webhooks], {
    secrets,
    safeFetch: receivers.safeFetch,
  })
  const { owner } = bench
  const { workspace_id = '' } = await bench.command('agency create', { name: 'Acme' })
  const signal = new AbortController().signal
  const task = {
    id: 'job_1',
    workspace_id,
    attempt: 1,
    signal,
    saved: {},
    hold: async () => {},
    progress: async () => {},
    save: async () => {},
  } satisfies Task
  return {
    bench,
    owner,
    receivers,
    workspace_id,
    async hook(host, types = []) {
      const url = `https://${host}/in`
      const { webhook_id = '', secret = '' } = await bench.command('webhook create', {
        workspace_id,
        url,
        types,
      })
      await bench.command('webhook verify', { webhook_id })
      return { id: webhook_id, secret }
    },
    publish: (n, type = noteMade) => owner.publish(type, { workspace_id, data: { n } }),
    send: async (webhook_id) => {
      for (const name of ['send-webhooks', 'retry-webhooks', 'send-webhooks'])
        await bench.registry.queues.get(name)?.run(owner, { webhook_id }, task)
    },
    async row(id) {
      return (await owner.rows(Webhook).get(id)) as Row<typeof Webhook>
    },
    advance(ms) {
      bench.now = new Date(bench.now.getTime() + ms)
    },
    async stop() {
      await bench.stop()
      await receivers.stop()
    },
  }
}
