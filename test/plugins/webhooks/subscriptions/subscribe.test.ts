import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { where } from 'renown'
import { eventDelivery } from 'renown/sending'
import { EventEntry } from '../../../../core/events/EventEntry'
import { everything, hourMs, minuteMs } from '../../../../core/kit'
import { AuditEntry } from '../../../../core/tenancy/audit/AuditEntry'
import { EventSubscription } from '../../../../plugins/webhooks/records/EventSubscription'
import { appToken } from '../../../support/app-token'
import { revisions } from '../../../support/mcp'
import {
  callbackAt,
  type Granted,
  isGenuine,
  newSecret,
  noteLost,
  noteMade,
  type SubscriptionWorld,
  subscriptionWorld,
} from '../support/subscription-world'

let world: SubscriptionWorld
let hosts = 0
let host: string
const secret = newSecret()
beforeAll(async () => {
  world = await subscriptionWorld()
})
afterAll(() => world.stop())
beforeEach(async () => {
  host = `h${++hosts}.hooks.test`
  await world.allow('*.hooks.test')
  await world.gate.owner.rows(EventEntry).removeWhere(everything)
  await world.gate.owner.rows(EventSubscription).removeWhere(everything)
})

const asked = (more: Record<string, unknown> = {}, delivery: Record<string, unknown> = {}) => ({
  name: 'note.made',
  delivery: { mode: 'webhook', url: callbackAt(host), secret, ...delivery },
  ...more,
})
const info = { name: 'tests', version: '1.0.0' }
interface AnyClient {
  connect(transport: never): Promise<void>
  request(request: object, schema: unknown): Promise<unknown>
  close(): Promise<void>
}
/** Connects a client of either SDK. */
async function connected(client: unknown, transport: unknown): Promise<AnyClient> {
  await (client as AnyClient).connect(transport as never)
  return client as AnyClient
}
const modes = async () => {
  const { result } = await world.send('events/list', {})
  return (result as unknown as { events: { delivery: string[] }[] }).events[0]?.delivery
}

describe.each([...revisions])('in revision %s', (revision) => {
  test('a callback that returns the challenge gets each later event, signed with its secret', async () => {
    await world.publish(1)
    const { result } = await world.send('events/subscribe', asked({ ttlMs: hourMs }), { revision })
    expect([result?.id.slice(0, 4), result?.truncated]).toEqual(['sub_', false])
    expect(Date.parse(result?.refreshBefore ?? '') - world.gate.clock.now().getTime()).toBeLessThanOrEqual(
      hourMs,
    )
    const id = result?.id ?? ''
    await world.publish(2)
    await world.publish(3, noteLost)
    await world.publish(4)
    await world.deliver(id)
    expect(world.numbers(host)).toEqual([2, 4])
    const [challenge, first] = world.receivers.messages.filter((message) => message.host === host)
    expect(challenge?.id).toMatch(/^msg_verification_/)
    for (const message of world.receivers.messages.filter((message) => message.host === host)) {
      expect(isGenuine(message, secret)).toBe(true)
      expect(message.subscription).toBe(id)
    }
    const body = JSON.parse(first?.body ?? '')
    expect(body).toEqual({
      eventId: first?.id,
      name: 'note.made',
      timestamp: expect.any(String),
      cursor: first?.id,
      data: { n: 2, workspace_id: world.gate.tenant.workspaceId },
    })
    const { result: ended } = await world.send('events/unsubscribe', asked(), { revision })
    expect(ended).toBeDefined()
    await world.publish(5)
    await world.deliver(id)
    expect(world.numbers(host)).toEqual([2, 4])
    expect(await world.send('events/unsubscribe', asked(), { revision })).toMatchObject({
      error: { code: -32011, data: { kind: 'subscription' } },
    })
  })
})

