import { afterEach, beforeEach, expect, test } from 'bun:test'
import { getVisibilitySummary } from '../../../../plugins/visibility/operations/getVisibilitySummary'
import { type Ran, type VisibilityBench, visibilityBench } from '../support/bench'

let held: VisibilityBench
beforeEach(async () => {
  held = await visibilityBench()
})
afterEach(() => held.bench.stop())

/** Noon of a day before the bench's today, which is 15 March. */
const daysAgo = (days: number) => ({
  started_at: new Date(Date.parse('2026-03-15T12:00:00.000Z') - days * 86_400_000).toISOString(),
})
/** Runs on successive days, of which the first `k` name the brand. */
async function series(k: number, n: number, first: number, row: Ran = {}) {
  for (let day = 0; day < n; day++)
    await held.run({ brand_mentioned: day < k, ...daysAgo(first + day), ...row })
}

test('each cell has the same weight, however often it was asked', async () => {
  await held.prompt('vpr_1')
  await held.prompt('vpr_2')
  await series(8, 8, 1)
  await series(0, 2, 1, { prompt_id: 'vpr_2' })
  const { totals, by_engine, by_tracker } = await held.ask(getVisibilitySummary)
  expect(totals.mention_rate).toBe(0.8)
  expect(totals.mention_rate_v2).toMatchObject({
    definition: 'visibility.mention_rate@2',
    k: 8,
    n: 10,
    rate: 0.5,
    interval_basis: 'stratified',
    cells: 2,
    effective_n: 15,
    rounds: 8,
  })
  expect(by_engine[0]?.mention_rate_v2).toEqual(totals.mention_rate_v2)
  expect(by_tracker[0]?.mention_rate_v2).toEqual(totals.mention_rate_v2)
})

test('prompts that name the brand or an alias are left out, and so are removed ones', async () => {
  await held.tracker({
    id: 'vtr_2',
    location_id: 'loc_2',
    brand_name: 'Besta',
    brand_aliases: ['Müller & Co'],
  })
  await held.prompt('vpr_1', { tracker_id: 'vtr_2', text: 'Who is a good plumber?' })
  await held.prompt('vpr_2', { tracker_id: 'vtr_2', text: 'Is BESTA any good?' })
  await held.prompt('vpr_3', { tracker_id: 'vtr_2', text: 'Is Mueller and Co any good?' })
  // The brand of another tracker does not count.
  await held.prompt('vpr_4', { tracker_id: 'vtr_2', text: 'Is Acme any good?' })
  for (const prompt_id of ['vpr_1', 'vpr_2', 'vpr_3', 'vpr_4', 'vpr_removed']) {
    const brand_mentioned = prompt_id !== 'vpr_1'
    await held.run({ tracker_id: 'vtr_2', prompt_id, brand_mentioned })
  }
  const { totals } = await held.ask(getVisibilitySummary)
  expect([totals.mentions, totals.runs]).toEqual([4, 5])
  expect(totals.mention_rate_v2).toMatchObject({ k: 1, n: 2, rate: 0.5, interval_basis: 'pooled' })
})

test('a change is judged on the cells that both periods have', async () => {
  for (const id of ['vpr_1', 'vpr_2', 'vpr_3']) await held.prompt(id)
  await series(20, 20, 1)
  await series(2, 20, 31)
  await series(0, 20, 1, { prompt_id: 'vpr_2' })
  await series(20, 20, 31, { prompt_id: 'vpr_3' })
  const { totals, change_significant } = await held.ask(getVisibilitySummary)
  // All answers together, 20 of 40 against 22 of 40, would hide the change.
  expect(change_significant).toBe(true)
  expect(totals.change).toMatchObject({
    now: { k: 20, n: 20, rate: 1 },
    before: { k: 2, n: 20, rate: 0.1 },
    difference: 0.9,
    change_significant: true,
    common: 1,
    came: 1,
    left: 1,
  })
  expect(totals.change.ci95?.[0]).toBeGreaterThan(0.5)
})

test('without answers there is no rate and no change', async () => {
  const { totals } = await held.ask(getVisibilitySummary)
  expect(totals.mention_rate_v2).toMatchObject({ k: 0, n: 0, rate: null, ci95: null, interval_basis: 'none' })
  expect(totals.change).toMatchObject({ difference: null, ci95: null, change_significant: null, common: 0 })
})

test('a day on which an engine seldom answered is told and left out', async () => {
  await held.prompt('vpr_1')
  await series(0, 40, 2)
  await held.run({ brand_mentioned: true, ...daysAgo(1) })
  for (let n = 0; n < 19; n++) await held.run({ status: 'error', error: 'cut', ...daysAgo(1) })
  await held.run({ engine: 'claude', brand_mentioned: true, ...daysAgo(1) })
  const { incidents, totals, by_engine } = await held.ask(getVisibilitySummary)
  expect(incidents).toEqual([{ engine: 'chatgpt', day: '2026-03-14', answered: 1, unanswered: 19 }])
  expect(by_engine.map(({ mentions, mention_rate_v2 }) => [mentions, mention_rate_v2.k])).toEqual([
    [1, 0],
    [1, 1],
  ])
  expect(totals.mention_rate_v2).toMatchObject({ k: 1, rate: 0.5 })
})

test('a new model starts a new series, which is told and not compared with the old one', async () => {
  await held.prompt('vpr_1')
  await series(20, 20, 1, { model_asked: 'gpt-6' })
  await series(0, 20, 31, { model_asked: 'gpt-5' })
  await series(20, 20, 1, { engine: 'claude', model_asked: 'opus', model: 'opus-1' })
  await series(20, 20, 31, { engine: 'claude', model_asked: 'opus', model: 'opus-2' })
  // Answers that do not know their model are no change.
  await series(1, 1, 21, { engine: 'claude' })
  const { model_changes, totals, by_engine } = await held.ask(getVisibilitySummary)
  const [change, ...others] = model_changes
  expect(others).toEqual([])
  expect(change).toEqual({
    tracker_id: 'vtr_1',
    engine: 'chatgpt',
    from: 'gpt-5',
    to: 'gpt-6',
    at: daysAgo(20).started_at,
  })
  expect(totals.mention_rate_v2).toMatchObject({ cells: 2, rate: 1 })
  expect(totals.change).toMatchObject({ difference: 0, change_significant: false, common: 1, left: 0 })
  expect(by_engine.map((one) => [one.engine, one.change.change_significant, one.change.common])).toEqual([
    ['chatgpt', null, 0],
    ['claude', false, 1],
  ])
  const one = await held.ask(getVisibilitySummary, { days: 10 })
  expect([one.model_changes, one.totals.change.common]).toEqual([[], 2])
})
