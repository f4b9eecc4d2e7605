import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ServiceFault } from 'renown'
import type { FoundPost } from 'renown/leads'
import { readSources } from '../../../../plugins/leads/finding/readSources'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { type FindingWorld, findingWorld, post } from '../support/finding-world'

let world: FindingWorld
beforeEach(async () => {
  world = await findingWorld()
})
afterEach(() => world.stop())

const bodies = async () => (await world.mentions()).map(({ body }) => body)

describe('a new tracker', () => {
  test('is searched for at once, a week back, and finds its mentions', async () => {
    const tracker = await world.tracker(['"acme plumbing"'])
    world.search.read = () => ({
      posts: [post('1', 'Is Acme Plumbing any good?'), post('2', 'Acme sells roadrunner traps')],
    })
    await world.read()
    expect(world.search.asked).toMatchObject([
      { target: 'acme plumbing', cursor: null, since: '2026-03-08T12:00:00.000Z' },
    ])
    const [mention, ...others] = await world.mentions()
    expect(others).toEqual([])
    expect(mention).toMatchObject({
      tracker_id: tracker.id,
      location_id: tracker.location_id,
      source: 'forum',
      source_id: '1',
      found_by: 'searching',
      matched_keywords: ['"acme plumbing"'],
      status: 'new',
      is_read: false,
      url: 'https://forum.example/1',
      language: 'en',
      author: { handle: 'sam' },
      is_judged: false,
      excerpt: 'Is Acme Plumbing any good?',
      discovered_at: '2026-03-15T12:00:00.000Z',
    })
    expect(await world.owner.rows(BrandTracker).get(tracker.id)).toMatchObject({
      mentions_total: 1,
      last_run_at: '2026-03-15T12:00:00.000Z',
      next_run_at: '2026-03-15T12:05:00.000Z',
    })
  })

  test('on a term that is read already gets the older posts, and the first tracker gets none twice', async () => {
    const old = post('1', 'Acme Plumbing was here')
    world.search.read = ({ cursor }) => ({ posts: cursor === null ? [old] : [], cursor: 'later' })
    await world.tracker(['"acme plumbing"'])
    await world.read()
    await world.read(6)
    expect(world.search.asked.map(({ cursor }) => cursor)).toEqual([null, 'later'])
    await world.tracker(['"acme plumbing"'], { name: 'second' })
    await world.read(1)
    expect(world.search.asked.at(-1)).toMatchObject({ cursor: null, since: '2026-03-08T12:07:00.000Z' })
    expect(new Set((await world.mentions()).map(({ tracker_id }) => tracker_id)).size).toBe(2)
    expect(await world.mentions()).toHaveLength(2)
  })

  test.each([
    ['a paused tracker', { is_active: false }, {}],
    ['a tracker of a prospect', {}, { is_prospect: true, is_active: false }],
    ['a tracker of a demo', {}, { is_demo: true }],
    ['a tracker of an inactive location', {}, { is_active: false }],
  ])('%s asks nothing', async (_, tracker, location) => {
    const { id } = await world.location(location)
    await world.tracker(['acme'], { ...tracker, location_id: id })
    await world.read()
    expect([...world.search.asked, ...world.stream.asked]).toEqual([])
    expect(await world.targets()).toEqual([])
  })
})

describe('without an active tracker', () => {
  test('a run reads no locations and no targets', async () => {
    await world.location()
    const asked: string[] = []
    const { rows } = world.owner
    const counted = {
      ...world.owner,
      rows: (entity: Parameters<typeof rows>[0]) => {
        asked.push(entity.name)
        return rows(entity)
      },
    }
    const run = () => readSources.run(counted, new AbortController().signal)
    await run()
    asked.length = 0
    await run()
    expect(asked).toEqual(['BrandTracker'])
  })

  test('the targets of the last one are removed', async () => {
    const { id } = await world.tracker(['acme'])
    await world.read()
    expect((await world.targets()).length).toBeGreaterThan(0)
    await world.owner.rows(BrandTracker).update(id, { is_active: false })
    await world.read()
    expect(await world.targets()).toEqual([])
  })
})

describe('an edit', () => {
  test('counts only if the source that found the post says so', async () => {
    const feeds = ['https://feeds.example/1']
    const id = 'at://did:plc:1/post/1'
    await world.tracker(['acme'], { feeds })
    world.stream.read = () => ({ posts: [post(id, 'acme is good', { channel: 'bluesky' })] })
    await world.read()
    world.stream.read = () => ({})
    world.feed.read = () => ({ posts: [post(id, 'acme is a fraud', { channel: 'bluesky' })] })
    await world.read(20)
    expect(await bodies()).toEqual(['acme is good'])
  })
})

