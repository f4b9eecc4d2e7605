import { afterEach, beforeEach, expect, test } from 'bun:test'
import { getShareOfVoice } from '../../../../plugins/visibility/operations/getShareOfVoice'
import { getVisibilitySummary } from '../../../../plugins/visibility/operations/getVisibilitySummary'
import { competitorsSection } from '../../../../plugins/visibility/report/competitors-section'
import { visibilitySection } from '../../../../plugins/visibility/report/visibility-section'
import { collectedBy, figureIn, figuresIn } from '../../../support/checked-section'
import { edgeCases } from '../../../support/edge-cases'
import { type Ran, type VisibilityBench, visibilityBench } from '../support/bench'

let held: VisibilityBench
beforeEach(async () => {
  held = await visibilityBench()
})
afterEach(() => held.bench.stop())

const period = { date_from: '2026-02-01', date_to: '2026-02-28', days: 28 }
const previous = { date_from: '2026-01-01', date_to: '2026-01-31', days: 31 }
const days = { date_from: period.date_from, date_to: period.date_to }
const visibility = (location = 'loc_1') =>
  collectedBy(visibilitySection, held.bench.read('wsp_1'), { location, period, previous })
const competitors = () => collectedBy(competitorsSection, held.bench.read('wsp_1'), { period, previous })

/** Answers on the days of a month from the 2nd on, of which the first `k` name the brand. */
async function series(month: string, k: number, n: number, row: Ran = {}) {
  for (let day = 0; day < n; day++) {
    const started_at = `${month}-${String(day + 2).padStart(2, '0')}T12:00:00.000Z`
    await held.run({ brand_mentioned: day < k, started_at, ...row })
  }
}
const named = (...names: string[]) => names.map((name) => ({ name, position: 1 }))

test('a location without a tracker has neither part', async () => {
  expect(await visibility('loc_2')).toBeNull()
  const asked = { location: 'loc_2', period, previous }
  expect(await collectedBy(competitorsSection, held.bench.read('wsp_1'), asked)).toBeNull()
})

test('the figures are those of the operation, and are compared with the month before', async () => {
  await held.prompt('vpr_1')
  await series('2026-02', 18, 20)
  await series('2026-01', 4, 20)
  const { data, blocks = [] } = (await visibility()) ?? {}
  const answer = await held.ask(getVisibilitySummary, { location_id: 'loc_1', ...days })
  const { rate, ci95, effective_n } = answer.totals.mention_rate_v2
  expect(data?.total).toMatchObject({ rate: { rate, ci95, k: 18, n: 20 }, effective_n, is_same: true })
  expect(data?.by_engine[0]?.rate.rate).toBe(answer.by_engine[0]?.mention_rate_v2.rate as number)
  expect(figureIn(blocks, 'visibility.mention_rate')).toMatchObject({
    value: 0.9,
    previous: 0.2,
    n: 20,
    interval: { low: ci95?.[0], high: ci95?.[1] },
  })
  expect(data?.won).toMatchObject([{ text: 'vpr_1?', rate: 0.9 }])
  expect(data?.lost).toEqual([])
})

test('with other questions only what both periods asked is compared, and the figure says why', async () => {
  for (const id of ['vpr_1', 'vpr_2', 'vpr_3']) await held.prompt(id)
  await series('2026-02', 20, 20)
  await series('2026-01', 2, 20)
  await series('2026-02', 0, 20, { prompt_id: 'vpr_2' })
  await series('2026-01', 20, 20, { prompt_id: 'vpr_3' })
  const { blocks = [] } = (await visibility()) ?? {}
  expect(figureIn(blocks, 'visibility.mention_rate')).toMatchObject({
    value: 0.5,
    not_comparable_because: 'the questions changed: 1 came and 1 left',
  })
  expect(figureIn(blocks, 'visibility.mention_rate').previous).toBeUndefined()
  expect(figureIn(blocks, 'visibility.common')).toMatchObject({ value: 1, previous: 0.1, n: 20 })
})

