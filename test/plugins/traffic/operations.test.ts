import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { isRefusal } from '../../../core/contracts/errors'
import { tenancy } from '../../../core/product/tenancy-plugin'
import traffic from '../../../plugins/traffic'
import { getAiTrafficSummary } from '../../../plugins/traffic/operations/getAiTrafficSummary'
import { getReferralPages } from '../../../plugins/traffic/operations/getReferralPages'
import { getTopCrawledPages } from '../../../plugins/traffic/operations/getTopCrawledPages'
import { AiTrafficDaily } from '../../../plugins/traffic/records/AiTrafficDaily'
import type { Day } from '../../../plugins/traffic/records/days'
import { type Workbench, workbench } from '../../support/workbench'
import { dayOf } from './support/day'

let bench: Workbench
let home: string
let site: string
beforeEach(async () => {
  bench = await workbench([tenancy, traffic])
  home = (await bench.command('agency create', { name: 'Acme' })).workspace_id ?? ''
  await bench.command('location create', { business_name: 'Acme' })
  site = await siteOf('example.com')
})
afterEach(() => bench.stop())
const siteOf = async (domain: string, timezone = 'UTC') =>
  (await bench.command('site create', { domain, timezone })).site_id ?? ''
const put = (day: Partial<Day>) =>
  bench.collection(AiTrafficDaily).insert({ ...dayOf({ site_id: site, workspace_id: home, ...day }) })
const summary = async (input: Record<string, unknown> = {}, workspace = home) => {
  const answer = await getAiTrafficSummary.run(
    bench.read(workspace),
    v.parse(getAiTrafficSummary.input, input),
  )
  expect(v.is(getAiTrafficSummary.output, answer)).toBe(true)
  return answer
}
const pages = async (input: Record<string, unknown> = {}) => {
  const answer = await getTopCrawledPages.run(bench.read(home), v.parse(getTopCrawledPages.input, input))
  expect(v.is(getTopCrawledPages.output, answer)).toBe(true)
  return answer
}
const crawled = (hits: number, verified = 0, spoofed = 0) => ({
  crawler_hits: hits,
  verified_hits: verified,
  spoofed_hits: spoofed,
  by_category: { ai_answers: hits, search_index: 0, training: 0, other_ai: 0 },
  by_agent: {
    'ChatGPT-User': { hits, verified, spoofed, category: 'ai_answers' as const, operator: 'OpenAI' },
  },
})

const unknown = { crawler_hits: null, verified_hits: null, referral_visits: null }

