import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  attemptKey,
  judgeShown,
  type OpenTarget,
  type OutgoingPost,
  outcomeOf,
  type PostTarget,
  postTarget,
  postText,
  type ShownPost as ShownResult,
  type TargetAttempt,
  textLength,
} from 'renown/posts'
import { isServiceFault } from '../../core/contracts/service-fault'
import { unreadableAnswers } from './liar'
import { afterAcceptance, broken, faultOf, safeFetchOf, unsent } from './lost-answers'
import { type SourceSetup, type SourceWorld, sourceWorld } from './source-world'

/** A post that a stand-in shows. */
export interface ShownPost {
  /** As `external_id` names it. */
  readonly id: string
  readonly text: string
  /** When it was published, in milliseconds. */
  readonly at: number
}

/** A platform as far as the suite drives it. */
export interface PostStandIn {
  /** Answers a request as the platform does. */
  fetch(request: Request): Promise<Response>
  /** Every post that it shows, newest first. The suite empties the list. */
  readonly shown: ShownPost[]
  /** Whether a request publishes a post. */
  isCreate(request: Request): boolean
  /** Publishes a text as a person does on the platform itself. */
  publishByHand(text: string, at?: number): ShownPost
}

/** How `testPostTarget` drives a target. */
export interface PostTargetSuite extends SourceSetup {
  /** Makes the stand-in of the service, which answers requests as the service does. */
  standIn(clock: { now(): number }): PostStandIn
  /** What a person enters to connect it. Left out for targets without a channel. */
  readonly channel?: { readonly address?: string; readonly account?: string; readonly secret?: string }
  /** Answers of `unreadableAnswers` that mean "no posts" here, such as `[]`. */
  readonly emptyAnswers?: readonly string[]
  /** An answer in the error form of the platform. */
  refusal(status: number): Response
}

/** What happens to requests that publish a post, and to the others. */
interface Plan {
  create?: (request: Request, honest: () => Promise<Response>) => Promise<Response>
  other?: (request: Request, honest: () => Promise<Response>) => Promise<Response>
}

interface World extends SourceWorld<PostTarget> {
  readonly standIn: PostStandIn
  readonly plan: Plan
  open(): Promise<OpenTarget>
}

/**
 * Writes the tests of the contract of `posts.target`: one post per attempt, lost answers before and after acceptance,
 * refusals, looks, posts of others, answers that cannot be read, and secrets. Call it in a test file.
 */
export function testPostTarget(suite: PostTargetSuite): void {
  const held: { world?: World } = {}
  const world = () => held.world as World
  describe(`the target ${suite.name}`, () => {
    beforeAll(async () => {
      held.world = await openWorld(suite)
    })
    beforeEach(() => {
      Object.assign(world().plan, { create: undefined, other: undefined })
      world().standIn.shown.length = 0
    })
    afterAll(() => held.world?.stop())
    testPublishing(world)
    testLostAnswers(world)
    testRefusals(suite, world)
    testLooks(suite, world)
    testKeys(world)
  })
}

async function openWorld(suite: PostTargetSuite): Promise<World> {
  const made: { world?: SourceWorld<PostTarget> } = {}
  const standIn = suite.standIn({ now: () => made.world?.bench.now.getTime() ?? 0 })
  const plan: Plan = {}
  const network = async (request: Request): Promise<Response> => {
    const honest = () => standIn.fetch(request)
    if (suite.isSetup?.(request)) return honest()
    const change = standIn.isCreate(request) ? plan.create : plan.other
    return change ? change(request, honest) : honest()
  }
  const world = await sourceWorld(postTarget, { ...suite, safeFetch: safeFetchOf(network) }, network)
  made.world = world
  const { address = '', account = '', secret = '' } = suite.channel ?? {}
  const channel = { address, account, secret, public_id: 'public-id' }
  const { extension, ctx, location } = world
  const open = () => extension.open(ctx, { location: location as never, channel })
  return { ...world, standIn, plan, open }
}

/** Whether the target is known to keep a key now, so that Renown may repeat a call. */
const mayRepeat = async ({ keys }: OpenTarget) => ((await keys?.lifetimeMs()) ?? 0) > 0

const made = { posts: 0 }
/** A new post, so that no test finds that of another. */
function newPost({ extension, bench }: World, more: Partial<OutgoingPost> = {}): OutgoingPost {
  const [post_type = 'update'] = extension.rules.postTypes
  const summary = `Open on Sunday <b> & "more" (${++made.posts})`
  return {
    id: `pst_${made.posts}`,
    post_type,
    revision: 1,
    planned_at: bench.now.toISOString(),
    content: { summary, language: 'en', media: [] },
    ...more,
  }
}

