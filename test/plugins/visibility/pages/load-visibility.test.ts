import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { differenceWords } from 'renown/web'
import { getShareOfVoice } from '../../../../plugins/visibility/operations/getShareOfVoice'
import { getVisibilitySummary } from '../../../../plugins/visibility/operations/getVisibilitySummary'
import { listCitedSources } from '../../../../plugins/visibility/operations/listCitedSources'
import { daysAgo, type PageBench, pageBench } from './support'

let held: PageBench
beforeEach(async () => {
  held = await pageBench()
})
afterEach(() => held.bench.stop())

const named = (name: string, position?: number) => ({ name, ...(position ? { position } : {}) })

describe('the figures of the page', () => {
  test('are those of the operations that the page offers for copying', async () => {
    await held.prompt('vpr_1')
    await held.prompt('vpr_2')
    await held.series(6, 10, 1, { stance: 'listed', competitor_mentions: [named('Beta', 1)] })
    await held.series(2, 10, 1, { prompt_id: 'vpr_2', engine: 'claude' })
    await held.series(9, 10, 31)
    const data = await held.load()
    const { totals, by_engine } = await held.ask(getVisibilitySummary)
    const { rate, change } = data.named
    expect(rate).toMatchObject({ rate: 0.4, k: 8, n: 20, cells: 2 })
    expect(rate).toMatchObject({
      rate: totals.mention_rate_v2.rate,
      ci95: totals.mention_rate_v2.ci95,
      effective_n: totals.mention_rate_v2.effective_n,
    })
    expect(change).toMatchObject({ difference: totals.change.difference, common: totals.change.common })
    expect(data.by_engine.map((one) => [one.engine, one.rate.rate])).toEqual(
      by_engine.map((one) => [one.engine, one.mention_rate_v2.rate]),
    )
    const { voices } = await held.ask(getShareOfVoice, { tracker_id: 'vtr_1' })
    expect(data.voices.map(({ name, share }) => [name, share.k, share.n])).toEqual(
      voices.map((one) => [one.name, one.share_of_voice_v2.k, one.share_of_voice_v2.n]),
    )
    const pooled = data.rulers.find(({ definition }) => definition === 'visibility.mention_rate@1')
    expect(pooled?.share.rate).toBe(totals.mention_rate)
  })

  test('keep naming apart from recommending', async () => {
    await held.prompt('vpr_1')
    await held.series(10, 10, 1, { stance: 'recommended' })
    await held.series(10, 10, 11, { stance: 'listed' })
    // Judged before there was a stance: whether they recommend is not known.
    await held.series(5, 5, 21)
    const { named, recommended } = await held.load()
    expect([named.rate.k, named.rate.n]).toEqual([25, 25])
    expect([recommended.rate.k, recommended.rate.n]).toEqual([10, 20])
  })

  test('say that a change is shown only where chance does not explain it', async () => {
    await held.prompt('vpr_1')
    await held.series(18, 20, 1)
    await held.series(2, 20, 31)
    const { named } = await held.load()
    expect(differenceWords(named.change).text).toBe('up 80 points')
    await held.series(10, 10, 41)
    expect(differenceWords((await held.load('days=7')).named.change).word).not.toBe('up')
  })

  test('leave out what no other period has, and say why they are not comparable', async () => {
    await held.prompt('vpr_1')
    await held.series(5, 10, 1, { model_asked: 'gpt-6' })
    await held.series(5, 10, 31, { model_asked: 'gpt-5' })
    const { named, model_changes } = await held.load()
    expect(differenceWords(named.change).word).toBe('not comparable')
    expect(model_changes).toEqual([{ label: 'ChatGPT', from: 'gpt-5', to: 'gpt-6', day: '2026-03-05' }])
  })

  test('of an address are narrowed to its assistant and country', async () => {
    await held.tracker({ id: 'vtr_2', location_id: 'loc_2', countries: ['DE', 'GB'], brand_name: 'Zeta' })
    await held.prompt('vpr_1', { tracker_id: 'vtr_2' })
    const row = { tracker_id: 'vtr_2' }
    await held.series(3, 4, 1, row)
    await held.series(1, 4, 1, { ...row, engine: 'claude' })
    await held.series(0, 4, 1, { ...row, country: 'DE' })
    const counts = async (query: string) => {
      const { rate } = (await held.load(query)).named
      return [rate.k, rate.n]
    }
    expect(await counts('tracker=vtr_2')).toEqual([4, 12])
    expect(await counts('tracker=vtr_2&engine=chatgpt')).toEqual([3, 8])
    expect(await counts('tracker=vtr_2&country=GB')).toEqual([4, 8])
    expect(await counts('location=loc_2&engine=claude&country=GB')).toEqual([1, 4])
    const { by_country, by_tracker, tracker } = await held.load()
    expect(by_country.map(({ label, rate }) => [label, rate.k])).toEqual([
      ['Germany', 0],
      ['United Kingdom', 4],
    ])
    expect([by_tracker.length, tracker]).toEqual([2, null])
  })
})

