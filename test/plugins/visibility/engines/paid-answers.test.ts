import { afterEach, describe, expect, test } from 'bun:test'
import type { PluginDeclaration } from 'renown'
import { askEngine, type EngineOutcome, visibilityEngine } from 'renown/visibility'
import * as v from 'valibot'
import anthropic from '../../../../plugins/anthropic'
import dataforseo from '../../../../plugins/dataforseo'
import { fetchLive } from '../../../../plugins/dataforseo/ask'
import gemini from '../../../../plugins/gemini'
import mistral from '../../../../plugins/mistral'
import openai from '../../../../plugins/openai'
import perplexity from '../../../../plugins/perplexity'
import { billedPrice, priceOf } from '../../../../plugins/visibility/engines/prices'
import { faultedRun } from '../../../../plugins/visibility/runs/judged-run'
import xai from '../../../../plugins/xai'
import { type PlatformWorld, platformWorld } from '../../../support/source-world'

let world: PlatformWorld | undefined
afterEach(() => world?.stop())

const words = 'Acme is a good plumber in Leeds, and people recommend it for boilers.'

interface Service {
  readonly plugin: PluginDeclaration
  readonly engine: string
  readonly version?: string
  readonly settings: Readonly<Record<string, string>>
  readonly honest: () => Record<string, unknown>
}

const responses = (model: string, usage: object) => ({
  id: 'r1',
  object: 'response',
  status: 'completed',
  error: null,
  incomplete_details: null,
  model,
  output: [
    { id: 'w1', type: 'web_search_call', status: 'completed', action: searched },
    {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: words, annotations: [] }],
    },
  ],
  usage,
})
const found = { type: 'url', url: 'https://acme.example/' }
const searched = { type: 'search', query: 'plumber', queries: ['plumber'], sources: [found] }
const tokens = { input_tokens: 8000, output_tokens: 400, total_tokens: 8400 }

const services: Readonly<Record<string, Service>> = {
  openai: {
    plugin: openai,
    engine: 'chatgpt',
    settings: { OPENAI_URL: 'http://ai.test/v1', OPENAI_API_KEY: 'sk-test-key' },
    honest: () => responses('gpt-6-luna', tokens),
  },
  xai: {
    plugin: xai,
    engine: 'grok',
    settings: { XAI_URL: 'http://ai.test/v1', XAI_API_KEY: 'xk-test-key' },
    honest: () => responses('grok-4.3', { ...tokens, cost_in_usd_ticks: 150_000_000 }),
  },
  perplexity: {
    plugin: perplexity,
    engine: 'perplexity',
    settings: { PERPLEXITY_URL: 'http://ai.test/v1', PERPLEXITY_API_KEY: 'pk-test-key' },
    honest: () => ({
      ...responses('perplexity/sonar', {
        ...tokens,
        cost: { currency: 'USD', total_cost: 0.008 },
        tool_calls_details: { web_search: { invocation: 1 } },
      }),
      output: [
        { type: 'search_results', queries: ['plumber'], results: [] },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: words, annotations: [] }],
        },
      ],
    }),
  },
  anthropic: {
    plugin: anthropic,
    engine: 'claude',
    settings: { ANTHROPIC_URL: 'http://ai.test/v1', ANTHROPIC_API_KEY: 'ak-test-key' },
    honest: () => ({
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-5-5',
      content: [{ type: 'text', text: words, citations: null }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 8000, output_tokens: 400 },
    }),
  },
  mistral: {
    plugin: mistral,
    engine: 'mistral',
    settings: { MISTRAL_URL: 'http://ai.test/v1', MISTRAL_API_KEY: 'mk-test-key' },
    honest: () => ({
      conversation_id: 'c1',
      outputs: [{ type: 'message.output', role: 'assistant', model: 'mistral-medium-2508', content: words }],
      usage: { prompt_tokens: 8000, completion_tokens: 400, total_tokens: 8400 },
    }),
  },
  gemini: {
    plugin: gemini,
    engine: 'gemini',
    settings: { GEMINI_URL: 'http://ai.test/v1beta', GEMINI_API_KEY: 'gk-test-key' },
    honest: () => ({
      id: 'i1',
      status: 'completed',
      model: 'gemini-3.8-flash',
      steps: [{ type: 'model_output', content: [{ type: 'text', text: words }] }],
      usage: { total_input_tokens: 8000, total_output_tokens: 400, total_tokens: 8400 },
    }),
  },
  'gemini v1': {
    plugin: gemini,
    engine: 'gemini',
    version: 'v1',
    settings: { GEMINI_URL: 'http://ai.test/v1beta', GEMINI_API_KEY: 'gk-test-key' },
    honest: () => ({
      candidates: [{ content: { role: 'model', parts: [{ text: words }] }, finishReason: 'STOP', index: 0 }],
      modelVersion: 'gemini-3.8-flash',
      usageMetadata: { promptTokenCount: 8000, candidatesTokenCount: 400, totalTokenCount: 8400 },
    }),
  },
}

