import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  type FoundPost,
  leadsSource,
  type MentionSource,
  noAccessCode,
  readSource,
  recheckSource,
  type SourceReading,
} from 'renown/leads'
import { isServiceFault, type ServiceFault } from '../../core/contracts/service-fault'
import { unreadableAnswers } from './liar'
import { isOfRow, oddAnswers, oddCharacters, unstorableTexts } from './odd-texts'
import { pathsOf, replaced } from './replaced'
import {
  type Meddler,
  type PlatformSetup,
  type PlatformWorld,
  passingFaults,
  platformWorld,
} from './source-world'
import type { MentionStandIn, StandInPost } from './stand-ins/sources'

/** How `testMentionSource` drives a source of mentions. */
export interface MentionSourceSuite extends PlatformSetup {
  /** Name of the implementation. */
  readonly name: string
  /** The term or the address that is read. Default: `Acme`. */
  readonly target?: string
  /** Settings that it needs, by name. Without them it must say so. */
  readonly needed?: Readonly<Record<string, string>>
  /** The values of settings that no message may repeat. */
  readonly secrets?: readonly string[]
  /** Makes the stand-in of the service, which answers requests as the service does. */
  standIn(clock: { now(): number }): MentionStandIn
  /** Whether it reads a plain text or XML, so that single values of an answer cannot be replaced. */
  readonly isJson?: false
  /** Names of unreadable answers that are an empty list in the form of this source. */
  readonly honest?: readonly string[]
  /** Whether it keeps the whole posts of an answer whose end is missing, and counts the rest as unread. */
  readonly keepsWhole?: true
  /** Whether the source gives no author. */
  readonly givesAuthor?: false
}

interface World extends PlatformWorld {
  readonly source: MentionSource
  readonly standIn: MentionStandIn
  /** Bodies of the honest answers since the last `read`. */
  readonly answered: string[]
}

interface Reading {
  readonly cursor?: string | null
  readonly meddler?: Meddler | null
  readonly signal?: AbortSignal
}

/** Stored cursors that no source writes. */
export const unknownCursors: readonly string[] = ['', 'null', '{', '{"after":"x"}', '[1]', 'x'.repeat(4_000)]

const minute = 60_000
const stepsMax = 60

/**
 * Writes the tests of the contract of `leads.source`: settings, posts, the way from reading to reading, half-broken rows, faults, lies,
 * and posts that are read again. Call it in a test file.
 */
export function testMentionSource(suite: MentionSourceSuite): void {
  const held: { world?: World } = {}
  const world = () => held.world as World
  describe(`the source of mentions ${suite.name}`, () => {
    beforeAll(async () => {
      held.world = await open(suite)
    })
    afterAll(() => held.world?.stop())
    testAccess(suite, world)
    testPosts(suite, world)
    testSteps(suite, world)
    testFaults(suite, world)
    if (suite.isJson !== false) testForms(suite, world)
    testOddTexts(suite, world)
    testRechecks(suite, world)
  })
}

async function open(suite: MentionSourceSuite, needed = suite.needed ?? {}): Promise<World> {
  const held: { world?: PlatformWorld } = {}
  const standIn = suite.standIn({ now: () => held.world?.bench.now.getTime() ?? 0 })
  const answered: string[] = []
  const settings = { ...suite.settings, ...needed }
  const world = await platformWorld({ ...suite, settings }, async (request) => {
    const honest = await standIn.fetch(request)
    if (!suite.isSetup?.(request)) answered.push(await honest.clone().text())
    return honest
  })
  held.world = world
  const source = world.ctx.extensions(leadsSource).find((one) => one.name === suite.name)
  if (!source) throw new Error(`The plugin ${suite.plugin.name} provides no leads.source named ${suite.name}`)
  return { ...world, source, standIn, answered }
}

const postsOf = ({ bench }: World, count: number, from = 1): StandInPost[] =>
  Array.from({ length: count }, (_, n) => ({
    id: from + n,
    text: `Is Acme any good? Post ${from + n}`,
    author: `writer${(from + n) % 3}`,
    at: new Date(bench.now.getTime() - (1_000 - from - n) * minute),
  }))

async function read(
  suite: MentionSourceSuite,
  world: World,
  { cursor = null, meddler = null, signal }: Reading = {},
) {
  world.meddle(meddler)
  world.answered.length = 0
  return readSource(world.ctx, world.source, {
    target: world.source.reach === 'everything' ? '' : (suite.target ?? 'Acme'),
    cursor,
    since: new Date(world.bench.now.getTime() - 2_000 * minute).toISOString(),
    signal: signal ?? new AbortController().signal,
  })
}

