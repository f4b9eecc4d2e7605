import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { isServiceFault } from 'renown'
import { readSource } from 'renown/leads'
import { createReadSocket } from '../../../core/outbound/fetch/read-socket'
import plugin from '../../../plugins/bluesky'
import { blueskyStream } from '../../../plugins/bluesky/jetstream'
import { type PlatformWorld, platformWorld } from '../../support/source-world'
import { standInResolver } from '../../support/stand-in-resolver'
import { type JetstreamEvent, jetstreamId, startJetstream } from '../../support/stand-ins/jetstream'

const second = 1_000_000

describe('the stream of Bluesky', () => {
  const server = startJetstream()
  let world: PlatformWorld
  let now = 0
  beforeAll(async () => {
    const settings = { BLUESKY_STREAM: 'on', BLUESKY_STREAM_URL: server.url }
    world = await platformWorld({ plugin, settings }, async () => new Response('', { status: 500 }))
    now = world.bench.now.getTime() * 1_000
  })
  afterEach(() => Object.assign(server.state, { events: [], plan: {}, cursors: [] }))
  afterAll(async () => {
    await server.stop()
    await world.stop()
  })

  const readSocket = createReadSocket({ dns: standInResolver(), allowLoopback: true })
  const read = (cursor: string | null = null, signal = new AbortController().signal) => {
    const ctx = { ...world.ctx, outbound: { ...world.ctx.outbound, readSocket } }
    return readSource(ctx, blueskyStream, { target: '', cursor, since: '2026-01-01T00:00:00.000Z', signal })
  }
  const post = (n: number, us = now - (100 - n) * second): JetstreamEvent => ({
    ...{ us, rkey: `3k${n}`, text: `Is Acme any good? Post ${n}` },
  })
  /** The network never sleeps: something else happens now. */
  const serve = (...events: JetstreamEvent[]) => server.state.events.push(...events, { us: now })
  const idsOf = ({ posts }: Awaited<ReturnType<typeof read>>) => posts.map(({ source_id }) => source_id)
  const ids = (...numbers: number[]) => numbers.map((n) => jetstreamId(`3k${n}`))
  const us = (cursor: string | null) => JSON.parse(cursor ?? 'null').us as number

  test('is off by default', async () => {
    const off = await platformWorld({ plugin }, async () => new Response(''))
    expect(blueskyStream.needs(off.ctx)).toEqual(['BLUESKY_STREAM'])
    await off.stop()
  })

  test('replays posts until now, and goes on from its cursor a little earlier', async () => {
    serve(post(1), post(2))
    const first = await read()
    expect(idsOf(first)).toEqual(ids(1, 2))
    expect(first.posts[0]).toMatchObject({
      channel: 'bluesky',
      language: 'en',
      body: 'Is Acme any good? Post 1',
    })
    expect([first.isMore, us(first.cursor)]).toEqual([false, now])
    await read(first.cursor)
    expect(server.state.cursors).toEqual([now - 300 * second, now - 5 * second])
  })

  test('follows edits and deletions in their order', async () => {
    const edit = { ...post(1), us: now - 5, operation: 'update' as const, text: 'Edited' }
    const gone = { ...post(2), us: now - 4, operation: 'delete' as const }
    const again = { ...post(3), us: now - 3, operation: 'delete' as const }
    serve(post(1), post(2), edit, gone, again, { ...post(3), us: now - 2 })
    const { posts, deleted } = await read()
    expect(posts.map(({ body }) => body)).toEqual(['Edited', 'Is Acme any good? Post 3'])
    expect(deleted).toEqual(ids(2))
  })

  test('loses nothing when the connection is cut', async () => {
    serve(post(1), post(2), post(3))
    server.state.plan = { cutAfter: 2 }
    const cut = await read()
    expect([idsOf(cut), us(cut.cursor)]).toEqual([ids(1, 2), post(2).us])
    server.state.plan = {}
    expect(idsOf(await read(cut.cursor))).toContain(jetstreamId('3k3'))
  })

  test('takes late and repeated events, and never goes back', async () => {
    const cursor = JSON.stringify({ us: now - 10 * second, isMore: false })
    server.state.plan = { from: 0, change: (all) => [...all.slice(0, 2), ...all] }
    serve(post(50), post(51))
    server.state.plan = { ...server.state.plan, cutAfter: 4 }
    const late = await read(cursor)
    expect([idsOf(late), us(late.cursor)]).toEqual([ids(50, 51), now - 10 * second])
  })

  test('is not led past now by an event of the future', async () => {
    server.state.events.push(post(1), { us: now + 86_400 * second })
    expect(us((await read()).cursor)).toBe(now)
  })

  test('reads at most 5,000 posts at once, and the rest next', async () => {
    serve(...Array.from({ length: 5_010 }, (_, n) => post(n, now - 20 * second + n)))
    const first = await read()
    expect([first.posts.length, first.isMore]).toEqual([5_000, true])
    const rest = await read(first.cursor)
    expect([rest.isMore, idsOf(rest).at(-1)]).toEqual([false, jetstreamId('3k5009')])
    expect(new Set([...idsOf(first), ...idsOf(rest)]).size).toBe(5_010)
  })

  test('says that events are missing when the stream no longer has them', async () => {
    serve(post(1))
    const old = JSON.stringify({ us: now - 86_400 * second, isMore: false })
    expect((await read(old)).unread).toEqual([{ reason: 'events that the stream no longer has' }])
  })

  test('counts events in an unknown form, and reads the others', async () => {
    const torn = {
      did: 'did:plc:x',
      time_us: now - 9,
      kind: 'commit',
      commit: { operation: 'create', rkey: '3k9' },
    }
    server.state.plan = { before: ['{', '7', JSON.stringify(torn), '['.repeat(5_000)] }
    serve(post(1))
    const { unread, ...reading } = await read()
    expect([idsOf(reading as never), unread.length]).toEqual([ids(1), 4])
  })

  test.each([
    ['closes at once', { cutAfter: 0 }],
    ['sends only what cannot be read', { before: ['<html>'], cutAfter: 1 }],
    ['sends a message that is too large', { before: ['x'.repeat(1_000_001)] }],
  ])('is a fault when it %s', async (_, plan) => {
    server.state.plan = plan
    const outcome = await read().catch((error: unknown) => error)
    expect(isServiceFault(outcome)).toBe(true)
  })

  test('stops when the caller stops', async () => {
    const stop = new AbortController()
    const asked = read(null, stop.signal)
    stop.abort(new Error('the job was called off'))
    await expect(asked).rejects.toThrow('the job was called off')
  })
})
