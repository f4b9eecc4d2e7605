import { afterEach, describe, expect, test } from 'bun:test'
import type { PluginDeclaration } from 'renown'
import type { PostTarget } from 'renown/posts'
import { postTarget } from 'renown/posts'
import facebook from '../../../plugins/facebook'
import google from '../../../plugins/google'
import linkedin from '../../../plugins/linkedin'
import mastodon from '../../../plugins/mastodon'
import { keyLifetimeMs } from '../../../plugins/mastodon/key-lifetime'
import { mastodonPosts } from '../../../plugins/mastodon/posts'
import wordpress from '../../../plugins/wordpress'
import { wordpressPosts } from '../../../plugins/wordpress/posts'
import { safeFetchOf } from '../../support/lost-answers'
import type { PostStandIn } from '../../support/post-target-suite'
import {
  createMastodon,
  createWordpress,
  type MastodonOptions,
  type MastodonStatus,
} from '../../support/stand-ins/post-platforms'
import { type PostWorld, postWorld } from './support/post-world'

let world: PostWorld
afterEach(() => world?.stop())

interface Meddling {
  /** Answers of calls that are lost after acceptance, one for each call. */
  lost: number
  /** Calls that never arrive. */
  unsent: number
}

/** A world whose posts go to a product's own target over the wire of a stand-in. */
async function open(
  target: PostTarget,
  platform: (clock: { now(): number }) => PostStandIn,
  channel: object,
) {
  const meddling: Meddling = { lost: 0, unsent: 0 }
  const held: { standIn?: PostStandIn } = {}
  const clock = { now: () => world?.bench.now.getTime() ?? Date.parse('2026-03-15T12:00:00.000Z') }
  const standIn = platform(clock)
  held.standIn = standIn
  const calls = { creates: 0 }
  const safeFetch = safeFetchOf(async (request) => {
    if (!standIn.isCreate(request)) return standIn.fetch(request)
    calls.creates++
    if (meddling.unsent > 0) {
      meddling.unsent--
      return new Response('<html>Bad Gateway</html>', { status: 502 })
    }
    const answer = await standIn.fetch(request)
    if (meddling.lost === 0) return answer
    meddling.lost--
    return new Response('<html>Bad Gateway</html>', { status: 502 })
  })
  const info = { address: '', account: '', secret: '', public_id: '', ...channel }
  const wired: PostTarget = {
    ...target,
    channel: null,
    open: (ctx, destination) =>
      target.open({ ...ctx, outbound: { ...ctx.outbound, safeFetch } }, { ...destination, channel: info }),
  }
  world = await postWorld(wired)
  return { standIn, calls, meddling }
}

async function publish(minutes = 0, summary = 'Open on Sunday: bread & "cake", don\'t miss it -- 5 < 6') {
  const { publishNow } = await import('../../../plugins/posts/acts/schedule')
  const { id } = await world.draft(summary)
  await publishNow(world.owner, { post_id: id })
  await world.tick()
  await world.pass(minutes)
  return world.post(id)
}

const onMastodon = (options: MastodonOptions = {}) =>
  open(mastodonPosts, (clock) => createMastodon(clock, options), {
    address: 'https://social.test',
    secret: 'mastodon-token',
  })

describe('a server of Mastodon 4', () => {
  test('publishes at once, with its own address and time', async () => {
    const { calls } = await onMastodon()
    expect(await publish()).toMatchObject({
      status: 'published',
      external_url: 'https://social.test/@acme/1',
      platform_state: 'public',
    })
    expect(calls.creates).toBe(1)
  })

  test('after a call that never arrived, the same call is repeated with its key', async () => {
    const { calls, meddling, standIn } = await onMastodon()
    meddling.unsent = 1
    const post = await publish(15)
    expect([post.status, calls.creates, standIn.shown.length]).toEqual(['published', 2, 1])
  })

  test('after an answer that was lost, the post is found, also in a list that is five minutes late', async () => {
    const { calls, meddling, standIn } = await onMastodon({ lagMs: 300_000 })
    meddling.lost = 1
    const post = await publish(15)
    expect([post.status, calls.creates, standIn.shown.length]).toEqual(['published', 1, 1])
  })

  test('whose list is 30 minutes late still shows one post, because it keeps the key', async () => {
    const { meddling, standIn } = await onMastodon({ lagMs: 1_800_000 })
    meddling.lost = 1
    const post = await publish(70)
    expect([post.status, standIn.shown.length, post.duplicate_urls]).toEqual(['published', 1, undefined])
  })
})