/** Reads until the source has nothing more. Fails if it never ends. */
async function readAll(
  suite: MentionSourceSuite,
  world: World,
  from: string | null = null,
  meddler: Meddler | null = null,
) {
  const posts: FoundPost[] = []
  const unread: SourceReading['unread'][number][] = []
  let cursor = from
  for (let step = 0; ; step++) {
    expect(step).toBeLessThan(stepsMax)
    const reading: SourceReading = await read(suite, world, { cursor, meddler })
    posts.push(...reading.posts)
    unread.push(...reading.unread)
    cursor = reading.cursor
    if (!reading.isMore) return { posts, unread, cursor }
  }
}

const faultOf = async (work: Promise<unknown>): Promise<ServiceFault> => {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => error,
  )
  if (isServiceFault(outcome)) return outcome
  throw outcome instanceof Error ? outcome : new Error(`no fault: ${JSON.stringify(outcome).slice(0, 300)}`)
}

const idsOf = (posts: readonly FoundPost[]) => [...new Set(posts.map(({ source_id }) => source_id))].sort()
const wanted = (world: World, posts: readonly StandInPost[]) =>
  posts.map((post) => world.standIn.idOf(post)).sort()

function testAccess(suite: MentionSourceSuite, world: () => World) {
  test('names the settings that it needs, and sends nothing without them', async () => {
    const names = Object.keys(suite.needed ?? {})
    expect(world().source.needs(world().ctx)).toEqual([])
    const bare = await open(suite, {})
    try {
      expect([...bare.source.needs(bare.ctx)].sort()).toEqual(names.sort())
      if (names.length === 0) return
      const fault = await faultOf(read(suite, bare))
      expect([fault.kind, fault.code]).toEqual(['unsupported', noAccessCode])
      for (const name of names) expect(fault.message).toContain(name)
      expect(bare.asked.count).toBe(0)
    } finally {
      await bare.stop()
    }
  })

  test('states the terms of the source', () => {
    const { policy, reach, takes } = world().source
    expect(URL.canParse(policy.terms_url)).toBe(true)
    for (const days of [policy.retention_days, policy.recheck_days])
      expect(days === null || days > 0).toBe(true)
    // Nobody can delete with the source who never looks again.
    if (policy.recheck_days !== null) expect(world().source.recheck).toBeFunction()
    expect(takes !== undefined).toBe(reach === 'feed')
    if (reach === 'feed') expect(takes?.(new URL(suite.target ?? ''))).toBe(true)
  })
}

function testPosts(suite: MentionSourceSuite, world: () => World) {
  test('reads posts with id, address, text, author and time', async () => {
    const posts = postsOf(world(), 3)
    world().standIn.set(posts)
    const { posts: found, unread } = await readAll(suite, world())
    expect([idsOf(found), unread]).toEqual([wanted(world(), posts), []])
    for (const post of posts) {
      const same = found.find(({ source_id }) => source_id === world().standIn.idOf(post))
      expect(`${same?.title} ${same?.body}`).toContain(post.text)
      expect(Math.abs(Date.parse(same?.posted_at ?? '') - post.at.getTime())).toBeLessThan(15 * minute)
      expect<unknown>(world().source.channels).toContain(same?.channel)
      expect(URL.canParse(same?.url ?? '')).toBe(true)
      const author = suite.givesAuthor === false ? undefined : post.author
      expect(same?.author?.handle ?? '').toContain(author ?? '')
    }
    expect(world().standIn.complaints).toEqual([])
  })

  test('finds nothing where nothing is, without a fault', async () => {
    world().standIn.set([])
    const { posts, unread } = await readAll(suite, world())
    expect([posts, unread]).toEqual([[], []])
  })

  test('removes characters that hide words', async () => {
    const [post] = postsOf(world(), 1) as [StandInPost]
    world().standIn.set([{ ...post, text: 'Acme\u202e is\u200b fi\u{e0041}ne' }])
    const { posts } = await readAll(suite, world())
    expect(`${posts[0]?.title} ${posts[0]?.body}`).toContain('Acme is fine')
  })
}

