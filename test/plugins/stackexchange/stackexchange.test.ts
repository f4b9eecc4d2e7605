import { expect, test } from 'bun:test'
import { readSource } from 'renown/leads'
import { testMentionSource } from 'renown/testing'
import plugin from '../../../plugins/stackexchange'
import { stackExchange } from '../../../plugins/stackexchange/stackexchange'
import { platformWorld } from '../../support/source-world'
import { createStackExchange } from '../../support/stand-ins/stackexchange'

const key = 'stackexchange-test-key'
const setup = {
  plugin,
  settings: { STACKEXCHANGE_URL: 'http://api.stack.test/2.3', STACKEXCHANGE_KEY: key },
}

testMentionSource({ ...setup, name: 'stackexchange', secrets: [key], standIn: createStackExchange })

test('sends no request while Stack Exchange asked to wait, and goes on after it', async () => {
  const standIn = createStackExchange()
  const world = await platformWorld(setup, (request) => standIn.fetch(request))
  const { signal } = new AbortController()
  const request = { target: 'Acme', cursor: null, since: '2026-01-01T00:00:00.000Z', signal }
  standIn.pause(30)
  await readSource(world.ctx, stackExchange, request)
  const asked = world.asked.count
  await expect(readSource(world.ctx, stackExchange, request)).rejects.toMatchObject({
    kind: 'rate',
    code: 'backoff',
    retryAfterMs: 30_000,
  })
  expect(world.asked.count).toBe(asked)
  world.bench.now = new Date(world.bench.now.getTime() + 30_001)
  expect((await readSource(world.ctx, stackExchange, request)).posts).toEqual([])
  await world.stop()
})

test('without a key it sends at most 300 requests a day', async () => {
  const standIn = createStackExchange()
  const settings = { STACKEXCHANGE_URL: 'http://api.stack.test/2.3' }
  const world = await platformWorld({ plugin, settings }, (request) => standIn.fetch(request))
  const { signal } = new AbortController()
  const request = { target: 'Acme', cursor: null, since: '2026-01-01T00:00:00.000Z', signal }
  for (let n = 0; n < 300; n++) await readSource(world.ctx, stackExchange, request)
  await expect(readSource(world.ctx, stackExchange, request)).rejects.toMatchObject({ kind: 'quota' })
  expect(world.asked.count).toBe(300)
  await world.stop()
})
