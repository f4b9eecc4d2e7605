import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { dayMs, hourMs, minuteMs, where } from 'renown'
import { Notification } from '../../../../core/tenancy/news/Notification'
import { fanOut } from '../../../../plugins/webhooks/delivery/fan-out'
import { attemptsMax, failingMs } from '../../../../plugins/webhooks/delivery/retry'
import { Webhook } from '../../../../plugins/webhooks/records/Webhook'
import { WebhookAttempt } from '../../../../plugins/webhooks/records/WebhookAttempt'
import { WebhookDelivery } from '../../../../plugins/webhooks/records/WebhookDelivery'
import { accept, isSignedWith } from '../../../support/stand-ins/webhook-receiver'
import { noteLost, type WebhookWorld, webhookWorld } from '../support/webhook-world'

let world: WebhookWorld
beforeEach(async () => {
  world = await webhookWorld()
})
afterEach(() => world.stop())

const numbers = (host?: string) =>
  world.receivers.events(host).map(({ body }) => (JSON.parse(body) as { data: { n: number } }).data.n)
const attempts = () =>
  world.owner.rows(WebhookAttempt).list({ sort: [{ field: 'number', direction: 'asc' }] })
const host = 'a.hooks.test'
const failed =
  (status: number, headers: Record<string, string> = {}) =>
  () => ({ status, headers, body: 'No.' })

describe('a message', () => {
  test('is thin, signed, and sent once for each event, in their order', async () => {
    const { id, secret } = await world.hook(host)
    for (const n of [1, 2, 3]) await world.publish(n)
    await world.send(id)
    await world.send(id)
    expect(numbers()).toEqual([1, 2, 3])
    const [first] = world.receivers.events()
    if (!first) throw new Error('no message')
    expect(isSignedWith(first, secret)).toBe(true)
    expect(JSON.parse(first.body)).toEqual({
      type: 'note.made',
      timestamp: world.bench.now.toISOString(),
      data: { n: 1, event_id: first.id, workspace_id: world.workspace_id },
    })
    expect(new Set(world.receivers.events().map((one) => one.id)).size).toBe(3)
  })

  test('is sent only for the types that the owner chose, and none from before the verification', async () => {
    await world.publish(0)
    const { id } = await world.hook(host, ['note.lost'])
    await world.publish(1)
    await world.publish(2, noteLost)
    await world.send(id)
    expect(numbers()).toEqual([2])
  })

  test('is signed with both secrets for a day after a rotation, then with the new one', async () => {
    const { id, secret: former } = await world.hook(host)
    const { secret = '' } = await world.bench.command('webhook secret rotate', { webhook_id: id })
    await world.publish(1)
    await world.send(id)
    world.advance(dayMs)
    await world.publish(2)
    await world.send(id)
    expect(
      world.receivers.events().map((one) => [isSignedWith(one, former), isSignedWith(one, secret)]),
    ).toEqual([
      [true, true],
      [false, true],
    ])
  })
})

