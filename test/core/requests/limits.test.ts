import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { type Gate, type GateOptions, startGate } from '../../support/harness'
import { notes } from '../../support/notes-plugin'

let gate: Gate
const start = async (settings: Record<string, string>, more: Partial<GateOptions> = {}) => {
  gate = await startGate({ plugins: [notes], settings, ...more })
}
afterEach(() => gate.stop())

const read = (key?: string) => gate.ask('/api/entities/Note', key === undefined ? {} : { key })
const draft = (body: object = { title: 'x' }) => gate.call('draftNote', body)

describe('limits per minute', () => {
  test('are told on every answer under /api in the IETF fields', async () => {
    await start({ LIMIT_READS_PER_MINUTE: '3' })
    const first = await read()
    expect(first.headers.get('ratelimit-policy')).toBe('"reads";q=3;w=60')
    expect(first.headers.get('ratelimit')).toBe('"reads";r=2;t=60')
    for (const path of ['/api/surface', '/api/nothing']) {
      expect((await gate.ask(path)).headers.get('ratelimit')).toStartWith('"reads";r=')
    }
    expect((await gate.ask('/healthz')).headers.get('ratelimit')).toBeNull()
  })

  test('are told and counted where an operation is refused before it is found or read', async () => {
    await start({ LIMIT_OPERATIONS_PER_MINUTE: '6' })
    const refused = [
      await gate.call('noSuchOperation'),
      await gate.ask('/api/functions/countNotes'),
      await gate.ask('/api/functions/countNotes?x=1', { method: 'POST' }),
      await gate.ask('/api/functions/%zz', { method: 'POST' }),
      await gate.call('countNotes', {}, { workspace: 'wsp_of_nobody' }),
      await gate.ask('/api/functions/countNotes', { method: 'POST', body: 'x'.repeat(2 ** 20 + 1) }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 400, 400, 403, 413])
    expect(refused.map(({ headers }) => headers.get('ratelimit'))).toEqual(
      [5, 4, 3, 2, 1, 0].map((left) => `"operations";r=${left};t=60`),
    )
    expect((await gate.call('noSuchOperation')).status).toBe(429)
  })

  test('refuse what is over them with 429, when to come back, and the registered problem type', async () => {
    await start({ LIMIT_READS_PER_MINUTE: '2' })
    await read()
    await read()
    const over = await read()
    expect(over.status).toBe(429)
    expect(Number(over.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(over.headers.get('ratelimit')).toStartWith('"reads";r=0;t=')
    expect(await over.json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      code: 'quota_exceeded',
      'violated-policies': ['reads'],
    })
  })

  test('say whole seconds, rounded up, on answers that count and on those that do not', async () => {
    setSystemTime(new Date('2026-11-20T10:00:00.000Z'))
    try {
      await start({ LIMIT_READS_PER_MINUTE: '2', LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: '9' })
      await read()
      await read('rnw_key_wrong')
      gate.clock.advance(20_500)
      expect((await read()).headers.get('ratelimit')).toBe('"reads";r=0;t=40')
      const over = await read()
      expect(over.headers.get('ratelimit')).toBe('"reads";r=0;t=40')
      expect(over.headers.get('retry-after')).toBe('40')
      const preflight = await gate.ask('/api/surface', { method: 'OPTIONS', key: null })
      expect(preflight.headers.get('ratelimit')).toBe('"failed-authentication";r=8;t=40')
    } finally {
      setSystemTime()
    }
  })

  test('are counted per credential and start anew after a minute', async () => {
    await start({ LIMIT_READS_PER_MINUTE: '1' })
    expect([(await read()).status, (await read()).status]).toEqual([200, 429])
    expect((await read(gate.stranger.key)).status).toBe(200)
    gate.clock.advance(60_000)
    expect((await read()).status).toBe(200)
  })

  test('count operations apart from reads, and drafts twice', async () => {
    await start({
      LIMIT_OPERATIONS_PER_MINUTE: '3',
      LIMIT_DRAFTS_PER_MINUTE: '1',
      LIMIT_READS_PER_MINUTE: '1',
    })
    const first = await draft()
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"operations";q=3;w=60, "drafts";q=1;w=60, "drafts-day";q=500;w=86400',
    )
    expect((await draft()).status).toBe(429)
    expect((await gate.call('countNotes')).status).toBe(200)
    expect((await gate.call('countNotes')).status).toBe(429)
    expect((await read()).status).toBe(200)
  })
})

