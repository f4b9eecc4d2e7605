import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  askEngine,
  costLimitOf,
  type EngineAnswer,
  type EngineOutcome,
  type EngineQuestion,
  type engineFaultKinds,
  type VisibilityEngine,
  visibilityEngine,
} from 'renown/visibility'
import { isServiceFault } from '../../core/contracts/service-fault'
import { unreadableAnswers } from './liar'
import { pathsOf, replaced } from './replaced'
import {
  type Meddler,
  type PlatformSetup,
  type PlatformWorld,
  passingFaults,
  platformWorld,
} from './source-world'
import type { EngineStandIn, StandInAnswer } from './stand-ins/engines/engine'

/** How `testVisibilityEngine` drives an engine. */
export interface VisibilityEngineSuite extends PlatformSetup {
  /** Name of the implementation. */
  readonly name: string
  /** The setting with the key, and its value. No message may repeat the value. */
  readonly secret: readonly [name: string, value: string]
  /** Makes the stand-in of the service, which answers requests as the service does. */
  standIn(): EngineStandIn
  /** Where the cost comes from when the model is known. */
  readonly costBasis: 'reported' | 'computed'
  /** What an answer with one search costs at the stand-in, in US dollars. */
  readonly costUsd: number
  /** The request carries the most searches as a number. */
  readonly capsSearches: boolean
  /** Every citation names its part of the text. */
  readonly givesSpans: boolean
  /** The engine names its model. */
  readonly namesModel?: false
  /** Whether the engine says which sources it found, beside those that it cites. */
  readonly givesFound?: false
  /**
   * Fields that the service leaves out, or sends as null, to say that there is none, according to its documentation. Each as a
   * path, with `n` for a place in a list.
   */
  readonly saysNone?: readonly string[]
  /** Whether the engine says what it searched for. */
  readonly givesQueries?: false
}

interface World extends PlatformWorld {
  readonly engine: VisibilityEngine
  readonly standIn: EngineStandIn
  /** Bodies of all requests since the last `clear`. */
  readonly sent: string[]
  /** Bodies of all honest answers. */
  readonly answered: string[]
}

const answer: StandInAnswer = {
  text: 'In Zürich 🛠️, Acme Plumbing is the one to call.\n\n- Acme Plumbing 💧: fast.\n- Beta & Söhne: “cheap”.',
  cited: [
    { url: 'https://www.acme.example/zuerich', title: 'Acme Plumbing', quote: 'Acme Plumbing 💧' },
    { url: 'https://reviews.example/plumbers/', title: 'Best plumbers', quote: 'Beta & Söhne' },
  ],
  found: [
    { url: 'https://www.acme.example/zuerich', title: 'Acme Plumbing' },
    { url: 'https://reviews.example/plumbers/', title: 'Best plumbers' },
    { url: 'https://gamma.example/about', title: 'Gamma' },
  ],
  queries: ['best plumber zürich'],
}
const question: EngineQuestion = {
  prompt: 'Who is the best plumber in Zürich?',
  country: 'CH',
  language: 'de-CH',
}

/**
 * Writes the tests of the contract of `visibility.engine`: access, text, sources, places, models, costs, and every fault of a queue of
 * faults. Call it in a test file.
 */
export function testVisibilityEngine(suite: VisibilityEngineSuite): void {
  const held: { world?: World } = {}
  const world = () => held.world as World
  describe(`the engine ${suite.name}`, () => {
    beforeAll(async () => {
      held.world = await open(suite)
    })
    afterAll(() => held.world?.stop())
    testAccess(suite, world)
    testAnswers(suite, world)
    testEndings(world)
    testFaults(suite, world)
    testForms(suite, world)
    testModels(world)
  })
}

async function open(suite: VisibilityEngineSuite, settings = suite.settings ?? {}): Promise<World> {
  const standIn = suite.standIn()
  const sent: string[] = []
  const answered: string[] = []
  const [name, value] = suite.secret
  const all = settings === suite.settings ? { ...settings, [name]: value } : settings
  const world = await platformWorld({ ...suite, settings: all }, async (request) => {
    sent.push(await request.clone().text())
    const honest = await standIn.fetch(request)
    answered.push(await honest.clone().text())
    return honest
  })
  const engine = world.ctx.extensions(visibilityEngine).find((one) => one.name === suite.name)
  if (!engine)
    throw new Error(`The plugin ${suite.plugin.name} provides no visibility.engine named ${suite.name}`)
  return { ...world, engine, standIn, sent, answered }
}