/** Opens a service that answers with the bodies of JSON in their order. The last one stays. */
async function open({ plugin, engine: name, version, settings }: Service) {
  const held = { bodies: [''], calls: 0 }
  const opened = await platformWorld({ plugin, settings }, async (_: Request) => {
    const body = held.bodies[Math.min(held.calls++, held.bodies.length - 1)] ?? ''
    const status = body.startsWith('{"refused"') ? 529 : 200
    return new Response(body, { status, headers: { 'content-type': 'application/json' } })
  })
  world = opened
  const engine = opened.ctx
    .extensions(visibilityEngine)
    .find((one) => one.engine === name && one.provider === 'direct' && one.version === version)
  if (!engine) throw new Error(`${name} is missing`)
  return (...bodies: string[]): Promise<EngineOutcome> => {
    Object.assign(held, { bodies, calls: 0 })
    return askEngine(opened.ctx, engine, { prompt: 'Who is good?', country: 'GB', language: 'en-GB' })
  }
}

const storable = v.object({
  text: v.literal(words),
  cost_usd: v.pipe(v.number(), v.finite(), v.minValue(0.0001), v.maxValue(1_000)),
  search_calls: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1e9)),
})
const answerOf = (outcome: EngineOutcome) => (outcome.ok ? outcome.answer : outcome.fault.answer)
/** Whether the text and a cost of an outcome are kept, in a form that can be stored. */
const isKept = (outcome: EngineOutcome) => v.is(storable, answerOf(outcome))

/** Every number of a value, each replaced in a copy. */
function* numbersIn(value: unknown, path: readonly (string | number)[] = []): Generator<(string | number)[]> {
  if (typeof value === 'number') yield [...path]
  else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) yield* numbersIn(one, [...path, key])
  }
}

function withAt(value: unknown, [first, ...rest]: readonly (string | number)[], put: unknown): unknown {
  if (first === undefined) return put
  const copy = structuredClone(value) as Record<string | number, unknown>
  copy[first] = withAt(copy[first], rest, put)
  return copy
}

const json = (value: unknown) => JSON.stringify(value).replaceAll('"@huge@"', '1e400')

describe.each(Object.entries(services))('%s', (_, service) => {
  test('a number that no usage has loses no answer, and never makes it free', async () => {
    const ask = await open(service)
    const honest = service.honest()
    expect(await ask(json(honest))).toMatchObject({ ok: true, answer: { text: words, odd: [] } })
    const wrong: unknown[] = []
    for (const path of numbersIn(honest)) {
      const where = path.join('.')
      // A small price of a service is its word.
      const puts = [0, ...(where.includes('cost') ? [] : [0.5]), -1, '@huge@', 1e17, '12', null]
      for (const put of puts) {
        const outcome = await ask(json(withAt(honest, path, put)))
        if (!outcome.ok || !isKept(outcome)) wrong.push([where, put, outcome])
      }
    }
    let zeros: unknown = honest
    for (const path of numbersIn(honest)) zeros = withAt(zeros, path, 0)
    const free = await ask(json(zeros))
    if (!free.ok || !isKept(free) || free.answer.odd.length === 0) wrong.push(['all', 0, free])
    expect(wrong).toEqual([])
  })

  test('an error beside a text does not make it free, nor lose it', async () => {
    const ask = await open(service)
    const wrong: unknown[] = []
    const additions = [
      { error: { message: 'late', code: 'server_error' } },
      { error: { message: 'late', code: 'server_error' }, status: 'failed' },
      { type: 'error', error: { type: 'api_error', message: 'late' } },
      { error: 'late' },
      { message: 'late' },
      { detail: 'late' },
      { status: 'failed' },
      { stop_reason: 'brand_new' },
    ]
    for (const more of additions) {
      const outcome = await ask(json({ ...service.honest(), ...more }))
      if (!isKept(outcome)) wrong.push([more, outcome])
    }
    expect(wrong).toEqual([])
  })
})