const strangers: readonly (readonly [string, MastodonOptions['software']])[] = [
  ['no nodeinfo', null],
  ['Pleroma', { name: 'pleroma', version: '2.7.0' }],
  ['Akkoma', { name: 'akkoma', version: '3.13.2' }],
  ['GoToSocial', { name: 'gotosocial', version: '0.17.3' }],
  ['Pixelfed', { name: 'pixelfed', version: '0.12.4' }],
  ['Sharkey', { name: 'sharkey', version: '2025.2.1' }],
  ['a version that nobody can read', { name: 'mastodon', version: 'nightly' }],
  ['an old Mastodon', { name: 'mastodon', version: '1.0.0' }],
  ['a name that every object has', { name: 'constructor', version: '4.0.0' }],
]
describe.each(strangers)('a server with %s that keeps no keys', (_, software) => {
  test.each([0, 200_000, 1_200_000])(
    'and a list that is %i ms late never gets a post twice',
    async (lagMs) => {
      const { calls, meddling, standIn } = await onMastodon({ software, keys: 'ignored', lagMs })
      meddling.lost = 1
      const post = await publish(70)
      expect([calls.creates, standIn.shown.length]).toEqual([1, 1])
      const isFound = lagMs < 500_000
      expect([post.status, post.failure_kind]).toEqual(
        isFound ? ['published', undefined] : ['failed', 'unknown_outcome'],
      )
    },
  )
})

test.each([5_000, 120_000, 400_000])('a server that stores keys %i ms late shows one post', async (keys) => {
  const { meddling, standIn } = await onMastodon({ keys, lagMs: 200_000 })
  meddling.lost = 1
  const post = await publish(70)
  expect([post.status, standIn.shown.length]).toEqual(['published', 1])
})

test('a server that says it is Mastodon, ignores keys and has a very late list: people see both posts', async () => {
  const { meddling, standIn } = await onMastodon({ keys: 'ignored', lagMs: 900_000 })
  meddling.lost = 1
  const post = await publish(120)
  expect(standIn.shown.length).toBe(2)
  expect([post.status, post.duplicate_urls?.length]).toEqual(['published', 1])
  expect(await world.news()).toContain('A post of Acme is on Mastodon twice')
})

const old = '2025-11-01T10:00:00.000Z'
const lies: Readonly<Record<string, (status: MastodonStatus) => object>> = {
  "somebody else's older post": (one) => ({
    ...one,
    id: '999',
    url: 'https://social.test/@eve/999',
    content: '<p>Eve</p>',
    created_at: old,
    account: { id: '66' },
  }),
  'a post of somebody else with our words': (one) => ({ ...one, id: '999', account: { id: '66' } }),
  'an older post of ours with the same words': (one) => ({ ...one, id: '998', created_at: old }),
  'ours cut short': (one) => ({ ...one, content: '<p>Open on</p>' }),
  'no visibility': ({ visibility: _, ...one }) => one,
  'no content': (one) => ({ ...one, content: '' }),
}
test.each(Object.entries(lies))(
  'an answer with %s is not believed, and the link is never its link',
  async (_, answer) => {
    const { standIn, calls } = await onMastodon({ answer })
    const post = await publish(30)
    expect(post).toMatchObject({ status: 'published', external_url: 'https://social.test/@acme/1' })
    expect([standIn.shown.length, calls.creates]).toEqual([1, 1])
    await world.stop()
    await onMastodon({ answer, lagMs: 86_400_000, software: null })
    const asked = await publish(30)
    if (asked.status === 'published') expect(asked.external_url).toBe('https://social.test/@acme/1')
    else expect([asked.failure_kind, asked.external_url]).toEqual(['unknown_outcome', undefined])
  },
)

test.each(['private', 'direct', 'local', 'mutuals_only'])(
  'a post that only some see (%s) is held, not published',
  async (visibility) => {
    await onMastodon({ visibility })
    expect(await publish(10)).toMatchObject({ status: 'publishing', platform_state: visibility })
  },
)

