import { describe, expect, test } from 'bun:test'
import { type FaultKind, ServiceFault, unreadable } from 'renown'
import {
  askEngine,
  type EngineQuestion,
  type EngineReply,
  engineId,
  findEngine,
  type VisibilityEngine,
} from '../../../../plugins/visibility/contract'
import { engineFault } from '../../../../plugins/visibility/engines/ask-engine'
import { part } from '../../../support/part'

const reply: EngineReply = {
  ended: 'complete',
  text: 'Acme is good.',
  cited: [],
  consulted: [],
  queries: [],
  searchCalls: 1,
  modelAsked: 'm-1',
  modelAnswered: 'm-1-2026',
  placePinned: 'country',
  cost: { usd: 0.01, basis: 'reported' },
  raw: { id: 1 },
}
const question: EngineQuestion = { prompt: 'Best plumber?', country: 'GB', language: 'en' }

function engineWith(answer: () => Partial<EngineReply>, more: Partial<VisibilityEngine> = {}) {
  const asked: (EngineQuestion & { searchesMax: number })[] = []
  const engine: VisibilityEngine = {
    name: 'fake',
    engine: 'chatgpt',
    label: 'ChatGPT',
    provider: 'direct',
    access: 'api',
    place: 'country',
    needs: () => [],
    model: () => 'm-1',
    async ask(_, given) {
      asked.push(given)
      return { ...reply, ...answer() }
    },
    ...more,
  }
  return { engine, asked }
}
const ask = (answer: () => Partial<EngineReply>, more: Partial<VisibilityEngine> = {}, given = question) =>
  askEngine(part({}), engineWith(answer, more).engine, given)

describe('askEngine', () => {
  test('returns the answer with what was asked, what answered, and what it cost', async () => {
    expect(await ask(() => ({ queries: ['best plumber', 'best plumber', ' '] }))).toEqual({
      ok: true,
      answer: {
        text: 'Acme is good.',
        cited: [],
        consulted: [],
        queries: ['best plumber'],
        search_calls: 1,
        model_asked: 'm-1',
        model_answered: 'm-1-2026',
        place_pinned: 'country',
        cost_usd: 0.01,
        cost_basis: 'reported',
        odd: [],
        raw: { id: 1 },
      },
    })
  })

  test('caps searches and time where the question does not', async () => {
    const { engine, asked } = engineWith(() => ({}))
    await askEngine(part({}), engine, question)
    await askEngine(part({}), engine, { ...question, searchesMax: 1, timeoutMs: 5_000 })
    expect(asked.map(({ searchesMax, timeoutMs }) => [searchesMax, timeoutMs])).toEqual([
      [3, 120_000],
      [1, 5_000],
    ])
  })

  test('asks nothing without access, and names the settings', async () => {
    const { engine, asked } = engineWith(() => ({}), { needs: () => ['A_KEY', 'B_KEY'] })
    expect(await askEngine(part({}), engine, question)).toEqual({
      ok: false,
      fault: {
        kind: 'unavailable',
        code: 'no_access',
        needs: ['A_KEY', 'B_KEY'],
        message: 'ChatGPT is not set up: set A_KEY and B_KEY.',
      },
    })
    expect(asked).toEqual([])
  })

  test.each(['', '  ', 'x'.repeat(2_001)])('asks nothing for a prompt that is no prompt', async (prompt) => {
    const { engine, asked } = engineWith(() => ({}))
    const outcome = await askEngine(part({}), engine, { ...question, prompt })
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'refused', code: 'prompt' } })
    expect(asked).toEqual([])
  })

  test('asks nothing from a country that the engine does not take', async () => {
    const { engine, asked } = engineWith(() => ({}), { takesCountry: (country) => country === 'DE' })
    const outcome = await askEngine(part({}), engine, question)
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'refused', code: 'country' } })
    expect((await askEngine(part({}), engine, { ...question, country: null })).ok).toBe(true)
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['truncated', { ended: 'truncated' }, undefined],
    ['no_answer', { ended: 'refusal' }, 'refusal'],
    ['no_answer', { ended: 'none', text: '' }, undefined],
    ['no_answer', { text: ' \n' }, 'empty'],
  ] as const)('returns %s with what was paid for', async (kind, told, code) => {
    const outcome = await ask(() => told)
    expect(outcome).toMatchObject({ ok: false, fault: { kind, answer: { cost_usd: 0.01, raw: { id: 1 } } } })
    if (!outcome.ok) expect(outcome.fault.code).toBe(code as string)
  })

  test('throws the reason of a caller who stops, and errors of our own code', async () => {
    const stop = AbortSignal.abort(new Error('stopped'))
    await expect(ask(() => ({}), {}, { ...question, signal: stop })).rejects.toThrow('stopped')
    const bug = () => {
      throw new TypeError('x is undefined')
    }
    await expect(ask(bug)).rejects.toThrow('x is undefined')
  })
})