describe('what is asked', () => {
  test('one reading serves all trackers with the term', async () => {
    await world.tracker(['acme'])
    await world.tracker(['acme', 'beta'])
    await world.read()
    expect(world.search.asked.map(({ target }) => target).sort()).toEqual(['acme', 'beta'])
    expect(world.stream.asked).toHaveLength(1)
  })

  test('a source without its settings is not asked', async () => {
    world.search.needs = ['SEARCH_KEY']
    await world.tracker(['acme'])
    await world.read()
    expect(world.search.asked).toEqual([])
    world.search.needs = []
    await world.read(1)
    expect(world.search.asked).toHaveLength(1)
  })

  test('a tracker asks only for its channels, and keeps only posts of them', async () => {
    await world.tracker(['acme'], { sources: ['web'] })
    world.search.read = () => ({ posts: [post('1', 'acme', { channel: 'web' }), post('2', 'acme')] })
    await world.read()
    expect(world.stream.asked).toEqual([])
    expect(await world.mentions()).toMatchObject([{ source_id: '1' }])
  })

  test('a target that no tracker needs is no longer read', async () => {
    const { id } = await world.tracker(['acme'])
    await world.read()
    expect(await world.targets()).toHaveLength(2)
    await world.owner.rows(BrandTracker).update(id, { is_active: false })
    await world.read(10)
    expect(await world.targets()).toEqual([])
    expect(world.search.asked).toHaveLength(1)
  })

  test('a target is read again when it is due, from an hour before the last reading', async () => {
    await world.tracker(['acme'])
    await world.read()
    await world.read(4)
    expect(world.search.asked).toHaveLength(1)
    await world.read(2)
    expect(world.search.asked[1]).toMatchObject({ since: '2026-03-15T11:00:00.000Z' })
  })

  test('pages follow at once, and the beginning stays until the last', async () => {
    await world.tracker(['acme'])
    const pages = ['b', 'c', null]
    world.search.read = ({ cursor }) => ({
      posts: [post(`at ${cursor}`, 'acme')],
      isMore: cursor !== 'c',
      cursor: pages[world.search.asked.length - 1] ?? null,
    })
    await world.read()
    expect(world.search.asked.map(({ cursor }) => cursor)).toEqual([null, 'b', 'c'])
    expect(new Set(world.search.asked.map(({ since }) => since)).size).toBe(1)
    expect(await world.mentions()).toHaveLength(3)
  })
})

describe('feeds', () => {
  const address = 'https://feeds.example/alerts/1'

  test('belong to the trackers that list them, keyword or not', async () => {
    const mine = await world.tracker(['acme'], { feeds: [address] })
    await world.tracker(['acme'], { name: 'other' })
    world.feed.read = () => ({
      posts: [post('1', 'An excerpt that does not show the name', { channel: 'news' })],
    })
    await world.read()
    expect(world.feed.asked).toMatchObject([{ target: address }])
    expect(await world.mentions()).toMatchObject([{ tracker_id: mine.id, matched_keywords: [] }])
  })

  test('leave out excluded keywords', async () => {
    await world.tracker(['acme'], { feeds: [address], excluded_keywords: ['job'] })
    world.feed.read = () => ({ posts: [post('1', 'A job at Acme', { channel: 'news' })] })
    await world.read()
    expect(await world.mentions()).toEqual([])
  })

  test('an address of another source is not read by this one', async () => {
    await world.tracker(['acme'], { feeds: ['https://elsewhere.example/rss'] })
    await world.read()
    expect(world.feed.asked).toEqual([])
  })
})

describe('languages', () => {
  test('a post in another language is left out, and one in an unknown language stays', async () => {
    await world.tracker(['acme'], { languages: ['en'] })
    const undeclared = (id: string, body: string) => {
      const { language: _, ...rest } = post(id, body)
      return rest
    }
    world.search.read = () => ({
      posts: [
        undeclared('1', 'Kann jemand einen guten Klempner empfehlen? Ist Acme gut?'),
        undeclared('2', 'Can anybody recommend a good plumber, is Acme any good?'),
        undeclared('3', 'acme'),
        post('4', 'acme', { language: 'de-AT' }),
      ],
    })
    await world.read()
    expect((await world.mentions()).map(({ source_id, language }) => [source_id, language])).toEqual([
      ['2', 'en'],
      ['3', 'und'],
    ])
  })
})

