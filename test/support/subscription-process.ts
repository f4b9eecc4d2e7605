import { AgentKey } from '../../core/auth/AgentKey'
import { EventEntry } from '../../core/events/EventEntry'
import { freeLeases } from '../../core/jobs/lease'
import { startWorker } from '../../core/jobs/worker'
import { dayMs, eventDelivery, hourMs, where } from '../../core/kit'
import { createSafeFetch } from '../../core/outbound/fetch/safe-fetch'
import { Agency } from '../../core/product/tenancy-plugin'
import { Workspace } from '../../core/tenancy/Workspace'
import { EventSubscription } from '../../plugins/webhooks/records/EventSubscription'
import type { Gate } from './harness'
import { quietLog } from './quiet-log'
import { standInResolver } from './stand-in-resolver'
import { waitFor } from './wait-for'
import { noted, openWebhooks } from './webhook-process'

/** By how much time limits of requests are shortened. */
const hurry = 40
/** How long the product waits for an answer of a callback in these processes. */
export const callbackLimitMs = 10_000 / hurry

/** A gate whose requests end after a shorter time. */
export interface OpenedSubscriptions {
  readonly gate: Gate
  /** How many requests wait for their answer. */
  waiting(): number
}

/** Opens a store whose events go to `origin`, by the product's own fetch with its limits. The clock runs ahead. */
export async function openSubscriptions(
  path: string,
  origin: string,
  aheadMs: number,
): Promise<OpenedSubscriptions> {
  const fetched = createSafeFetch({ dns: standInResolver(), log: quietLog, allowLoopback: true })
  let waiting = 0
  const gate = await openWebhooks(path, origin, aheadMs, (_, options) => {
    waiting += 1
    const answer = fetched(origin, { ...options, timeoutMs: options.timeoutMs / hurry })
    return answer.finally(() => {
      waiting -= 1
    })
  })
  return { gate, waiting: () => waiting }
}

export const subscriptionSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Allows the host of the callback, and subscribes with the agent key. A renewal, if the subscription exists. */
export async function subscribeNotes({ owner }: Gate): Promise<void> {
  const [agency] = await owner.rows(Agency).list({
    where: where.eq('is_platform', false),
    sort: [{ field: 'created_date', direction: 'asc' }],
    limit: 1,
  })
  if (!agency) throw new Error('There is no agency')
  await owner.rows(Agency).update(agency.id, { event_hosts: ['receiver.example'] })

  const key = await owner.rows(AgentKey).get(agency.id)
  const [workspace] = await owner.rows(Workspace).list({
    where: where.and(where.eq('agency_id', agency.id), where.eq('is_home', true)),
  })
  await owner.extensions(eventDelivery)[0]?.subscribe(owner, {
    subscriber: {
      agency_id: agency.id,
      workspace_id: workspace?.id ?? '',
      credential: `agent_key:${agency.id}`,
      key_minted_at: key?.minted_at ?? '',
    },
    type: noted.name,
    url: 'https://receiver.example/in',
    secret: subscriptionSecret,
    cursor: 'start',
    ttlMs: dayMs,
  })
}

/**
 * Publishes events from the first to the last, and sends what is due until nothing is left. A repeated event has the
 * same key, as the work of a process that was killed is repeated. The clock passes over waits after failures.
 */
export async function publishAndCallBack(opened: OpenedSubscriptions, last: number): Promise<void> {
  const { gate, waiting } = opened
  const { owner, registry, documents, clock } = gate
  const [{ workspace_id, id } = { workspace_id: '', id: '' }] = await owner.rows(EventSubscription).list()
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
    const row = await owner.rows(EventSubscription).get(id)
    const waitMs = Date.parse(row?.due_at ?? '') - clock.now().getTime()
    if (waiting() === 0 && waitMs > 0) clock.advance(waitMs + 1)
    await due?.run(owner, new AbortController().signal)
    const later = where.and(where.eq('workspace_id', workspace_id), where.gt('seq', row?.cursor ?? 0))
    return (await owner.rows(EventEntry).count(later)) === 0
  }
  await waitFor(isDone, { what: 'every event to be delivered', timeoutMs: 120_000, everyMs: 20 })
  await worker.stop()
}

/** As a process of its own. Arguments: store, origin of the callback, hours by which its clock runs ahead, events. */
if (import.meta.main) {
  const [, , path = '', origin = '', ahead = '0', last = '0'] = process.argv
  const opened = await openSubscriptions(path, origin, Number(ahead) * hourMs)
  await freeLeases(opened.gate.documents)
  await subscribeNotes(opened.gate)
  await publishAndCallBack(opened, Number(last))
  process.exit(0)
}