describe('the prompts of the page', () => {
  test('come with those first that the business loses, to whom, and where', async () => {
    for (const id of ['vpr_1', 'vpr_2', 'vpr_3']) await held.prompt(id)
    await held.prompt('vpr_4', { text: 'Is ACME any good?' })
    await held.series(4, 4, 1)
    const beta = { competitor_mentions: [named('Beta', 1), named('Gamma', 2)] }
    await held.series(1, 4, 1, { prompt_id: 'vpr_2', ...beta })
    await held.series(0, 4, 1, { prompt_id: 'vpr_2', engine: 'claude', competitor_mentions: [named('Beta')] })
    await held.series(4, 4, 1, { prompt_id: 'vpr_4' })
    const { prompts, losses, by_engine } = await held.load()
    expect(by_engine.map(({ label }) => label)).toEqual(['ChatGPT', 'Claude'])
    expect(prompts.map(({ id, cells, is_branded }) => [id, cells, is_branded])).toEqual([
      [
        'vpr_2',
        [
          { k: 1, n: 4 },
          { k: 0, n: 4 },
        ],
        false,
      ],
      ['vpr_1', [{ k: 4, n: 4 }, null], false],
      ['vpr_3', [null, null], false],
      ['vpr_4', [{ k: 4, n: 4 }, null], true],
    ])
    expect(losses).toHaveLength(1)
    expect(losses[0]).toMatchObject({
      id: 'vpr_2',
      lost: 7,
      worst: ['Claude 0 of 4', 'ChatGPT 1 of 4'],
      lost_to: [
        { name: 'Beta', answers: 7 },
        { name: 'Gamma', answers: 3 },
      ],
    })
  })

  test('that are more than fifty are cut, and all of them shown on request', async () => {
    for (let n = 0; n < 53; n++) await held.prompt(`vpr_${n}`)
    await held.series(1, 1, 1)
    const cut = await held.load()
    expect([cut.prompts.length, cut.more_prompts]).toEqual([53, 3])
    const whole = await held.load('prompts=all')
    expect([whole.prompts.length, whole.more_prompts]).toEqual([53, 0])
  })
})

describe('the sources of the page', () => {
  test('are counted by kind, once for each answer, and only where they are cited', async () => {
    const of = (domain: string, cited: boolean, is_own = false) => ({ domain, cited, is_own })
    const both = [of('acme.example', true, true), of('www.reddit.com', true), of('quora.com', true)]
    await held.run({ citations: both, ...daysAgo(1) })
    await held.run({ citations: [of('gamma.example', true), of('acme.example', false, true)], ...daysAgo(2) })
    const { kinds, sources } = await held.load()
    expect(kinds.map(({ kind, cited }) => [kind, cited.k, cited.n])).toEqual([
      ['own', 1, 2],
      ['competitor', 1, 2],
      ['social', 1, 2],
    ])
    const listed = await held.ask(listCitedSources)
    expect(sources.map(({ domain, cited }) => [domain, cited.k])).toEqual(
      listed.sources.map(({ domain, cited }) => [domain, cited.k]),
    )
  })
})

