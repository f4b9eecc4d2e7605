import { expect, test } from 'bun:test'
import { readSource, recheckSource } from 'renown/leads'
import { testMentionSource } from 'renown/testing'
import mastodon from '../../../plugins/mastodon'
import { mastodonTags, tagOf } from '../../../plugins/mastodon/mastodon-tags'
import { platformWorld } from '../../support/source-world'
import { createMastodon, statusOf } from '../../support/stand-ins/mastodon'

const token = 'mastodon-test-token'

testMentionSource({
  plugin: mastodon,
  name: 'mastodon',
  secrets: [token],
  settings: { MASTODON_URL: 'http://m.example', MASTODON_TOKEN: token },
  standIn: () => createMastodon({ token }),
  honest: ['[]'],
})

test.each([
  ['Acme Plumbing', 'acmeplumbing'],
  ['#Zürich', 'zürich'],
  ['C++', 'c'],
  ['東京', '東京'],
  ['2026', null],
  ['!!!', null],
])('reads the term %s as the hashtag %s', (term, tag) => {
  expect(tagOf(term)).toBe(tag)
})

const post = { id: 1, text: 'Acme', author: 'jo', at: new Date('2026-03-01') }
const honest = statusOf(post)
const closed: Readonly<Record<string, object>> = {
  'is not indexable': { account: { ...honest.account, indexable: false } },
  'says nothing, on a server without this choice, and is not discoverable': {
    account: { ...honest.account, indexable: undefined, discoverable: null },
  },
  'opted out of search engines': { account: { ...honest.account, noindex: true } },
  'wrote for followers only': { visibility: 'private' },
  'wrote an unlisted post': { visibility: 'unlisted' },
}

test.each(Object.entries(closed))(
  'leaves out a post whose author %s, and gives it up when it was stored',
  async (_, changes) => {
    const status = { ...honest, ...changes }
    const world = await platformWorld({ plugin: mastodon }, async (request) =>
      Response.json(request.url.includes('/timelines/') ? [status] : status),
    )
    const signal = new AbortController().signal
    const asked = { target: 'acme', cursor: null, since: '2026-01-01T00:00:00.000Z', signal }
    expect((await readSource(world.ctx, mastodonTags, asked)).posts).toEqual([])
    expect(await recheckSource(world.ctx, mastodonTags, [honest.id], signal)).toEqual([
      { source_id: honest.id, state: 'gone' },
    ])
    await world.stop()
  },
)

const dayMs = 86_400_000

/** Reads a server until it has nothing more. */
async function readAll(
  answer: (request: Request) => Response | Promise<Response>,
  from: string | null = null,
) {
  const world = await platformWorld({ plugin: mastodon }, async (request) => answer(request))
  const { signal } = new AbortController()
  const since = new Date(world.bench.now.getTime() - 7 * dayMs).toISOString()
  const posts: string[] = []
  const unread: string[] = []
  let pages = 0
  let cursor = from
  for (let isMore = true; isMore; pages++) {
    const reading = await readSource(world.ctx, mastodonTags, { target: 'acme', cursor, since, signal })
    posts.push(...reading.posts.map(({ source_id }) => source_id))
    unread.push(...reading.unread.map(({ reason }) => reason))
    ;({ cursor, isMore } = reading)
  }
  await world.stop()
  return { posts, unread, pages, cursor, now: world.bench.now }
}

test('the first reading has every post of seven days, and later ones what is new', async () => {
  const { now } = await readAll(() => Response.json([]))
  const server = createMastodon()
  const at = (n: number) => new Date(now.getTime() - 9 * dayMs + n * 2 * 3_600_000)
  const all = Array.from({ length: 108 }, (_, n) => ({ id: n + 1, text: 'Acme', author: 'jo', at: at(n) }))
  server.set(all)
  const first = await readAll((request) => server.fetch(request))
  const recent = all
    .filter(({ at }) => at.getTime() >= now.getTime() - 7 * dayMs)
    .map((one) => server.idOf(one))
  expect([...new Set(first.posts)].sort()).toEqual(recent.sort())
  expect(first.posts).toHaveLength(recent.length)
  expect(first.unread).toEqual([])
  server.set([...all, { id: 200, text: 'Acme', author: 'jo', at: now }])
  const later = await readAll((request) => server.fetch(request), first.cursor)
  expect(later.posts).toEqual([server.idOf({ id: 200 })])
})

test('pages without a post that may be stored, and short ones, do not end the first reading', async () => {
  const { now } = await readAll(() => Response.json([]))
  const rows = Array.from({ length: 90 }, (_, n) => {
    const row = statusOf({
      id: 500 - n,
      text: 'Acme',
      author: 'jo',
      at: new Date(now.getTime() - n * 3_600_000),
    })
    return n < 60 ? { ...row, account: { ...row.account, indexable: false } } : row
  })
  const { posts } = await readAll((request) => {
    const below = new URL(request.url).searchParams.get('max_id')
    const older = rows.filter(({ id }) => below === null || BigInt(id) < BigInt(below))
    return Response.json(older.slice(0, 17))
  })
  expect(posts).toHaveLength(30)
})

test('a server that always sends its newest page ends the first reading, and what is missing is counted', async () => {
  const { now } = await readAll(() => Response.json([]))
  const rows = Array.from({ length: 40 }, (_, n) =>
    statusOf({ id: 500 - n, text: 'Acme', author: 'jo', at: now }),
  )
  const { posts, unread, pages } = await readAll(() => Response.json(rows))
  expect([new Set(posts).size, pages]).toEqual([40, 2])
  expect(unread).toEqual([`posts before ${now.toISOString()}`])
})

test('a first reading without an end is bounded, and what is missing is counted', async () => {
  const { now } = await readAll(() => Response.json([]))
  let left = 1_000_000
  const { pages, unread } = await readAll(() =>
    Response.json(
      Array.from({ length: 40 }, () => statusOf({ id: left--, text: 'Acme', author: 'jo', at: now })),
    ),
  )
  expect([pages, unread]).toEqual([100, [`posts before ${now.toISOString()}`]])
})