test('a new model, a day without answers and failures are notes, and no answers are unknown', async () => {
  await held.prompt('vpr_1')
  await series('2026-01', 10, 20, { model_asked: 'model-1' })
  await series('2026-02', 10, 20, { model_asked: 'model-2' })
  for (let n = 0; n < 20; n++)
    await held.run({ status: 'error', error: 'cut', started_at: '2026-02-25T12:00:00.000Z' })
  const { blocks = [] } = (await visibility()) ?? {}
  expect(figureIn(blocks, 'visibility.mention_rate')).toMatchObject({
    value: 0.5,
    not_comparable_because: 'the model of an assistant changed',
  })
  const notes = blocks.flatMap((one) => (one.kind === 'note' ? [one.text] : [])).join('\n')
  expect(notes).toContain('from model-1 to model-2 on 2 Feb 2026')
  expect(notes).toContain('On 25 Feb 2026, ChatGPT answered 0 of 20 questions')
  expect(notes).toContain('20 questions got no answer')
  const empty = { date_from: '2025-06-01', date_to: '2025-06-30', days: 30 }
  const none = await collectedBy(visibilitySection, held.bench.read('wsp_1'), {
    period: empty,
    previous: { date_from: '2025-05-01', date_to: '2025-05-31', days: 31 },
  })
  expect(figureIn(none?.blocks ?? [], 'visibility.mention_rate')).toMatchObject({
    value: null,
    unknown_because: 'there are no answers in this period',
  })
})

test('several trackers of a location are in one table, and each has its share of voice', async () => {
  await held.tracker({ id: 'vtr_2', name: 'Second', brand_name: 'Nova', competitors: [{ name: 'Rival' }] })
  await held.tracker({ id: 'vtr_3', name: 'Elsewhere', location_id: 'loc_2' })
  await held.prompt('vpr_1')
  await held.prompt('vpr_2', { tracker_id: 'vtr_2' })
  await held.prompt('vpr_3', { tracker_id: 'vtr_3', location_id: 'loc_2' })
  await series('2026-02', 8, 10)
  await series('2026-02', 2, 10, { tracker_id: 'vtr_2', prompt_id: 'vpr_2' })
  await series('2026-02', 10, 10, { tracker_id: 'vtr_3', prompt_id: 'vpr_3', location_id: 'loc_2' })
  const { data, blocks = [] } = (await visibility()) ?? {}
  expect(data?.by_tracker.map(({ name, rate }) => [name, rate.rate])).toEqual([
    ['Acme tracker', 0.8],
    ['Second', 0.2],
  ])
  expect(figureIn(blocks, 'visibility.mention_rate').value).toBe(0.5)
  const voices = await competitors()
  expect(figuresIn(voices?.blocks ?? []).map(({ id }) => id)).toEqual([
    'competitors.share',
    'competitors.share_2',
  ])
})

test('the share of voice is that of the operation, with the interval of each name', async () => {
  await held.prompt('vpr_1')
  await series('2026-02', 20, 20, { competitor_mentions: named('Beta') })
  await series('2026-01', 5, 20, { competitor_mentions: named('Beta', 'Gamma') })
  const { data, blocks = [] } = (await competitors()) ?? {}
  const answer = await held.ask(getShareOfVoice, { tracker_id: 'vtr_1', ...days })
  const earlier = await held.ask(getShareOfVoice, {
    tracker_id: 'vtr_1',
    date_from: previous.date_from,
    date_to: previous.date_to,
  })
  expect(data?.trackers[0]?.voices.map(({ name, share }) => [name, share])).toEqual(
    answer.voices.map(({ name, share_of_voice_v2 }) => [name, share_of_voice_v2]),
  )
  expect(figureIn(blocks, 'competitors.share')).toMatchObject({
    value: 0.5,
    n: 40,
    previous: earlier.voices.find(({ is_brand }) => is_brand)?.share_of_voice_v2.rate,
  })
  const chart = blocks.find((one) => one.kind === 'chart')
  expect(chart?.labels.toSorted()).toEqual(['Acme', 'Beta', 'Gamma'])
  expect(chart?.series.map(({ name }) => name)).toEqual(['This period', 'Before'])
})

test('names and questions of strangers stay text, and both parts stay small', async () => {
  const rivals = Array.from({ length: 60 }, (_, n) => ({ name: `${n} ${edgeCases[n % edgeCases.length]}` }))
  await held.tracker({ id: 'vtr_2', name: edgeCases[0] as string, competitors: rivals })
  for (let n = 0; n < 40; n++) {
    const text = `${n} ${edgeCases[n % edgeCases.length]}?`
    await held.prompt(`vpr_${n}`, { tracker_id: 'vtr_2', text })
    await held.run({
      tracker_id: 'vtr_2',
      prompt_id: `vpr_${n}`,
      started_at: '2026-02-10T12:00:00.000Z',
      competitor_mentions: rivals.slice(0, 30).map(({ name }) => ({ name, position: 1 })),
    })
  }
  const found = await visibility()
  const voices = await competitors()
  expect(found?.data.weakest.length).toBe(10)
  expect(voices?.data.trackers[1]).toMatchObject({ more_voices: 41 })
  expect(voices?.data.trackers[1]?.voices.some(({ is_brand }) => is_brand)).toBe(true)
  expect(JSON.stringify([found?.data, voices?.data]).length).toBeLessThan(60_000)
})
