import { afterAll, beforeAll, expect, test } from 'bun:test'
import visibility from '../../../plugins/visibility'
import { VisibilityPrompt } from '../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../plugins/visibility/records/VisibilityRun'
import { VisibilityTracker } from '../../../plugins/visibility/records/VisibilityTracker'
import { rescoreTracker } from '../../../plugins/visibility/runs/rescore'
import { type Gate, startGate } from '../../support/harness'
import { describeGateStores } from '../../support/mongo'

/** The same rows and the same numbers, written by hand, for both stores. */
describeGateStores('figures of AI visibility on %s', (_, open) => {
  let gate: Gate
  let tracker_id = ''
  let stored: Awaited<ReturnType<typeof open>>
  const prompts: string[] = []
  beforeAll(async () => {
    stored = await open()
    gate = await startGate({ plugins: [visibility], ...(stored ? { documents: stored } : {}) })
    const tracker = await gate.put(VisibilityTracker, {
      location_id: 'loc_1',
      name: 'Acme',
      brand_name: 'Acme',
      brand_aliases: [],
      provider: 'recorded',
      competitors: [{ name: 'Beta' }, { name: 'Gamma' }],
      engines: ['chatgpt', 'claude'],
      is_active: true,
      run_frequency_hours: 24,
      brand_domain: 'acme.example',
    })
    tracker_id = tracker.id
    for (const text of ['Who is good?', 'Is Acme any good?']) {
      const prompt = await gate.put(VisibilityPrompt, {
        tracker_id,
        location_id: 'loc_1',
        text,
        language: 'en',
        country: 'GB',
        tags: [],
        intent: 'local',
        status: 'active',
        source: 'user',
      })
      prompts.push(prompt.id)
    }
    for (let n = 0; n < 12; n++) await gate.put(VisibilityRun, runOf(n))
  })
  afterAll(async () => {
    await gate.stop()
    await stored?.close()
  })

  /** Twelve runs: a failed one, two engines, two countries, a branded prompt, and one that does not know the brand. */
  const runOf = (n: number) => ({
    tracker_id,
    location_id: 'loc_1',
    prompt_id: prompts[n % 4 === 3 ? 1 : 0] ?? '',
    batch_id: 'b',
    engine: n % 2 === 0 ? 'chatgpt' : 'claude',
    provider: 'recorded',
    access: 'recorded' as const,
    country: n < 8 ? 'GB' : 'DE',
    status: n === 10 ? ('error' as const) : ('ok' as const),
    started_at: new Date(gate.clock.now().getTime() - (n + 1) * 3_600_000).toISOString(),
    search_queries: [],
    ...(n === 10 ? { error: 'cut' } : { answer_text: textOf(n) }),
    brand_mentioned: n % 3 === 0,
    brand_cited: n === 0,
    definition_version: 'visibility@1',
    ...(n === 1 ? { stance: 'unknown_to_engine' as const } : {}),
    competitor_mentions:
      n % 3 === 0 ? [] : [{ name: 'Beta' }, ...(n % 3 === 2 ? [{ name: 'Gamma', position: 2 }] : [])],
    citations:
      n === 0 ? [{ url: 'https://acme.example/a/', domain: 'acme.example', is_own: true, cited: true }] : [],
  })
  const textOf = (n: number) =>
    n % 3 === 0 ? 'Acme.' : n === 1 ? 'I have no information about Acme. Beta.' : 'Beta.'
  const call = async (name: string, input: object) => (await gate.call(name, input)).json()

  test('getPromptPerformance splits by engine and country, and says to whom prompts are lost', async () => {
    const { prompts: lines } = (await call('getPromptPerformance', { tracker_id })) as {
      prompts: {
        by_country: { country: string; runs: number; mentions: number }[]
        lost_to: object[]
        runs: number
      }[]
    }
    const line = lines.find(({ runs }) => runs === 8)
    expect(line?.by_country.map(({ country, runs, mentions }) => [country, runs, mentions])).toEqual([
      ['DE', 2, 1],
      ['GB', 6, 2],
    ])
    expect(line).toMatchObject({
      mentions: 3,
      is_branded: false,
      mention_rate_v2: { k: 3, n: 8, cells: 4 },
      lost_to: [
        { name: 'Beta', lost: { k: 5, n: 5 } },
        { name: 'Gamma', lost: { k: 3, n: 5 } },
      ],
    })
  })

  test('reconcileVisibility gives the same values and the same steps', async () => {
    const rulers = ['visibility.mention_rate@2', 'profound.visibility@1', 'peec.share_of_voice@1']
    const answer = (await call('reconcileVisibility', { tracker_id, rulers })) as {
      rulers: { k: number; n: number; value: number }[]
      comparisons: { difference: number; steps: { parts: string[]; answers: number; difference: number }[] }[]
    }
    expect(answer).toMatchObject({ answers: 11, unanswered: 1 })
    expect(answer.rulers.map(({ k, n, value }) => [k, n, value])).toEqual([
      [3, 8, 0.375],
      [5, 11, 0.454545],
      [5, 16, 0.3125],
    ])
    for (const { difference, steps } of answer.comparisons) {
      const sum = steps.reduce((total, step) => total + Math.round(step.difference * 1e6), 0)
      expect(sum).toBe(Math.round(difference * 1e6))
    }
  })

  test('getPageJourney finds the citations of a page', async () => {
    expect(await call('getPageJourney', { path: '/a' })).toMatchObject({
      citations: { cited: { k: 1, n: 11 }, examples: [{ url: 'https://acme.example/a/' }] },
    })
  })

  test('scoring again changes what the rules find, once', async () => {
    const tracker = await gate.owner.rows(VisibilityTracker).get(tracker_id)
    if (!tracker) throw new Error('no tracker')
    expect(await rescoreTracker(gate.owner, tracker)).toEqual({ answers: 11, changed: 11, without_text: 0 })
    expect(await rescoreTracker(gate.owner, tracker)).toEqual({ answers: 11, changed: 0, without_text: 0 })
  })
})