/** Asks with a fresh answer at the stand-in. */
function ask(
  { ctx, engine, standIn, meddle, sent, answered }: World,
  {
    told = answer,
    meddler = null,
    ...more
  }: { told?: StandInAnswer; meddler?: Meddler | null } & Partial<EngineQuestion> = {},
): Promise<EngineOutcome> {
  standIn.set(told)
  meddle(meddler)
  sent.length = 0
  answered.length = 0
  return askEngine(ctx, engine, { ...question, ...more })
}

const answerOf = (outcome: EngineOutcome) => {
  if (!outcome.ok) throw new Error(`${outcome.fault.kind}: ${outcome.fault.message}`)
  return outcome.answer
}
const faultOf = (outcome: EngineOutcome) => {
  if (outcome.ok) throw new Error(`an answer came: ${outcome.answer.text.slice(0, 80)}`)
  return outcome.fault
}

function testAccess(suite: VisibilityEngineSuite, world: () => World) {
  test('is unavailable without its settings, says which, and sends nothing', async () => {
    const bare = await open(suite, {})
    try {
      const fault = faultOf(await ask(bare))
      expect(fault).toMatchObject({ kind: 'unavailable', code: 'no_access' })
      expect(fault.needs).toEqual(bare.engine.needs(bare.ctx))
      expect(fault.needs).toContain(suite.secret[0])
      expect(bare.asked.count).toBe(0)
    } finally {
      await bare.stop()
    }
  })

  test('is available with them', () => {
    const { engine, ctx } = world()
    expect(engine.needs(ctx)).toEqual([])
  })
}

const urlsOf = (sources: readonly { readonly url: string | null }[]) => sources.map(({ url }) => url)

function testAnswers(suite: VisibilityEngineSuite, world: () => World) {
  test('returns the text as the engine wrote it, and the raw answer unchanged', async () => {
    const { text, raw } = answerOf(await ask(world()))
    expect(text).toBe(answer.text)
    const parts = Array.isArray(raw) ? raw : [raw]
    expect(parts.map((part) => JSON.parse(JSON.stringify(part)))).toEqual(
      world().answered.map((body) => JSON.parse(body)),
    )
    expect(world().standIn.complaints).toEqual([])
  })

  test('keeps cited sources and those that were only found apart', async () => {
    const told = answerOf(await ask(world()))
    expect(urlsOf(told.cited)).toEqual(answer.cited.map(({ url }) => url))
    expect(told.cited.map(({ domain }) => domain)).toEqual(['acme.example', 'reviews.example'])
    expect(urlsOf(told.consulted)).toEqual(suite.givesFound === false ? [] : ['https://gamma.example/about'])
    expect(told.queries).toEqual(suite.givesQueries === false ? [] : [...answer.queries])
    if (!suite.givesSpans) return
    const quotes = told.cited.map(({ spans = [] }) =>
      spans.map(({ start, end }) => told.text.slice(start, end)),
    )
    expect(quotes).toEqual(answer.cited.map(({ quote }) => [quote]))
  })

  test('cites nothing for an answer without sources', async () => {
    const told = answerOf(await ask(world(), { told: { ...answer, cited: [], found: [], queries: [] } }))
    expect([told.cited, told.consulted, told.queries]).toEqual([[], [], []])
    expect(told.text).toBe(answer.text)
  })

  test('says which model was asked, and which one answered', async () => {
    const { engine, ctx } = world()
    const usual = answerOf(await ask(world()))
    expect(usual.model_asked).toBe(engine.model(ctx))
    const named = answerOf(await ask(world(), { told: { ...answer, model: 'another-model-9' } }))
    expect(named.model_asked).toBe(engine.model(ctx))
    expect(named.model_answered).toBe(suite.namesModel === false ? null : 'another-model-9')
  })

  test('pins the place as far as it can, and says how far', async () => {
    const { engine, sent } = world()
    const pinned = answerOf(await ask(world()))
    expect(pinned.place_pinned).toBe(engine.place)
    const free = await ask(world(), { country: null })
    if (free.ok) expect(['none', 'language']).toContain(free.answer.place_pinned)
    else expect(free.fault).toMatchObject({ kind: 'refused', code: 'country' })
    if (engine.place !== 'country') expect(sent.join('')).not.toContain('"CH"')
  })

  test('counts searches, and passes the cap on', async () => {
    expect(answerOf(await ask(world())).search_calls).toBeGreaterThanOrEqual(1)
    if (!suite.capsSearches) return
    await ask(world(), { searchesMax: 17 })
    expect(world().sent[0]).toMatch(/:\s*17\b/)
  })

  test('says what the answer cost, and how it knows', async () => {
    const told = answerOf(await ask(world()))
    expect([told.cost_basis, told.cost_usd]).toEqual([suite.costBasis, expect.closeTo(suite.costUsd, 9)])
    if (suite.costBasis === 'reported') return
    // A price that nobody knows is the dearest one, and not zero.
    const unknown = answerOf(await ask(world(), { model: 'zz-unknown-model' }))
    expect(unknown.cost_basis).toBe('at_most')
    expect(Number(unknown.cost_usd)).toBeGreaterThanOrEqual(suite.costUsd - 1e-9)
  })

  test('says what a question can cost at most, and which setting has a price that is not known', async () => {
    const { engine, ctx } = world()
    const limit = await costLimitOf(ctx, engine, { searchesMax: 3 })
    expect(limit).toEqual({ usd: expect.any(Number) })
    expect(Number(limit.usd)).toBeGreaterThanOrEqual(suite.costUsd)
    // A service whose number of searches cannot be limited may make as many, however few were asked for.
    if (engine.searchesLimit !== undefined)
      expect(await costLimitOf(ctx, engine, { searchesMax: 1 })).toEqual(
        await costLimitOf(ctx, engine, { searchesMax: engine.searchesLimit }),
      )
    if (engine.modelSetting === undefined) return
    const unknown = await costLimitOf(ctx, engine, { searchesMax: 3, model: 'zz-unknown-model' })
    expect(Number(unknown.usd)).toBeGreaterThanOrEqual(Number(limit.usd))
    expect(unknown.because).toContain('zz-unknown-model')
    expect(unknown.because).toMatch(/Set [A-Z]+_PRICES\./)
  })
}

