import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  type AnsweredPost,
  leadsReply,
  type OpenThread,
  type OutgoingReply,
  type ReplyChannel,
  type ReplyLocation,
  type ShownReply,
} from 'renown/leads'
import { attemptKey, judgeShown, outcomeOf } from 'renown/sending'
import { isServiceFault } from '../../core/contracts/service-fault'
import { connectChannel } from '../../plugins/posts/acts/channels'
import { unreadableAnswers } from './liar'
import { afterAcceptance, broken, faultOf, safeFetchOf, unsent } from './lost-answers'
import { type SourceSetup, type SourceWorld, sourceWorld } from './source-world'

/** A thread as far as the suite drives it. */
export interface ReplyStandIn {
  /** Answers a request as the platform does. */
  fetch(request: Request): Promise<Response>
  /** The replies of the account to the post, newest first. The suite empties the list. */
  readonly shown: { readonly id: string; readonly text: string }[]
  /** Whether a request sends a reply. */
  isSend(request: Request): boolean
  /** Adds the reply of somebody else to the post. */
  replyOfOther(text: string): void
  /** Deletes the post, or shows it again. */
  setGone(isGone: boolean): void
}

/** How `testReplyChannel` drives a reply channel. */
export interface ReplyChannelSuite extends SourceSetup {
  /** Makes the stand-in of the service, which answers requests as the service does. */
  standIn(clock: { now(): number }): ReplyStandIn
  /** The post that is answered. */
  readonly post: AnsweredPost
  /** Addresses of posts on the platform that cannot be answered through an account. */
  readonly refused?: readonly string[]
  /** What a person enters to connect the account, if posts use the same one. */
  readonly channel?: {
    readonly platform: 'bluesky' | 'mastodon'
    readonly address: string
    readonly account?: string
    readonly secret: string
  }
  /** Texts that no message may repeat. */
  readonly secrets: readonly string[]
  /** An answer in the error form of the platform. */
  refusal(status: number): Response
  /** Names of unreadable answers that are real ones for a look, such as an empty list. */
  readonly honest?: readonly string[]
}

interface Plan {
  send?: (request: Request, honest: () => Promise<Response>) => Promise<Response>
  other?: (request: Request, honest: () => Promise<Response>) => Promise<Response>
}

interface World extends SourceWorld<ReplyChannel> {
  readonly standIn: ReplyStandIn
  readonly plan: Plan
  open(): Promise<OpenThread>
}

/**
 * Writes the tests of the contract of `leads.reply`: the bound account, one reply per attempt, lost answers before and after
 * acceptance, refusals, threads that are gone, replies of others, answers that cannot be read, and secrets. Call it in a test file.
 */
export function testReplyChannel(suite: ReplyChannelSuite): void {
  const held: { world?: World } = {}
  const world = () => held.world as World
  describe(`the reply channel ${suite.name}`, () => {
    beforeAll(async () => {
      held.world = await openWorld(suite)
    })
    beforeEach(() => {
      Object.assign(world().plan, { send: undefined, other: undefined })
      world().standIn.setGone(false)
      world().standIn.shown.length = 0
    })
    afterAll(() => held.world?.stop())
    testAccount(suite, world)
    testSending(suite, world)
    testLostAnswers(suite, world)
    testLooks(suite, world)
  })
}

async function openWorld(suite: ReplyChannelSuite): Promise<World> {
  const made: { world?: SourceWorld<ReplyChannel> } = {}
  const standIn = suite.standIn({ now: () => made.world?.bench.now.getTime() ?? 0 })
  const plan: Plan = {}
  const network = async (request: Request): Promise<Response> => {
    const honest = () => standIn.fetch(request)
    if (suite.isSetup?.(request)) return honest()
    const change = standIn.isSend(request) ? plan.send : plan.other
    return change ? change(request, honest) : honest()
  }
  const world = await sourceWorld(leadsReply, { ...suite, safeFetch: safeFetchOf(network) }, network)
  made.world = world
  const { extension, ctx, location } = world
  if (suite.channel) await connectChannel(ctx, { location_id: location.id, ...suite.channel })
  const open = () => extension.open(ctx, location as ReplyLocation, suite.post)
  return { ...world, standIn, plan, open }
}

