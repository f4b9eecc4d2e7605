import { afterEach, beforeEach, expect, test } from 'bun:test'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import traffic from '../../../../plugins/traffic'
import { getAiTrafficSummary } from '../../../../plugins/traffic/operations/getAiTrafficSummary'
import { AiTrafficDaily } from '../../../../plugins/traffic/records/AiTrafficDaily'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import type { Day } from '../../../../plugins/traffic/records/days'
import { trafficSection } from '../../../../plugins/traffic/report/traffic-section'
import { collectedBy, figureIn } from '../../../support/checked-section'
import { edgeCases } from '../../../support/edge-cases'
import { type Workbench, workbench } from '../../../support/workbench'
import { dayOf } from '../support/day'

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([tenancy, traffic])
})
afterEach(() => bench.stop())

const period = { date_from: '2026-02-01', date_to: '2026-02-28', days: 28 }
const previous = { date_from: '2026-01-01', date_to: '2026-01-31', days: 31 }
const collect = (asked = { period, previous }) => collectedBy(trafficSection, bench.read('wsp_1'), asked)
const putSite = (id: string, location_id = 'loc_1', timezone = 'UTC') =>
  bench.collection(AiTrafficSite).insert({
    id,
    workspace_id: 'wsp_1',
    location_id,
    domain: `${id}.example`,
    timezone,
    site_key: id,
    is_active: true,
    count_search_engines: false,
    respect_dnt: true,
    forwarder_token_last4: 'abcd',
    forwarder_token_hash: id,
    created_date: '2025-01-01T00:00:00.000Z',
    updated_date: '2025-01-01T00:00:00.000Z',
  })
const put = (day: Partial<Day>) => bench.collection(AiTrafficDaily).insert({ ...dayOf(day) })
const crawled = (hits: number, verified = 0, spoofed = 0, path = '/a') => ({
  crawler_hits: hits,
  verified_hits: verified,
  spoofed_hits: spoofed,
  by_category: { ai_answers: hits, search_index: 0, training: 0, other_ai: 0 },
  by_agent: {
    'ChatGPT-User': { hits, verified, spoofed, category: 'ai_answers' as const, operator: 'OpenAI' },
  },
  top_paths: [{ path, hits }],
})

test('a location without a site has no part about traffic', async () => {
  await putSite('sit_2', 'loc_2')
  expect(await collect()).toBeNull()
})

test('its figures are those of the operation, for the sites of the location only', async () => {
  await putSite('sit_1')
  await putSite('sit_2', 'loc_2')
  await put({ date: '2025-12-01', ...crawled(1), referral_visits: 1 })
  await put({ date: '2026-01-05', ...crawled(10, 4), referral_visits: 2 })
  await put({
    date: '2026-02-03',
    ...crawled(30, 20, 5),
    referral_visits: 4,
    by_referrer: { 'chatgpt.com': 4 },
  })
  await put({ site_id: 'sit_2', location_id: 'loc_2', date: '2026-02-03', ...crawled(900) })
  const found = await collect()
  const { date_from, date_to } = period
  const asked = { location_id: 'loc_1', date_from, date_to }
  const answer = await bench.ask(getAiTrafficSummary, asked)
  expect(found?.data.totals).toEqual(answer.totals)
  expect(found?.data.verified_share).toEqual(answer.verified_share)
  expect(found?.data).toMatchObject({
    sites: 1,
    is_compared: { hits: true, visits: true },
    totals: { crawler_hits: 30, verified_hits: 20, spoofed_hits: 5, unchecked_hits: 5, referral_visits: 4 },
    previous: { crawler_hits: 10, referral_visits: 2 },
    by_operator: [{ operator: 'OpenAI', crawled: 25, verified: 20, spoofed: 5, sent: 4 }],
    pages: [{ domain: 'sit_1.example', path: '/a', hits: 30 }],
  })
  const blocks = found?.blocks ?? []
  expect(figureIn(blocks, 'traffic.crawls')).toMatchObject({ value: 30, previous: 10 })
  expect(figureIn(blocks, 'traffic.visits')).toMatchObject({ value: 4, previous: 2 })
  expect(figureIn(blocks, 'traffic.verified')).toMatchObject({ value: 0.666667, n: 30 })
  const chart = blocks.find((one) => one.kind === 'chart')
  expect(chart?.series.map(({ values }) => [values.length, values[2]])).toEqual([
    [28, 30],
    [28, 4],
  ])
})