test.each([
  [
    'the first SDK',
    (url: URL, options: object) => connected(new Client(info), new FirstTransport(url, options)),
  ],
  [
    'the second SDK',
    (url: URL, options: object) =>
      connected(
        new ModernClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
        new ModernTransport(url, options),
      ),
  ],
] as const)('a client of %s subscribes as to any other method', async (_, connect) => {
  const url = new URL(`http://127.0.0.1:${world.gate.listen().port}/api/mcp`)
  const headers = { authorization: `Bearer ${world.gate.tenant.key}` }
  const client = await connect(url, { requestInit: { headers } })
  const ask = (method: string) =>
    client.request({ method, params: asked() }, ResultSchema) as Promise<Granted>
  const { id } = await ask('events/subscribe')
  await world.publish(1)
  await world.deliver(id)
  expect(world.numbers(host)).toEqual([1])
  await ask('events/unsubscribe')
  await expect(ask('events/unsubscribe')).rejects.toThrow(/no such subscription/)
  await client.close()
})

test('delivery by webhook is off until the owner allows a host, and only https at such a host is accepted', async () => {
  await world.allow()
  expect(await modes()).toEqual(['poll'])
  expect(await world.send('events/subscribe', asked())).toMatchObject({
    error: { code: -32014, data: { feature: 'deliveryMode', value: 'webhook', supported: ['poll'] } },
  })
  await world.allow('other.example', '*.hooks.test')
  expect(await modes()).toEqual(['poll', 'webhook'])
  const codes = async (url: string) => (await world.send('events/subscribe', asked({}, { url }))).error?.code
  expect(await codes('https://hooks.test/in')).toBe(-32012)
  expect(await codes('https://evil-hooks.test/in')).toBe(-32012)
  expect(await codes('https://other.example.attacker.test/in')).toBe(-32012)
  for (const url of [
    `http://${host}/in`,
    `https://${host}:8443/in`,
    `https://me@${host}/in`,
    'https://127.0.0.1/in',
    'https://localhost/in',
    `https://${host}/in#part`,
    `https://[::1]/in`,
  ])
    expect([url, await codes(url)]).toEqual([url, -32602])
  expect(world.receivers.messages.filter((message) => message.host === host)).toEqual([])
})

test('parameters that do not fit are named', async () => {
  const fault = async (more: Record<string, unknown>, delivery = {}) =>
    (await world.send('events/subscribe', asked(more, delivery))).error
  expect((await fault({ name: 'note.mad' }))?.code).toBe(-32011)
  expect(await fault({}, { secret: 'whsec_c2hvcnQ=' })).toMatchObject({
    code: -32602,
    message: expect.stringContaining('/delivery/secret'),
  })
  const shown = JSON.stringify(await fault({}, { secret: 'whsec_not-long-but-secret' }))
  expect(shown).not.toContain('not-long-but-secret')
  expect((await fault({ cursor: 'evt_soon' }))?.message).toContain('/cursor')
  expect((await fault({ arguments: { site: 'x' } }))?.message).toContain('/arguments/site')
  expect(await fault({}, { mode: 'push' })).toMatchObject({ code: -32014 })
  expect((await fault({ arguments: { workspace_id: world.gate.stranger.workspaceId } }))?.code).toBe(-32012)
})

test('nothing is sent to a callback that does not return the challenge, and its answer is told by kind only', async () => {
  const fails = async (how: Parameters<typeof world.receivers.answer>[1]) => {
    world.receivers.answer(host, how)
    const { error } = await world.send('events/subscribe', asked())
    return [error?.code, error?.data?.reason]
  }
  expect(await fails(() => ({ status: 200, body: '{"challenge":"other"}' }))).toEqual([
    -32015,
    'challenge_failed',
  ])
  expect(await fails(() => ({ status: 200, body: 'x'.repeat(100) }))).toEqual([-32015, 'challenge_failed'])
  expect(await fails(() => ({ status: 404, body: 'internal' }))).toEqual([-32015, 'http_4xx'])
  expect(await fails(() => ({ status: 503 }))).toEqual([-32015, 'http_5xx'])
  expect(await fails(() => ({ status: 302, headers: { location: callbackAt(host) } }))).toEqual([
    -32015,
    'http_4xx',
  ])
  expect(await fails(() => 'drop')).toEqual([-32015, 'connection_refused'])
  expect(await world.gate.owner.rows(EventSubscription).count()).toBe(0)
})

