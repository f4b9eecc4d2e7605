import { describe, expect, test } from 'bun:test'
import {
  channelOf,
  type FoundPost,
  type MentionSource,
  plainText,
  policyOf,
  publicPolicy,
  readRows,
  readSource,
  recheckSource,
  type SourceContext,
  type SourceReading,
  waitOf,
} from 'renown/leads'
import * as v from 'valibot'

const now = new Date('2026-03-15T12:00:00.000Z')
const ctx = { now: () => now, settings: {}, product: {} } as unknown as SourceContext
const { signal } = new AbortController()
const request = { target: 'Acme', cursor: null, since: '2026-03-01T00:00:00.000Z', signal }
const post: FoundPost = {
  source_id: '1',
  channel: 'web',
  url: 'https://b.example/1',
  title: 'A',
  body: 'Acme',
  posted_at: '2026-03-14T00:00:00.000Z',
  author: { handle: 'jo', name: 'Jo', url: 'https://b.example/jo' },
}

const sourceOf = (reading: Partial<SourceReading>, more: Partial<MentionSource> = {}): MentionSource => ({
  name: 'own',
  label: 'Own',
  channels: ['web', 'reddit'],
  reach: 'search',
  everyMs: 60_000,
  policy: { ...publicPolicy, terms_url: 'https://b.example/terms' },
  needs: () => [],
  read: async () => ({ posts: [], unread: [], cursor: null, isMore: false, ...reading }),
  ...more,
})
const readOne = async (changes: Partial<FoundPost>, more: Partial<MentionSource> = {}) =>
  readSource(ctx, sourceOf({ posts: [{ ...post, ...changes }] }, more), request)

describe('every reading', () => {
  test('leaves a good post as it is', async () => {
    expect((await readOne({})).posts).toEqual([post])
  })

  test.each<[string, Partial<FoundPost>]>([
    ['source_id', { source_id: '' }],
    ['source_id', { source_id: 'x'.repeat(501) }],
    ['source_id', { source_id: 'a\u0000b' }],
    ['source_id', { source_id: 'a\ud800b' }],
    ['channel', { channel: 'news' }],
    ['url', { url: 'javascript:alert(1)' }],
    ['url', { url: 'https://jo:secret@b.example/' }],
    ['body', { title: ' ', body: '\u200b\u202e' }],
  ])('counts a post with a bad %s as unread', async (reason, changes) => {
    const { posts, unread } = await readOne(changes)
    expect([posts, unread.map((one) => one.reason)]).toEqual([[], [reason]])
  })

  test('drops the time of an edit that no calendar of a store has', async () => {
    const { posts } = await readOne({ edited_at: '-000001-01-01T00:00:00.000Z' })
    expect(posts).toEqual([post])
  })

  test('limits texts and drops what is not an address, a language or a number', async () => {
    const author = { handle: 'x'.repeat(900), url: 'javascript:x', avatar_url: 'data:x', followers: -3 }
    const changes = {
      body: 'word '.repeat(9_000),
      title: 'a\nb'.repeat(500),
      language: '<b>',
      author,
      parent_url: 'x:y',
    }
    const [found] = (await readOne(changes)).posts
    expect(found?.body.length).toBeLessThanOrEqual(20_000)
    expect(found?.title?.length).toBeLessThanOrEqual(300)
    expect(found?.author).toEqual({ handle: 'x'.repeat(200) })
    expect([found?.language, found?.parent_url]).toEqual([undefined, undefined])
  })

  test.each([
    ['fra', 'fr'],
    ['EN-gb', 'en-GB'],
    ['a-b-c', undefined],
    ['en-', undefined],
  ])('writes the language %s as %s', async (language, tag) => {
    expect((await readOne({ language })).posts[0]?.language).toBe(tag as string)
  })

  test.each(['yesterday', '', '-000001-01-01T00:00:00.000Z', '2031-01-01T00:00:00Z'])(
    'keeps a post with the date %s without it, and counts that',
    async (posted_at) => {
      const { posts, unread, doubts } = await readOne({ posted_at })
      expect([posts.length, unread]).toEqual([1, []])
      expect(posts[0]).not.toHaveProperty('posted_at')
      expect(doubts).toEqual([{ source_id: '1', reason: 'posted_at' }])
    },
  )

  test('has no instant in the future, and each id once', async () => {
    const [found] = (await readOne({ posted_at: '2031-01-01T00:00:00Z', edited_at: '2031-01-01T00:00:00Z' }))
      .posts
    expect([found?.posted_at, found?.edited_at]).toEqual([undefined, undefined])
    expect(
      (await readSource(ctx, sourceOf({ posts: [post, { ...post, body: 'other' }] }), request)).posts,
    ).toEqual([post])
  })

  test('has no author where the policy forbids it', async () => {
    const policy = { ...publicPolicy, may_store_author: false, terms_url: 'https://b.example/terms' }
    expect((await readOne({}, { policy })).posts[0]).not.toHaveProperty('author')
  })

  test('is refused without the settings, with their names', async () => {
    const source = sourceOf({}, { needs: () => ['A_KEY', 'B_KEY'] })
    await expect(readSource(ctx, source, request)).rejects.toMatchObject({
      kind: 'unsupported',
      code: 'no_access',
      message: 'Own is not set up: set A_KEY and B_KEY.',
    })
  })

  test('is refused with a cursor that is too long', async () => {
    await expect(readSource(ctx, sourceOf({ cursor: 'x'.repeat(4_001) }), request)).rejects.toMatchObject({
      code: 'unreadable',
    })
  })
})

