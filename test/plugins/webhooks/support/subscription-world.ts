import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { defineEvent, definePlugin, field, type Task } from 'renown'
import * as v from 'valibot'
import { jobsPlugin } from '../../../../core/product/jobs-plugin'
import { Agency } from '../../../../core/product/tenancy-plugin'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import webhooks from '../../../../plugins/webhooks'
import {
  EventSubscription,
  type SubscriptionRow,
} from '../../../../plugins/webhooks/records/EventSubscription'
import { type AskOptions, type Gate, startGate } from '../../../support/harness'
import { askMcp, type Revision } from '../../../support/mcp'
import {
  type ReceivedMessage,
  type WebhookReceivers,
  webhookReceivers,
} from '../../../support/stand-ins/webhook-receiver'

const data = v.strictObject({
  n: v.number(),
  by: v.optional(field.code('Who wrote it')),
  said: v.optional(field.text('Words')),
})
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
export const notes = definePlugin({ name: 'noting', renown: '^1.0.0', events: [noteMade, noteLost] })

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Checks a message as a receiver of ChatGPT would, without code of the product. */
export function isGenuine(message: ReceivedMessage, secret: string): boolean {
  const key = Buffer.from(secret.slice(6), 'base64')
  const signed = `${message.id}.${message.timestamp}.${message.body}`
  const right = createHmac('sha256', key).update(signed, 'utf8').digest()
  return message.signature.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64')
    return one.startsWith('v1,') && given.length === right.length && timingSafeEqual(given, right)
  })
}

export interface Granted {
  readonly id: string
  readonly refreshBefore: string
  readonly cursor: string
  readonly truncated: boolean
  readonly deliveryStatus?: Readonly<Record<string, unknown>>
}
interface Faulted {
  readonly code: number
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}
type Params = Readonly<Record<string, unknown>>

export interface SubscriptionWorld {
  readonly gate: Gate
  readonly receivers: WebhookReceivers
  /** Sends a request for a subscription. Returns its result or its error. */
  send(
    method: string,
    params: Params,
    options?: AskOptions & { readonly revision?: Revision },
  ): Promise<{ readonly result?: Granted; readonly error?: Faulted }>
  /** Subscribes to a type at a host. Throws if it is refused. */
  subscribe(host: string, secret: string, more?: Params, options?: AskOptions): Promise<Granted>
  allow(...hosts: readonly string[]): Promise<void>
  publish(
    n: number,
    type?: typeof noteMade,
    more?: { by?: string; said?: string; location_id?: string },
  ): Promise<void>
  /** Adds a location whose id is its name. */
  addLocation(id: string): Promise<void>
  /** Sends what is due for a subscription. */
  deliver(id: string): Promise<void>
  row(id: string): Promise<SubscriptionRow>
  /** The events that a host got, as numbers. */
  numbers(host: string): unknown[]
  stop(): Promise<void>
}

export const callbackAt = (host: string) => `https://${host}/callback`

/** A gateway with a receiver of callbacks, whose hosts are below `hooks.test`. */
export async function subscriptionWorld(): Promise<SubscriptionWorld> {
  const receivers = await webhookReceivers()
  const gate = await startGate({ plugins: [jobsPlugin([]), notes, webhooks], safeFetch: receivers.safeFetch })
  const { owner, tenant } = gate
  const task = {
    id: 'job_1',
    workspace_id: tenant.workspaceId,
    attempt: 1,
    saved: {},
    signal: new AbortController().signal,
    hold: async () => {},
    progress: async () => {},
    save: async () => {},
  } satisfies Task
  const send: SubscriptionWorld['send'] = async (method, params, { revision, ...options } = {}) =>
    (await askMcp(gate, revision ?? '2026-07-28', method, params, options)).json() as ReturnType<
      SubscriptionWorld['send']
    >
  return {
    gate,
    receivers,
    send,
    async subscribe(host, secret, more = {}, options = {}) {
      const delivery = { mode: 'webhook', url: callbackAt(host), secret }
      const { result, error } = await send(
        'events/subscribe',
        { name: 'note.made', delivery, ...more },
        options,
      )
      if (!result) throw new Error(JSON.stringify(error))
      return result
    },
    async allow(...hosts) {
      await owner.rows(Agency).update(tenant.agencyId, { event_hosts: [...hosts] })
    },
    async publish(n, type = noteMade, { by, said, ...more } = {}) {
      await owner.publish(type, {
        workspace_id: tenant.workspaceId,
        ...more,
        data: { n, ...(by === undefined ? {} : { by }), ...(said === undefined ? {} : { said }) },
      })
    },
    async addLocation(id) {
      const flags = { is_prospect: false, is_active: true, auto_response_enabled: false }
      await gate.put(BusinessLocation, { ...flags, id, business_name: id })
    },
    async deliver(id) {
      for (const name of ['send-webhooks', 'retry-webhooks', 'send-webhooks'])
        await gate.registry.queues.get(name)?.run(owner, { webhook_id: id, kind: 'subscription' }, task)
    },
    async row(id) {
      return (await owner.rows(EventSubscription).get(id)) as SubscriptionRow
    },
    numbers: (host) =>
      receivers.events(host).map(({ body }) => (JSON.parse(body) as { data?: { n?: number } }).data?.n),
    async stop() {
      await gate.stop()
      await receivers.stop()
    },
  }
}