describe('certainty and cost', () => {
  test('count what is known and what is not', async () => {
    await held.prompt('vpr_1')
    await held.series(1, 2, 1, { cost: 0.25, cost_basis: 'computed', search_calls: 2 })
    await held.run({ ...daysAgo(3), cost_basis: 'unknown' })
    await held.run({ ...daysAgo(20), cost: 1, cost_basis: 'reported' })
    await held.run({ ...daysAgo(4), status: 'error', error: 'cut' })
    // An answer that nobody judges was paid for too.
    await held.run({ ...daysAgo(5), status: 'not_judged', answer_text: 'はい', cost_basis: 'unknown' })
    const { certainty } = await held.load()
    expect(certainty.costs).toEqual({
      runs: 6,
      answered: 5,
      failed: 1,
      usd: 1.5,
      unpriced: 2,
      searches: 4,
    })
    expect(certainty.usd_this_month).toBe(0.5)
    expect(certainty.stop).toBeNull()
  })

  test('tell the rounds of this month that a tracker with a rule still needs', async () => {
    await held.tracker({
      id: 'vtr_2',
      location_id: 'loc_2',
      stop_when: { half_width: 0.05, min_rounds: 5 },
      budget: { usd_per_month: 30 },
    })
    await held.prompt('vpr_1', { tracker_id: 'vtr_2' })
    await held.series(4, 6, 1, { tracker_id: 'vtr_2', cost: 0.1, cost_basis: 'computed' })
    const { certainty } = await held.load('tracker=vtr_2')
    expect(certainty.usd_per_month).toBe(30)
    expect(certainty.stop).toMatchObject({ rounds: 6, sure_until: null, min_rounds: 5 })
    expect(certainty.stop?.forecast.basis).toBe('measured')
  })

  test('forecast by the questions of a round and its pace, not by the answers of the month so far', async () => {
    const rule = { stop_when: { half_width: 0.05, min_rounds: 5 } }
    await held.tracker({ id: 'vtr_2', location_id: 'loc_2', ...rule })
    await held.tracker({ id: 'vtr_3', location_id: 'loc_3', run_frequency_hours: 168, ...rule })
    for (let place = 0; place < 20; place++)
      for (const tracker_id of ['vtr_2', 'vtr_3'])
        await held.prompt(`vpr_${tracker_id}_${place}`, { tracker_id })
    const forecastOf = async (id: string) => (await held.load(`tracker=${id}`)).certainty.stop?.forecast
    // 20 prompts on 2 engines, before the first answer.
    expect(await forecastOf('vtr_2')).toMatchObject({ answers: 40 * 31, sure_after_days: 8 })
    expect(await forecastOf('vtr_3')).toMatchObject({ answers: 40 * 4, sure_after_days: null })
    await held.run({ tracker_id: 'vtr_2', prompt_id: 'vpr_vtr_2_0', ...daysAgo(1) })
    expect(await forecastOf('vtr_2')).toMatchObject({ answers: 40 * 31, sure_after_days: 8 })
  })
})

test('an answer without figures says why, and a filter that cannot be used is named', async () => {
  expect((await held.load()).empty_because).toBe('not_asked_yet')
  expect((await held.load('engine=grok')).ignored.map(({ name }) => name)).toEqual(['engine'])
  await held.series(1, 1, 200)
  expect((await held.load()).empty_because).toBe('no_answers_in_period')
})

test('an assistant that cannot be asked says what it needs, except in a demo', async () => {
  await held.series(1, 1, 1)
  const troubles = (data: Awaited<ReturnType<PageBench['load']>>) => data.by_engine.map((one) => one.trouble)
  expect(troubles(await held.load())[0]).toBe('It is not set up: set VISIBILITY_RECORDED_FILE.')
  expect(troubles(await held.load('', { isDemo: true }))).toEqual([null, null])
})

test('how many reads it takes does not depend on how many prompts there are', async () => {
  const reads = async () => {
    held.bench.reads.count = 0
    await held.load()
    return held.bench.reads.count
  }
  await held.prompt('vpr_1')
  await held.series(1, 2, 1)
  const few = await reads()
  for (let n = 2; n < 40; n++) {
    await held.prompt(`vpr_${n}`)
    await held.run({ prompt_id: `vpr_${n}`, ...daysAgo(1) })
  }
  expect(await reads()).toBe(few)
  expect(few).toBeLessThanOrEqual(20)
})
