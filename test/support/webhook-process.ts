import * as v from 'valibot'
import type { SafeFetch } from '../../core/contracts/outbound'
import { freeLeases } from '../../core/jobs/lease'
import { startWorker } from '../../core/jobs/worker'
import { defineEvent, definePlugin, hourMs } from '../../core/kit'
import { readBody } from '../../core/outbound/body'
import { outboundFault } from '../../core/outbound/fault'
import { corePlugins } from '../../core/product/core-plugins'
import { openSqlite } from '../../core/stores/documents/sqlite'
import webhooks from '../../plugins/webhooks'
import { createWebhook } from '../../plugins/webhooks/acts/change'
import { verifyWebhook } from '../../plugins/webhooks/acts/verify'
import { Webhook } from '../../plugins/webhooks/records/Webhook'
import { type Gate, startGate } from './harness'
import { quietLog } from './quiet-log'
import { waitFor } from './wait-for'

export const noted = defineEvent({
  name: 'note.made',
  summary: 'A note was made.',
  data: v.strictObject({ n: v.number() }),
  example: { n: 1 },
})
const notes = definePlugin({ name: 'noting', renown: '^1.0.0', events: [noted] })

/** Opens a store in a file with one webhook. `safeFetch` answers for its receiver. The clock runs ahead. */
export async function openWebhooks(
  path: string,
  origin: string,
  aheadMs: number,
  safeFetch: SafeFetch = plainFetch(origin),
): Promise<Gate> {
  let clock: Gate['clock'] | undefined
  const now = () => clock?.now() ?? new Date(Date.now() + aheadMs)
  const documents = await openSqlite({ path, now, log: quietLog })
  const gate = await startGate({
    documents,
    plugins: [...corePlugins, notes, webhooks],
    safeFetch,
  })
  gate.clock.advance(aheadMs)
  clock = gate.clock
  return gate
}

const plainFetch =
  (origin: string): SafeFetch =>
  async (_, { headers = {}, body = '', maxBytes }) => {
    const answer = await fetch(origin, { method: 'POST', headers, body }).catch(() => {
      throw outboundFault('unreachable', 'No answer.')
    })
    return {
      status: answer.status,
      headers: answer.headers,
      url: origin,
      body: await readBody(answer, maxBytes),
    }
  }

/** Creates the webhook of the store. */
export async function beginWebhook({ owner, tenant }: Gate): Promise<void> {
  const url = 'https://receiver.example/in'
  const { webhook } = await createWebhook(owner, { workspace_id: tenant.workspaceId, url, types: [] })
  await verifyWebhook(owner, webhook)
}

/**
 * Publishes events from the first to the last, and sends what is due until nothing is left. A repeated event has the
 * same key, as the work of a process that was killed is repeated.
 */
export async function publishAndSend(
  { owner, registry, documents, clock }: Gate,
  last: number,
): Promise<void> {
  const [webhook] = await owner.rows(Webhook).list()
  if (!webhook) throw new Error('begin a webhook first')
  const { workspace_id } = webhook
  const worker = startWorker({
    queues: registry.queues,
    documents,
    owner,
    clock,
    log: quietLog,
    pollEveryMs: 10,
  })
  for (let n = 0; n < last; n++) await owner.publish(noted, { workspace_id, key: String(n), data: { n } })
  const due = registry.jobs.get('dueWebhooks')
  const isDone = async () => {
    await due?.run(owner, new AbortController().signal)
    const open = await documents.collection(registry.entities.get('WebhookDelivery') as never).count({
      op: 'eq',
      field: 'state',
      value: 'pending',
    })
    const [row] = await owner.rows(Webhook).list()
    const events = await documents.collection(registry.entities.get('EventEntry') as never).count({
      op: 'gt',
      field: 'seq',
      value: row?.cursor ?? 0,
    })
    return open + events === 0
  }
  await waitFor(isDone, { what: 'every event to be delivered', timeoutMs: 60_000, everyMs: 20 })
  await worker.stop()
}

/** As a process of its own. Arguments: store, origin of the receiver, hours by which its clock runs ahead, events. */
if (import.meta.main) {
  const [, , path = '', origin = '', ahead = '0', last = '0'] = process.argv
  const gate = await openWebhooks(path, origin, Number(ahead) * hourMs)
  await freeLeases(gate.documents)
  await publishAndSend(gate, Number(last))
  process.exit(0)
}
