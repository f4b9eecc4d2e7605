import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { isServiceFault } from 'renown'
import { readSource } from 'renown/leads'
import { createReadSocket } from '../../../core/outbound/fetch/read-socket'
import plugin from '../../../plugins/bluesky'
import { blueskyStream } from '../../../plugins/bluesky/jetstream'
import { unreadableAnswers } from '../../support/liar'
import { unknownCursors } from '../../support/mention-source-suite'
import { oddAnswers, unstorableTexts } from '../../support/odd-texts'
import { pathsOf, replaced } from '../../support/replaced'
import { type PlatformWorld, platformWorld } from '../../support/source-world'
import { standInResolver } from '../../support/stand-in-resolver'
import {
  type JetstreamEvent,
  jetstreamId,
  startJetstream,
  writtenEvent,
} from '../../support/stand-ins/jetstream'

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
    us,
    rkey: `3k${n}`,
    text: `Is Acme any good? Post ${n}`,
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

  test('loses nothing wherever the connection is cut', async () => {
    const posts = Array.from({ length: 6 }, (_, n) => post(n + 1, now - (60 - n) * second))
    serve(...posts)
    const wanted = ids(1, 2, 3, 4, 5, 6)
    for (let cutAfter = 1; cutAfter <= posts.length; cutAfter++) {
      const found = new Set<string>()
      let cursor: string | null = null
      // Each connection brings at least one new event, so this ends.
      for (let tries = 0; !wanted.every((id) => found.has(id)); tries++) {
        expect(tries).toBeLessThan(12)
        server.state.plan = tries % 2 === 0 ? { cutAfter } : {}
        const reading = await read(cursor)
        for (const id of idsOf(reading)) found.add(id)
        if (cursor !== null) expect(us(reading.cursor)).toBeGreaterThanOrEqual(us(cursor))
        cursor = reading.cursor
        expect(cursor?.length ?? 0).toBeLessThan(4_000)
      }
    }
  })

  test('starts again from a cursor that it does not know', async () => {
    serve(post(1), post(2))
    for (const cursor of [...unknownCursors, '{"us":-1,"isMore":false}', '{"us":1e30,"isMore":false}']) {
      expect([cursor.slice(0, 20), idsOf(await read(cursor))]).toEqual([cursor.slice(0, 20), ids(1, 2)])
    }
  })

  test('a value of another type costs its own event and is counted', async () => {
    serve(post(1), post(2))
    const honest = new Map((await read()).posts.map((one) => [one.source_id, one]))
    const event = JSON.parse(writtenEvent(post(1))) as unknown
    for (const path of pathsOf(event)) {
      const torn = JSON.stringify(replaced(event, path, -17))
      server.state.plan = { change: ([_, ...rest]) => [torn, ...rest] }
      const { posts, unread } = await read()
      const where = path.join('.')
      for (const found of posts) {
        // An id or a collection of another type is another post, and never this one with other contents.
        if (found.source_id === jetstreamId('3k1'))
          expect([where, found]).toEqual([where, honest.get(found.source_id) ?? found])
      }
      expect([where, posts.some(({ source_id }) => source_id === jetstreamId('3k2'))]).toEqual([where, true])
      expect([where, posts.length + unread.length >= 2 || isIgnored(where)]).toEqual([where, true])
    }
  })
  /** Fields whose other values mean another kind of event, which the source does not read. */
  const isIgnored = (path: string) => path === 'commit.collection'

  test('an odd character in one text costs at most its own post', async () => {
    serve(post(1), post(2))
    for (const odd of oddAnswers(JSON.parse(writtenEvent(post(1))))) {
      server.state.plan = { change: ([_, ...rest]) => [JSON.stringify(odd.body), ...rest] }
      const reading = await read()
      expect([odd.name, unstorableTexts(reading)]).toEqual([odd.name, []])
      expect([odd.name, idsOf(reading).includes(jetstreamId('3k2'))]).toEqual([odd.name, true])
    }
  })

  test('removes characters that hide words', async () => {
    serve({ ...post(1), text: 'Acme\u202e is\u200b fi\u{e0041}ne' })
    expect((await read()).posts[0]?.body).toBe('Acme is fine')
  })

  test('finds nothing where nothing is, without a fault', async () => {
    serve()
    const { posts, unread, isMore } = await read()
    expect([posts, unread, isMore]).toEqual([[], [], false])
  })

  test.each(Object.keys(unreadableAnswers))('never reads %s as no posts', async (name) => {
    const lie = await unreadableAnswers[name]?.(Response.json({ posts: [] }))
    server.state.plan = { before: [(await lie?.text()) ?? ''], cutAfter: 1 }
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
