import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { getAnswer } from '../../../plugins/visibility/operations/getAnswer'
import { getPromptPerformance } from '../../../plugins/visibility/operations/getPromptPerformance'
import { getShareOfVoice } from '../../../plugins/visibility/operations/getShareOfVoice'
import { getVisibilitySummary } from '../../../plugins/visibility/operations/getVisibilitySummary'
import { listCitedSources } from '../../../plugins/visibility/operations/listCitedSources'
import { mentionRate } from '../../../plugins/visibility/sums/metrics'
import { type Ran, type VisibilityBench, visibilityBench } from './support/bench'

let held: VisibilityBench
beforeEach(async () => {
  held = await visibilityBench()
})
afterEach(() => held.bench.stop())

const named = (brand_position?: number): Ran => ({
  brand_mentioned: true,
  ...(brand_position === undefined ? {} : { brand_position }),
})
const times = async (count: number, row: Ran) => {
  for (let n = 0; n < count; n++) await held.run(row)
}
const february = { started_at: '2026-02-01T12:00:00.000Z' }

/** Prompt 1: 3 of 4 answers of chatgpt name the brand and 1 of 2 of claude's; before 1 of 4. Prompt 2: nothing. */
async function someRuns() {
  await held.prompt('vpr_1')
  await held.prompt('vpr_2', { status: 'paused' })
  await held.run({ ...named(1), brand_cited: true })
  await held.run(named(3))
  await held.run(named())
  await held.run()
  await held.run({ ...named(2), engine: 'claude', started_at: '2026-03-02T00:00:00.000Z' })
  await held.run({ engine: 'claude', country: 'DE' })
  await held.run({ status: 'error', error: 'cut' })
  await held.run({ status: 'no_answer' })
  await held.run({ ...named(1), workspace_id: 'wsp_2' })
  await held.run({ ...february, ...named(2) })
  await times(3, february)
}

describe('getPromptPerformance', () => {
  const ask = (input: object = {}, where: object = {}) =>
    held.ask(getPromptPerformance, { tracker_id: 'vtr_1', ...input }, where)

  test('counts by hand: answers alone are the denominator', async () => {
    await someRuns()
    const answer = await ask()
    expect(answer.period).toEqual({ date_from: '2026-02-16', date_to: '2026-03-15', days: 28 })
    expect(answer).toMatchObject({ definition_version: 'visibility@1', total: 2, has_more: false })
    expect(answer.definitions).toEqual({
      mention_rate: 'visibility.mention_rate@1',
      citation_rate: 'visibility.citation_rate@1',
    })
    const [first, second] = answer.prompts
    expect(first).toMatchObject({
      prompt_id: 'vpr_1',
      runs: 6,
      mentions: 4,
      mention_rate: 0.666667,
      mention_rate_ci: [0.299993, 0.903229],
      citations: 1,
      citation_rate: 0.166667,
      avg_position: 2,
      previous: { runs: 4, mentions: 1, mention_rate: 0.25, avg_position: 2 },
      change_significant: false,
    })
    expect(first?.by_engine.map((one) => [one.engine, one.runs, one.mentions, one.avg_position])).toEqual([
      ['chatgpt', 4, 3, 2],
      ['claude', 2, 1, 2],
    ])
    expect(second).toMatchObject({
      runs: 0,
      mention_rate: null,
      mention_rate_ci: null,
      avg_position: null,
      by_engine: [],
      change_significant: null,
    })
  })

  test('calls a change significant when chance does not explain it', async () => {
    await held.prompt('vpr_1')
    await times(18, named())
    await times(2, {})
    await times(4, { ...february, ...named() })
    await times(16, february)
    expect((await ask()).prompts[0]?.change_significant).toBe(true)
  })

  test('narrows, pages and sorts; prompts without a value come last both ways', async () => {
    await someRuns()
    await held.prompt('vpr_0')
    await held.run({ prompt_id: 'vpr_0' })
    const order = async (input: object) => (await ask(input)).prompts.map(({ prompt_id }) => prompt_id)
    expect(await order({})).toEqual(['vpr_1', 'vpr_0', 'vpr_2'])
    expect(await order({ sort: 'mention_rate' })).toEqual(['vpr_0', 'vpr_1', 'vpr_2'])
    expect(await order({ limit: 1, skip: 1 })).toEqual(['vpr_0'])
    expect((await ask({ engine: 'claude', country: 'de' })).prompts[0]).toMatchObject({
      runs: 1,
      mentions: 0,
    })
  })

  test('takes days from the workspace’s zone', async () => {
    await held.prompt('vpr_1')
    await held.run({ started_at: '2026-03-14T20:00:00.000Z' })
    const runs = async (timezone: string) => (await ask({ days: 1 }, { timezone })).prompts[0]?.runs
    expect([await runs('Asia/Tokyo'), await runs('UTC')]).toEqual([1, 0])
  })

  test('knows no tracker of another workspace', async () => {
    await expect(ask({}, { workspace: 'wsp_2' })).rejects.toThrow('There is no tracker')
    await expect(ask({ tracker_id: 'vtr_0' })).rejects.toThrow('There is no tracker')
  })
})