describe('a receiver that', () => {
  test.each([
    ['fails', failed(500), { status: 500, answer: 'No.' }],
    [
      'redirects',
      failed(302, { location: 'https://b.hooks.test/' }),
      { status: 302, error: 'Redirects are not followed.' },
    ],
    ['drops the connection', () => 'drop' as const, { error: expect.any(String) }],
    ['answers too much', () => ({ status: 200, body: 'x'.repeat(100_000) }), { error: expect.any(String) }],
  ])('%s gets the same message again with the same id, until it accepts it', async (_, how, shown) => {
    const { id } = await world.hook(host)
    world.receivers.answer(host, how)
    await world.publish(1)
    await world.send(id)
    expect(await attempts()).toEqual([expect.objectContaining({ outcome: 'failed', number: 1, ...shown })])
    await world.send(id)
    expect(world.receivers.events(host)).toHaveLength(1)
    world.receivers.answer(host, accept)
    world.advance(6_000)
    await world.send(id)
    const [first, second] = world.receivers.events(host)
    expect([second?.id, second?.body]).toEqual([first?.id ?? '', first?.body ?? ''])
    expect(world.receivers.events('b.hooks.test')).toEqual([])
    expect((await world.row(id)).failing_since).toBeUndefined()
    expect((await attempts()).map(({ outcome }) => outcome)).toEqual(['failed', 'delivered'])
  })

  test('fails for three days loses the message after ten attempts, and can get it again', async () => {
    const { id } = await world.hook(host)
    world.receivers.answer(host, failed(500))
    await world.publish(1)
    for (let turn = 0; turn < 200; turn++) {
      await world.send(id)
      world.advance(30 * minuteMs)
    }
    expect(world.receivers.events(host)).toHaveLength(attemptsMax)
    const [delivery] = await world.owner.rows(WebhookDelivery).list()
    expect(delivery).toMatchObject({ state: 'failed', attempts: attemptsMax })
    const all = await attempts()
    const spanMs = Date.parse(all.at(-1)?.started_at ?? '') - Date.parse(all[0]?.started_at ?? '')
    expect([spanMs > 2.5 * dayMs, spanMs < 4.5 * dayMs]).toEqual([true, true])
    world.receivers.answer(host, accept)
    await world.bench.command('webhook replay', { webhook_id: id, event_id: delivery?.event_id ?? '' })
    await world.send(id)
    expect((await world.owner.rows(WebhookDelivery).list())[0]).toMatchObject({ state: 'delivered' })
    expect(new Set(world.receivers.events(host).map((one) => one.id)).size).toBe(1)
  })

  test('answers 410 is disabled at once, and its owner is notified once', async () => {
    const { id } = await world.hook(host)
    world.receivers.answer(host, failed(410))
    await world.publish(1)
    await world.send(id)
    expect(await world.row(id)).toMatchObject({
      state: 'disabled',
      disabled_reason: expect.stringContaining('410'),
    })
    const news = await world.owner.rows(Notification).list()
    expect(news).toEqual([expect.objectContaining({ type: 'webhook_disabled', severity: 'critical' })])
    await world.publish(2)
    world.advance(dayMs)
    await world.send(id)
    expect(numbers()).toEqual([1])
    world.receivers.answer(host, accept)
    await world.bench.command('webhook verify', { webhook_id: id })
    await world.send(id)
    expect(numbers()).toEqual([1, 1, 2])
  })

  test('answers 410 after its owner paused it stays paused, and nobody is told that it was disabled', async () => {
    const { id } = await world.hook(host)
    world.receivers.answer(host, async () => {
      await world.bench.command('webhook pause', { webhook_id: id })
      return { status: 410 }
    })
    await world.publish(1)
    await world.send(id)
    expect([(await world.row(id))?.state, numbers()]).toEqual(['paused', [1]])
    expect(await world.owner.rows(Notification).list()).toEqual([])
  })

  test('fails for five days is disabled', async () => {
    const { id } = await world.hook(host)
    world.receivers.answer(host, failed(500))
    await world.publish(1)
    await world.send(id)
    world.advance(failingMs - hourMs)
    await world.send(id)
    expect((await world.row(id)).state).toBe('active')
    world.advance(2 * hourMs)
    await world.send(id)
    expect((await world.row(id)).state).toBe('disabled')
  })

  test.each([
    [429, {}, minuteMs],
    [502, {}, minuteMs],
    [504, {}, minuteMs],
    [503, { 'retry-after': '7200' }, 2 * hourMs],
  ] as const)('answers %p gets nothing until it has rested', async (status, headers, restMs) => {
    const { id } = await world.hook(host)
    world.receivers.answer(host, failed(status, headers))
    await world.publish(1)
    await world.publish(2)
    await world.send(id)
    world.receivers.answer(host, accept)
    world.advance(restMs - 1_000)
    await world.send(id)
    expect(numbers()).toEqual([1])
    world.advance(2_000)
    await world.send(id)
    expect(numbers().toSorted()).toEqual([1, 1, 2])
  })

  test('asks for time gets its message after that time, whatever it accepts before', async () => {
    const { id } = await world.hook(host)
    world.receivers.answer(host, failed(503, { 'retry-after': '7200' }))
    await world.publish(1)
    await world.send(id)
    const [message] = await world.owner.rows(WebhookDelivery).list()
    const wait = Date.parse(message?.due_at ?? '') - world.owner.now().getTime()
    expect([wait >= 2 * hourMs - 1_000, wait <= 2 * hourMs]).toEqual([true, true])
    // Another message that arrives ends the break, but not what was asked for this one.
    await world.owner.rows(Webhook).update(id, { resume_at: undefined })
    world.receivers.answer(host, accept)
    world.advance(hourMs)
    await world.publish(2)
    await world.send(id)
    expect(numbers()).toEqual([1, 2])
    world.advance(hourMs)
    await world.send(id)
    expect(numbers()).toEqual([1, 2, 1])
  })

  test('fails gets new events nevertheless, so that one message never holds back the others', async () => {
    const { id } = await world.hook(host)
    world.receivers.answer(host, ({ body }) => ({ status: body.includes('"n":1') ? 500 : 200 }))
    await world.publish(1)
    await world.publish(2)
    await world.send(id)
    await world.send(id)
    expect(numbers()).toEqual([1, 2])
  })

  test('fails or is slow is sent to in a queue of its own', async () => {
    const { id } = await world.hook(host)
    /** The queue of the next event. */
    const queueOf = async () => {
      await dropJobs()
      await world.publish(9)
      const jobs = await world.bench.collection(jobEntity()).find({ where: where.eq('is_active', true) })
      return jobs.map(({ queue }) => queue)
    }
    await queueOf()
    expect(await queueOf()).toEqual(['send-webhooks'])
    world.receivers.answer(host, () => {
      world.advance(6_000)
      return { status: 200 }
    })
    await world.send(id)
    expect(await queueOf()).toEqual(['retry-webhooks'])
    world.receivers.answer(host, accept)
    await world.send(id)
    expect(await queueOf()).toEqual(['send-webhooks'])
    world.receivers.answer(host, failed(500))
    await world.send(id)
    expect(await queueOf()).toEqual(['retry-webhooks'])
  })
})