function testEndings(world: () => World) {
  test('is without an answer when the text is empty', async () => {
    const fault = faultOf(await ask(world(), { told: { ...answer, text: '', cited: [] } }))
    expect(fault.kind).toBe('no_answer')
    expect(fault.answer?.raw).toBeDefined()
  })

  test('says that an answer is truncated, refused or not shown, with what it cost', async () => {
    const kinds = { truncated: 'truncated', refusal: 'no_answer', none: 'no_answer' } as const
    for (const ended of world().standIn.endings) {
      const told = { ...answer, ended, cited: [], ...(ended === 'none' ? { text: '' } : {}) }
      const fault = faultOf(await ask(world(), { told }))
      expect([ended, fault.kind]).toEqual([ended, kinds[ended]])
      expect(fault.answer?.raw).toBeDefined()
      expect(fault.answer?.text).toBe(told.text)
    }
  })
}

const passing = ['limited', 'unavailable']

/** Faults of networks and services, beside those of `passingFaults`. */
const queue: Readonly<
  Record<string, { readonly meddler: Meddler; readonly kind: string; readonly wait?: number }>
> = {
  '429 with Retry-After': {
    meddler: () => new Response('{}', { status: 429, headers: { 'retry-after': '9' } }),
    kind: 'limited',
    wait: 9_000,
  },
  '429 without Retry-After': { meddler: () => new Response('{}', { status: 429 }), kind: 'limited' },
  '529 of an overloaded service': { meddler: () => new Response('{}', { status: 529 }), kind: 'unavailable' },
  'a page of HTML': {
    meddler: () =>
      new Response('<html>Checking your browser</html>', { headers: { 'content-type': 'text/html' } }),
    kind: 'unreadable',
  },
  'a redirect to a private host': {
    meddler: () =>
      new Response('', { status: 307, headers: { location: 'http://169.254.169.254/latest/meta-data' } }),
    kind: 'unreadable',
  },
  'torn JSON': {
    meddler: async (honest) => new Response((await honest.text()).slice(0, -20)),
    kind: 'unreadable',
  },
  'JSON that is nested too deep': {
    meddler: () => new Response(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    kind: 'unreadable',
  },
  'JSON with too many values': {
    meddler: () => new Response(`[${'1,'.repeat(400_000)}1]`),
    kind: 'unreadable',
  },
}

function testFaults(suite: VisibilityEngineSuite, world: () => World) {
  test.each(Object.entries(queue))('names the fault of %s', async (_, { meddler, kind, wait }) => {
    const fault = faultOf(await ask(world(), { meddler }))
    expect(fault.kind).toBe(kind as (typeof engineFaultKinds)[number])
    expect(fault.retry_after_ms).toBe(wait as number)
    expect(fault.answer).toBeUndefined()
    // Nobody bills a request that was refused. All else may have been answered.
    if (kind === 'limited') expect(fault.cost).toBeUndefined()
    else expect(fault.cost).toEqual({ usd: expect.any(Number), basis: 'at_most' })
    expect(world().asked.count).toBe(1)
  })

  test('works through a queue of faults and answers after it', async () => {
    const faults = Object.values(queue)
    const kinds: string[] = []
    for (const { meddler } of faults) kinds.push(faultOf(await ask(world(), { meddler })).kind)
    expect(kinds).toEqual(faults.map(({ kind }) => kind))
    expect(answerOf(await ask(world())).text).toBe(answer.text)
  })

  test('names each error in the words of the engine', async () => {
    for (const [what, { status, body, headers, kind, code }] of Object.entries(world().standIn.errors)) {
      const fault = faultOf(
        await ask(world(), {
          meddler: () => Response.json(body, { status, ...(headers ? { headers } : {}) }),
        }),
      )
      expect([what, fault.kind]).toEqual([what, kind])
      if (code !== undefined) expect([what, fault.code]).toEqual([what, code])
    }
  })

  test.each(Object.entries(passingFaults))('says that %s passes', async (_, meddler) => {
    expect(passing).toContain(faultOf(await ask(world(), { meddler })).kind)
  })

  test.each(Object.entries(unreadableAnswers))(
    'never takes %s for an answer, or for no answer',
    async (_, lie) => {
      const fault = faultOf(await ask(world(), { meddler: (honest) => lie(honest) }))
      expect(['unreadable', 'refused', ...passing]).toContain(fault.kind)
      expect(fault.answer).toBeUndefined()
    },
  )

  test('reads no more of a huge answer than it must', async () => {
    const pulled = { bytes: 0 }
    const chunk = new Uint8Array(2 ** 20).fill(32)
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          pulled.bytes += chunk.length
          if (pulled.bytes > 64 * 2 ** 20) controller.close()
          else controller.enqueue(chunk)
        },
      })
    const fault = faultOf(await ask(world(), { meddler: () => new Response(endless()) }))
    expect(fault.kind).toBe('unreadable')
    expect(pulled.bytes).toBeLessThan(16 * 2 ** 20)
  })

  test('gives up in time, and when the caller stops', async () => {
    const never: Meddler = (_, __, { signal }) =>
      new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const late = faultOf(await ask(world(), { meddler: never, timeoutMs: 10 }))
    expect([late.kind, late.code, late.cost?.basis]).toEqual(['unavailable', 'no_answer', 'at_most'])
    expect(Number(late.cost?.usd)).toBeGreaterThanOrEqual(suite.costUsd)
    const stop = new AbortController()
    const asked = ask(world(), { meddler: never, signal: stop.signal })
    stop.abort(new Error('the job was called off'))
    await expect(asked).rejects.toThrow('the job was called off')
  })

  test('repeats no key in a message', async () => {
    const [, key] = suite.secret
    for (const status of [400, 401, 403, 404, 429, 500]) {
      const body = { error: { message: `The key ${key} is wrong`, type: 'x', code: 1, status: 'X' } }
      const fault = faultOf(await ask(world(), { meddler: () => Response.json(body, { status }) }))
      expect(JSON.stringify(fault)).not.toContain(key)
      if (status === 401 && fault.kind === 'refused') expect(fault.message).toContain(suite.secret[0])
    }
  })
}