describe('getVisibilitySummary', () => {
  test('adds up by engine, tracker, status and week', async () => {
    await someRuns()
    await held.tracker({ id: 'vtr_2', brand_name: 'Other', location_id: 'loc_2' })
    await held.run({ ...named(1), tracker_id: 'vtr_2', location_id: 'loc_2' })
    const answer = await held.ask(getVisibilitySummary)
    expect(answer.totals).toMatchObject({ runs: 7, mentions: 5, citations: 1 })
    expect(answer.previous).toMatchObject({ runs: 4, mentions: 1 })
    expect(answer.by_status.map((one) => [one.status, one.runs])).toEqual([
      ['ok', 7],
      ['not_judged', 0],
      ['no_answer', 1],
      ['error', 1],
      ['refused', 0],
    ])
    expect(answer.by_engine.map((one) => [one.engine, one.runs, one.previous_mention_rate])).toEqual([
      ['chatgpt', 5, 0.25],
      ['claude', 2, null],
    ])
    for (const { previous, previous_mention_rate } of [...answer.by_engine, ...answer.by_tracker]) {
      const { k, n, rate, ci95 } = mentionRate.of(previous.mentions, previous.runs)
      expect([previous.mention_rate, previous.mention_rate_ci, previous_mention_rate, k, n]).toEqual([
        rate,
        ci95,
        rate,
        previous.mentions,
        previous.runs,
      ])
    }
    expect(answer.by_tracker.map((one) => [one.brand_name, one.runs, one.mentions])).toEqual([
      ['Acme', 6, 4],
      ['Other', 1, 1],
    ])
    expect(answer.trend).toEqual([
      { week: '2026-03-02', runs: 1, mentions: 1, mention_rate: 1, mention_rate_ci: [0.206549, 1] },
      {
        week: '2026-03-09',
        runs: 6,
        mentions: 4,
        mention_rate: 0.666667,
        mention_rate_ci: [0.299993, 0.903229],
      },
    ])
    expect((await held.ask(getVisibilitySummary, { location_id: 'loc_2' })).totals.runs).toBe(1)
    expect((await held.ask(getVisibilitySummary, {}, { workspace: 'wsp_3' })).by_tracker).toEqual([])
  })
})