const dropJobs = () => world.bench.collection(jobEntity()).remove(where.eq('is_active', true))

const jobEntity = () => {
  const entity = world.bench.registry.entities.get('Job')
  if (!entity) throw new Error('no queues')
  return entity
}

describe('a process that ends', () => {
  test('between the record of an attempt and its answer leaves a message that is sent again', async () => {
    const { id } = await world.hook(host)
    await world.publish(1)
    const rows = world.owner.rows(WebhookDelivery)
    await world.bench.registry.jobs.get('dueWebhooks')?.run(world.owner, new AbortController().signal)
    await world.send(id)
    const [delivery] = await rows.list()
    if (!delivery) throw new Error('no delivery')
    const [done] = await attempts()
    // The state of the store right after the request was sent.
    await world.bench
      .collection(world.bench.registry.entities.get('WebhookDelivery') as never)
      .updateOne(where.eq('id', delivery.id), {
        set: { state: 'pending', due_at: world.bench.now.toISOString() },
      })
    await world.bench
      .collection(world.bench.registry.entities.get('WebhookAttempt') as never)
      .updateOne(where.eq('id', done?.id ?? ''), { set: { outcome: 'calling' } })
    await world.send(id)
    expect((await attempts()).map(({ outcome, number }) => [outcome, number])).toEqual([
      ['unknown', 1],
      ['delivered', 2],
    ])
    expect(new Set(world.receivers.events().map((one) => one.id)).size).toBe(1)
  })
})

test('two processes send a message once', async () => {
  const { id } = await world.hook(host)
  for (let n = 0; n < 10; n++) await world.publish(n)
  await Promise.all([world.send(id), world.send(id), world.send(id)])
  await world.send(id)
  expect(numbers().toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a webhook that is deleted while events are handed out leaves no deliveries', async () => {
  const { id } = await world.hook(host)
  await world.publish(1)
  const webhook = await world.row(id)
  if (!webhook) throw new Error('no webhook')
  await world.bench.command('webhook remove', { webhook_id: id })
  expect(await fanOut(world.owner, webhook)).toBe(0)
  expect(await world.owner.rows(WebhookDelivery).list({ limit: 10 })).toEqual([])
})

test('a paused webhook gets its events when it is resumed', async () => {
  const { id } = await world.hook(host)
  await world.bench.command('webhook pause', { webhook_id: id })
  await world.publish(1)
  await world.send(id)
  expect(numbers()).toEqual([])
  await world.bench.command('webhook resume', { webhook_id: id })
  await world.send(id)
  expect(numbers()).toEqual([1])
})

test('days before a pause do not count as days of failing', async () => {
  const { id } = await world.hook(host)
  const rows = world.bench.owner.rows(Webhook)
  await rows.update(id, { failing_since: '2020-01-01T00:00:00.000Z' })
  await world.bench.command('webhook pause', { webhook_id: id })
  await world.bench.command('webhook resume', { webhook_id: id })
  expect((await rows.get(id))?.failing_since).toBeUndefined()
})
