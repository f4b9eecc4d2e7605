import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ReadContext } from 'renown'
import { type TrafficCategory, trafficCategories } from 'renown/traffic'
import * as v from 'valibot'
import { readContext } from '../../../../core/contexts/context'
import { createSources } from '../../../../core/contexts/sources'
import { corePlugins } from '../../../../core/product/core-plugins'
import type { Documents } from '../../../../core/stores/documents/port'
import traffic from '../../../../plugins/traffic'
import { getAiTrafficSummary } from '../../../../plugins/traffic/operations/getAiTrafficSummary'
import { getTopCrawledPages } from '../../../../plugins/traffic/operations/getTopCrawledPages'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { dailyTable } from '../../../../plugins/traffic/records/dailyTable'
import type { Day } from '../../../../plugins/traffic/records/days'
import { pageDays } from '../../../../plugins/traffic/sums/pageDays'
import { type PageTally, pagesOf } from '../../../../plugins/traffic/sums/pages'
import { addDay, newSums } from '../../../../plugins/traffic/sums/shown-sums'
import {
  landingLines,
  type PathLine,
  rankedPaths,
  withCategories,
} from '../../../../plugins/traffic/sums/shownPaths'
import { type DayCounts, summedDays } from '../../../../plugins/traffic/sums/summedDays'
import { tallyOf } from '../../../../plugins/traffic/sums/tally'
import type { TrafficFilters } from '../../../../plugins/traffic/sums/traffic-filters'
import { freshColumns } from '../../../support/chdb'
import { type Workbench, workbench } from '../../../support/workbench'
import { drawnDays } from '../support/drawn-days'

/**
 * What the store adds up, compared with the daily rows read whole and added up here: `tallyOf`, `pagesOf` and the sums of the
 * page are the model.
 */
const runs = process.env.RENOWN_LONG ? 400 : 8
const previous = { date_from: '2026-03-12', date_to: '2026-03-13', days: 2 }
const period = { date_from: '2026-03-14', date_to: '2026-03-15', days: 2 }
const dates = ['2026-03-11', '2026-03-12', '2026-03-13', '2026-03-14', '2026-03-15', '2026-03-16']
const zones = ['Pacific/Kiritimati', 'UTC', 'Pacific/Niue']
const sites = ['sit_a', 'sit_b', 'sit_c']

let bench: Workbench
const columns = await freshColumns()
beforeAll(async () => {
  bench = await workbench([...corePlugins, traffic])
  await columns.ensure([dailyTable])
})
afterAll(async () => {
  await bench.stop()
  await columns.close()
})

let worlds = 0
/** Puts rows into a workspace of their own, beside those of all others. */
async function world(draw: (workspace_id: string) => Day[]) {
  const workspace = `wsp_${++worlds}`
  const days = draw(workspace)
  const names = Object.keys(dailyTable.columns)
  const json = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : value)
  const cells = (day: Day, rev: number) =>
    names.map((name) => json({ ...day, timezone: 'UTC', rev, sealed_at: 0 }[name as keyof Day]))
  // A day that was sealed before has a row that no longer counts.
  const stale = days.map((day) => cells({ ...day, crawler_hits: 999, by_referrer: { 'grok.com': 999 } }, 1))
  if (days.length > 0)
    await columns.insert(dailyTable.name, names, [...stale, ...days.map((day) => cells(day, 2))])
  for (const [place, id] of sites.entries()) await putSite(`${id}`, workspace, zones[place] ?? 'UTC')
  return { days, ctx: contextOf(workspace) }
}

const putSite = (id: string, workspace_id: string, timezone: string) =>
  bench.owner.rows(AiTrafficSite).insert({
    id: `${id}:${workspace_id}`,
    workspace_id,
    location_id: workspace_id,
    domain: 'a.example',
    timezone,
    site_key: `${id}:${workspace_id}`,
    is_active: true,
    count_search_engines: false,
    respect_dnt: true,
    forwarder_token_last4: 'abcd',
    forwarder_token_hash: 'x',
  })

function contextOf(id: string): ReadContext {
  const documents = { collection: bench.collection } as unknown as Documents
  return readContext(
    { registry: bench.registry, sources: createSources(documents, columns), now: () => bench.now },
    {
      workspace: { id, agency_id: 'agc_1', timezone: 'UTC', is_home: true },
      credential: { kind: 'agent_key', agency_id: 'agc_1', platform: false, scopes: ['read'] },
      requestId: 'req_test',
    },
  )
}

const within = (days: readonly Day[], { date_from, date_to }: { date_from: string; date_to: string }) =>
  days.filter(({ date }) => date >= date_from && date <= date_to)