describe('getShareOfVoice', () => {
  test('counts each answer once for each one that it names; shares add up to 1', async () => {
    const rivals = (...names: [string, number?][]): Ran => ({
      competitor_mentions: names.map(([name, position]) => ({ name, ...(position ? { position } : {}) })),
    })
    await held.run({ ...named(1), ...rivals(['Beta', 2], ['Beta', 3]) })
    await held.run({ ...named(2), ...rivals(['Beta', 1], ['Gamma', 3]) })
    await held.run(rivals(['Beta', 1]))
    await held.run(rivals(['Stranger', 1]))
    await held.run({ status: 'refused', ...rivals(['Gamma', 1]) })
    await held.run({ ...february, ...named(1) })
    const answer = await held.ask(getShareOfVoice, { tracker_id: 'vtr_1' })
    expect([answer.answers, answer.previous_answers]).toEqual([4, 1])
    expect(
      answer.voices.map((one) => [
        one.name,
        one.is_brand,
        one.share_of_voice.k,
        one.share_of_voice.n,
        one.avg_position,
        one.previous_share,
      ]),
    ).toEqual([
      ['Beta', false, 3, 6, 1.3333, 0],
      ['Acme', true, 2, 6, 1.5, 1],
      ['Gamma', false, 1, 6, 3, 0],
    ])
    expect(answer.voices.map(({ presence }) => [presence.k, presence.n])).toEqual([
      [3, 4],
      [2, 4],
      [1, 4],
    ])
  })

  test('leaves out answers to prompts that name the brand, and offers the figure with them', async () => {
    await held.prompt('vpr_open', { text: 'Who bakes bread here?' })
    await held.prompt('vpr_branded', { text: 'Is Acme any good?' })
    const beta: Ran = { competitor_mentions: [{ name: 'Beta' }] }
    await held.run({ ...named(1), ...beta, prompt_id: 'vpr_open' })
    await held.run({ ...beta, prompt_id: 'vpr_open' })
    await held.run({ ...february, ...named(1), prompt_id: 'vpr_branded' })
    for (let n = 0; n < 3; n++) await held.run({ ...named(1), prompt_id: 'vpr_branded' })
    const answer = await held.ask(getShareOfVoice, { tracker_id: 'vtr_1' })
    expect([answer.answers, answer.branded_answers, answer.previous_branded_answers]).toEqual([5, 3, 1])
    const told = answer.voices.map((one) => [
      one.name,
      one.share_of_voice_v2.k,
      one.share_of_voice_v2.n,
      one.presence_v2.n,
      one.share_of_voice.k,
      one.share_of_voice.n,
      one.presence.n,
      one.previous_share_of_voice_v2.n,
      one.previous_share_of_voice.n,
    ])
    expect(told).toEqual([
      ['Beta', 2, 3, 2, 2, 6, 5, 0, 1],
      ['Acme', 1, 3, 2, 4, 6, 5, 0, 1],
      ['Gamma', 0, 3, 2, 0, 6, 5, 0, 1],
    ])
  })

  test('answers no share where nobody was named', async () => {
    await held.run()
    const { voices } = await held.ask(getShareOfVoice, { tracker_id: 'vtr_1' })
    expect(voices.map((one) => one.share_of_voice.rate)).toEqual([null, null, null])
  })
})

describe('listCitedSources', () => {
  const cite = (domain: string, path: string, cited: boolean, position?: number) => ({
    url: `https://${domain}/${path}`,
    domain,
    is_own: domain === 'acme.example',
    cited,
    ...(position === undefined ? {} : { position }),
  })

  test('keeps cited and consulted apart and counts an answer once for each domain', async () => {
    await held.run({
      citations: [
        cite('guide.example', 'a', true, 1),
        cite('guide.example', 'b', true, 3),
        cite('acme.example', '', false),
      ],
    })
    await held.run({
      engine: 'claude',
      citations: [cite('guide.example', 'a', true, 2), cite('acme.example', '', true, 1)],
    })
    await held.run({ citations: [cite('guide.example', 'c', false)] })
    await held.run({ status: 'error', citations: [cite('guide.example', 'a', true)] })
    const answer = await held.ask(listCitedSources)
    expect(answer).toMatchObject({ answers: 3, total: 2, has_more: false })
    expect(answer.sources).toMatchObject([
      {
        domain: 'guide.example',
        is_own: false,
        cited: { definition: 'visibility.cited_share@1', k: 2, n: 3, rate: 0.666667 },
        citations: 3,
        consulted: 1,
        avg_position: 2,
        engines: ['chatgpt', 'claude'],
        pages: [
          { url: 'https://guide.example/a', citations: 2 },
          { url: 'https://guide.example/b', citations: 1 },
        ],
      },
      { domain: 'acme.example', is_own: true, cited: { k: 1 }, citations: 1, consulted: 1, avg_position: 1 },
    ])
    const domains = async (input: object) =>
      (await held.ask(listCitedSources, { ...input })).sources.map(({ domain }) => domain)
    expect(await domains({ own: true })).toEqual(['acme.example'])
    expect(await domains({ own: false })).toEqual(['guide.example'])
    expect(await domains({ limit: 1, skip: 1 })).toEqual(['acme.example'])
    expect(await domains({ engine: 'perplexity' })).toEqual([])
  })

  test('reads past a page of runs', async () => {
    const rows = Array.from({ length: 1_003 }, () =>
      held.run({ citations: [cite('guide.example', 'a', true)] }),
    )
    await Promise.all(rows)
    expect((await held.ask(listCitedSources)).sources[0]).toMatchObject({ citations: 1_003 })
  })
})

