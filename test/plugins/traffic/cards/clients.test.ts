import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { clientReads } from '../../../../core/contexts/client-reads'
import { corePlugins } from '../../../../core/product/core-plugins'
import traffic from '../../../../plugins/traffic'
import { trafficClients } from '../../../../plugins/traffic/cards/clients'
import { AiTrafficDaily } from '../../../../plugins/traffic/records/AiTrafficDaily'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { countedSystem } from '../../../support/counted-system'
import { type Workbench, workbench } from '../../../support/workbench'
import { dayOf } from '../support/day'

let bench: Workbench
let over: ReturnType<typeof countedSystem>
beforeEach(async () => {
  bench = await workbench([...corePlugins, traffic])
  bench.now = new Date('2026-03-15T12:00:00.000Z')
  over = countedSystem(bench)
})
afterEach(() => bench.stop())

const load = (...ids: string[]) =>
  trafficClients.load(
    clientReads(
      over.system,
      ids.map((id) => ({ id, timezone: 'UTC' })),
    ),
  )
const site = (id: string, workspace_id: string, more: object = {}) =>
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
    last_beacon_at: null,
    forwarder_token_last4: 'abcd',
    forwarder_token_hash: 'x',
    last_log_at: '2026-03-15T11:00:00.000Z',
    ...more,
  })
const counted = (site_id: string, workspace_id: string, date: string, hits: number, visits = 0) =>
  bench.collection(AiTrafficDaily).insert({
    ...dayOf({ site_id, workspace_id, date, crawler_hits: hits, referral_visits: visits }),
  })

describe('AI traffic in the list of clients', () => {
  test('is the sum of 28 days over the websites of each workspace', async () => {
    await site('a', 'wsp_1')
    await site('b', 'wsp_1', { last_beacon_at: '2026-03-15T11:30:00.000Z' })
    await site('c', 'wsp_2')
    await counted('a', 'wsp_1', '2026-03-15', 5, 2)
    await counted('b', 'wsp_1', '2026-02-16', 7)
    await counted('b', 'wsp_1', '2026-02-15', 100, 100)
    await counted('c', 'wsp_2', '2026-03-01', 1)
    await counted('x', 'wsp_3', '2026-03-01', 900)
    const figures = await load('wsp_1', 'wsp_2')
    expect(figures.get('wsp_1')).toEqual({
      cells: { crawlers: { value: 12, text: '12' }, visits: { value: 2, text: '≥ 2' } },
      active_at: '2026-03-15T11:30:00.000Z',
    })
    expect(figures.get('wsp_2')?.cells).toEqual({
      crawlers: { value: 1, text: '1' },
      visits: { value: 0, text: '0' },
    })
    expect(figures.has('wsp_3')).toBe(false)
  })

  test('ends with the day that it is in the workspace, as every other column', async () => {
    await site('a', 'wsp_1')
    await counted('a', 'wsp_1', '2026-03-16', 3)
    await counted('a', 'wsp_1', '2026-02-16', 50)
    const hits = async (timezone: string) => {
      const figures = await trafficClients.load(clientReads(over.system, [{ id: 'wsp_1', timezone }]))
      return figures.get('wsp_1')?.cells.crawlers?.value
    }
    expect([await hits('Pacific/Kiritimati'), await hits('UTC')]).toEqual([3, 50])
  })

  test('says that there is no website, or that none was heard, and no 0', async () => {
    await site('a', 'wsp_2', { last_log_at: null })
    await site('b', 'wsp_3')
    const figures = await load('wsp_1', 'wsp_2', 'wsp_3')
    expect(figures.get('wsp_1')?.cells.crawlers).toEqual({ value: null, text: 'No website' })
    expect(figures.get('wsp_2')?.cells.visits).toEqual({ value: null, text: 'Not heard' })
    expect(figures.get('wsp_3')?.cells.visits).toEqual({ value: null, text: 'No figures' })
  })

  test('takes as many reads for a hundred workspaces as for one', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `wsp_${n}`)
    for (const id of ids) {
      await site(`site_${id}`, id)
      await counted(`site_${id}`, id, '2026-03-14', 1)
    }
    const readsOf = async (some: readonly string[]) => {
      const before = over.counted.reads
      const figures = await load(...some)
      expect(figures.get(some.at(-1) ?? '')?.cells.crawlers?.value).toBe(1)
      return over.counted.reads - before
    }
    const one = await readsOf(ids.slice(0, 1))
    expect(one).toBe(2)
    expect(await readsOf(ids)).toBe(one)
  })
})