describe('quotas per day', () => {
  test('are stored, so that a restarted gate goes on counting', async () => {
    await start({ LIMIT_DRAFTS_PER_DAY: '2' })
    await draft()
    const { documents } = gate
    const before = gate
    await start({ LIMIT_DRAFTS_PER_DAY: '2' }, { documents })
    const again = (body: object) => gate.call('draftNote', body, { key: before.tenant.key })
    expect((await again({ title: 'second' })).status).toBe(200)
    const over = await again({ title: 'third' })
    expect([over.status, over.headers.get('ratelimit')?.includes('"drafts-day";r=0;t=')]).toEqual([429, true])
    expect(Number(over.headers.get('retry-after'))).toBeWithin(1, 86_401)
    gate.clock.advance(24 * 60 * 60_000)
    expect((await again({ title: 'tomorrow' })).status).toBe(200)
  })

  test('are not spent by a body that is refused, nor by a dry run', async () => {
    await start({ LIMIT_DRAFTS_PER_DAY: '1' })
    await draft({ title: '' })
    await draft({ title: 'x', dry_run: true })
    expect((await draft()).status).toBe(200)
    expect((await draft()).status).toBe(429)
  })
})

describe('failed authentication', () => {
  const fail = (address: string, key: string | null = 'rnw_key_wrong') =>
    gate.ask('/api/surface', { key, address })

  test('is refused with 429 after too many from one address, while a right key goes on working there', async () => {
    await start({ LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: '2' })
    expect((await fail('203.0.113.1')).status).toBe(401)
    expect((await fail('203.0.113.1', null)).status).toBe(401)
    expect((await fail('203.0.113.1')).status).toBe(429)
    expect((await fail('203.0.113.2')).status).toBe(401)
    expect((await gate.ask('/api/surface', { address: '203.0.113.1' })).status).toBe(200)
    gate.clock.advance(60_000)
    expect((await fail('203.0.113.1')).status).toBe(401)
  })

  test('counts an IPv6 subscriber as one, and IPv4 in IPv6 as IPv4', async () => {
    await start({ LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: '1' })
    expect((await fail('2001:db8:1:2::1')).status).toBe(401)
    expect((await fail('2001:db8:1:2:ffff::9')).status).toBe(429)
    expect((await fail('2001:db8:1:3::1')).status).toBe(401)
    expect((await fail('203.0.113.9')).status).toBe(401)
    expect((await fail('::ffff:203.0.113.9')).status).toBe(429)
  })

  test('believes X-Forwarded-For from trusted proxies only, from the right', async () => {
    await start({ LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: '1', TRUSTED_PROXIES: '10.0.0.0/8,192.0.2.1' })
    const via = (peer: string, forwarded: string) =>
      gate.ask('/api/surface', { key: null, address: peer, headers: { 'x-forwarded-for': forwarded } })
    expect((await via('10.1.1.1', '198.51.100.1')).status).toBe(401)
    expect((await via('10.2.2.2', 'spoofed, 198.51.100.1, 192.0.2.1')).status).toBe(429)
    expect((await via('10.1.1.1', '198.51.100.2')).status).toBe(401)
    expect((await via('203.0.113.5', '198.51.100.3')).status).toBe(401)
    expect((await via('203.0.113.5', '198.51.100.4')).status).toBe(429)
  })
})