test.each([
  ['of another host', 'https://evil.test/nodeinfo/2.0', 50 * 60_000],
  ['without a host', '/nodeinfo/2.0', 50 * 60_000],
  ['of nothing', '', null],
])(
  'only the server itself is asked about its software, whatever address its nodeinfo has (%s)',
  async (_, href, wanted) => {
    const asked: string[] = []
    const safeFetch = safeFetchOf(async ({ url }) => {
      asked.push(url)
      const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0'
      if (url.endsWith('/.well-known/nodeinfo')) return Response.json({ links: [{ rel, href }] })
      return Response.json({ software: { name: 'mastodon', version: '4.3.0' } })
    })
    await onMastodon()
    const ctx = { ...world.owner, outbound: { ...world.owner.outbound, safeFetch } }
    expect(await keyLifetimeMs(ctx, 'https://social.test')).toBe(wanted)
    expect(asked.filter((url) => !url.startsWith('https://social.test/'))).toEqual([])
  },
)

const onWordpress = async (options: Parameters<typeof createWordpress>[1] = {}) => {
  const held: { site?: ReturnType<typeof createWordpress> } = {}
  const opened = await open(
    wordpressPosts,
    (clock) => {
      held.site = createWordpress(clock, options)
      return held.site
    },
    { address: 'https://site.test', account: 'ada', secret: 'abcd EFGH' },
  )
  return { ...opened, site: held.site as ReturnType<typeof createWordpress> }
}

describe('a website with WordPress', () => {
  test('publishes at once', async () => {
    const { calls } = await onWordpress()
    const post = await publish()
    expect([post.status, post.platform_state, calls.creates]).toEqual(['published', 'publish', 1])
  })

  test('that shows typographic signs only is read too', async () => {
    await onWordpress({
      wire: (page) => ({
        ...page,
        content: {
          rendered:
            '<p>Open on Sunday: bread &#038; &#8220;cake&#8221;, don&#8217;t miss it &#8211; 5 &lt; 6</p>\n',
        },
      }),
    })
    expect((await publish()).status).toBe('published')
  })

  test.each(['pending', 'draft', 'private', 'future', 'in-review'])(
    'that holds a post as %s: it is held, also after a lost answer, and published when an editor releases it',
    async (status) => {
      for (const lost of [0, 1]) {
        const { site, calls, meddling } = await onWordpress({ status, isSlugless: lost === 1 })
        meddling.lost = lost
        const post = await publish(10)
        expect(post).toMatchObject({ status: 'publishing', platform_state: status })
        site.statuses.set('1', 'publish')
        await world.pass(180, 10)
        const released = await world.post(post.id)
        expect([released.status, released.external_post_id, calls.creates]).toEqual(['published', '1', 1])
        await world.stop()
      }
    },
  )

  test('whose editor throws a held post away: it fails with the reason', async () => {
    const { site } = await onWordpress({ status: 'pending' })
    const { id } = await publish(10)
    site.statuses.set('1', 'trash')
    await world.pass(60, 10)
    expect(await world.post(id)).toMatchObject({ status: 'failed', failure_kind: 'rejected' })
  })

  const pages: Readonly<Record<string, object>> = {
    'another text': { content: { raw: '<p>Hello world!</p>' } },
    'an older time': { date_gmt: '2025-01-01T10:00:00' },
    'no text': { content: undefined },
    'no time': { date_gmt: undefined },
    'a password': { password: 'secret' },
  }
  test.each(Object.entries(pages))('that answers the slug with %s is not believed', async (_, change) => {
    const { calls } = await onWordpress({ wire: (page) => ({ ...page, ...change }) })
    const post = await publish(30)
    expect([post.status, calls.creates]).not.toEqual(['published', 1])
    expect(calls.creates).toBe(1)
  })
})

const plugins: readonly PluginDeclaration[] = [facebook, google, linkedin, mastodon, wordpress]
test('every target says what its states mean, and every state that hides a post counts as held', () => {
  const targets = plugins.flatMap(({ provides = [] }) =>
    provides.flatMap(({ point, extension }) => (point === postTarget.id ? [extension as PostTarget] : [])),
  )
  expect(targets).toHaveLength(plugins.length)
  const table = Object.fromEntries(
    targets.map(({ platform, proof }) => [platform, 'states' in proof ? proof.states : null]),
  )
  expect(table).toMatchObject({
    gbp: { LIVE: 'visible', PROCESSING: 'processing', REJECTED: 'rejected' },
    linkedin: { PUBLISHED: 'visible', DRAFT: 'held', PUBLISH_FAILED: 'rejected' },
    facebook: { published: 'visible', unpublished: 'held', hidden: 'held' },
    wordpress: {
      publish: 'visible',
      pending: 'held',
      draft: 'held',
      private: 'held',
      future: 'held',
      trash: 'rejected',
    },
    mastodon: { public: 'visible', private: 'held', direct: 'held' },
  })
})