describe('a fault of a service', () => {
  const faultOf = (kind: FaultKind, more: { code?: string; retryAfterMs?: number } = {}) =>
    engineFault(new ServiceFault(kind, 'why', more))

  test('says whether a retry can help', () => {
    expect(faultOf('auth', { code: '401' })).toEqual({ kind: 'refused', message: 'why', code: '401' })
    expect(faultOf('permission').kind).toBe('refused')
    expect(faultOf('permanent').kind).toBe('refused')
    expect(faultOf('unsupported').kind).toBe('refused')
    expect(faultOf('quota', { code: 'insufficient_quota' }).kind).toBe('refused')
    expect(faultOf('quota', { retryAfterMs: 60_000 })).toMatchObject({
      kind: 'limited',
      retry_after_ms: 60_000,
    })
    expect(faultOf('rate').kind).toBe('limited')
    expect(faultOf('transient', { code: '529', retryAfterMs: 9 })).toMatchObject({
      kind: 'unavailable',
      retry_after_ms: 9,
    })
    expect(engineFault(unreadable('the answer', 'it is not JSON')).kind).toBe('unreadable')
    expect(faultOf('permanent', { code: 'too_large' }).kind).toBe('unreadable')
  })
})

describe('sources', () => {
  const sourcesOf = async (told: Partial<EngineReply>) => {
    const outcome = await ask(() => told)
    return outcome.ok ? outcome.answer : null
  }

  test('are listed once, with each part of the text that they stand for', async () => {
    const acme = { url: 'https://www.acme.example/a?utm_source=openai&x=1', title: ' Acme\n' }
    const answer = await sourcesOf({
      cited: [
        { ...acme, span: { start: 0, end: 4 } },
        { url: 'https://b.example/' },
        { ...acme, span: { start: 8, end: 12 } },
        { ...acme, span: { start: 8, end: 99 } },
      ],
      consulted: [{ url: 'https://b.example/' }, { url: 'https://c.example/?utm_source=news' }],
    })
    expect(answer?.cited).toEqual([
      {
        url: 'https://www.acme.example/a?x=1',
        domain: 'acme.example',
        title: 'Acme',
        spans: [
          { start: 0, end: 4 },
          { start: 8, end: 12 },
        ],
      },
      { url: 'https://b.example/', domain: 'b.example' },
    ])
    expect(answer?.consulted).toEqual([{ url: 'https://c.example/', domain: 'c.example' }])
  })

  test('are never dropped for an address that leads nowhere', async () => {
    const answer = await sourcesOf({
      cited: [
        { url: 'https://redirect.example/1', title: 'Acme.example', isUnresolved: true },
        { url: 'javascript:alert(1)', title: 'b.example' },
        { url: '', title: 'A page without a domain' },
      ],
    })
    expect(answer?.cited).toEqual([
      { url: null, domain: 'acme.example', title: 'Acme.example', isUnresolved: true },
      { url: null, domain: 'b.example', title: 'b.example', isUnresolved: true },
      { url: null, domain: '', title: 'A page without a domain', isUnresolved: true },
    ])
  })

  test('are bounded in number', async () => {
    const cited = Array.from({ length: 1_000 }, (_, n) => ({ url: `https://${n}.example/` }))
    expect((await sourcesOf({ cited }))?.cited).toHaveLength(300)
  })
})

test('an engine is found by its id, its version and its provider', () => {
  const usual = engineWith(() => ({}), { engine: 'gemini' }).engine
  const older = { ...usual, version: 'v1' }
  expect([engineId(usual), engineId(older)]).toEqual(['gemini', 'gemini:v1'])
  expect(findEngine([older, usual], 'gemini', 'direct')).toBe(usual)
  expect(findEngine([older, usual], 'gemini:v1', 'direct')).toBe(older)
  expect(findEngine([older, usual], 'gemini', 'recorded')).toBeUndefined()
})