describe('the same post', () => {
  test('is stored once however often it is read', async () => {
    await world.tracker(['acme'])
    world.search.read = () => ({ posts: [post('1', 'acme'), post('1', 'acme')] })
    world.stream.read = () => ({ posts: [post('1', 'acme', { channel: 'bluesky' })] })
    for (let times = 0; times < 3; times++) await world.read(6)
    expect((await world.mentions()).map(({ source }) => source).sort()).toEqual(['bluesky', 'forum'])
  })

  test('that changed is stored with its new text and judged again', async () => {
    await world.tracker(['acme'])
    world.search.read = () => ({ posts: [post('1', 'acme is fine')] })
    await world.read()
    world.search.read = () => ({
      posts: [post('1', 'acme is not fine', { edited_at: '2026-03-15T12:01:00.000Z' })],
    })
    await world.read(6)
    expect(await world.mentions()).toMatchObject([
      { body: 'acme is not fine', body_version: 2, edited_at: '2026-03-15T12:01:00.000Z', is_judged: false },
    ])
  })

  const long = 'The people of Acme Plumbing in Leeds came on a Sunday and mended our boiler within one hour'

  test.each([
    [
      'at the same address with tracking parameters',
      '7',
      'Another text about acme',
      'https://www.forum.example/1/?utm_source=x#top',
    ],
    ['with nearly the same text', '7', `${long}!!`, 'https://copy.example/7'],
  ])('%s is a duplicate and counts once', async (_, id, body, url) => {
    const tracker = await world.tracker(['acme'])
    world.search.read = () => ({ posts: [post('1', long), post(id, body, { url })] })
    await world.read()
    const found = await world.mentions()
    const first = found.find(({ source_id }) => source_id === '1')
    const copy = found.find(({ source_id }) => source_id === '7')
    expect(first?.duplicate_of).toBeUndefined()
    expect(copy?.duplicate_of).toBe(first?.id as string)
    expect(await world.owner.rows(BrandTracker).get(tracker.id)).toMatchObject({ mentions_total: 1 })
  })

  test('at the address of a copy is a copy of the first one', async () => {
    await world.tracker(['acme'])
    const copy = post('2', long, { url: 'https://copy.example/2' })
    const third = post('3', 'acme, in short', { url: 'https://copy.example/2?utm_source=x' })
    world.search.read = () => ({ posts: [post('1', long), copy, third] })
    await world.read()
    const [first, ...others] = await world.mentions()
    expect(others.map(({ duplicate_of }) => duplicate_of)).toEqual([first?.id, first?.id])
  })

  test('a different text is no duplicate', async () => {
    await world.tracker(['acme'])
    const other = 'Acme is hiring a second electrician for the new office that opens in Bradford this summer'
    world.search.read = () => ({
      posts: [post('1', long), post('2', other), post('3', 'acme'), post('4', 'acme')],
    })
    await world.read()
    expect((await world.mentions()).filter(({ duplicate_of }) => duplicate_of !== undefined)).toEqual([])
  })
})