describe('a list that is read in parts', () => {
  const parts: Record<string, (skip: number) => Promise<{ names: string[]; total: number; more: boolean }>> =
    {
      async getPromptPerformance(skip) {
        const input = { tracker_id: 'vtr_1', limit: 2, skip }
        const { prompts, total, has_more } = await held.ask(getPromptPerformance, input)
        return { names: prompts.map(({ prompt_id }) => prompt_id), total, more: has_more }
      },
      async listCitedSources(skip) {
        const { sources, total, has_more } = await held.ask(listCitedSources, { limit: 2, skip })
        return { names: sources.map(({ domain }) => domain), total, more: has_more }
      },
    }

  test.each(Object.entries(parts))('%s says of each part whether more follow', async (_, part) => {
    const five = [1, 2, 3, 4, 5]
    for (const n of five) await held.prompt(`vpr_${n}`)
    const citations = five.map((n) => ({
      url: `https://guide${n}.example/`,
      domain: `guide${n}.example`,
      is_own: false,
      cited: true,
    }))
    await held.run({ citations })
    const read = await Promise.all([0, 2, 4].map(part))
    expect(read.map(({ more }) => more)).toEqual([true, true, false])
    const whole = read.flatMap(({ names }) => names)
    expect([whole.length, new Set(whole).size, ...read.map(({ total }) => total)]).toEqual([5, 5, 5, 5, 5])
    // Full to the last place, and past the end.
    expect([(await part(3)).more, (await part(5)).more]).toEqual([false, false])
  })
})

describe('getAnswer', () => {
  test('answers a run by its id, or the latest answer to a prompt', async () => {
    await held.prompt('vpr_1')
    await held.run({ id: 'old', started_at: '2026-03-01T00:00:00.000Z', country: 'DE' })
    await held.run({ id: 'new' })
    await held.run({ id: 'failed', status: 'error', error: 'cut', started_at: '2026-03-11T00:00:00.000Z' })
    const ask = async (input: object) => (await held.ask(getAnswer, { ...input })).run.id
    expect(await held.ask(getAnswer, { run_id: 'failed' })).toMatchObject({
      question: 'vpr_1?',
      brand_name: 'Acme',
      run: { id: 'failed', status: 'error' },
    })
    expect(await ask({ prompt_id: 'vpr_1' })).toBe('new')
    // An answer that nobody judges is an answer.
    await held.run({ id: 'unjudged', status: 'not_judged', engine: 'gemini', answer_text: 'はい' })
    expect(await ask({ prompt_id: 'vpr_1', engine: 'gemini' })).toBe('unjudged')
    expect(await ask({ prompt_id: 'vpr_1', country: 'de' })).toBe('old')
    await expect(ask({ prompt_id: 'vpr_1', engine: 'claude' })).rejects.toThrow('no such answer')
    await expect(held.ask(getAnswer, { run_id: 'new' }, { workspace: 'wsp_2' })).rejects.toThrow(
      'no such run',
    )
    for (const input of [{}, { run_id: 'new', prompt_id: 'vpr_1' }, { run_id: 'new', engine: 'claude' }]) {
      await expect(ask(input)).rejects.toThrow()
    }
  })
})
