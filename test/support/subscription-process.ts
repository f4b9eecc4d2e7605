import { AgentKey } from '../../core/auth/AgentKey'
import { EventEntry } from '../../core/events/EventEntry'
import { freeLeases } from '../../core/jobs/lease'
import { startWorker } from '../../core/jobs/worker'
import { dayMs, eventDelivery, hourMs, where } from '../../core/kit'
import { Agency } from '../../core/product/tenancy-plugin'
import { Workspace } from '../../core/tenancy/Workspace'
import { EventSubscription } from '../../plugins/webhooks/records/EventSubscription'
import type { Gate } from './harness'
import { quietLog } from './quiet-log'
import { waitFor } from './wait-for'
import { noted, openWebhooks } from './webhook-process'

export const subscriptionSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Allows the host of the callback, and subscribes with the agent key. A renewal, if the subscription exists. */
export async function subscribeNotes({ owner }: Gate): Promise<void> {
  const [agency] = await owner.rows(Agency).list({
    where: where.eq('is_platform', false),
    ...{ sort: [{ field: 'created_date', direction: 'asc' }], limit: 1 },
  })
  if (!agency) throw new Error('There is no agency')
  await owner.rows(Agency).update(agency.id, { event_hosts: ['receiver.example'] })

  const key = await owner.rows(AgentKey).get(agency.id)
  const [workspace] = await owner.rows(Workspace).list({
    where: where.and(where.eq('agency_id', agency.id), where.eq('is_home', true)),
  })
  await owner.extensions(eventDelivery)[0]?.subscribe(owner, {
    subscriber: {
      ...{ agency_id: agency.id, workspace_id: workspace?.id ?? '', credential: `agent_key:${agency.id}` },
      key_minted_at: key?.minted_at ?? '',
    },
    ...{ type: noted.name, url: 'https://receiver.example/in', secret: subscriptionSecret },
    ...{ cursor: 'start', ttlMs: dayMs },
  })
}

/**
 * Publishes events from the first to the last, and sends what is due until nothing is left. A repeated event has the
 * same key, as the work of a process that was killed is repeated.
 */
export async function publishAndCallBack(
  { owner, registry, documents, clock }: Gate,
  last: number,
): Promise<void> {
  const [{ workspace_id, id } = { workspace_id: '', id: '' }] = await owner.rows(EventSubscription).list()
  const worker = startWorker({
    ...{ queues: registry.queues, documents, owner, clock, log: quietLog, pollEveryMs: 10 },
  })
  for (let n = 0; n < last; n++) await owner.publish(noted, { workspace_id, key: String(n), data: { n } })
  const due = registry.jobs.get('dueWebhooks')
  const isDone = async () => {
    await due?.run(owner, new AbortController().signal)
    const cursor = (await owner.rows(EventSubscription).get(id))?.cursor ?? 0
    const later = where.and(where.eq('workspace_id', workspace_id), where.gt('seq', cursor))
    return (await owner.rows(EventEntry).count(later)) === 0
  }
  await waitFor(isDone, { what: 'every event to be delivered', timeoutMs: 60_000, everyMs: 20 })
  await worker.stop()
}

/** As a process of its own. Arguments: store, origin of the callback, hours by which its clock runs ahead, events. */
if (import.meta.main) {
  const [, , path = '', origin = '', ahead = '0', last = '0'] = process.argv
  const gate = await openWebhooks(path, origin, Number(ahead) * hourMs)
  await freeLeases(gate.documents)
  await subscribeNotes(gate)
  await publishAndCallBack(gate, Number(last))
  process.exit(0)
}