describe('a source that fails', () => {
  test.each([
    ['a request to wait', new ServiceFault('rate', 'wait', { retryAfterMs: 20 * 60_000 }), 20],
    ['no answer', new ServiceFault('transient', 'no answer'), 5],
    ['an end of its service', new ServiceFault('unsupported', 'gone'), 24 * 60],
  ])('after %s it waits', async (_, fault, minutes) => {
    await world.tracker(['acme'], { sources: ['forum'] })
    world.search.read = () => Promise.reject(fault)
    await world.read()
    expect(await world.targets()).toMatchObject([
      {
        failures: 1,
        error: fault.message,
        due_at: new Date(world.bench.now.getTime() + minutes * 60_000).toISOString(),
      },
    ])
    world.search.read = () => ({ posts: [post('1', 'acme')] })
    await world.read(minutes)
    expect(await bodies()).toEqual(['acme'])
    const [target] = await world.targets()
    expect(target).toMatchObject({ failures: 0, posts_seen: 1 })
    expect(target?.error).toBeUndefined()
  })

  const address = 'https://feeds.example/feed.xml'
  const refusals = {
    'status 403': new ServiceFault('permission', 'The feed answered with status 403.'),
    'status 404': new ServiceFault('permanent', 'The feed answered with status 404.'),
    'status 503': new ServiceFault('transient', 'The feed answered with status 503.'),
    'an unreadable answer': new ServiceFault('transient', 'The feed could not be read.'),
  }

  test.each(Object.entries(refusals))('a feed is read again soon after an hour of %s', async (_, fault) => {
    await world.tracker(['acme'], { sources: ['blog'], feeds: [address] })
    world.feed.read = () => Promise.reject(fault)
    for (let minute = 0; minute < 60; minute++) await world.read(1)
    const tries = world.feed.asked.length
    world.feed.read = () => ({ posts: [post('1', 'acme', { channel: 'blog' })] })
    let waited = 0
    while (world.feed.asked.length === tries) {
      await world.read(1)
      waited++
    }
    expect(waited).toBeLessThanOrEqual(30)
    expect(await bodies()).toEqual(['acme'])
  })

  test('a feed that is away for days is asked with growing pauses, and as late as it says', async () => {
    await world.tracker(['acme'], { sources: ['blog'], feeds: [address] })
    world.feed.read = () => Promise.reject(refusals['status 404'])
    for (let hour = 0; hour < 24 * 4; hour++) await world.read(60)
    const before = world.feed.asked.length
    for (let hour = 0; hour < 24; hour++) await world.read(60)
    expect(world.feed.asked.length - before).toBeWithin(3, 6)
    world.feed.read = () => Promise.reject(new ServiceFault('rate', 'wait', { retryAfterMs: 7 * 3_600_000 }))
    const earlier = world.feed.asked.length
    while (world.feed.asked.length === earlier) await world.read(60)
    const asked = world.feed.asked.length
    for (let hour = 0; hour < 6; hour++) await world.read(60)
    expect(world.feed.asked).toHaveLength(asked)
  })

  test('what a feed could not be read in stays shown until another reading says more', async () => {
    await world.tracker(['acme'], { sources: ['blog'], feeds: [address] })
    const undated = {
      ...post('1', 'acme', { channel: 'blog' }),
      posted_at: undefined,
    } as unknown as FoundPost
    world.feed.read = () => ({
      posts: [undated],
      doubts: [{ source_id: '1', reason: 'the date "soon": it says no time of day' }],
      unread: [{ reason: 'link' }, { reason: 'link' }],
      read_from: 'https://feeds.example/posts.rss',
    })
    await world.read()
    const shown = {
      unread_last: 2,
      unread_reason: 'link',
      undated_last: 1,
      doubt: 'the date "soon": it says no time of day',
      read_from: 'https://feeds.example/posts.rss',
    }
    expect(await world.targets()).toMatchObject([shown])
    expect((await world.mentions())[0]).not.toHaveProperty('posted_at')
    world.feed.read = () => ({ isUnchanged: true })
    await world.read(6)
    expect(await world.targets()).toMatchObject([shown])
    world.feed.read = () => ({ posts: [post('1', 'acme', { channel: 'blog' })] })
    await world.read(6)
    expect(await world.targets()).toMatchObject([{ unread_last: 0, undated_last: 0, unread_seen: 2 }])
    expect((await world.mentions())[0]?.posted_at).toBe('2026-03-15T09:00:00.000Z')
  })

  test('does not stop the others, and posts that cannot be read are counted', async () => {
    await world.tracker(['acme'])
    world.search.read = () => Promise.reject(new ServiceFault('auth', 'no'))
    world.stream.read = () => ({
      posts: [post('1', 'acme', { channel: 'bluesky' })],
      unread: [{ source_id: '2', reason: 'text' }],
    })
    await world.read()
    expect(await bodies()).toEqual(['acme'])
    expect((await world.targets()).find(({ source }) => source === 'streaming')).toMatchObject({
      unread_seen: 1,
      unread_reason: 'text',
    })
  })

  test('a kill between the posts and the cursor loses and repeats nothing', async () => {
    await world.tracker(['acme'])
    world.search.read = () => ({ posts: [post('1', 'acme'), post('2', 'acme')], cursor: 'x' })
    const { owner } = world
    const rows = owner.rows.bind(owner)
    let isDown = true
    const failing = {
      ...owner,
      rows: (entity: Parameters<typeof rows>[0]) => ({
        ...rows(entity),
        update: (...given: [never, never]) =>
          isDown && entity.name === 'SourceTarget'
            ? Promise.reject(new Error('killed'))
            : rows(entity).update(...given),
      }),
    }
    const { readSources } = await import('../../../../plugins/leads/finding/readSources')
    await expect(readSources.run(failing as never, new AbortController().signal)).rejects.toThrow('killed')
    isDown = false
    await world.read(10)
    expect(world.search.asked.map(({ cursor }) => cursor)).toEqual([null, null])
    expect(await world.mentions()).toHaveLength(2)
  })
})
