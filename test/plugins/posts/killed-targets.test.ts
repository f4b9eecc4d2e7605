import { afterEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { PostTarget } from 'renown/posts'
import { mastodonPosts } from '../../../plugins/mastodon/posts'
import { publishNow } from '../../../plugins/posts/acts/schedule'
import { wordpressPosts } from '../../../plugins/wordpress/posts'
import { safeFetchOf } from '../../support/lost-answers'
import type { PostStandIn } from '../../support/post-target-suite'
import { createMastodon, createWordpress, type MastodonOptions } from '../../support/stand-ins/post-platforms'
import { type PostWorld, postWorld } from './support/post-world'

const runs = process.env.RENOWN_LONG === '1' ? 400 : 12

let world: PostWorld | undefined
afterEach(() => world?.stop())

/** What happens to one request: nothing, its answer is lost, it never arrives, or its process is killed before or after it. */
const fates = ['arrives', 'loses its answer', 'never arrives', 'is killed before', 'is killed after'] as const
type Fate = (typeof fates)[number]
const anyFates = fc.array(fc.constantFrom<Fate>('arrives', ...fates), { maxLength: 12 })
const lost = () => new Response('<html>Bad Gateway</html>', { status: 502 })

/** Publishes a post over a stand-in whose requests have these fates. Processes that are killed never continue. */
async function publish(
  target: PostTarget,
  channel: object,
  platform: (clock: { now(): number }) => PostStandIn,
  given: readonly Fate[],
) {
  const held: { world?: PostWorld } = {}
  const standIn = platform({ now: () => held.world?.bench.now.getTime() ?? 0 })
  const left = [...given]
  let killed = Promise.withResolvers<void>()
  const never = new Promise<never>(() => {})
  const safeFetch = safeFetchOf(async (request) => {
    const fate = left.shift() ?? 'arrives'
    if (fate === 'never arrives') return lost()
    if (fate === 'is killed before') {
      killed.resolve()
      return never
    }
    const answer = await standIn.fetch(request)
    if (fate === 'is killed after') {
      killed.resolve()
      return never
    }
    return fate === 'loses its answer' ? lost() : answer
  })
  const info = { address: '', account: '', secret: '', public_id: '', ...channel }
  const opened = await postWorld({
    ...target,
    channel: null,
    open: (ctx, destination) =>
      target.open({ ...ctx, outbound: { ...ctx.outbound, safeFetch } }, { ...destination, channel: info }),
  })
  held.world = opened
  world = opened
  const { id } = await opened.draft('Open on Sunday')
  await publishNow(opened.owner, { post_id: id })
  const pass = async (minutes: number, step: number) => {
    for (let passed = 0; passed < minutes; passed += step) {
      opened.bench.now = new Date(opened.bench.now.getTime() + step * 60_000)
      killed = Promise.withResolvers<void>()
      await Promise.race([opened.tick(), killed.promise])
    }
  }
  await pass(70, 2)
  return { standIn, pass, news: () => opened.news(), post: () => opened.post(id) }
}

const servers = fc.record({
  software: fc.constantFrom<MastodonOptions['software']>(
    { name: 'mastodon', version: '4.3.8' },
    { name: 'pleroma', version: '2.7.0' },
    null,
  ),
  keys: fc.constantFrom<NonNullable<MastodonOptions['keys']>>('kept', 'ignored', 60_000),
  lagMs: fc.constantFrom(0, 60_000, 300_000, 1_200_000),
  visibility: fc.constantFrom('public', 'public', 'public', 'private'),
})

describe(`a post whose requests are lost and whose processes are killed (${runs} times)`, () => {
  test('is on a server of Mastodon once, or people see that it is there twice, and is never believed unproved', async () => {
    const channel = { address: 'https://social.test', secret: 'mastodon-token' }
    await fc.assert(
      fc.asyncProperty(servers, anyFates, async (options, given) => {
        const platform = (clock: { now(): number }) => createMastodon(clock, options)
        const { standIn, post, news } = await publish(mastodonPosts, channel, platform, given)
        const row = await post()
        const urls = standIn.shown.map(({ id }) => `https://social.test/@acme/${id}`)
        const mayBreak = options.software?.name === 'mastodon' && options.keys === 'ignored'
        if (!mayBreak) expect(urls.length).toBeLessThanOrEqual(1)
        if (urls.length > 1) {
          const isAsked = row.failure_kind === 'unknown_outcome'
          if (!isAsked) expect(await news()).toContain('A post of Acme is on Mastodon twice')
        }
        if (row.status === 'published') {
          expect(urls).toContain(row.external_url as string)
          expect(options.visibility).toBe('public')
        }
        if (row.status === 'failed')
          expect(['unknown_outcome', 'missed', 'rejected']).toContain(row.failure_kind as string)
        if (row.failure_kind === 'missed' || row.failure_kind === 'rejected') expect(urls).toEqual([])
        await world?.stop()
      }),
      { numRuns: runs },
    )
  }, 600_000)

  test('is on a website with WordPress once, and counts as published only while everybody sees it', async () => {
    const channel = { address: 'https://site.test', account: 'ada', secret: 'abcd EFGH' }
    const states = fc.constantFrom('publish', 'publish', 'pending', 'draft', 'future', 'private')
    await fc.assert(
      fc.asyncProperty(states, fc.boolean(), anyFates, async (status, isSlugless, given) => {
        const held: { site?: ReturnType<typeof createWordpress> } = {}
        const platform = (clock: { now(): number }) => {
          held.site = createWordpress(clock, { status, isSlugless })
          return held.site
        }
        const { standIn, post, pass } = await publish(wordpressPosts, channel, platform, given)
        expect(standIn.shown.length).toBeLessThanOrEqual(1)
        const [page] = standIn.shown
        const row = await post()
        if (row.status === 'published') expect([status, row.external_post_id]).toEqual(['publish', page?.id])
        if (row.status === 'publishing') expect(row.platform_state).toBe(status)
        if (page && status !== 'publish' && row.status === 'publishing') {
          held.site?.statuses.set(page.id, 'publish')
          await pass(240, 10)
          expect((await post()).status).toBe('published')
        }
        expect(standIn.shown.length).toBeLessThanOrEqual(1)
        await world?.stop()
      }),
      { numRuns: runs },
    )
  }, 600_000)
})