describe('getAiTrafficSummary', () => {
  test('adds a period up and compares it with the one before', async () => {
    await put({
      date: '2026-03-15',
      ...crawled(30, 20, 5),
      referral_visits: 4,
      by_referrer: { 'chatgpt.com': 4 },
    })
    await put({ date: '2026-03-09', ...crawled(10, 10) })
    await put({
      date: '2026-03-08',
      ...crawled(20, 20),
      referral_visits: 1,
      by_referrer: { 'chatgpt.com': 1 },
    })
    await put({ date: '2026-03-01', ...crawled(1000), referral_visits: 1 })
    const answer = await summary({ days: 7 })
    expect(answer.period).toEqual({ date_from: '2026-03-09', date_to: '2026-03-15', days: 7 })
    expect(answer.totals).toEqual({
      crawler_hits: 40,
      verified_hits: 30,
      spoofed_hits: 5,
      signed_hits: 0,
      unchecked_hits: 5,
      unique_agents: 1,
      referral_visits: 4,
    })
    // The 15th goes on: it and the 8th are compared with nothing.
    expect([answer.compared_days, answer.change]).toEqual([
      6,
      {
        crawler_hits: { now: 10, previous: 0, absolute: 10, relative: null },
        verified_hits: { now: 10, previous: 0, absolute: 10, relative: null },
        referral_visits: { now: 0, previous: 0, absolute: 0, relative: null },
      },
    ])
    expect((await summary({ days: 28 })).change).toEqual(unknown)
    expect(answer.by_operator).toMatchObject([
      { operator: 'OpenAI', crawled: 35, sent: 4, previous_crawled: 20, previous_sent: 1 },
    ])
    expect(answer.by_operator[0]?.line).toBe('OpenAI crawled 35 → sent 4 visits')
    expect(answer.daily.map(({ date }) => date)).toEqual(['2026-03-09', '2026-03-15'])
  })

  test('compares every day of a period that is over, and none of one that has only begun', async () => {
    await put({ date: '2026-03-15', ...crawled(30) })
    await put({ date: '2026-03-14', ...crawled(12, 3), referral_visits: 4 })
    await put({ date: '2026-03-13', ...crawled(8, 2), referral_visits: 1 })
    await put({ date: '2026-03-11', ...crawled(1), referral_visits: 1 })
    const past = await summary({ date_from: '2026-03-14', date_to: '2026-03-14' })
    expect([past.compared_days, past.change]).toEqual([
      1,
      {
        crawler_hits: { now: 12, previous: 8, absolute: 4, relative: 0.5 },
        verified_hits: { now: 3, previous: 2, absolute: 1, relative: 0.5 },
        referral_visits: { now: 4, previous: 1, absolute: 3, relative: 3 },
      },
    ])
    const uncounted = 'Not every day of the previous period was counted'
    const listed = await pages({ date_from: '2026-03-14', date_to: '2026-03-14' })
    const longer = { date_from: '2026-03-13', date_to: '2026-03-14' }
    const floors = [past, listed, await summary(longer), await pages(longer)].map(({ floors }) =>
      floors.join(' '),
    )
    expect(floors.map((text) => text.includes(uncounted))).toEqual([false, false, true, true])
    const begun = await summary({ days: 1 })
    expect([begun.compared_days, begun.totals.crawler_hits, begun.previous.crawler_hits]).toEqual([0, 30, 12])
    expect(begun.change).toEqual(unknown)
  })

  test('gives every rate with n, k, its interval and the definition it is counted by', async () => {
    await put({ date: '2026-03-15', ...crawled(30, 20, 5) })
    const { verified_share, spoofed_share, answers_share } = await summary()
    expect(verified_share).toMatchObject({ definition: 'ai_traffic.verified_share@1', k: 20, n: 30 })
    expect(verified_share.ci95).toHaveLength(2)
    expect(spoofed_share).toMatchObject({ definition: 'ai_traffic.spoofed_share@1', k: 5, n: 25, rate: 0.2 })
    expect(answers_share).toMatchObject({ k: 30, n: 30, rate: 1 })
  })

  test('answers noughts, and rates without a value, where there is nothing', async () => {
    const answer = await summary({}, 'wsp_empty')
    expect(answer).toMatchObject({ sites: 0, totals: { crawler_hits: 0 }, by_operator: [], daily: [] })
    expect(answer.verified_share).toMatchObject({ n: 0, rate: null, ci95: null })
    expect(answer).toMatchObject({ counted_since: { hits: null, visits: null }, change: unknown })
  })

  test('says that referrals are a floor, and that a day is not over', async () => {
    expect((await summary()).floors.join('\n')).toMatch(/lower limit.*not over/s)
    const past = await summary({ date_from: '2026-03-01', date_to: '2026-03-14' })
    expect([past.complete, past.floors.join('\n').includes('not over')]).toEqual([true, false])
  })

  test('asks the store as often for two thousand daily rows as for one', async () => {
    const asked = async () => {
      const before = bench.reads.count
      const { totals } = await summary({ days: 7 })
      return { reads: bench.reads.count - before, hits: totals.crawler_hits }
    }
    await put({ date: '2026-03-15', ...crawled(1) })
    const one = await asked()
    const rows = Array.from({ length: 2000 }, (_, n) =>
      dayOf({ site_id: `sit_${n}`, workspace_id: home, date: '2026-03-14', ...crawled(1) }),
    )
    await bench.collection(AiTrafficDaily).insertMany(rows)
    expect(await asked()).toEqual({ reads: one.reads, hits: 2001 })
  })

  test('takes today from the site’s zone', async () => {
    bench.now = new Date('2026-03-15T20:00:00.000Z')
    const tokyo = await siteOf('example.jp', 'Asia/Tokyo')
    await put({ site_id: tokyo, date: '2026-03-16', ...crawled(3) })
    expect(await summary({ days: 1, site_id: tokyo })).toMatchObject({
      period: { date_from: '2026-03-16', date_to: '2026-03-16' },
      totals: { crawler_hits: 3 },
    })
    expect((await summary({ days: 1, site_id: site })).period.date_to).toBe('2026-03-15')
  })

  test('narrows to a site or a location, and knows no site of another workspace', async () => {
    const other = await siteOf('example.org')
    await put({ date: '2026-03-15', ...crawled(1) })
    await put({ site_id: other, date: '2026-03-15', location_id: 'loc_2', ...crawled(2) })
    expect((await summary({ site_id: other })).totals.crawler_hits).toBe(2)
    expect((await summary({ location_id: 'loc_2' })).totals.crawler_hits).toBe(2)
    expect((await summary()).totals.crawler_hits).toBe(3)
    for (const foreign of [() => summary({ site_id: other }, 'wsp_2'), () => summary({ site_id: 'sit_0' })]) {
      const error = await foreign().catch((thrown) => thrown)
      expect(isRefusal(error) && error.code).toBe('not_found')
    }
  })

  test('reads more than a page of rows', async () => {
    for (let n = 0; n < 1005; n++) {
      const date = new Date(Date.UTC(2026, 1, 20 + (n % 20))).toISOString().slice(0, 10)
      await put({ id: `x${n}`, site_id: `sit_${n}`, date, ...crawled(1) })
    }
    expect((await summary({ date_from: '2026-02-20', date_to: '2026-03-14' })).totals.crawler_hits).toBe(1005)
  })
})