const made = { replies: 0 }
function newReply({ bench }: World): OutgoingReply {
  const text = `I work at Acme. We can come on Sunday (${++made.replies})`
  return {
    id: `mrp_${made.replies}`,
    revision: 1,
    planned_at: bench.now.toISOString(),
    text,
    language: 'en',
  }
}

const tryOf = ({ extension, bench }: World, reply: OutgoingReply) => ({
  key: (extension.keyOf ?? attemptKey)(reply),
  started_at: bench.now.toISOString(),
})

const earlier = ({ bench }: World) => new Date(bench.now.getTime() - 60_000)

/** Finds a reply as the engine does: by its key, or by its words in the thread. */
async function find(world: World, thread: OpenThread, reply: OutgoingReply): Promise<string | null> {
  const attempt = tryOf(world, reply)
  const isProved = (shown: Omit<ShownReply, 'evidence'>) =>
    judgeShown(
      world.extension.proof,
      { text: reply.text, since: attempt.started_at },
      { ...shown, evidence: 'x' },
    ).is === 'published'
  if (thread.find) {
    const shown = await thread.find(attempt)
    return shown && isProved(shown) ? shown.external_id : null
  }
  const found = await thread.look(earlier(world))
  if (found.isGone) throw new Error('the thread is gone')
  expect(found.isPart ?? false).toBe(false)
  return found.own.find(isProved)?.external_id ?? null
}

