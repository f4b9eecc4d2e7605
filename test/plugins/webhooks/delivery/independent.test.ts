import { expect, test } from 'bun:test'
import { connectionReady } from 'renown/records'
import { startWorker } from '../../../../core/jobs/worker'
import { corePlugins } from '../../../../core/product/core-plugins'
import webhooks from '../../../../plugins/webhooks'
import { createWebhook } from '../../../../plugins/webhooks/acts/change'
import { verifyWebhook } from '../../../../plugins/webhooks/acts/verify'
import { WebhookAttempt } from '../../../../plugins/webhooks/records/WebhookAttempt'
import { startGate, type Tenant } from '../../../support/harness'
import { quietLog } from '../../../support/quiet-log'
import { webhookReceivers } from '../../../support/stand-ins/webhook-receiver'
import { waitFor } from '../../../support/wait-for'

test('receivers that do not answer delay no other webhook, of the same agency or another', async () => {
  const receivers = await webhookReceivers()
  const gate = await startGate({
    plugins: [...corePlugins, webhooks],
    safeFetch: receivers.safeFetch,
  })
  const { owner, registry, documents, clock } = gate
  const hook = async ({ workspaceId: workspace_id }: Tenant, host: string) => {
    const { webhook } = await createWebhook(owner, { workspace_id, url: `https://${host}/in`, types: [] })
    await verifyWebhook(owner, webhook)
    return webhook.id
  }
  const silent = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.hooks.test`)
  const silentIds: string[] = []
  for (const host of silent) silentIds.push(await hook(gate.tenant, host))
  await hook(gate.tenant, 'same.hooks.test')
  await hook(gate.stranger, 'other.hooks.test')
  const released = Promise.withResolvers<void>()
  for (const host of silent) {
    receivers.answer(host, async () => {
      await released.promise
      return { status: 200 }
    })
  }
  const data = { provider: 'guild', account_id: '1' }
  for (const { workspaceId: workspace_id } of [gate.tenant, gate.stranger])
    for (let n = 0; n < 3; n++) await owner.publish(connectionReady, { workspace_id, data })
  const worker = startWorker({
    queues: registry.queues,
    documents,
    owner,
    clock,
    log: quietLog,
    pollEveryMs: 10,
  })
  const counts = () =>
    ['same.hooks.test', 'other.hooks.test', ...silent].map((host) => receivers.events(host).length)
  const isDone = () => Bun.deepEquals(counts(), [3, 3, 1, 1, 1, 1, 1])
  await waitFor(async () => isDone(), { what: 'the working receivers to get all events', timeoutMs: 15_000 })
  // Attempts at the working receivers may not be stored as delivered yet. Those at the silent ones stay open until they are released.
  const attempts = await owner.rows(WebhookAttempt).list({ limit: 100 })
  const open = attempts.filter((attempt) => silentIds.includes(attempt.webhook_id))
  expect(open.map(({ outcome }) => outcome)).toEqual(silent.map(() => 'calling'))
  released.resolve()
  await waitFor(async () => counts().every((count) => count === 3), {
    what: 'the others to get theirs',
    timeoutMs: 15_000,
  })
  await worker.stop()
  await gate.stop()
  await receivers.stop()
})
