import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { homeContentSchema, homeNewsSchema } from '../../../../core/contracts/home'
import type { PageContext } from '../../../../core/contracts/page'
import type { HomeCardContent } from '../../../../core/doors/pages'
import { corePlugins } from '../../../../core/product/core-plugins'
import traffic from '../../../../plugins/traffic'
import { homeCards } from '../../../../plugins/traffic/cards/home'
import { loadTraffic } from '../../../../plugins/traffic/pages/loadTraffic'
import { AiTrafficDaily } from '../../../../plugins/traffic/records/AiTrafficDaily'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { type Workbench, workbench } from '../../../support/workbench'
import { dayOf } from '../support/day'

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([...corePlugins, traffic])
  bench.now = new Date('2026-03-15T12:00:00.000Z')
})
afterEach(() => bench.stop())

const card = homeCards.find(({ name }) => name === 'traffic')
const context = (workspace = 'wsp_1') =>
  ({ ...bench.read(workspace), counter: null, person: { role: 'owner' } }) as unknown as PageContext
const said = async () => {
  const loaded = await card?.load(context())
  return (loaded ? [loaded].flat() : []) as readonly HomeCardContent[]
}
const site = (id: string, last_log_at: string | null, workspace_id = 'wsp_1') =>
  bench.owner.rows(AiTrafficSite).insert({
    id,
    workspace_id,
    location_id: 'loc_1',
    domain: `${id}.example`,
    timezone: 'UTC',
    site_key: id,
    is_active: true,
    count_search_engines: false,
    respect_dnt: true,
    forwarder_token_last4: 'abcd',
    forwarder_token_hash: 'x',
    last_log_at,
    last_beacon_at: null,
  })
const counted = (date: string, agents: Record<string, number>, hosts: Record<string, number> = {}) => {
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, each) => all + each, 0)
  const by_agent = Object.fromEntries(
    Object.entries(agents).map(([name, hits]) => [
      name,
      { operator: 'OpenAI', category: 'training', hits, verified: hits, spoofed: 0 },
    ]),
  )
  const totals = { crawler_hits: sum(agents), referral_visits: sum(hosts) }
  const row = dayOf({ date, by_agent, by_referrer: hosts, ...totals } as never)
  return bench.collection(AiTrafficDaily).insert({ ...row })
}

describe('the figures of AI traffic on the home page', () => {
  test('are nothing without a site, and words before a site has reported', async () => {
    expect(await said()).toEqual([])
    await site('sit_1', null)
    expect(await said()).toEqual([{ text: 'No site has reported yet.', state: 'info' }])
  })

  test('are those of the page of AI traffic, with the days as a line', async () => {
    await site('sit_1', '2026-03-15T11:00:00.000Z')
    await counted('2026-01-01', { GPTBot: 1 }, { 'chatgpt.com': 1 })
    await counted('2026-02-10', { GPTBot: 10 }, { 'chatgpt.com': 4 })
    await counted('2026-03-14', { GPTBot: 15 }, { 'chatgpt.com': 3 })
    await counted('2026-03-15', { GPTBot: 5 })
    const page = await loadTraffic(context(), new URLSearchParams())
    const [crawlers, visits] = await said()
    expect(crawlers?.figure).toBe(String(page.figures.crawled.now))
    expect(crawlers).toMatchObject({ figure: '20', change: { text: '▲ 50 %', tone: 'plain' } })
    expect(visits).toMatchObject({ figure: '≥ 3', change: { text: '▼ 25 %', tone: 'bad' } })
    expect(crawlers?.period).toBe('16 Feb to 15 Mar 2026')
    expect(crawlers?.series?.values).toHaveLength(28)
    expect(crawlers?.series?.values.slice(-2)).toEqual([15, 5])
    expect(visits?.series?.values.slice(-2)).toEqual([3, 0])
    for (const one of await said()) expect(v.safeParse(homeContentSchema, one).issues).toBeUndefined()
  })

  test('have no growth against days before counting began', async () => {
    await site('sit_1', '2026-03-15T11:00:00.000Z')
    await counted('2026-02-10', { GPTBot: 10 })
    await counted('2026-03-14', { GPTBot: 15 }, { 'chatgpt.com': 3 })
    expect((await said()).map(({ change }) => change)).toEqual([
      { text: 'not comparable', tone: 'plain' },
      { text: 'not comparable', tone: 'plain' },
    ])
  })
})

describe('the news of AI traffic', () => {
  const news = async (workspace?: string) =>
    v.parse(homeNewsSchema, await card?.news?.(context(workspace), '2026-03-13T08:00:00.000Z'))

  test('names who came for the first time', async () => {
    await site('sit_1', '2026-03-15T11:00:00.000Z')
    await site('sit_2', '2026-03-15T11:00:00.000Z', 'wsp_2')
    await counted('2026-03-01', { GPTBot: 1 }, { 'chatgpt.com': 1 })
    expect(await news()).toEqual([])
    await counted('2026-03-14', { GPTBot: 1, 'Claude Bot': 1 }, { 'claude.ai': 1 })
    expect(await news()).toEqual([
      {
        text: 'Claude Bot came for the first time, on 14 Mar 2026',
        href: '/app/traffic?agent=Claude%20Bot',
      },
      { text: 'claude.ai sent its first visitors, on 14 Mar 2026', href: '/app/traffic' },
    ])
    await counted('2026-03-15', { A: 1, B: 1 })
    expect((await news())[0]?.text).toBe('3 crawlers came for the first time: A, B and 1 more')
    expect(await news('wsp_2')).toEqual([])
  })

  test('says that counting began, in place of calling everybody new', async () => {
    await site('sit_1', '2026-03-15T11:00:00.000Z')
    await counted('2026-03-14', { GPTBot: 1, ClaudeBot: 1 })
    expect(await news()).toEqual([
      { text: 'Counting of AI crawlers began on 14 Mar 2026', href: '/app/traffic' },
    ])
  })
})
