import { describe, expect, test } from 'bun:test'
import { readSource, type SourceReading } from 'renown/leads'
import { testMentionSource } from 'renown/testing'
import hackernews from '../../../plugins/hackernews'
import { hackerNews } from '../../../plugins/hackernews/hackernews'
import { platformWorld } from '../../support/source-world'
import { createHackerNews } from '../../support/stand-ins/hackernews'

const setup = {
  plugin: hackernews,
  settings: { HACKERNEWS_URL: 'http://hn.test/api/v1', HACKERNEWS_ITEMS_URL: 'http://items.hn.test/v0' },
}
const request = {
  target: 'Acme',
  cursor: null,
  since: '2026-01-01T00:00:00.000Z',
  signal: new AbortController().signal,
}

testMentionSource({
  ...setup,
  name: 'hackernews',
  standIn: createHackerNews,
})

describe('Hacker News', () => {
  test('splits by time when there are more than 1,000 hits, and loses no item of the second of a split', async () => {
    const posts = Array.from({ length: 2_500 }, (_, id) => ({
      id: id + 1,
      text: 'Acme',
      author: 'jo',
      at: new Date(Date.UTC(2026, 2, 15, 0, 0, Math.floor(id / 7))),
    }))
    const { found, readings } = await readAll(posts)
    expect([found.size, readings]).toEqual([2_500, 3])
  })

  test('ends although more than 1,000 items are of one second, and says that some are missing', async () => {
    const at = new Date(Date.UTC(2026, 2, 15))
    const posts = Array.from({ length: 1_200 }, (_, id) => ({ id: id + 1, text: 'Acme', author: 'jo', at }))
    const { found, readings, unread } = await readAll(posts)
    expect([found.size, readings, unread]).toEqual([1_000, 3, ['more than 1000 items in one second']])
  })

  test('reads no items of another time', async () => {
    const standIn = createHackerNews()
    const bench = await platformWorld({ ...setup }, (request) => {
      const url = new URL(request.url)
      url.searchParams.set('numericFilters', 'created_at_i>0')
      return standIn.fetch(new Request(url.href))
    })
    standIn.set([{ id: 1, text: 'Acme', author: 'jo', at: new Date('2020-01-01') }])
    await expect(
      readSource(bench.ctx, hackerNews, { ...request, since: '2026-03-01T00:00:00.000Z' }),
    ).rejects.toThrow('repeats items of another time')
    await bench.stop()
  })
})

async function readAll(posts: Parameters<ReturnType<typeof createHackerNews>['set']>[0]) {
  const standIn = createHackerNews()
  standIn.set(posts)
  const world = await platformWorld({ ...setup }, (request) => standIn.fetch(request))
  const found = new Set<string>()
  const unread: string[] = []
  let readings = 0
  let cursor = null as string | null
  let isMore = true
  while (isMore && readings < 10) {
    const reading: SourceReading = await readSource(world.ctx, hackerNews, { ...request, cursor })
    for (const { source_id } of reading.posts) found.add(source_id)
    unread.push(...reading.unread.map(({ reason }) => reason))
    readings++
    ;({ cursor, isMore } = reading)
  }
  await world.stop()
  return { found, readings, unread }
}