const attemptOf = ({ extension, bench }: World, post: OutgoingPost): TargetAttempt => ({
  key: (extension.keyOf ?? attemptKey)(post),
  started_at: bench.now.toISOString(),
  others: new Set(),
})

/** Returns what a shown post proves, as Renown judges it. */
function proofOf({ extension }: World, post: OutgoingPost, attempt: TargetAttempt, shown: ShownResult) {
  const textOf = extension.shownText ?? extension.rules.textOf ?? postText
  const { started_at: since, others } = attempt
  return judgeShown(extension.proof, { text: textOf(post), since, others }, shown)
}

/** Returns the ids of the posts that a look proves to be this one. */
async function foundIds(
  world: World,
  target: OpenTarget,
  post: OutgoingPost,
  attempt: TargetAttempt,
): Promise<readonly string[]> {
  const looked = await target.look?.(post, attempt)
  const own = looked?.shown.filter((one) => proofOf(world, post, attempt, one).is === 'published') ?? []
  return [...new Set(own.map(({ external_id }) => external_id))]
}

function testPublishing(world: () => World) {
  test('publishes a post once, and says its id', async () => {
    const { open, standIn } = world()
    const post = newPost(world())
    const target = await open()
    expect(standIn.shown).toEqual([])
    const made = await target.create(post, attemptOf(world(), post))
    expect(standIn.shown.map(({ id }) => id)).toEqual([made.external_id])
    expect(made.evidence).not.toBe('')
    if (made.url !== undefined) expect(made.url).toStartWith('https://')
    const attempt = attemptOf(world(), post)
    const proof = proofOf(world(), post, attempt, made)
    expect(['published', 'incomplete']).toContain(proof.is)
    if (target.look) expect(await foundIds(world(), target, post, attempt)).toEqual([made.external_id])
    else expect(proof.is).toBe('published')
    const read = await target.read?.(made.external_id)
    if (read) expect(proofOf(world(), post, attempt, read).is).toBe('published')
  })

  test('says which states everybody sees, and where that is documented', () => {
    const { proof } = world().extension
    if ('acceptance' in proof) return expect(proof.acceptance).not.toBe('')
    expect(proof.source).not.toBe('')
    expect(Object.values(proof.states)).toContain('visible')
  })

  test('opening it changes nothing that others see', async () => {
    await world().open()
    await world().open()
    expect(world().standIn.shown).toEqual([])
  })

  test('takes the longest text that its rules allow', async () => {
    const { extension, open, standIn } = world()
    const { textMax, countedIn, textOf } = extension.rules
    const summary = 'a'.repeat(Math.min(textMax, 1_500))
    const post = newPost(world(), { content: { summary, language: 'en', media: [] } })
    expect(textLength(textOf?.(post) ?? summary, countedIn)).toBeLessThanOrEqual(textMax)
    await (await open()).create(post, attemptOf(world(), post))
    expect(standIn.shown[0]?.text).toContain(summary)
  })
}