function testSteps(suite: MentionSourceSuite, world: () => World) {
  test('reads on from its cursor and loses nothing', async () => {
    const first = postsOf(world(), 5)
    world().standIn.set(first)
    const { posts, cursor } = await readAll(suite, world())
    expect(idsOf(posts)).toEqual(wanted(world(), first))
    expect(cursor?.length ?? 0).toBeLessThan(4_000)
    const more = postsOf(world(), 110, 6)
    world().standIn.set([...first, ...more])
    const next = await readAll(suite, world(), cursor)
    expect(wanted(world(), more).filter((id) => !idsOf(next.posts).includes(id))).toEqual([])
    expect(world().standIn.complaints).toEqual([])
  })

  test('starts again from a cursor that it does not know', async () => {
    const posts = postsOf(world(), 3)
    world().standIn.set(posts)
    for (const cursor of unknownCursors) {
      const found = await readAll(suite, world(), cursor)
      expect([cursor.slice(0, 20), idsOf(found.posts)]).toEqual([cursor.slice(0, 20), wanted(world(), posts)])
    }
  })

  test('ends although the source repeats its first page', async () => {
    world().standIn.set(postsOf(world(), 120))
    const kept: { body?: string; type?: string } = {}
    const again: Meddler = async (honest) => {
      kept.body ??= await honest.text()
      kept.type ??= honest.headers.get('content-type') ?? ''
      return new Response(kept.body, { headers: { 'content-type': kept.type } })
    }
    const outcome = await readAll(suite, world(), null, again).catch((error: unknown) => error)
    if (!isServiceFault(outcome)) expect(outcome).toHaveProperty('posts')
  })

  test('is not led past now by a post from the future', async () => {
    const posts = postsOf(world(), 3)
    const ahead = {
      ...(posts[2] as StandInPost),
      at: new Date(world().bench.now.getTime() + 3 * 24 * 60 * minute),
    }
    world().standIn.set([...posts.slice(0, 2), ahead])
    const { posts: found, cursor } = await readAll(suite, world())
    for (const { posted_at = '' } of found) expect(posted_at <= world().bench.now.toISOString()).toBe(true)
    const late = {
      ...(postsOf(world(), 1, 4)[0] as StandInPost),
      at: new Date(world().bench.now.getTime() - minute),
    }
    world().standIn.set([...posts.slice(0, 2), ahead, late])
    const next = await readAll(suite, world(), cursor)
    expect(idsOf(next.posts)).toContain(world().standIn.idOf(late))
  })
}

/** Further faults of networks and services, and the kinds that each may have. */
const queue: Readonly<
  Record<string, { readonly meddler: Meddler; readonly kinds: readonly string[]; readonly waitMs?: number }>
