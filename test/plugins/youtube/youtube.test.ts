import { describe, expect, test } from 'bun:test'
import { readSource } from 'renown/leads'
import { testMentionSource } from 'renown/testing'
import plugin from '../../../plugins/youtube'
import { watch } from '../../../plugins/youtube/comments'
import { youTube } from '../../../plugins/youtube/youtube'
import { type Meddler, platformWorld } from '../../support/source-world'
import { createYouTube } from '../../support/stand-ins/youtube'

const key = 'youtube-test-key'
const settings = { YOUTUBE_URL: 'http://youtube.test/youtube/v3', YOUTUBE_SEARCHES_PER_DAY: '1000000' }

testMentionSource({
  plugin,
  name: 'youtube',
  settings,
  needed: { YOUTUBE_API_KEY: key },
  secrets: [key],
  standIn: () => createYouTube({ key }),
})

test('searches no more often than a day allows', async () => {
  const standIn = createYouTube({ key })
  const own = { ...settings, YOUTUBE_API_KEY: key, YOUTUBE_SEARCHES_PER_DAY: '2' }
  const world = await platformWorld({ plugin, settings: own }, (request) => standIn.fetch(request))
  const { signal } = new AbortController()
  const request = { target: 'Acme', cursor: null, since: '2026-01-01T00:00:00.000Z', signal }
  for (let n = 0; n < 2; n++) await readSource(world.ctx, youTube, request)
  await expect(readSource(world.ctx, youTube, request)).rejects.toMatchObject({ kind: 'quota' })
  expect(world.asked.count).toBe(2)
  await world.stop()
})

test('the searches of a day come back at midnight in California, as Google counts them', async () => {
  const standIn = createYouTube({ key })
  const own = { ...settings, YOUTUBE_API_KEY: key, YOUTUBE_SEARCHES_PER_DAY: '1' }
  const world = await platformWorld({ plugin, settings: own }, (request) => standIn.fetch(request))
  const { signal } = new AbortController()
  const search = async (at: string) => {
    world.bench.now = new Date(at)
    const request = { target: 'Acme', cursor: null, since: '2026-01-01T00:00:00.000Z', signal }
    return readSource(world.ctx, youTube, request).then(
      () => 'read',
      ({ kind, retryAfterMs }) => [kind, retryAfterMs],
    )
  }
  expect(await search('2026-03-15T06:00:00.000Z')).toBe('read')
  expect(await search('2026-03-15T06:30:00.000Z')).toEqual(['quota', 30 * 60_000])
  expect(await search('2026-03-15T07:00:00.000Z')).toBe('read')
  expect(await search('2026-03-16T06:59:00.000Z')).toEqual(['quota', 60_000])
  await world.stop()
})

describe('comments on found videos', () => {
  const commentsOf = (text: string) => JSON.parse(text).videos as [string, number][]
  const open = async (more: Record<string, string> = {}) => {
    const standIn = createYouTube({ key })
    const own = { ...settings, YOUTUBE_API_KEY: key, ...more }
    const world = await platformWorld({ plugin, settings: own }, (request) => standIn.fetch(request))
    const now = world.bench.now.getTime()
    const at = (minutes: number) => new Date(now - minutes * 60_000)
    standIn.set([1, 2, 3, 4].map((id) => ({ id, text: `Acme ${id}`, author: 'ann', at: at(100 - id) })))
    const read = async (cursor: string | null = null, meddler: Meddler | null = null) => {
      world.meddle(meddler)
      const { signal } = new AbortController()
      const request = { target: 'Acme', cursor, since: at(2_000).toISOString(), signal }
      return readSource(world.ctx, youTube, request)
    }
    return { world, read }
  }
  const onComments =
    (answer: () => Response): Meddler =>
    (honest, _, { url }) =>
      url.includes('/commentThreads') ? answer() : honest
  const refused = (status: number, reason: string) => () =>
    Response.json(
      { error: { code: status, message: reason, errors: [{ message: reason, reason }] } },
      { status },
    )

  test('have their own id, address, author and video', async () => {
    const { world, read } = await open()
    const { posts, cursor } = await read()
    expect(posts.find(({ source_id }) => source_id === 'v1/c2')).toMatchObject({
      url: 'https://www.youtube.com/watch?v=v1&lc=c2',
      parent_url: 'https://www.youtube.com/watch?v=v1',
      body: 'Acme 2',
      author: { handle: 'ann' },
      channel: 'youtube',
    })
    expect(
      commentsOf(cursor ?? '')
        .map(([id]) => id)
        .sort(),
    ).toEqual(['v1', 'v4'])
    await world.stop()
  })

  test('are read within their own budget of the day, and the rest is counted and comes first', async () => {
    const { world, read } = await open({ YOUTUBE_COMMENT_READS_PER_DAY: '1' })
    const { posts, unread, cursor } = await read()
    expect(posts.filter(({ source_id }) => source_id.startsWith('v1/')).length).toBeOneOf([0, 2])
    expect(unread).toEqual([{ reason: 'comments on 1 videos: the budget of the day is used up' }])
    expect(
      commentsOf(cursor ?? '')
        .map(([id]) => id)
        .sort(),
    ).toEqual(['v1', 'v4'])
    await world.stop()
  })

  test('end with their video, and fail alone', async () => {
    const { world, read } = await open()
    for (const reason of ['commentsDisabled', 'videoNotFound']) {
      const ended = await read(null, onComments(refused(reason === 'videoNotFound' ? 404 : 403, reason)))
      expect([ended.posts.length, ended.unread, commentsOf(ended.cursor ?? '')]).toEqual([2, [], []])
    }
    const failed = await read(null, onComments(refused(400, 'processingFailure')))
    expect([failed.posts.length, failed.unread.length]).toEqual([2, 2])
    expect(commentsOf(failed.cursor ?? '').length).toBe(2)
    await world.stop()
  })

  test.each([
    ['quota', refused(403, 'quotaExceeded')],
    ['transient', () => new Response('', { status: 503 })],
    ['transient', () => Response.json({ items: [] })],
  ])('are a fault of kind %s for the whole reading', async (kind, answer) => {
    const { world, read } = await open()
    await expect(read(null, onComments(answer))).rejects.toMatchObject({ kind })
    await world.stop()
  })

  test('are read of the 50 videos that were active last', () => {
    const at = (n: number) => new Date(1_000_000 * (1_000 + n)).toISOString()
    const found = Array.from({ length: 70 }, (_, n) => ({ id: `v${n}`, at: at(n) }))
    const videos = watch([], found)
    expect([videos.length, videos.some(([id]) => id === 'v19')]).toEqual([50, false])
    expect(watch(videos, found.slice(60))).toEqual([...videos])
    expect(JSON.stringify(videos.map(([, second]) => ['x'.repeat(20), second])).length).toBeLessThan(2_500)
  })
})