describe('getTopCrawledPages', () => {
  beforeEach(async () => {
    await put({
      date: '2026-03-15',
      ...crawled(10),
      top_paths: [
        { path: '/a', hits: 6 },
        { path: '/b', hits: 4 },
      ],
      paths_by_category: { ai_answers: [{ path: '/a', hits: 2 }], training: [{ path: '/a', hits: 4 }] },
    })
    await put({ date: '2026-02-10', ...crawled(3), top_paths: [{ path: '/b', hits: 3 }] })
  })
  test('lists pages with their share, their categories and the period before', async () => {
    const answer = await pages()
    expect(answer).toMatchObject({ crawler_hits: 10, total_pages: 2, complete: false })
    expect(answer.pages).toMatchObject([
      {
        site_id: site,
        domain: 'example.com',
        path: '/a',
        hits: 6,
        hits_at_most: 6,
        days: 1,
        previous_hits: 0,
        share: { k: 6, n: 10, rate: 0.6 },
        by_category: { ai_answers: 2, training: 4 },
      },
      { path: '/b', hits: 4, previous_hits: 3 },
    ])
  })
  test('narrows to a category and to a number of pages', async () => {
    expect((await pages({ category: 'training' })).pages.map(({ path, hits }) => [path, hits])).toEqual([
      ['/a', 4],
    ])
    const answer = await pages({ limit: 1 })
    expect([answer.pages.length, answer.total_pages]).toEqual([1, 2])
  })
})

test('a day is complete when it is over at every site that is asked for, in the zone of each', async () => {
  bench.now = new Date('2026-03-15T11:00:00.000Z')
  const east = await siteOf('east.example', 'Pacific/Kiritimati')
  const west = await siteOf('west.example', 'Etc/GMT+12')
  const referrals = (input: Record<string, unknown>) =>
    getReferralPages.run(bench.read(home), v.parse(getReferralPages.input, input))
  const complete = async (day: string, more: Record<string, unknown> = {}) => {
    const input = { date_from: day, date_to: day, ...more }
    const answers = await Promise.all([summary(input), pages(input), referrals(input)])
    return answers.map((answer) => answer.complete)
  }
  const all = (isComplete: boolean) => [isComplete, isComplete, isComplete]
  expect(await complete('2026-03-13')).toEqual(all(true))
  expect(await complete('2026-03-14')).toEqual(all(false))
  expect(await complete('2026-03-14', { site_id: west })).toEqual(all(false))
  expect(await complete('2026-03-14', { site_id: site })).toEqual(all(true))
  expect(await complete('2026-03-15', { site_id: east })).toEqual(all(true))
})