test('the same request renews, and another secret is verified and signs beside the former one for a while', async () => {
  const first = await world.subscribe(host, secret)
  world.gate.clock.advance(minuteMs)
  const again = await world.subscribe(host, secret)
  expect(again.id).toBe(first.id)
  expect(again.refreshBefore > first.refreshBefore).toBe(true)
  expect(again.deliveryStatus).toEqual({ active: true, lastDeliveryAt: null, lastError: null })
  expect(world.receivers.messages.filter((message) => message.host === host)).toHaveLength(1)
  const second = newSecret()
  expect((await world.subscribe(host, second)).id).toBe(first.id)
  expect(await world.gate.owner.rows(EventSubscription).count()).toBe(1)
  await world.publish(1)
  await world.deliver(first.id)
  const [both] = world.receivers.events(host)
  expect([secret, second].map((one) => both && isGenuine(both, one))).toEqual([true, true])
  world.gate.clock.advance(6 * minuteMs)
  await world.publish(2)
  await world.deliver(first.id)
  const [, later] = world.receivers.events(host)
  expect([secret, second].map((one) => later && isGenuine(later, one))).toEqual([false, true])
  const stored = await world.row(first.id)
  expect(JSON.stringify(stored)).not.toContain(second)
})

test('a cursor replays what came after it, and a lost one says that events are missing', async () => {
  await world.publish(1)
  const begun = await world.subscribe(host, secret)
  await world.publish(2)
  await world.deliver(begun.id)
  await world.send('events/unsubscribe', asked())
  await world.publish(3)
  await world.publish(4)
  const back = await world.subscribe(host, secret, { cursor: begun.cursor })
  expect(back.truncated).toBe(false)
  await world.deliver(back.id)
  expect(world.numbers(host)).toEqual([2, 2, 3, 4])
  await world.send('events/unsubscribe', asked())
  world.gate.clock.advance(10 * minuteMs)
  await world.publish(5)
  const recent = await world.subscribe(host, secret, { cursor: begun.cursor, maxAgeMs: minuteMs })
  expect(recent.truncated).toBe(true)
  await world.deliver(recent.id)
  expect(world.numbers(host).at(-1)).toBe(5)
  expect(world.numbers(host)).toHaveLength(5)
  await world.send('events/unsubscribe', asked())
  const lost = await world.subscribe(host, secret, { cursor: `evt_${'0'.repeat(26)}` })
  expect(lost.truncated).toBe(true)
  await world.send('events/unsubscribe', asked())
  const { owner, stranger } = world.gate
  await owner.publish(noteMade, { workspace_id: stranger.workspaceId, data: { n: 6 } })
  const own = where.eq('workspace_id', stranger.workspaceId)
  const [theirs] = await owner.rows(EventEntry).list({ where: own, limit: 1 })
  const strange = await world.subscribe(host, secret, { cursor: String(theirs?.id) })
  expect([strange.truncated, strange.cursor]).toEqual([true, lost.cursor])
})

test('a credential has at most 50 subscriptions, and one that may only read has none', async () => {
  for (let n = 0; n < 50; n++) await world.addLocation(`loc_${n}`)
  for (let n = 0; n < 50; n++) await world.subscribe(host, secret, { arguments: { location_id: `loc_${n}` } })
  expect(world.receivers.messages.filter((message) => message.host === host)).toHaveLength(1)
  expect(await world.send('events/subscribe', asked())).toMatchObject({
    error: { code: -32013, data: { limit: 'subscriptions', max: 50 } },
  })
  const renewed = await world.subscribe(host, secret, { arguments: { location_id: 'loc_1' } })
  expect(renewed.deliveryStatus).toBeDefined()
  const { token: key } = await appToken(world.gate, world.gate.tenant.agencyId, { scopes: ['read'] })
  const refused = await world.send('events/subscribe', asked(), { key })
  expect(refused).toMatchObject({ code: 'insufficient_scope' })
})

