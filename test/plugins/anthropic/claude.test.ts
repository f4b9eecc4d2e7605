import { describe, expect, test } from 'bun:test'
import { testVisibilityEngine } from 'renown/testing'
import { askEngine } from 'renown/visibility'
import anthropic from '../../../plugins/anthropic'
import { claude } from '../../../plugins/anthropic/claude'
import { platformWorld } from '../../support/source-world'
import { createAnthropic } from '../../support/stand-ins/engines/anthropic'

const key = 'sk-ant-test-key'
const settings = { ANTHROPIC_URL: 'http://anthropic.test/v1' }

testVisibilityEngine({
  plugin: anthropic,
  name: 'anthropic',
  secret: ['ANTHROPIC_API_KEY', key],
  settings,
  standIn: () =>
    createAnthropic({
      key,
      models: [
        { id: 'claude-haiku-5-5', type: 'model', lifecycle: 'active', retires_at: null },
        {
          id: 'claude-sonnet-4-5',
          type: 'model',
          lifecycle: 'deprecated',
          retires_at: '2026-11-30T00:00:00Z',
        },
      ],
    }),
  saysNone: ['content.n.citations', 'content.n.citations.n.title', 'content.n.content.n.title'],
  costBasis: 'computed',
  costUsd: 0.011,
  capsSearches: true,
  givesSpans: true,
})

describe('an answer that Claude pauses', () => {
  const told = {
    text: 'Acme is good.',
    queries: ['acme'],
    found: [{ url: 'https://acme.example/', title: 'Acme' }],
    cited: [{ url: 'https://acme.example/', title: 'Acme', quote: 'Acme' }],
  }
  async function ask(pauses: number, searchesMax: number) {
    const standIn = createAnthropic({ key })
    standIn.pauses = pauses
    standIn.set(told)
    const bodies: { messages: { role: string }[]; tools: { max_uses: number }[] }[] = []
    const world = await platformWorld(
      { plugin: anthropic, settings: { ...settings, ANTHROPIC_API_KEY: key } },
      async (request) => {
        bodies.push((await request.clone().json()) as (typeof bodies)[number])
        return standIn.fetch(request)
      },
    )
    try {
      const question = { prompt: 'Who is good?', country: 'GB', language: 'en', searchesMax }
      const outcome = await askEngine(world.ctx, claude, question)
      return { outcome, bodies, complaints: standIn.complaints }
    } finally {
      await world.stop()
    }
  }

  test('is continued with what it said, within the searches that are left', async () => {
    const { outcome, bodies, complaints } = await ask(2, 3)
    expect(outcome).toMatchObject({
      ok: true,
      answer: { text: told.text, search_calls: 1, cost_usd: expect.closeTo(0.013, 9) },
    })
    expect(outcome.ok && (outcome.answer.raw as unknown[]).length).toBe(3)
    expect(bodies.map(({ messages }) => messages.map(({ role }) => role).join())).toEqual([
      'user',
      'user,assistant',
      'user,assistant,assistant',
    ])
    expect(bodies.map(({ tools }) => tools[0]?.max_uses)).toEqual([3, 2, 2])
    expect(complaints).toEqual([])
  })

  test('is truncated when it never ends, or when its searches are used up', async () => {
    const endless = await ask(99, 3)
    expect([endless.bodies.length, endless.outcome.ok]).toEqual([4, false])
    const used = await ask(99, 1)
    expect(used.bodies).toHaveLength(1)
    expect(used.outcome).toMatchObject({
      ok: false,
      fault: { kind: 'truncated', answer: { search_calls: 1 } },
    })
  })
})
