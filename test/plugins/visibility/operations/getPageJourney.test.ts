import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Row } from 'renown'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import leads from '../../../../plugins/leads'
import { Lead } from '../../../../plugins/leads/records/Lead'
import traffic from '../../../../plugins/traffic'
import { AiTrafficDaily } from '../../../../plugins/traffic/records/AiTrafficDaily'
import type { Day } from '../../../../plugins/traffic/records/days'
import visibility from '../../../../plugins/visibility'
import { getPageJourney } from '../../../../plugins/visibility/operations/getPageJourney'
import type { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { VisibilityRun as Runs } from '../../../../plugins/visibility/records/VisibilityRun'
import { putRow } from '../../../support/any-state'
import { type Workbench, workbench } from '../../../support/workbench'
import { dayOf } from '../../traffic/support/day'
import { visibilityBench } from '../support/bench'

let bench: Workbench
let home = ''
let site = ''
let location = ''
let n = 0
beforeEach(async () => {
  bench = await workbench([tenancy, visibility, traffic, leads])
  home = (await bench.command('agency create', { name: 'Acme' })).workspace_id ?? ''
  location = (await bench.command('location create', { business_name: 'Acme' })).location_id ?? ''
  site = (await bench.command('site create', { domain: 'acme.example', timezone: 'UTC' })).site_id ?? ''
})
afterEach(() => bench.stop())

const journey = (input: Record<string, unknown> = {}, workspace = home) =>
  bench.ask(getPageJourney, { path: '/services', ...input }, { workspace })
const day = (date: string, given: Partial<Day> = {}) =>
  bench
    .collection(AiTrafficDaily)
    .insert({ ...dayOf({ site_id: site, workspace_id: home, location_id: location, date, ...given }) })
const page = (url: string, cited = true, is_own = true) => ({
  url,
  domain: new URL(url).hostname,
  is_own,
  cited,
})
const run = (
  citations: Row<typeof VisibilityRun>['citations'],
  more: Partial<Row<typeof VisibilityRun>> = {},
) =>
  putRow(bench.owner, Runs, {
    id: `vru_${n++}`,
    workspace_id: home,
    tracker_id: 'vtr_1',
    prompt_id: 'vpr_1',
    location_id: location,
    engine: 'chatgpt',
    provider: 'recorded',
    access: 'recorded',
    country: 'GB',
    status: 'ok',
    started_at: '2026-03-10T12:00:00.000Z',
    search_queries: [],
    brand_mentioned: false,
    brand_cited: false,
    competitor_mentions: [],
    definition_version: 'visibility@2',
    batch_id: 'b',
    citations,
    ...more,
  })
const agents = {
  GPTBot: { hits: 8, verified: 6, spoofed: 2, category: 'training' as const, operator: 'OpenAI' },
  'ChatGPT-User': { hits: 4, verified: 4, spoofed: 0, category: 'ai_answers' as const, operator: 'OpenAI' },
}

describe('getPageJourney', () => {
  test('shows crawls, citations, visits and leads of one page side by side, and calls them co-occurrence', async () => {
    await day('2026-03-08', {
      crawler_hits: 12,
      verified_hits: 10,
      by_agent: agents,
      top_paths: [{ path: '/services', hits: 5 }],
      paths_by_category: {
        ai_answers: [{ path: '/services', hits: 3 }],
        training: [{ path: '/services', hits: 2 }],
      },
      referral_visits: 2,
      referral_paths: [{ path: '/services/', visits: 2 }],
    })
    await day('2026-03-09', {
      crawler_hits: 3,
      top_paths: [{ path: '/services/', hits: 1 }],
      by_agent: { GPTBot: agents.GPTBot },
    })
    await day('2026-03-10', { crawler_hits: 9, top_paths: [{ path: '/else', hits: 9 }], by_agent: agents })
    await run([
      page('https://acme.example/services?utm_source=openai'),
      page('https://acme.example/services'),
    ])
    await run([page('https://www.acme.example/services/', false)], { engine: 'claude' })
    await run([page('https://acme.example/else')], { engine: 'claude' })
    await run([page('https://guide.example/services', true, false)])
    await putRow(bench.owner, Lead, {
      id: 'led_1',
      workspace_id: home,
      mention_id: 'men_1',
      tracker_id: 'trk_1',
      location_id: location,
      intent_score: 80,
      stage: 'new',
      is_archived: false,
      source: 'reddit',
      created_date: '2026-03-11T00:00:00.000Z',
    })
    const answer = await journey()
    expect(answer).toMatchObject({
      path: '/services',
      domain: null,
      relation: 'co_occurrence',
      empty_because: null,
    })
    expect(answer.crawls).toMatchObject({
      scope: 'page',
      total: 6,
      is_at_least: true,
      first_day: '2026-03-08',
      last_day: '2026-03-09',
      by: [
        { name: 'ai_answers', scope: 'page', count: 3, verified: null },
        { name: 'training', scope: 'page', count: 2 },
        { name: 'GPTBot', scope: 'site', count: 16, verified: { k: 12, n: 16, rate: 0.75 } },
        { name: 'ChatGPT-User', scope: 'site', count: 4, verified: { k: 4, n: 4, rate: 1 } },
      ],
    })
    expect(answer.citations).toMatchObject({
      cited: { definition: 'visibility.page_cited@1', k: 1, n: 4, rate: 0.25 },
      consulted: 1,
      by_engine: [
        { engine: 'chatgpt', cited: { k: 1, n: 2 } },
        { engine: 'claude', cited: { k: 0, n: 2 } },
      ],
      examples: [
        { engine: 'chatgpt', url: 'https://acme.example/services?utm_source=openai', question: null },
      ],
    })
    expect(answer.visits).toMatchObject({ scope: 'page', total: 2, first_day: '2026-03-08' })
    expect(answer.leads).toMatchObject({ scope: 'location', total: 1, by: [{ name: 'reddit', count: 1 }] })
  })

  test('says at least 0, never 0, where no list shows the page, and null where nothing is measured', async () => {
    await day('2026-03-08', { crawler_hits: 9, top_paths: [{ path: '/else', hits: 9 }] })
    const answer = await journey()
    expect(answer.crawls).toMatchObject({ total: 0, is_at_least: true, first_day: null, by: [] })
    expect([answer.leads, answer.empty_because, answer.citations.cited.rate]).toEqual([
      null,
      'no_tracker',
      null,
    ])
    const elsewhere = await journey({ path: 'https://guide.example/services' })
    expect([elsewhere.domain, elsewhere.crawls, elsewhere.visits]).toEqual(['guide.example', null, null])
  })

  test('takes the address of a page: its host for citations, and the site that counts the host for crawls', async () => {
    await day('2026-03-08', { crawler_hits: 9, top_paths: [{ path: '/services', hits: 9 }] })
    await run([page('https://guide.example/services', true, false)])
    await run([page('https://shop.acme.example/services')])
    const shop = await journey({ path: 'https://www.shop.acme.example/services/?a=1' })
    expect([shop.domain, shop.crawls?.total, shop.citations.cited.k]).toEqual(['shop.acme.example', 9, 1])
    const guide = await journey({ path: 'https://guide.example/services' })
    expect([guide.crawls, guide.citations.cited.k]).toEqual([null, 1])
    await expect(journey({ path: 'services' })).rejects.toThrow('neither a path')
  })

  test.each([
    'http://acme.example/gr%c3%b6%C3%9Fe',
    'https://www.acme.example/größe/',
    'https://acme.example/größe?utm_medium=chat&srsltid=1&GCLID=2',
    'https://acme.example./gr%C3%B6%C3%9Fe#:~:text=10',
  ])('one page is cited, fetched and asked about however it is written: %s', async (url) => {
    await day('2026-03-08', { crawler_hits: 9, top_paths: [{ path: '/gr%C3%B6%C3%9Fe', hits: 9 }] })
    await run([page(url)])
    for (const path of [url, '/größe', '/gr%c3%b6%c3%9fe/']) {
      const { crawls, citations } = await journey({ path })
      expect([path, crawls?.total, citations.cited.k]).toEqual([path, 9, 1])
    }
  })

  test('says how many answers are left out because nobody judged them, and how many of them cite the page', async () => {
    await run([page('https://acme.example/services')])
    await run([page('https://acme.example/services/')], { status: 'not_judged', engine: 'claude' })
    await run([page('https://acme.example/services', false)], { status: 'not_judged' })
    await run([page('https://acme.example/services')], { status: 'error', error: 'gone' })
    const { citations } = await journey()
    expect(citations).toMatchObject({
      cited: { k: 1, n: 1 },
      left_out: { answers: 2, citing: 1 },
      consulted: 0,
    })
    expect(citations.by_engine.map(({ engine }) => engine)).toEqual(['chatgpt'])
  })

  test('shows nothing of another workspace, location or period', async () => {
    await day('2026-03-08', { crawler_hits: 9, top_paths: [{ path: '/services', hits: 9 }] })
    await run([page('https://acme.example/services')])
    const other = await journey({}, 'wsp_other')
    expect([other.crawls, other.citations.cited.n]).toEqual([null, 0])
    const february = await journey({ date_from: '2026-02-01', date_to: '2026-02-28' })
    expect([february.crawls?.total, february.citations.cited.n]).toEqual([0, 0])
    expect((await journey({ location_id: 'loc_none' })).citations.cited.n).toBe(0)
  })
})

test('without the plugins of traffic and leads, citations are still there', async () => {
  const held = await visibilityBench()
  await held.run({ citations: [{ ...page('https://acme.example/services'), title: 'Services' }] })
  expect(await held.ask(getPageJourney, { path: '/services' })).toMatchObject({
    crawls: null,
    visits: null,
    leads: null,
    citations: { cited: { k: 1, n: 1 } },
  })
  await held.bench.stop()
})