test('a further turn that fails does not lose the turns before it', async () => {
  const ask = await open(services.anthropic as Service)
  const paused = { ...services.anthropic?.honest(), stop_reason: 'pause_turn' }
  for (const second of [
    '{"refused":true}',
    '{"type":"error","error":{"type":"api_error","message":"x"}}',
    'x',
  ]) {
    const outcome = await ask(json(paused), second)
    expect(outcome).toMatchObject({
      ok: false,
      fault: { kind: 'truncated', answer: { cost_basis: 'at_most' } },
    })
    expect(isKept(outcome)).toBe(true)
    expect(outcome.ok ? null : faultedRun(outcome.fault)).toMatchObject({
      status: 'error',
      answer_text: words,
    })
  }
})

test('an answer from memory, because no search worked, is kept with its cost and is no answer', async () => {
  const claude = services.anthropic as Service
  const content = [
    { type: 'web_search_tool_result', content: { type: 'x', error_code: 'too_many_requests' } },
    { type: 'text', text: words, citations: null },
  ]
  const outcome = await (await open(claude))(json({ ...claude.honest(), content }))
  expect(outcome).toMatchObject({ ok: false, fault: { kind: 'limited', code: 'too_many_requests' } })
  expect(isKept(outcome)).toBe(true)
  await world?.stop()
  const steps = [
    { type: 'google_search_call', arguments: { queries: ['plumber'] } },
    { type: 'google_search_result', is_error: true },
    { type: 'model_output', content: [{ type: 'text', text: words }] },
  ]
  const google = services.gemini as Service
  const second = await (await open(google))(json({ ...google.honest(), steps }))
  expect(second).toMatchObject({ ok: false, fault: { kind: 'unavailable', code: 'search_failed' } })
  expect(isKept(second)).toBe(true)
})

test('a price is known for a model and its versions only, and a dearer model that answers is billed', () => {
  const cheap = { input: 1, output: 2, search: 3 }
  const dear = { input: 10, output: 20, search: 3 }
  const table = { 'nova-5': cheap, 'nova-5-pro': dear }
  for (const version of ['', '-2026-08-07', '-20260807', '-latest', '-001', '-preview-05-20', '@20260807'])
    expect(priceOf(table, `nova-5${version}`)).toEqual({ price: cheap, isKnown: true })
  for (const other of ['nova-5-ultra', 'nova-51', 'nova-5-deep-research', 'nova-5.x', 'nova'])
    expect(priceOf(table, other)).toEqual({ price: dear, isKnown: false })
  expect(billedPrice(table, 'nova-5', 'nova-5-pro', null)).toEqual({ price: dear, isKnown: true })
  expect(billedPrice(table, 'nova-5-pro', 'nova-5', null)).toEqual({ price: dear, isKnown: true })
  expect(billedPrice(table, 'nova-5', 'nova-5-pro', cheap)).toEqual({ price: cheap, isKnown: true })
})

test('a page of DataForSEO with a result is never free, and an amount that no page has is not known', async () => {
  const settings = { DATAFORSEO_URL: 'http://ai.test', DATAFORSEO_LOGIN: 'a', DATAFORSEO_PASSWORD: 'secret' }
  const held = { body: '' }
  world = await platformWorld(
    { plugin: dataforseo, settings },
    async (_: Request) => new Response(held.body, { headers: { 'content-type': 'application/json' } }),
  )
  const { ctx } = world
  const costOf = async (cost: unknown, own: unknown) => {
    const task = { status_code: 20_000, cost: own, result: [{ words }] }
    held.body = json({ status_code: 20_000, cost, tasks: [task] })
    return (await fetchLive(ctx, 'x', v.object({ words: v.string() }), { json: [] })).cost
  }
  const costs = [
    [0.004, 0.004],
    [0, 0.004],
    [0.004, 0],
    [0, 0],
    ['@huge@', null],
    ['@huge@', 0.004],
  ]
  const told = []
  for (const [cost, own] of costs) told.push(await costOf(cost, own))
  expect(told).toEqual([0.004, 0.004, 0.004, null, null, 0.004])
})