const check = (property: (drawn: (workspace: string) => Day[]) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(drawnDays('wsp', sites, dates), (drawn) =>
      property((workspace_id) => drawn.map((day) => ({ ...day, workspace_id }))),
    ),
    { numRuns: runs },
  )

/** The latest of the sites' first days with hits. */
function latestFirst(days: readonly Day[]): string | null {
  const counted = days.filter(({ crawler_hits }) => crawler_hits > 0)
  const firsts = [...Map.groupBy(counted, ({ site_id }) => site_id).values()].map(
    (own) => own.map(({ date }) => date).sort()[0] ?? '',
  )
  return firsts.sort().at(-1) ?? null
}

/** What the lists of the days say of a page, read row by row. */
function pageModel(days: readonly Day[], path: string, category: TrafficCategory | null) {
  const wanted = trafficCategories.filter((name) => category === null || name === category)
  const sums = new Map<string, { hits: number; visits: number }>()
  for (const day of days) {
    const of = <T extends { path: string }>(list: readonly T[] = []) => list.find((one) => one.path === path)
    const listed = wanted.map((name) => of(day.paths_by_category[name])?.hits ?? 0)
    const byPurpose = listed.reduce((sum, hits) => sum + hits, 0)
    const top = category === null ? (of(day.top_paths)?.hits ?? 0) : 0
    const visits = category === null ? (of(day.referral_paths)?.visits ?? 0) : 0
    const sum = sums.get(day.date) ?? { hits: 0, visits: 0 }
    sums.set(day.date, { hits: sum.hits + Math.max(byPurpose, top), visits: sum.visits + visits })
  }
  return [...sums]
    .map(([date, sum]) => ({ date, ...sum }))
    .filter(({ hits, visits }) => hits + visits > 0)
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}

describe('Daily rows that the store adds up', () => {
  test('make the days of a page that the rows list, with and without a purpose', async () => {
    await check(async (draw) => {
      const { days, ctx } = await world(draw)
      const own = [...within(days, previous), ...within(days, period)]
      const span = { date_from: previous.date_from, date_to: period.date_to }
      const listed = own.flatMap(({ top_paths, referral_paths }) => [...top_paths, ...referral_paths])
      const paths = [...new Set(listed.map(({ path }) => path))].slice(0, 3)
      for (const path of [...paths, "/' OR 1=1 --"])
        for (const category of [null, 'training'] as const) {
          const found = await pageDays(ctx, { input: {}, path, category }, span)
          const shown = found
            .map(({ date, hits, visits }) => ({ date, hits, visits }))
            .filter(({ hits, visits }) => hits + visits > 0)
          expect(shown).toEqual(pageModel(own, path, category))
        }
    })
  }, 120_000)

  test('make the tally that the rows themselves make', async () => {
    await check(async (draw) => {
      const { days, ctx } = await world(draw)
      for (const input of [{}, { site_id: 'sit_b' }, { location_id: 'loc_none' }]) {
        const own = days.filter(
          ({ site_id }) => !('location_id' in input) && (input.site_id ?? site_id) === site_id,
        )
        const summed = await summedDays(ctx, input, previous, period)
        expect(tallyOf(summed.days)).toEqual(tallyOf(within(own, period)))
        expect(tallyOf(summed.earlier)).toEqual(tallyOf(within(own, previous)))
      }
    })
  }, 120_000)

  test('make the summary, with the days that are over at every site compared', async () => {
    await check(async (draw) => {
      const { days, ctx } = await world(draw)
      const answer = await getAiTrafficSummary.run(ctx, v.parse(getAiTrafficSummary.input, period2))
      const now = tallyOf(within(days, period))
      const before = tallyOf(within(days, previous))
      expect([answer.totals, answer.previous]).toEqual([now.totals, before.totals])
      // It is noon of the 15th in UTC: the 14th goes on at no site, the 15th at two.
      const first = ({ date_from }: { date_from: string }) =>
        tallyOf(days.filter(({ date }) => date === date_from)).totals
      expect(answer.compared_days).toBe(1)
      const since = latestFirst(days)
      expect(answer.counted_since.hits).toBe(since)
      expect(answer.change.crawler_hits?.absolute).toBe(
        since !== null && since < previous.date_from
          ? first(period).crawler_hits - first(previous).crawler_hits
          : undefined,
      )
      expect(answer.by_assistant.map(({ host, visits }) => [host, visits]).sort()).toEqual(
        [...now.byHost].sort(),
      )
      expect(answer.daily.map(({ date }) => date)).toEqual([...now.byDate.keys()])
    })
  }, 120_000)

  test('make the figures, pages and landing pages of the page, whatever is filtered', async () => {
    const none = {
      site: null,
      days: 2,
      to: null,
      compare: true,
      page: null,
      category: null,
      operator: null,
      agent: null,
      from: null,
      list: null,
      find: null,
      at: 1,
      isWhole: false,
    }
    const filters: TrafficFilters[] = [
      none,
      { ...none, category: 'training' },
      { ...none, operator: 'OpenAI' },
      { ...none, agent: 'GPTBot' },
    ]
    await check(async (draw) => {
      const { days, ctx } = await world(draw)
      const own = within(days, period)
      const summed = await summedDays(ctx, {}, previous, period)
      for (const asked of filters) {
        const sums = (rows: readonly DayCounts[]) => {
          const all = newSums(period)
          for (const day of rows) addDay(all, day, asked)
          return all
        }
        expect(sums(summed.days)).toEqual(sums(own))
        const shown = { input: {}, asked, period, isEmpty: own.length === 0 }
        const ranked = await rankedPaths(ctx, shown)
        const top = ranked && (await withCategories(ctx, shown, ranked.slice(0, 25)))
        expect(top).toEqual(pathsModel(own, asked))
        expect(await landingLines(ctx, shown)).toEqual(landingModel(own, asked))
      }
    })
  }, 120_000)
})

