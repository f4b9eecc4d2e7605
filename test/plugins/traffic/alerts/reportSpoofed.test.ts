import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readRows } from '../../../../core/contexts/context'
import { readerView } from '../../../../core/contexts/reader-view'
import type { Reader } from '../../../../core/contexts/sources'
import type { AnyEntity } from '../../../../core/contracts/entity'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { everything } from '../../../../core/contracts/where'
import { shiftDay } from '../../../../core/kit/periods'
import { corePlugins } from '../../../../core/product/core-plugins'
import { Workspace } from '../../../../core/product/tenancy-plugin'
import { Notification } from '../../../../core/tenancy/news/Notification'
import traffic from '../../../../plugins/traffic'
import { reportSpoofed } from '../../../../plugins/traffic/alerts/reportSpoofed'
import { AiTrafficDaily } from '../../../../plugins/traffic/records/AiTrafficDaily'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { publishedEvents } from '../../../support/published-events'
import { type Workbench, workbench } from '../../../support/workbench'
import { dayOf } from '../support/day'

let bench: Workbench
/** Lists of daily rows that were read. */
let reads = 0
const today = '2026-03-15'
beforeEach(async () => {
  bench = await workbench([...corePlugins, traffic])
  bench.now = new Date(`${today}T12:00:00.000Z`)
})
afterEach(() => bench.stop())

/** The system context, with daily rows from documents: the workbench has no columns. */
function run() {
  const { collection } = bench
  const stored = collection(AiTrafficDaily)
  const reader = {
    ...stored,
    find: (query: Parameters<Reader['find']>[0]) => {
      reads++
      return stored.find(query)
    },
  } as Reader
  const daily = readRows(reader, AiTrafficDaily, everything, readerView(AiTrafficDaily, AiTrafficDaily))
  const closed = () => {
    throw new Error('rows of columns are not changed')
  }
  const readOnly = { ...daily, updateWhere: closed, updateMany: closed, removeWhere: closed }
  const rows = (entity: AnyEntity) => (entity === AiTrafficDaily ? readOnly : bench.owner.rows(entity))
  // As the scheduler runs it: without the rows of inactive workspaces.
  const task = bench.registry.jobs.get('reportSpoofed') ?? reportSpoofed
  return task.run({ ...bench.owner, rows } as OwnerContext, new AbortController().signal)
}
const told = async () =>
  (await bench.owner.rows(Notification).list({ sort: [{ field: 'created_date', direction: 'asc' }] })).map(
    ({ workspace_id, title, body, entity_id }) => ({ workspace_id, title, body, entity_id }),
  )
const site = (id: string, workspace_id = 'wsp_1') =>
  bench.owner.rows(AiTrafficSite).insert({
    id,
    workspace_id,
    location_id: 'loc_1',
    domain: `${id.slice(4)}.example`,
    timezone: 'UTC',
    site_key: id,
    is_active: true,
    count_search_engines: false,
    respect_dnt: true,
    forwarder_token_last4: 'abcd',
    forwarder_token_hash: 'x',
    last_log_at: null,
    last_beacon_at: null,
  })
async function day(site_id: string, date: string, spoofed: number, workspace_id = 'wsp_1') {
  const agent = (spoofed: number) => ({
    operator: 'X',
    category: 'training',
    hits: spoofed + 9,
    verified: 9,
    spoofed,
  })
  const by_agent = { ClaudeBot: agent(Math.floor(spoofed / 4)), GPTBot: agent(Math.ceil((spoofed * 3) / 4)) }
  await bench
    .collection(AiTrafficDaily)
    .insert({ ...dayOf({ site_id, workspace_id, date, spoofed_hits: spoofed, by_agent } as never) })
}
const history = async (site_id: string, hits: number, workspace_id?: string) => {
  for (let ago = 1; ago <= 40; ago++) await day(site_id, shiftDay(today, -ago), hits, workspace_id)
}

describe('The report of spoofed hits', () => {
  test('leaves out an inactive workspace, until it is active again', async () => {
    const workspaces = bench.owner.rows(Workspace)
    await workspaces.insert({
      id: 'wsp_1',
      workspace_id: 'wsp_1',
      name: 'Acme',
      agency_id: 'agc_1',
      is_home: true,
      timezone: 'UTC',
      locale: 'en',
      plan: 'self_hosted',
      is_active: false,
      locations_count: 1,
      active_locations_count: 1,
    })
    await site('sit_shop')
    await history('sit_shop', 2)
    await day('sit_shop', today, 412)
    await run()
    expect(await told()).toEqual([])
    await workspaces.update('wsp_1', { is_active: true })
    await run()
    expect((await told()).length).toBe(1)
  })

  test('tells the people of the workspace of a jump once, however often it runs and however long it goes on', async () => {
    await site('sit_shop')
    await history('sit_shop', 2)
    await run()
    expect(await told()).toEqual([])
    await day('sit_shop', today, 412)
    for (let time = 0; time < 3; time++) await run()
    expect(await publishedEvents(bench.owner, 'crawler.')).toEqual([
      { type: 'crawler.spoofed', data: { site_id: 'sit_shop', began: today, spoofed_hits: 412 } },
    ])
    expect(await told()).toEqual([
      {
        workspace_id: 'wsp_1',
        title: 'shop.example: 412 hits pretended to be AI crawlers, most of them GPTBot',
        body: expect.stringContaining('A usual day of the four weeks before it had 2.'),
        entity_id: 'sit_shop',
      },
    ])
    for (let later = 1; later <= 20; later++) {
      bench.now = new Date(bench.now.getTime() + 86_400_000)
      await day('sit_shop', shiftDay(today, later), later <= 5 ? 600 : 2)
      await run()
    }
    expect(await told()).toHaveLength(1)
    bench.now = new Date(bench.now.getTime() + 86_400_000)
    await day('sit_shop', shiftDay(today, 21), 800)
    await run()
    expect((await told()).map(({ title }) => title.slice(14, 22))).toEqual(['412 hits', '800 hits'])
  })

  test('has an id that nothing known leads to, and belongs to the workspace of its site', async () => {
    await site('sit_a')
    await site('sit_b', 'wsp_2')
    for (const [id, workspace] of [
      ['sit_a', 'wsp_1'],
      ['sit_b', 'wsp_2'],
    ] as const) {
      await history(id, 0, workspace)
      await day(id, today, 90, workspace)
    }
    await run()
    const all = await bench.owner.rows(Notification).list({})
    expect(all.map(({ workspace_id, entity_id }) => `${workspace_id} ${entity_id}`).sort()).toEqual([
      'wsp_1 sit_a',
      'wsp_2 sit_b',
    ])
    for (const { id } of all) expect(id).toMatch(/^ntf_[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(new Set(all.map(({ id }) => id)).size).toBe(2)
  })

  test('reads little while nothing jumps: one list of the last days', async () => {
    for (const id of ['sit_a', 'sit_b', 'sit_c']) {
      await site(id)
      await history(id, 40)
    }
    reads = 0
    await run()
    expect(reads).toBe(1)
    expect(await told()).toEqual([])
  })

  test('says nothing of a site that is gone', async () => {
    await history('sit_gone', 0)
    await day('sit_gone', today, 500)
    await run()
    expect(await told()).toEqual([])
  })
})