function testAccount(suite: ReplyChannelSuite, world: () => World) {
  test('names the account that the location is bound to, and says why a location has none', async () => {
    const { extension, ctx, location } = world()
    const account = await extension.accountOf(ctx, location as ReplyLocation)
    expect(account).toEqual({ id: expect.any(String), name: expect.any(String) })
    const stranger = { id: 'loc_x', workspace_id: 'wsp_x', business_name: 'Other' } as ReplyLocation
    const none = {
      why: expect.any(String),
      fix: { label: expect.any(String), href: expect.stringMatching(/^\/app\//) },
    }
    expect(await extension.accountOf(ctx, stranger)).toEqual(none)
    const foreign = { ...location, id: 'loc_x', workspace_id: 'wsp_x' } as ReplyLocation
    expect(await extension.accountOf(ctx, foreign)).toEqual(none)
  })

  test('accepts the address of the post, and refuses other addresses', () => {
    const { refusal } = world().extension
    expect(refusal?.(suite.post) ?? null).toBeNull()
    for (const url of suite.refused ?? [])
      expect([url, refusal?.({ ...suite.post, source_id: 'x', url })]).toEqual([url, expect.any(String)])
  })
}

function testSending(suite: ReplyChannelSuite, world: () => World) {
  test('sends a reply once, to the post, and says its id and address', async () => {
    const { open, standIn } = world()
    const reply = newReply(world())
    const thread = await open()
    expect(await thread.look(earlier(world()))).toMatchObject({ isGone: false, own: [] })
    expect(standIn.shown).toEqual([])
    const sent = await thread.send(reply, tryOf(world(), reply))
    expect(standIn.shown.map(({ id }) => id)).toEqual([sent.external_id])
    expect(standIn.shown[0]?.text).toContain(reply.text)
    expect(sent.evidence).not.toBe('')
    expect(await find(world(), thread, reply)).toBe(sent.external_id)
    const read = await thread.read?.(sent.external_id)
    if (read) expect(read).toMatchObject({ external_id: sent.external_id, text: reply.text })
    expect(sent.url ?? 'https://').toStartWith('https://')
    const found = await thread.look(earlier(world()))
    expect(found).toMatchObject({ isGone: false, own: [{ external_id: sent.external_id, text: reply.text }] })
  })

  test.each([400, 403, 422, 429])(
    'status %i in its own error form is a refusal, without a secret',
    async (status) => {
      const { open, plan, standIn } = world()
      const reply = newReply(world())
      const thread = await open()
      plan.send = async () => suite.refusal(status)
      const fault = await faultOf(thread.send(reply, tryOf(world(), reply)))
      expect([outcomeOf(fault), standIn.shown.length]).toEqual(['rejected', 0])
      for (const secret of suite.secrets) expect(fault.message).not.toContain(secret)
    },
  )

  test('a fault of the platform in its own error form proves nothing', async () => {
    const { open, plan } = world()
    const reply = newReply(world())
    const thread = await open()
    plan.send = async () => suite.refusal(500)
    expect(outcomeOf(await faultOf(thread.send(reply, tryOf(world(), reply))))).toBe('unknown')
  })
}

function testLostAnswers(_: ReplyChannelSuite, world: () => World) {
  test.each(Object.entries(afterAcceptance))(
    'after acceptance, %s proves nothing, and the reply is found',
    async (_, lie) => {
      const { open, plan, standIn } = world()
      const reply = newReply(world())
      const thread = await open()
      plan.send = async (__, honest) => lie(await honest())
      expect(outcomeOf(await faultOf(thread.send(reply, tryOf(world(), reply))))).toBe('unknown')
      expect(standIn.shown).toHaveLength(1)
      plan.send = undefined
      const again = await open()
      if (((await again.keys?.lifetimeMs()) ?? 0) > 0)
        await again.send(reply, tryOf(world(), reply)).catch(() => null)
      expect(standIn.shown).toHaveLength(1)
      expect(await find(world(), again, reply)).toBe(standIn.shown[0]?.id as string)
    },
  )

  test.each(Object.entries(unreadableAnswers))(
    'after acceptance, %s is a sent reply or proves nothing, and never a refusal',
    async (_, lie) => {
      const { open, plan } = world()
      const reply = newReply(world())
      const thread = await open()
      plan.send = async (__, honest) => lie(await honest())
      const result = await thread.send(reply, tryOf(world(), reply)).catch((error: unknown) => error)
      if (!(result instanceof Error)) expect(result).toHaveProperty('external_id')
      else if (isServiceFault(result) && result.delivery !== undefined) {
        // Only a status of a refusal may say so.
        expect(result.delivery).toBe('refused')
        expect((await lie(new Response('{}'))).status).toBeGreaterThanOrEqual(400)
      }
    },
  )

  test('before acceptance, a broken connection proves nothing, and the reply is not found', async () => {
    const { open, plan, standIn } = world()
    const reply = newReply(world())
    const thread = await open()
    plan.send = broken
    expect(outcomeOf(await faultOf(thread.send(reply, tryOf(world(), reply))))).toBe('unknown')
    plan.send = undefined
    expect([await find(world(), thread, reply), standIn.shown]).toEqual([null, []])
  })

  test('a connection that was never made proves that nothing was sent', async () => {
    const { open, plan } = world()
    const reply = newReply(world())
    const thread = await open()
    plan.send = unsent
    expect(outcomeOf(await faultOf(thread.send(reply, tryOf(world(), reply))))).toBe('rejected')
  })
}

function testLooks(suite: ReplyChannelSuite, world: () => World) {
  const lies = Object.entries(unreadableAnswers).filter(([name]) => !suite.honest?.includes(name))
  test.each(lies)(
    'a look that gets %s throws, or says that it is gone only in its own words',
    async (_, lie) => {
      const { open, plan } = world()
      const reply = newReply(world())
      const thread = await open()
      await thread.send(reply, tryOf(world(), reply))
      plan.other = async (__, honest) => lie(await honest())
      await faultOf(thread.look(earlier(world())))
      if (thread.find) await faultOf(thread.find(tryOf(world(), reply)))
    },
  )

  test('says that a deleted post is gone', async () => {
    const { open, standIn } = world()
    const thread = await open()
    standIn.setGone(true)
    expect(await thread.look(earlier(world()))).toEqual({ isGone: true })
  })

  test('does not take the reply of somebody else for its own', async () => {
    const { open, standIn } = world()
    const reply = newReply(world())
    standIn.replyOfOther(reply.text)
    const thread = await open()
    expect(await thread.look(earlier(world()))).toMatchObject({ isGone: false, own: [] })
    expect(await find(world(), thread, reply)).toBeNull()
  })

  test('gives the same version of a reply the same key, and every other another', () => {
    const { extension, bench } = world()
    const keyOf = extension.keyOf ?? attemptKey
    const reply = newReply(world())
    expect(keyOf({ ...reply })).toBe(keyOf(reply))
    expect(keyOf(reply)).toMatch(/^[\w-]{1,100}$/)
    const later = new Date(bench.now.getTime() + 60_000).toISOString()
    const others = [
      { ...reply, revision: 2 },
      { ...reply, id: 'mrp_other' },
      { ...reply, planned_at: later },
    ]
    expect(new Set([reply, ...others].map((one) => keyOf(one))).size).toBe(4)
  })
}
