import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { createServer } from 'node:net'
import { EventSubscription } from '../../../../plugins/webhooks/records/EventSubscription'
import { Webhook } from '../../../../plugins/webhooks/records/Webhook'
import { WebhookAttempt } from '../../../../plugins/webhooks/records/WebhookAttempt'
import { WebhookDelivery } from '../../../../plugins/webhooks/records/WebhookDelivery'
import type { StandInResolver } from '../../../support/stand-in-resolver'
import { newSecret, type SubscriptionWorld, subscriptionWorld } from '../support/subscription-world'
import { type WebhookWorld, webhookWorld } from '../support/webhook-world'

const publicAddress = '93.184.216.34'
const privateAddresses = ['127.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', 'fd00::1']
const host = 'moving.example'

/** Two machines: one on the public internet, and one inside that must get no byte. */
const network = { port: 0, received: 0, redirect: '', bytesInside: 0, insidePort: 0 }
const reach = globalThis.fetch
const inside = createServer((socket) => {
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    network.bytesInside += bytes.length
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  })
})
let outside: Bun.Server<undefined>
let routes: { mockRestore(): void }
beforeAll(async () => {
  outside = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { challenge } = (await request.json()) as { challenge?: string }
      if (challenge !== undefined) return Response.json({ challenge })
      if (network.redirect !== '')
        return new Response(null, { status: 307, headers: { location: network.redirect } })
      network.received++
      return new Response()
    },
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', () => resolve()))
  network.insidePort = (inside.address() as { port: number }).port
  // HTTPS to the public address reaches the first machine, and to any other the second one.
  const route = (url: string, init: RequestInit) => {
    const { protocol, hostname, pathname } = new URL(url)
    const port = hostname === publicAddress ? outside.port : network.insidePort
    return protocol === 'https:' ? reach(`http://127.0.0.1:${port}${pathname}`, init) : reach(url, init)
  }
  routes = spyOn(globalThis, 'fetch').mockImplementation(route as typeof fetch)
})
beforeEach(() => Object.assign(network, { received: 0, redirect: '', bytesInside: 0 }))
afterAll(async () => {
  routes.mockRestore()
  inside.close()
  await outside.stop(true)
})

test('the machine inside would get what is sent to a private address', async () => {
  for (const address of ['127.0.0.1', '[fd00::1]']) await fetch(`https://${address}/in`)
  await fetch(`http://127.0.0.1:${network.insidePort}/`)
  expect(network.bytesInside).toBeGreaterThan(100)
})

/** One way by which events leave. */
interface Way {
  readonly resolver: StandInResolver
  /** Publishes an event and sends what is due. */
  send(): Promise<void>
  /** Makes what failed due now, and sends it. */
  sendAgain(): Promise<void>
  /** The error that the owner sees. */
  error(): Promise<string | undefined>
}

function sendsNothingInside(way: () => Way, errors: { readonly moved: string; readonly redirected: string }) {
  test('gets no byte to a host that moved inside since', async () => {
    const { resolver, send, sendAgain, error } = way()
    for (const moved of [...privateAddresses.map((one) => [one]), [publicAddress, '127.0.0.1']]) {
      resolver.setAddresses(host, moved)
      await send()
      expect(await error()).toBe(errors.moved)
      expect(network).toMatchObject({ received: 0, bytesInside: 0 })
      // It arrives after the host is public again.
      resolver.setAddresses(host, [publicAddress])
      await sendAgain()
      expect(network.received).toBe(1)
      network.received = 0
    }
  })

  test('asks the DNS once for each message, so that a second answer is not used', async () => {
    const { resolver, send } = way()
    resolver.setAddresses(host, [publicAddress], ['127.0.0.1'])
    const before = resolver.asked.length
    await send()
    expect(resolver.asked.slice(before)).toEqual([host])
    expect(network).toMatchObject({ received: 1, bytesInside: 0 })
  })

  test('does not follow a redirect inside', async () => {
    const { resolver, send, sendAgain, error } = way()
    resolver.setAddresses(host, [publicAddress])
    network.redirect = `http://127.0.0.1:${network.insidePort}/`
    await send()
    expect(await error()).toBe(errors.redirected)
    for (const address of ['https://[::ffff:127.0.0.1]/', 'https://169.254.169.254/latest/meta-data/']) {
      network.redirect = address
      await sendAgain()
    }
    expect(network).toMatchObject({ received: 0, bytesInside: 0 })
    network.redirect = ''
    await sendAgain()
    expect(network.received).toBe(1)
  })
}

describe('a webhook', () => {
  let world: WebhookWorld
  let id: string
  const known = new Set<string>()
  beforeAll(async () => {
    world = await webhookWorld()
    world.receivers.resolver.setAddresses(host, [publicAddress])
    id = (await world.hook(host)).id
  })
  afterAll(() => world.stop())
  const attempts = () => world.owner.rows(WebhookAttempt).list({ limit: 200 })
  const way = (): Way => ({
    resolver: world.receivers.resolver,
    async send() {
      for (const { id } of await attempts()) known.add(id)
      await world.publish(1)
      await world.send(id)
    },
    async sendAgain() {
      const due_at = world.bench.now.toISOString()
      for (const { id, state } of await world.owner.rows(WebhookDelivery).list())
        if (state === 'pending') await world.owner.rows(WebhookDelivery).update(id, { due_at })
      await world.owner.rows(Webhook).update(id, { resume_at: undefined })
      await world.send(id)
    },
    error: async () =>
      (await attempts()).find(({ id, outcome }) => outcome === 'failed' && !known.has(id))?.error,
  })
  sendsNothingInside(way, {
    moved: 'The host is not on the public internet.',
    redirected: 'Redirects are not followed.',
  })
})

describe('an event subscription', () => {
  let world: SubscriptionWorld
  let id: string
  beforeAll(async () => {
    world = await subscriptionWorld()
    await world.allow(host)
    world.receivers.resolver.setAddresses(host, [publicAddress])
    id = (await world.subscribe(host, newSecret())).id
  })
  afterAll(() => world.stop())
  const way = (): Way => ({
    resolver: world.receivers.resolver,
    async send() {
      await world.publish(1)
      await world.deliver(id)
    },
    async sendAgain() {
      await world.gate.owner.rows(EventSubscription).update(id, { due_at: undefined })
      await world.deliver(id)
    },
    error: async () => (await world.row(id)).last_error,
  })
  sendsNothingInside(way, { moved: 'connection_refused', redirected: 'http_4xx' })

  test('is not made at a host that is inside by then', async () => {
    for (const address of privateAddresses) {
      world.receivers.resolver.setAddresses('later.example', [address])
      await world.allow(host, 'later.example')
      await expect(world.subscribe('later.example', newSecret())).rejects.toThrow('connection_refused')
    }
    expect(network.bytesInside).toBe(0)
  })
})
