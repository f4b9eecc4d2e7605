/** @jsxImportSource ../../../../core/web/kit/jsx */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PageContext } from '../../../../core/contracts/page'
import { corePlugins } from '../../../../core/product/core-plugins'
import { renderToString } from '../../../../core/web/kit/jsx/render'
import traffic from '../../../../plugins/traffic'
import { loadTraffic } from '../../../../plugins/traffic/pages/loadTraffic'
import TrafficPage from '../../../../plugins/traffic/pages/TrafficPage'
import { listRows } from '../../../../plugins/traffic/pages/traffic-csv'
import { AiTrafficDaily } from '../../../../plugins/traffic/records/AiTrafficDaily'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { type Workbench, workbench } from '../../../support/workbench'
import { dayOf } from '../support/day'

const domain = 'xn--mller-kva.example'

let bench: Workbench
beforeAll(async () => {
  bench = await workbench([...corePlugins, traffic])
  bench.now = new Date('2026-03-15T12:00:00.000Z')
  for (const each of [domain, 'shop.example'])
    await bench.owner.rows(AiTrafficSite).insert({
      workspace_id: 'wsp_1',
      location_id: 'loc_1',
      domain: each,
      timezone: 'UTC',
      site_key: each,
      id: `sit_${each}`,
      is_active: true,
      count_search_engines: false,
      respect_dnt: true,
      forwarder_token_last4: 'abcd',
      forwarder_token_hash: 'x',
      last_log_at: null,
      last_beacon_at: null,
    })
})
afterAll(() => bench.stop())

const contextOf = () =>
  ({ ...bench.read('wsp_1'), counter: null, person: { role: 'owner' } }) as unknown as PageContext

/** The page as the server renders it. */
async function pageOf(search: string): Promise<string> {
  const data = await loadTraffic(contextOf(), new URLSearchParams(search))
  return renderToString(
    <TrafficPage
      data={data}
      path="/app/traffic"
      search={search}
      csrf=""
      outcome={null}
      notice={null}
      workspace={{ id: 'wsp_1', name: 'Shop', timezone: 'UTC', locale: 'en', is_home: true, is_demo: false }}
      shortcuts={false}
      now="2026-03-15T12:00:00.000Z"
      go={() => {}}
      reload={() => {}}
      isBusy={false}
    />,
  )
}

test.each([
  [
    'a long page',
    `page=${'a'.repeat(3_000)}`,
    'page',
    'Use a path such as /prices, with at most 512 characters.',
  ],
  ['an unknown site', 'site=x', 'site', 'Use the id of a site of this workspace.'],
  ['an unknown period', 'days=999999', 'days', 'Use 1, 7, 28, 90 or 365.'],
  ['a day that no calendar has', 'to=2026-02-30', 'to', 'Use a day from 2000-01-01 to 2026-03-15'],
  ['a day before the first', 'to=0001-01-01', 'to', 'Use a day from 2000-01-01 to 2026-03-15'],
])('the page says that it ignored %s, and why', async (_, search, name, accepted) => {
  const page = await pageOf(search)
  expect(page).toContain('Some filters were ignored')
  expect(page).toContain(`<code>${name}</code>`)
  expect(page).toContain(accepted)
  // The downloads are of the figures that are shown.
  expect(page).toContain('href="/app/data/traffic.csv"')
})

test('the page says nothing of the kind where it uses every filter', async () => {
  const page = await pageOf('days=7&category=training')
  expect(page).not.toContain('Some filters were ignored')
  expect(page).toContain('href="/app/data/traffic.csv?days=7&amp;category=training"')
})

test('the page prints no character that turns a line around, in a chip or in a notice', async () => {
  const chip = await pageOf('page=/%E2%80%AEevil')
  expect(chip).toContain('<bdi>/%E2%80%AEevil</bdi>')
  const notice = await pageOf('operator=%E2%80%AEevil')
  expect(notice).toContain('<bdi>evil</bdi>')
  for (const page of [chip, notice]) expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
})

test('the page names sites in their own letters, and their stored domains in the title', async () => {
  const all = await pageOf('')
  expect(all).toContain('müller.example')
  expect(all).toContain(`title="${domain}"`)
  const one = await pageOf(`site=sit_${domain}`)
  expect(one).toContain(`<bdi title="${domain}">müller.example</bdi>`)
})

test('the page and its files show paths in their own letters, and nothing that deceives', async () => {
  const paths = ['/%D1%86%D0%B5%D0%BD%D1%8B', '/a%E2%80%AEb%0A%3Cb%3E']
  const shown = ['/цены', '/a%E2%80%AEb%0A%3Cb%3E']
  await bench.collection(AiTrafficDaily).insert({
    ...dayOf({
      workspace_id: 'wsp_1',
      site_id: 'sit_shop.example',
      location_id: 'loc_1',
      date: '2026-03-14',
    }),
    crawler_hits: 10,
    top_paths: paths.map((path) => ({ path, hits: 5 })),
    referral_visits: 4,
    referral_paths: paths.map((path) => ({ path, visits: 2 })),
  })
  const page = await pageOf('days=7')
  expect(page).toContain(`<bdi title="${paths[0]}">${shown[0]}</bdi>`)
  expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|a<b>/)
  const data = await loadTraffic(contextOf(), new URLSearchParams('days=7'))
  for (const list of ['pages', 'landing'] as const)
    expect([
      list,
      listRows(data, list)
        .slice(1)
        .map(([path]) => path),
    ]).toEqual([list, shown])
})
