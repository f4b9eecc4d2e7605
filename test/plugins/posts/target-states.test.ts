import { afterEach, describe, expect, test } from 'bun:test'
import { judgeShown, type OutgoingPost, type PostTarget, postTarget, postText } from 'renown/posts'
import facebook from '../../../plugins/facebook'
import google from '../../../plugins/google'
import linkedin from '../../../plugins/linkedin'
import { safeFetchOf } from '../../support/lost-answers'
import type { PostStandIn } from '../../support/post-target-suite'
import { type SourceSetup, type SourceWorld, sourceWorld } from '../../support/source-world'
import { appSecret, pageToken } from '../../support/stand-ins/facebook'
import { createGoogle } from '../../support/stand-ins/google'
import { createLinkedin, createLocalPosts, createPageFeed } from '../../support/stand-ins/post-platforms'

interface Platform extends SourceSetup {
  standIn(clock: { now(): number }, change: object): PostStandIn
  readonly channel?: object
}

const platforms: readonly Platform[] = [
  {
    plugin: linkedin,
    name: 'linkedin',
    location: {},
    settings: { LINKEDIN_URL: 'https://linkedin.test' },
    channel: { account: 'urn:li:organization:7', secret: 'linkedin-token' },
    standIn: createLinkedin,
  },
  {
    plugin: facebook,
    name: 'facebook',
    settings: { FACEBOOK_GRAPH_URL: 'http://graph.test', FACEBOOK_APP_SECRET: appSecret },
    location: { source: 'facebook', facebook_page_id: '777' },
    connection: { provider: 'facebook', account_id: '777', access_token: pageToken },
    standIn: (clock, change) => createPageFeed(clock, pageToken, change),
  },
  {
    plugin: google,
    name: 'google',
    settings: {
      GOOGLE_REVIEWS_URL: 'http://google.test/v4',
      GOOGLE_TOKEN_URL: 'http://google.test/token',
      GOOGLE_CLIENT_ID: 'client',
    },
    location: {
      added_via: 'gbp_oauth',
      google_account_id: 'accounts/111',
      google_location_id: 'locations/222',
    },
    connection: { provider: 'google', account_id: 'accounts/111', refresh_token: '1//refresh' },
    standIn(clock, change) {
      const accounts = createGoogle(clock)
      const tokens = async (request: Request) =>
        new URL(request.url).pathname === '/token' ? accounts.fetch(request) : null
      return createLocalPosts(clock, tokens, change)
    },
  },
]

let world: SourceWorld<PostTarget> | undefined
afterEach(() => world?.stop())

/** Returns what the answer, the post and the list of a platform prove, when its posts say something else. */
async function proofs(platform: Platform, change: object): Promise<readonly string[]> {
  const held: { world?: SourceWorld<PostTarget> } = {}
  const clock = { now: () => held.world?.bench.now.getTime() ?? 0 }
  const standIn = platform.standIn(clock, change)
  const network = (request: Request) => standIn.fetch(request)
  world = await sourceWorld(postTarget, { ...platform, safeFetch: safeFetchOf(network) }, network)
  held.world = world
  const { extension, ctx, location, bench } = world
  const info = { address: '', account: '', secret: '', public_id: '', ...platform.channel }
  const target = await extension.open(ctx, { location: location as never, channel: info })
  const content = { summary: 'Open (on) Sunday #today', language: 'en', media: [] }
  const planned_at = bench.now.toISOString()
  const post: OutgoingPost = { id: 'pst_1', post_type: 'update', revision: 1, planned_at, content }
  const attempt = { key: 'k', started_at: planned_at, others: new Set<string>() }
  const textOf = extension.shownText ?? extension.rules.textOf ?? postText
  const expected = { text: textOf(post), since: planned_at }
  const made = await target.create(post, attempt)
  const read = await target.read?.(made.external_id)
  const looked = await target.look?.(post, attempt)
  const all = [made, ...(read ? [read] : []), ...(looked?.shown ?? [])]
  expect(all.length).toBeGreaterThanOrEqual(2)
  return all.map((one) => {
    const proof = judgeShown(extension.proof, expected, one)
    return 'state' in proof ? `${proof.is}: ${proof.state}` : proof.is
  })
}

const cases: Readonly<Record<string, readonly (readonly [change: object, proof: string])[]>> = {
  linkedin: [
    [{}, 'published'],
    [{ commentary: 'Open \\(on\\) Sunday {hashtag|\\#|today}' }, 'published'],
    [{ lifecycleState: 'DRAFT' }, 'held: DRAFT'],
    [{ lifecycleState: 'PUBLISH_REQUESTED' }, 'held: PUBLISH_REQUESTED'],
    [{ lifecycleState: 'PUBLISH_FAILED' }, 'rejected: PUBLISH_FAILED'],
    [{ lifecycleState: 'SOMETHING_NEW' }, 'held: SOMETHING_NEW'],
    [{ lifecycleState: undefined }, 'incomplete'],
    [{ visibility: 'CONNECTIONS' }, 'held: PUBLISHED, not for everybody'],
    [{ commentary: 'Other' }, 'other'],
    [{ author: 'urn:li:organization:8' }, 'other'],
    [{ createdAt: 1_700_000_000_000 }, 'other'],
  ],
  facebook: [
    [{}, 'published'],
    [{ is_published: false }, 'held: unpublished'],
    [{ is_hidden: true }, 'held: hidden'],
    [{ message: 'Other' }, 'other'],
    [{ message: undefined }, 'incomplete'],
    [{ created_time: undefined }, 'incomplete'],
    [{ created_time: '2020-01-01T00:00:00+0000' }, 'other'],
    [{ from: { id: '778' } }, 'other'],
  ],
  google: [
    [{}, 'published'],
    [{ state: 'PROCESSING' }, 'held: PROCESSING'],
    [{ state: 'REJECTED' }, 'rejected: REJECTED'],
    [{ state: 'SOMETHING_NEW' }, 'held: SOMETHING_NEW'],
    [{ state: undefined }, 'incomplete'],
    [{ summary: 'Other' }, 'other'],
    [{ createTime: '2020-01-01T00:00:00Z' }, 'other'],
  ],
}

describe.each(platforms.map((platform) => [platform.name, platform] as const))(
  'a post on %s',
  (name, platform) => {
    test.each((cases[name] ?? []).map(([change, proof]) => [JSON.stringify(change), proof, change] as const))(
      'that says %s is %s, in the answer to its id and in the list',
      async (_, proof, change) => {
        const [answer, ...looks] = await proofs(platform, change)
        // LinkedIn and Facebook answer with the id alone. A list of Google leaves out posts that are older than the attempt.
        if (name === 'google') expect(answer).toBe(proof)
        else expect(answer).toBe('incomplete')
        expect(new Set(looks)).toEqual(new Set([proof]))
      },
    )
  },
)
