import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { hourMs, where } from 'renown'
import { isWebhookSecret } from 'renown/sending'
import { EventEntry } from '../../../../plugins/webhooks/records/foreign'
import { Webhook } from '../../../../plugins/webhooks/records/Webhook'
import { WebhookAttempt } from '../../../../plugins/webhooks/records/WebhookAttempt'
import { WebhookDelivery } from '../../../../plugins/webhooks/records/WebhookDelivery'
import { isSignedWith } from '../../../support/stand-ins/webhook-receiver'
import { noteMade, type WebhookWorld, webhookWorld } from '../support/webhook-world'

let world: WebhookWorld
beforeEach(async () => {
  world = await webhookWorld()
})
afterEach(() => world.stop())

const host = 'a.hooks.test'
const create = (url: string, types: readonly string[] = []) =>
  world.bench.command('webhook create', { workspace_id: world.workspace_id, url, types })

describe('a new webhook', () => {
  test('has a secret that is stored sealed and shown once, and gets nothing before it is verified', async () => {
    const { webhook_id = '', secret = '', state } = await create(`https://${host}/in`)
    expect([state, isWebhookSecret(secret)]).toEqual(['unverified', true])
    const row = await world.row(webhook_id)
    expect(JSON.stringify(row)).not.toContain(secret)
    await world.publish(1)
    await world.send(webhook_id)
    expect(world.receivers.messages).toEqual([])
    expect(JSON.stringify(await world.bench.command('webhook list', {}))).not.toContain('whsec_')
  })

  test.each([
    ['http://a.hooks.test/in', 'https://'],
    ['no address', 'https://'],
    ['https://user:pass@a.hooks.test/', 'user name'],
    ['https://a.hooks.test:8443/', 'port'],
    ['https://127.0.0.1/', 'public internet'],
    ['https://2130706433/', 'public internet'],
    ['https://0x7f.1/', 'public internet'],
    ['https://[::1]/', 'public internet'],
    ['https://localhost/', 'public internet'],
    [`https://a.hooks.test/${'x'.repeat(2_000)}`, '2,000'],
  ])('with the address %p is refused', async (url, why) => {
    await expect(create(url)).rejects.toThrow(why)
    expect(await world.owner.rows(Webhook).list()).toEqual([])
  })

  test('with an unknown type of events is refused', async () => {
    await expect(create(`https://${host}/`, ['note.gone'])).rejects.toThrow(
      'There is no event type note.gone',
    )
  })

  test('is one of at most twenty', async () => {
    for (let n = 0; n < 20; n++) await create(`https://h${n}.hooks.test/`)
    await expect(create(`https://${host}/`)).rejects.toThrow('at most 20 webhooks')
  })
})

describe('a host is verified', () => {
  test('by returning the challenge of a signed message', async () => {
    const { webhook_id = '', secret = '' } = await create(`https://${host}/in`)
    expect(await world.bench.command('webhook verify', { webhook_id })).toMatchObject({ state: 'active' })
    const [message] = world.receivers.messages
    if (!message) throw new Error('no message')
    expect(isSignedWith(message, secret)).toBe(true)
    expect(JSON.parse(message.body)).toEqual({
      type: 'verification',
      timestamp: expect.any(String),
      challenge: expect.any(String),
    })
    await expect(world.bench.command('webhook verify', { webhook_id })).rejects.toThrow('already verified')
  })

  test.each([
    ['another challenge', () => ({ status: 200, body: '{"challenge":"other"}' })],
    ['no JSON', () => ({ status: 200, body: 'ok' })],
    ['an error', ({ body }: { body: string }) => ({ status: 500, body })],
    ['a redirect', () => ({ status: 307, headers: { location: 'https://b.hooks.test/in' } })],
    ['nothing', () => 'drop' as const],
  ])('not by %s', async (_, how) => {
    world.receivers.answer(host, how)
    const { webhook_id = '' } = await create(`https://${host}/in`)
    await expect(world.bench.command('webhook verify', { webhook_id })).rejects.toThrow('was not verified')
    expect((await world.row(webhook_id)).state).toBe('unverified')
    expect(world.receivers.messages.map((one) => one.host)).toEqual([host])
  })

  test('only on the public internet, whatever its name says', async () => {
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1']) {
      world.receivers.resolver.setAddresses('rebound.example', [address])
      const { webhook_id = '' } = await create('https://rebound.example/in')
      await expect(world.bench.command('webhook verify', { webhook_id })).rejects.toThrow('public internet')
    }
  })

  test('and its address is checked again for each message', async () => {
    const { id } = await world.hook(host)
    await world.owner.rows(Webhook).update(id, { url: 'https://rebound.example/in' })
    world.receivers.resolver.setAddresses('rebound.example', ['192.168.0.10'])
    await world.publish(1)
    await world.send(id)
    const [attempt] = await world.owner.rows(WebhookAttempt).list()
    expect(attempt).toMatchObject({ outcome: 'failed', error: 'The host is not on the public internet.' })
  })
})

test('a replay since an instant sends the events again that the webhook wants', async () => {
  const { id } = await world.hook(host, ['note.made'])
  await world.publish(1)
  world.advance(2 * hourMs)
  await world.publish(2)
  await world.publish(3)
  await world.send(id)
  const since = new Date(world.bench.now.getTime() - hourMs).toISOString()
  expect(await world.bench.command('webhook replay', { webhook_id: id, since })).toMatchObject({
    replayed: 2,
  })
  await world.send(id)
  const ids = world.receivers.events().map((one) => one.id)
  expect([ids.length, new Set(ids).size]).toEqual([5, 3])
  await expect(world.bench.command('webhook replay', { webhook_id: id })).rejects.toThrow('event_id')
})

test('only an active webhook gets events again, and only those of its workspace', async () => {
  const { id } = await world.hook(host)
  await expect(
    world.bench.command('webhook replay', { webhook_id: id, event_id: 'evt_gone' }),
  ).rejects.toThrow('no event evt_gone')
  const { workspace_id = '' } = await world.bench.command('agency create', { name: 'Other' })
  await world.owner.publish(noteMade, { workspace_id, data: { n: 1 } })
  const [foreign] = await world.owner
    .rows(EventEntry)
    .list({ where: where.eq('workspace_id', workspace_id), limit: 1 })
  const event_id = foreign?.id ?? ''
  await expect(world.bench.command('webhook replay', { webhook_id: id, event_id })).rejects.toThrow(
    `The workspace has no event ${event_id}.`,
  )
  await world.send(id)
  expect(world.receivers.events()).toEqual([])
  await world.bench.command('webhook pause', { webhook_id: id })
  const since = world.bench.now.toISOString()
  await expect(world.bench.command('webhook replay', { webhook_id: id, since })).rejects.toThrow('paused')
  await expect(world.bench.command('webhook pause', { webhook_id: id })).rejects.toThrow('paused')
})

test('a deleted webhook leaves nothing behind', async () => {
  const { id } = await world.hook(host)
  await world.publish(1)
  await world.send(id)
  await world.bench.command('webhook remove', { webhook_id: id })
  for (const entity of [Webhook, WebhookDelivery, WebhookAttempt])
    expect(await world.owner.rows(entity).count()).toBe(0)
  await expect(world.bench.command('webhook verify', { webhook_id: id })).rejects.toThrow(
    'There is no webhook',
  )
})