> = {
  '429 with Retry-After': {
    meddler: () => new Response('{}', { status: 429, headers: { 'retry-after': '9' } }),
    kinds: ['rate'],
    waitMs: 9_000,
  },
  'a page of HTML with status 200': {
    meddler: () =>
      new Response('<!doctype html><html><p>Checking your browser</html>', {
        headers: { 'content-type': 'text/html' },
      }),
    kinds: ['transient'],
  },
  'an answer that is cut': {
    meddler: async (honest) => new Response((await honest.text()).slice(0, -9), { headers: honest.headers }),
    kinds: ['transient'],
  },
  'JSON that is nested too deep': {
    meddler: () => new Response(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    kinds: ['transient'],
  },
  'XML that is nested too deep': { meddler: () => new Response('<a>'.repeat(50_000)), kinds: ['transient'] },
}

const cutAnswer = 'an answer that is cut'

function testFaults(suite: MentionSourceSuite, world: () => World) {
  const faults = Object.entries(queue).filter(([what]) => !suite.keepsWhole || what !== cutAnswer)
  test.each(faults)('names the fault of %s', async (_, { meddler, kinds, waitMs }) => {
    world().standIn.set(postsOf(world(), 3))
    const fault = await faultOf(read(suite, world(), { meddler }))
    expect(kinds).toContain(fault.kind)
    expect(fault.retryAfterMs).toBe(waitMs as number)
  })

  test.each(Object.entries(passingFaults))('says that %s passes', async (_, meddler) => {
    const fault = await faultOf(read(suite, world(), { meddler }))
    expect(['rate', 'transient']).toContain(fault.kind)
  })

  test('works through a queue of faults and reads after it', async () => {
    const posts = postsOf(world(), 3)
    world().standIn.set(posts)
    for (const [, { meddler }] of faults) await faultOf(read(suite, world(), { meddler }))
    expect(idsOf((await readAll(suite, world())).posts)).toEqual(wanted(world(), posts))
  })

  if (suite.keepsWhole) {
    test.each([0.5, 0.9])('keeps the whole posts of %d of an answer, and counts the rest', async (share) => {
      world().standIn.set(postsOf(world(), 9))
      const meddler: Meddler = async (honest) => {
        const body = await honest.text()
        return new Response(body.slice(0, Math.floor(body.length * share)), { headers: honest.headers })
      }
      const { posts, unread } = await read(suite, world(), { meddler })
      expect(posts.length).toBeGreaterThan(0)
      expect(unread.length).toBeGreaterThan(0)
    })
  }

  test('names each error in the words of the source', async () => {
    for (const [what, { status, body, headers, kind, code, waitMs }] of Object.entries(
      world().standIn.errors,
    )) {
      const meddler = () => Response.json(body, { status, ...(headers ? { headers } : {}) })
      const fault = await faultOf(read(suite, world(), { meddler }))
      expect([what, fault.kind]).toEqual([what, kind])
      if (code !== undefined) expect([what, fault.code]).toEqual([what, code])
      if (waitMs !== undefined) expect([what, fault.retryAfterMs]).toEqual([what, waitMs])
    }
  })

  const partial = suite.keepsWhole ? ['JSON cut in its middle', 'JSON without its last byte'] : []
  const kept = [...(suite.honest ?? []), ...partial]
  const lies = Object.entries(unreadableAnswers).filter(([what]) => !kept.includes(what))
  test.each(lies)('never reads %s as no posts', async (_, lie) => {
    world().standIn.set(postsOf(world(), 3))
    const meddler: Meddler = (honest) => lie(honest).catch(() => new Response('<rss><channel>'))
    expect(isServiceFault(await faultOf(read(suite, world(), { meddler })))).toBe(true)
  })

  test('reads no more of a huge answer than it must', async () => {
    const pulled = { bytes: 0 }
    const chunk = new Uint8Array(2 ** 20).fill(32)
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          pulled.bytes += chunk.length
          if (pulled.bytes > 80 * 2 ** 20) controller.close()
          else controller.enqueue(chunk)
        },
      })
    const fault = await faultOf(read(suite, world(), { meddler: () => new Response(endless()) }))
    expect(fault.code).toBe('too_large')
    expect(pulled.bytes).toBeLessThan(40 * 2 ** 20)
  })

  test('stops when the caller stops', async () => {
    const never: Meddler = (_, __, { signal }) =>
      new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const stop = new AbortController()
    const asked = read(suite, world(), { meddler: never, signal: stop.signal })
    stop.abort(new Error('the job was called off'))
    await expect(asked).rejects.toThrow('the job was called off')
  })

  test('repeats no secret in a message', async () => {
    for (const secret of suite.secrets ?? []) {
      for (const status of [400, 401, 403, 404, 429, 500]) {
        const said = `The key ${secret} is wrong`
        const body = { error: said, message: said, error_name: 'x', error_message: said }
        const fault = await faultOf(read(suite, world(), { meddler: () => Response.json(body, { status }) }))
        expect(fault.message).not.toContain(secret)
      }
    }
  })
}

function testForms(suite: MentionSourceSuite, world: () => World) {
  test('a value of another type is a fault, or costs its own post and is counted', async () => {
    const posts = postsOf(world(), 3)
    world().standIn.set(posts)
    const honest = await read(suite, world())
    const bodies = world().answered.map((body): unknown => JSON.parse(body))
    for (const [index, body] of bodies.entries()) {
      for (const path of pathsOf(body)) {
        const torn = replaced(body, path, -17)
        const meddler: Meddler = (own, nth) => (nth === index + 1 ? Response.json(torn) : own)
        const outcome = await read(suite, world(), { meddler }).catch((error: unknown) => error)
        const where = `${index} ${path.join('.')}`
        if (isServiceFault(outcome)) continue
        const { posts: found, unread } = outcome as SourceReading
        const known = new Map(honest.posts.map((post) => [post.source_id, post]))
        for (const post of found)
          expect([where, post]).toEqual([where, known.get(post.source_id) as FoundPost])
        const here = new Set(idsOf(found))
        const lost = [...known.keys()].filter((id) => !here.has(id))
        const apart = lost.filter((id) => !lost.includes(world().standIn.parentOf?.(id) ?? ''))
        expect([where, apart.length <= unread.length]).toEqual([where, true])
      }
    }
  })
}