/** Ways in which one field of an honest answer is not as it should be. Undefined: it is left out. */
const damages: Readonly<Record<string, unknown>> = { missing: undefined, null: null, 'of another type': -17 }

/** Returns the cost of an outcome, whatever it is. */
const costOf = (outcome: EngineOutcome) => {
  const answer = outcome.ok ? outcome.answer : outcome.fault.answer
  if (answer) return answer.cost_usd
  return outcome.ok ? null : (outcome.fault.cost?.usd ?? null)
}

/** What Renown reads of an answer. */
const readingOf = ({ text, cited, consulted, queries, model_answered, search_calls }: EngineAnswer) =>
  JSON.stringify({ text, cited, consulted, queries, model_answered, search_calls })

function testForms(suite: VisibilityEngineSuite, world: () => World) {
  const askWith = (body: unknown) =>
    ask(world(), { meddler: (own, nth) => (nth === 1 ? Response.json(body) : own) })

  let known: Promise<(readonly (string | number)[])[]> | undefined
  /** Places of strings that the text consists of: another string there is another text. */
  async function textPlaces(body: unknown, honest: string) {
    const places: (readonly (string | number)[])[] = []
    for (const path of pathsOf(body)) {
      const value = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], body)
      if (typeof value !== 'string' || !honest.includes(value)) continue
      const other = await askWith(replaced(body, path, 'Zyx wvu'))
      if (other.ok && other.answer.text !== honest && other.answer.text.includes('Zyx wvu')) places.push(path)
    }
    return places
  }

  test.each(Object.entries(damages))(
    'keeps the text and the cost of an answer of which one field is %s, and names it',
    async (damage, value) => {
      await ask(world())
      const honest = answerOf(await ask(world()))
      expect(honest.odd).toEqual([])
      const body: unknown = JSON.parse(world().answered[0] ?? 'null')
      known ??= textPlaces(body, honest.text)
      const texts = await known
      expect(texts.length).toBeGreaterThan(0)
      const silent: string[] = []
      for (const path of pathsOf(body)) {
        if (path.length === 0 || (value === undefined && typeof path.at(-1) === 'number')) continue
        const outcome = await askWith(replaced(body, path, value))
        const where = path.join('.')
        expect([where, Number(costOf(outcome)) >= Number(honest.cost_usd) - 1e-9]).toEqual([where, true])
        const kind = where.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, 'n')
        if (damage !== 'of another type' && suite.saysNone?.includes(kind)) continue
        // The place has words of the answer, or is around them.
        if (texts.some((text) => path.every((key, at) => key === text[at]))) {
          if (outcome.ok && readingOf(outcome.answer) !== readingOf(honest))
            expect([where, outcome.answer.odd.length > 0]).toEqual([where, true])
          if (!outcome.ok) expect([where, outcome.fault.kind]).toEqual([where, 'unreadable'])
          continue
        }
        expect([where, outcome.ok && outcome.answer.text]).toEqual([where, honest.text])
        const { answer: found } = outcome as { readonly answer: EngineAnswer }
        if (readingOf(found) !== readingOf(honest) && found.odd.length === 0) silent.push(kind)
      }
      expect([...new Set(silent)]).toEqual([])
    },
    60_000,
  )

  test('keeps an answer that ended in a way that nobody knows yet, and names the way', async () => {
    await ask(world())
    const honest = answerOf(await ask(world()))
    const body: unknown = JSON.parse(world().answered[0] ?? 'null')
    const ends = ['status', 'stop_reason', 'finishReason']
    for (const path of pathsOf(body).filter((one) => ends.includes(String(one.at(-1))))) {
      const outcome = await askWith(replaced(body, path, 'ZZ_NEW'))
      const { text, cost_usd, odd } = answerOf(outcome)
      expect([path.join('.'), text, cost_usd]).toEqual([path.join('.'), honest.text, honest.cost_usd])
      if (path.length === 1 || path.at(-1) === 'finishReason') expect(odd.join()).toContain('ZZ_NEW')
    }
  })

  test('never takes words of a part of an unknown type for the answer, and names the type', async () => {
    await ask(world())
    const honest = answerOf(await ask(world()))
    const body: unknown = JSON.parse(world().answered[0] ?? 'null')
    for (const path of pathsOf(body).filter((one) => one.at(-1) === 'type')) {
      const outcome = await askWith(replaced(body, path, 'zz_new'))
      const found = outcome.ok ? outcome.answer : outcome.fault.answer
      const where = path.join('.')
      expect([where, Number(costOf(outcome)) >= Number(honest.cost_usd) - 1e-9]).toEqual([where, true])
      if (!outcome.ok) expect([where, outcome.fault.kind]).toEqual([where, 'unreadable'])
      if (found && readingOf(found) !== readingOf(honest))
        expect([where, found.odd.length > 0]).toEqual([where, true])
    }
  })
}

function testModels(world: () => World) {
  test('lists its models, or throws', async () => {
    const { engine, ctx, meddle } = world()
    if (!engine.models) return
    meddle(null)
    const listed = await engine.models(ctx, AbortSignal.timeout(45_000))
    expect(listed.map(({ id }) => id)).toContain(engine.model(ctx))
    const ending = listed.filter(({ endsOn }) => endsOn !== undefined)
    for (const { endsOn } of ending) expect(endsOn).toMatch(/^\d{4}-\d\d-\d\d$/)
    for (const [what, lie] of Object.entries(unreadableAnswers)) {
      meddle((honest) => lie(honest))
      const outcome = await engine.models(ctx, AbortSignal.timeout(45_000)).catch((error: unknown) => error)
      expect([what, isServiceFault(outcome)]).toEqual([what, true])
    }
  })
}