const period2 = { date_from: period.date_from, date_to: period.date_to }

test('The most crawled pages are those of the rows themselves, capped lists and ceilings included', async () => {
  const categories = [undefined, ...trafficCategories]
  await check(async (draw) => {
    const { days, ctx } = await world(draw)
    const category = categories[days.length % categories.length]
    const limit = 5
    const answer = await getTopCrawledPages.run(
      ctx,
      v.parse(getTopCrawledPages.input, { ...period2, limit, ...(category ? { category } : {}) }),
    )
    const own = within(days, period)
    const past = pagesOf(within(days, previous), category)
    const { totals, byCategory } = tallyOf(own)
    const all = category === undefined ? totals.crawler_hits : byCategory[category]
    const pages = pagesOf(own, category)
    expect([answer.crawler_hits, answer.total_pages]).toEqual([all, pages.length])
    const key = ({ site_id, path }: { site_id: string; path: string }) => `${site_id} ${path}`
    const earlier = new Map(past.map((page) => [key(page), page.hits]))
    const line = (page: PageTally) => ({
      site_id: page.site_id,
      path: page.path,
      hits: page.hits,
      days: page.days,
      hits_at_most: Math.min(all, page.hits + page.hidden),
      previous_hits: earlier.get(key(page)) ?? 0,
      by_category: page.byCategory,
    })
    expect(answer.pages.map(({ domain, share, ...rest }) => rest)).toEqual(pages.slice(0, limit).map(line))
  })
}, 120_000)

/** The rows in order of date and id: the first that lists a page says what it was fetched for. */
function pathsModel(days: readonly Day[], { agent, operator, category }: TrafficFilters) {
  if (agent !== null || operator !== null) return null
  const wanted = trafficCategories.find((known) => known === category)
  const lines = new Map<string, PathLine>()
  for (const day of days) {
    for (const { path, hits } of wanted ? (day.paths_by_category[wanted] ?? []) : day.top_paths) {
      const line = lines.get(path) ?? { path, hits: 0, category: wanted ?? mostly(day, path) }
      lines.set(path, { ...line, hits: line.hits + hits })
    }
  }
  return [...lines.values()].sort((a, b) => b.hits - a.hits || (a.path < b.path ? -1 : 1)).slice(0, 25)
}

function mostly(day: Day, path: string) {
  const found = trafficCategories.map((category) => ({
    category,
    hits: day.paths_by_category[category]?.find((entry) => entry.path === path)?.hits ?? 0,
  }))
  const most = Math.max(...found.map(({ hits }) => hits))
  return most > 0 ? (found.find(({ hits }) => hits === most)?.category ?? null) : null
}

function landingModel(days: readonly Day[], { agent, operator, category }: TrafficFilters) {
  if (agent !== null || operator !== null || category !== null) return null
  const sums = new Map<string, number>()
  for (const { path, visits } of days.flatMap(({ referral_paths }) => referral_paths))
    sums.set(path, (sums.get(path) ?? 0) + visits)
  return [...sums]
    .map(([path, visits]) => ({ path, visits }))
    .sort((a, b) => b.visits - a.visits || (a.path < b.path ? -1 : 1))
}