function testLostAnswers(world: () => World) {
  test.each(Object.entries(afterAcceptance))(
    'after acceptance, %s proves nothing, and the post is found',
    async (_, lie) => {
      const { open, plan, standIn } = world()
      const post = newPost(world())
      const attempt = attemptOf(world(), post)
      const target = await open()
      plan.create = async (__, honest) => lie(await honest())
      expect(outcomeOf(await faultOf(target.create(post, attempt)))).toBe('unknown')
      expect(standIn.shown).toHaveLength(1)
      plan.create = undefined
      const again = await open()
      if (await mayRepeat(again)) await again.create(post, attempt).catch(() => null)
      expect(standIn.shown).toHaveLength(1)
      if (again.look) {
        const found = await foundIds(world(), again, post, attempt)
        expect(found).toEqual([standIn.shown[0]?.id as string])
      }
    },
  )

  const lies = Object.entries(unreadableAnswers)
  test.each(lies)(
    'after acceptance, %s is a publication or proves nothing, and never a refusal',
    async (_, lie) => {
      const { open, plan } = world()
      const post = newPost(world())
      const target = await open()
      plan.create = async (__, honest) => lie(await honest())
      const result = await target.create(post, attemptOf(world(), post)).catch((error: unknown) => error)
      if (!(result instanceof Error)) {
        // What does not show the post proves nothing, whatever its status is.
        const proof = proofOf(world(), post, attemptOf(world(), post), result as ShownResult)
        const isAccepted = 'acceptance' in world().extension.proof
        expect(isAccepted || proof.is !== 'published' || (result as ShownResult).text !== undefined).toBe(
          true,
        )
      }
      if (isServiceFault(result) && result.delivery !== undefined) {
        // Only a status of a refusal may say so.
        expect(result.delivery).toBe('refused')
        const { status } = await lie(new Response('{}'))
        expect(status).toBeGreaterThanOrEqual(400)
      }
    },
  )

  test('before acceptance, a broken connection proves nothing, and the post is not found', async () => {
    const { open, plan, standIn } = world()
    const post = newPost(world())
    const target = await open()
    plan.create = broken
    expect(outcomeOf(await faultOf(target.create(post, attemptOf(world(), post))))).toBe('unknown')
    plan.create = undefined
    if (target.look) expect(await foundIds(world(), target, post, attemptOf(world(), post))).toEqual([])
    expect(standIn.shown).toEqual([])
  })

  test('a connection that was never made proves that nothing was published', async () => {
    const { open, plan } = world()
    const post = newPost(world())
    const target = await open()
    plan.create = unsent
    expect(outcomeOf(await faultOf(target.create(post, attemptOf(world(), post))))).toBe('rejected')
  })
}

function testRefusals(suite: PostTargetSuite, world: () => World) {
  test.each([400, 403, 422, 429])(
    'status %i in its own error form is a refusal, without its secret',
    async (status) => {
      const { open, plan, standIn } = world()
      const post = newPost(world())
      const target = await open()
      plan.create = async () => suite.refusal(status)
      const fault = await faultOf(target.create(post, attemptOf(world(), post)))
      expect([outcomeOf(fault), standIn.shown.length]).toEqual(['rejected', 0])
      if (suite.channel?.secret) expect(fault.message).not.toContain(suite.channel.secret)
    },
  )

  test('a fault of the platform in its own error form proves nothing', async () => {
    const { open, plan } = world()
    const post = newPost(world())
    const target = await open()
    plan.create = async () => suite.refusal(500)
    expect(outcomeOf(await faultOf(target.create(post, attemptOf(world(), post))))).toBe('unknown')
  })
}

function testLooks(suite: PostTargetSuite, world: () => World) {
  const lies = Object.entries(unreadableAnswers).filter(([name]) => !suite.emptyAnswers?.includes(name))
  test.each(lies)('a look that gets %s throws', async (_, lie) => {
    const { open, plan } = world()
    const post = newPost(world())
    const attempt = attemptOf(world(), post)
    const target = await open()
    if (!target.look) return
    await target.create(post, attempt)
    plan.other = async (__, honest) => lie(await honest())
    await faultOf(target.look(post, attempt))
  })

  test('an older post with the same text, and posts of others, are not taken for it', async () => {
    const { open, standIn, bench, extension } = world()
    const post = newPost(world())
    const target = await open()
    const text = (extension.rules.textOf ?? (({ content }) => content.summary))(post)
    standIn.publishByHand(text, bench.now.getTime() - 86_400_000)
    expect(await foundIds(world(), target, post, attemptOf(world(), post))).toEqual([])
    const other = newPost(world(), { content: post.content })
    const { external_id } = await target.create(other, attemptOf(world(), other))
    const attempt = { ...attemptOf(world(), post), others: new Set([external_id]) }
    expect(await foundIds(world(), target, post, attempt)).toEqual([])
  })

  test('recognizes a key or can be read, so that a lost answer is not the end', async () => {
    const target = await world().open()
    expect((await mayRepeat(target)) || target.look !== undefined).toBe(true)
  })
}

function testKeys(world: () => World) {
  test('gives the same version of a post the same key, and every other another', () => {
    const { extension, bench } = world()
    const keyOf = extension.keyOf ?? attemptKey
    const post = newPost(world())
    expect(keyOf({ ...post })).toBe(keyOf(post))
    expect(keyOf(post)).toMatch(/^[\w-]{1,100}$/)
    const later = new Date(bench.now.getTime() + 60_000).toISOString()
    const others = [
      { ...post, revision: 2 },
      { ...post, id: 'pst_other' },
      { ...post, planned_at: later },
    ]
    expect(new Set([post, ...others].map((one) => keyOf(one))).size).toBe(4)
  })
}