describe('after a person stopped a subscription', () => {
  const changed = (how: 'stop' | 'allow') => async (id: string) => {
    const { owner, tenant } = world.gate
    return owner.extensions(eventDelivery)[0]?.[how](owner, tenant.agencyId, id)
  }
  const stop = changed('stop')
  const allow = changed('allow')
  const refusal = {
    error: {
      code: -32012,
      data: { reason: 'stopped_by_person' },
      message: expect.stringContaining('A person stopped these events'),
    },
  }

  test('its app cannot begin again, also at another host or connected again, until a person allows it', async () => {
    const { agencyId } = world.gate.tenant
    const first = await appToken(world.gate, agencyId)
    const again = await appToken(world.gate, agencyId)
    const { id } = await world.subscribe(host, secret, {}, { key: first.token })
    expect([await stop(id), await stop(id)]).toEqual([true, false])
    await world.deliver(id)
    await first.disconnect()
    const heard = world.receivers.messages.length
    for (const params of [
      asked(),
      asked({ arguments: { location_id: 'loc_1' } }),
      asked({}, { url: callbackAt(`other.${host}`), secret: newSecret() }),
    ])
      expect(await world.send('events/subscribe', params, { key: again.token })).toMatchObject(refusal)
    // Refused before the challenge: a stopped app cannot have anything sent to a callback.
    expect(world.receivers.messages).toHaveLength(heard)
    const other = asked({ name: 'note.lost' })
    expect((await world.send('events/subscribe', other, { key: again.token })).result?.id).toBeDefined()
    world.gate.clock.advance(400 * 24 * hourMs)
    const later = await appToken(world.gate, agencyId)
    expect(await world.send('events/subscribe', asked(), { key: later.token })).toMatchObject(refusal)
    expect([await allow(id), await allow(id)]).toEqual([true, false])
    expect((await world.subscribe(host, secret, {}, { key: later.token })).id).toBeDefined()
  })

  test('the agent key can have the events sent to another host, and audits name each step', async () => {
    const { owner } = world.gate
    const audits = async () =>
      Promise.all(
        ['subscribe', 'stop', 'allow'].map((step) =>
          owner.rows(AuditEntry).count(where.eq('action', `workspace.events_${step}`)),
        ),
      )
    const before = await audits()
    const { id } = await world.subscribe(host, secret)
    await stop(id)
    expect(await world.send('events/subscribe', asked())).toMatchObject(refusal)
    await world.subscribe(`other.${host}`, secret)
    await allow(id)
    expect((await world.subscribe(host, secret)).id).toBe(id)
    expect((await audits()).map((count, n) => count - (before[n] ?? 0))).toEqual([3, 1, 1])
  })

  test('one that ended by itself before the click is stopped too', async () => {
    const { id } = await world.subscribe(host, secret)
    await world.send('events/unsubscribe', asked())
    expect(await stop(id)).toBe(true)
    expect(await world.send('events/subscribe', asked())).toMatchObject(refusal)
  })
})

test('a time of less than a minute or more than a day is made to fit', async () => {
  const grantOf = async (ttlMs: number | null) =>
    Date.parse((await world.subscribe(host, secret, { ttlMs })).refreshBefore) -
    world.gate.clock.now().getTime()
  expect(Math.abs((await grantOf(0)) - minuteMs)).toBeLessThan(5_000)
  for (const ttlMs of [null, 900 * hourMs]) expect(await grantOf(ttlMs)).toBeLessThanOrEqual(24 * hourMs)
})