test('a recheck says nothing about ids that were not asked, and checks what it found', async () => {
  const recheck: MentionSource['recheck'] = async () => [
    { source_id: '9', state: 'gone' },
    { source_id: '1', state: 'found', post: { ...post, url: 'x:y' } },
    { source_id: '2', state: 'gone' },
  ]
  const found = await recheckSource(ctx, sourceOf({}, { recheck }), ['1', '2'], signal)
  expect(found).toEqual([{ source_id: '2', state: 'gone' }])
})

test('posts of Reddit and YouTube keep the terms of their platform, whatever source found them', () => {
  const source = sourceOf({})
  expect(policyOf(source, 'web').may_extract_contact).toBe(true)
  const { may_link_identity, may_extract_contact, delete_with_source } = policyOf(source, 'reddit')
  expect([may_link_identity, may_extract_contact, delete_with_source]).toEqual([false, false, true])
  expect(policyOf(source, 'youtube').may_extract_contact).toBe(false)
})

test('one bad row is counted, and only bad rows are an answer that cannot be read', () => {
  const row = v.object({ id: v.string(), at: v.number() })
  const read = readRows(
    'The answer',
    [{ id: 'a', at: 1 }, { id: 'b', at: 'x' }, 7, { id: 8, at: 2 }],
    row,
    'id',
  )
  expect(read.rows).toEqual([{ id: 'a', at: 1 }])
  expect(read.unread).toEqual([{ source_id: 'b', reason: 'at' }, { reason: 'the row' }, { reason: 'id' }])
  expect(() => readRows('The answer', [{ id: 'b' }], row, 'id')).toThrow('could not be read')
  expect(readRows('The answer', [], row, 'id')).toEqual({ rows: [], unread: [] })
})

test.each([
  ['a < b and c > d', 'a < b and c > d'],
  ['<p>One&nbsp;two</p><p>three<br>four</p>', 'One two\n\nthree\nfour'],
  ['I use &quot;Acme&quot; &#x27;daily&#x27;', 'I use "Acme" \'daily\''],
  ['<script>alert(1)</script><style>p{}</style>text', 'text'],
  ['line one\nline two', 'line one\nline two'],
  ['👩‍👩‍👧 क्‍ष', '👩‍👩‍👧 क्‍ष'],
  ['a\u0000b\u202ec\u{e0061}d', 'abcd'],
])('the text of %j is %j', (html, text) => {
  expect(plainText(html)).toBe(text)
})

test('a text of many marks is cut, and has whole characters', () => {
  expect(plainText(`<p>${'🛠'.repeat(30_000)}`, 101).isWellFormed()).toBe(true)
  expect(plainText('<b>'.repeat(400_000), 100)).toBe('')
})

test.each([
  ['https://www.reddit.com/r/x', 'reddit'],
  ['https://redd.it/x', 'reddit'],
  ['https://notreddit.com/', 'web'],
  ['https://reddit.com.evil.example/', 'web'],
  ['https://m.youtube.com/watch?v=1', 'youtube'],
  ['https://constructor/', 'web'],
  ['no address', 'web'],
])('the channel of %s is %s', (url, channel) => {
  expect<unknown>(channelOf(url, 'web')).toBe(channel)
})

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': 'Sun, 15 Mar 2026 12:00:05 GMT' }, 5_000],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '999999999' }, 86_400_000],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-03-15T12:00:10.000Z' }, 10_000],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now.getTime() / 1_000 + 20) }, 20_000],
  [{ 'x-ratelimit-remaining': '0.0', 'x-ratelimit-reset': '30' }, 30_000],
  [{ 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': '30' }, undefined],
  [{}, undefined],
])('the headers %j ask to wait %j ms', (headers, wait) => {
  expect(waitOf(new Headers(headers), now)).toBe(wait as number)
})