test('the previous period is compared only if all of it was counted, and unknown is not 0', async () => {
  await putSite('sit_1')
  await put({ date: '2026-01-05', ...crawled(10, 4) })
  await put({ date: '2026-02-03', ...crawled(30, 20, 5) })
  const { blocks = [] } = (await collect()) ?? {}
  expect(figureIn(blocks, 'traffic.crawls')).toMatchObject({
    value: 30,
    not_comparable_because: 'counting began on 5 Jan 2026',
  })
  expect(figureIn(blocks, 'traffic.crawls').previous).toBeUndefined()
  expect(figureIn(blocks, 'traffic.visits')).toMatchObject({
    value: null,
    unknown_because: 'nothing was counted yet',
  })
  const chart = blocks.find((one) => one.kind === 'chart')
  expect(chart?.series.map(({ name }) => name)).toEqual(['Crawler hits'])
})

test('days before counting began are gaps, and a long period is shown by week', async () => {
  await putSite('sit_1')
  await put({ date: '2026-02-01', ...crawled(7) })
  const long = { date_from: '2025-12-01', date_to: '2026-02-28', days: 90 }
  const before = { date_from: '2025-09-02', date_to: '2025-11-30', days: 90 }
  const { blocks = [] } = (await collect({ period: long, previous: before })) ?? {}
  const values = blocks.find((one) => one.kind === 'chart')?.series[0]?.values ?? []
  expect(values.length).toBe(13)
  // 1 February is inside the week from 26 January, which was not counted completely.
  expect(values.slice(8)).toEqual([null, 0, 0, 0, 0])
  expect(JSON.stringify(blocks)).toContain('Crawler hits are counted since 1 Feb 2026')
})

test('a day that has not begun at the sites is left out, and its period is not compared', async () => {
  await putSite('sit_1', 'loc_1', 'America/Los_Angeles')
  bench.now = new Date('2026-03-15T02:00:00.000Z')
  await put({ date: '2025-01-01', ...crawled(1) })
  await put({ date: '2026-03-14', ...crawled(3) })
  const { blocks = [] } =
    (await collect({
      period: { date_from: '2026-03-01', date_to: '2026-03-15', days: 15 },
      previous: { date_from: '2026-02-14', date_to: '2026-02-28', days: 15 },
    })) ?? {}
  expect(figureIn(blocks, 'traffic.crawls')).toMatchObject({
    value: 3,
    not_comparable_because: 'the period is not over',
  })
  const today = { date_from: '2026-03-15', date_to: '2026-03-15', days: 1 }
  const yesterday = { date_from: '2026-03-14', date_to: '2026-03-14', days: 1 }
  expect(await collect({ period: today, previous: yesterday })).toBeNull()
})

test('names and paths of strangers stay text, and the part stays small', async () => {
  await putSite('sit_1')
  const paths = Array.from({ length: 25 }, (_, n) => ({
    path: `/${n}${edgeCases[n % edgeCases.length]}`,
    hits: 25 - n,
  }))
  const hostile = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `agent ${n}`,
      {
        hits: 60 - n,
        verified: 0,
        spoofed: n === 0 ? 60 : 0,
        category: 'training' as const,
        operator: `${n} ${edgeCases[n % edgeCases.length]}`,
      },
    ]),
  )
  await put({ date: '2026-02-03', ...crawled(325, 0, 60), by_agent: hostile, top_paths: paths })
  const { data, blocks = [] } = (await collect()) ?? {}
  expect([data?.by_operator.length, data?.more_operators]).toEqual([15, 45])
  expect([data?.pages.length, data?.more_pages]).toEqual([15, 10])
  expect(blocks.find((one) => one.kind === 'next')?.items[0]?.text).toContain('60 hits')
  expect(JSON.stringify(data).length).toBeLessThan(25_000)
})

test('paths are printed in their own letters, without characters that deceive', async () => {
  await putSite('sit_1')
  const paths = ['/gr%C3%B6%C3%9Fe', '/%E2%80%AEb']
  await put({ date: '2026-02-03', ...crawled(9), top_paths: paths.map((path, n) => ({ path, hits: 9 - n })) })
  const { blocks = [] } = (await collect()) ?? {}
  const table = blocks.find((one) => one.kind === 'table' && one.title.startsWith('Pages'))
  expect(JSON.stringify(table)).toContain('"/größe"')
  expect(JSON.stringify(table)).toContain('"/%E2%80%AEb"')
})