function testOddTexts(suite: MentionSourceSuite, world: () => World) {
  const check = async (name: string, all: readonly string[], meddler: Meddler | null, isOfOne: boolean) => {
    const outcome = await read(suite, world(), { meddler }).catch((error: unknown) => error)
    // A text about the whole answer, such as its kind, may decide whether it can be read.
    if (!isOfOne && isServiceFault(outcome)) return
    if (outcome instanceof Error) throw new Error(`${name}: ${outcome.message}`)
    const { posts, unread, cursor } = outcome as SourceReading
    expect([name, unstorableTexts({ posts, unread, cursor })]).toEqual([name, []])
    const here = new Set(idsOf(posts))
    const lost = all.filter((id) => !here.has(id))
    const others = [...here].filter((id) => !all.includes(id))
    expect([name, lost.length <= 1, lost.length <= unread.length + others.length]).toEqual([name, true, true])
  }

  test('an odd character in the words of one post is no reason to lose another', async () => {
    const posts = postsOf(world(), 3)
    const all = wanted(world(), posts)
    for (const [what, odd] of Object.entries(oddCharacters)) {
      // Programs that write XML or plain text have no form for half of a pair.
      if (suite.isJson === false && !odd.isWellFormed()) continue
      for (const field of ['text', 'author'] as const) {
        world().standIn.set(
          posts.map((post, n) => (n === 1 ? { ...post, [field]: `${post[field]} a${odd}b` } : post)),
        )
        await check(`${field}: ${what}`, all, null, true)
      }
    }
  })

  test('an odd character in one text costs at most its own post, and every text can be stored', async () => {
    if (suite.isJson === false) return
    world().standIn.set(postsOf(world(), 3))
    const all = idsOf((await read(suite, world())).posts)
    for (const [index, body] of [...world().answered].entries()) {
      for (const odd of oddAnswers(JSON.parse(body))) {
        const meddler: Meddler = (own, nth) => (nth === index + 1 ? Response.json(odd.body) : own)
        await check(`${index} ${odd.name}`, all, meddler, isOfRow(odd, 3))
      }
    }
  })
}

function testRechecks(suite: MentionSourceSuite, world: () => World) {
  test('a field that the answer about a post leaves out deletes nothing and changes no words', async () => {
    const { source, ctx } = world()
    if (!source.recheck || suite.isJson === false) return
    const posts = postsOf(world(), 2)
    world().standIn.set(posts)
    const ids = idsOf((await readAll(suite, world())).posts)
    const again = () => recheckSource(ctx, source, ids, new AbortController().signal)
    const bodies: unknown[] = []
    world().meddle(async (own) => {
      const text = await own.text()
      bodies.push(JSON.parse(text))
      return new Response(text, { headers: own.headers })
    })
    const known = new Map(
      (await again()).flatMap((one) => (one.state === 'found' ? [[one.source_id, one.post] as const] : [])),
    )
    expect(known.size).toBe(ids.length)
    for (const [index, body] of bodies.entries()) {
      for (const path of pathsOf(body)) {
        if (path.length === 0) continue
        const lacking: unknown = JSON.parse(JSON.stringify(replaced(body, path, undefined)))
        world().meddle((own, nth) => (nth === index + 1 ? Response.json(lacking) : own))
        const outcome = await again().catch((error: unknown) => error)
        if (isServiceFault(outcome)) continue
        for (const one of outcome as Awaited<ReturnType<typeof again>>) {
          const where = `${index} ${path.join('.')} ${one.source_id}`
          expect([where, one.state]).not.toEqual([where, 'gone'])
          if (one.state !== 'found') continue
          const { title, body: words } = known.get(one.source_id) ?? {}
          // What is empty keeps what is stored.
          expect([where, one.post.title ?? title, one.post.body || words]).toEqual([where, title, words])
        }
      }
    }
  })

  test('reads posts again, says which are gone, and never by an answer that it cannot read', async () => {
    const { source, ctx } = world()
    if (!source.recheck) return
    const posts = postsOf(world(), 4)
    world().standIn.set(posts)
    const { posts: known } = await readAll(suite, world())
    const ids = idsOf(known)
    const again = () => recheckSource(ctx, source, ids, new AbortController().signal)
    world().meddle(null)
    const here = await again()
    expect(here.map(({ source_id, state }) => [source_id, state]).sort()).toEqual(
      ids.map((id) => [id, 'found']),
    )
    const [removed, ...rest] = posts as [StandInPost, ...StandInPost[]]
    world().standIn.set(rest)
    const gone = (await again()).filter(({ state }) => state !== 'found')
    expect(gone.map(({ source_id }) => source_id)).toEqual([world().standIn.idOf(removed)])
    world().standIn.set(posts)
    for (const [what, lie] of Object.entries(unreadableAnswers)) {
      world().meddle((honest) => lie(honest))
      const outcome = await again().catch((error: unknown) => error)
      const said = isServiceFault(outcome)
        ? []
        : (outcome as { state: string }[]).filter(({ state }) => state === 'gone')
      expect([what, said]).toEqual([what, []])
    }
    const { evidence } = source
    expect(evidence).toBeDefined()
    // What is only missing may be an answer that was cut, so it never counts the first time.
    expect(evidence?.missing.readings).toBe(2)
    for (const rule of Object.values(evidence ?? {})) expect([rule.statement, rule.source]).not.toContain('')
  })
}
