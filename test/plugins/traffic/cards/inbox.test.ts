import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { inboxEntrySchema } from '../../../../core/contracts/inbox'
import type { PageContext } from '../../../../core/contracts/page'
import { corePlugins } from '../../../../core/product/core-plugins'
import traffic from '../../../../plugins/traffic'
import { jumpsOf, spoofedSource } from '../../../../plugins/traffic/cards/inbox'
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

const list = (workspace = 'wsp_1') =>
  spoofedSource.list({ ...bench.read(workspace), counter: null } as unknown as PageContext, 10)
const site = (id: string, workspace_id: string) =>
  bench.owner.rows(AiTrafficSite).insert({
    ...{ id, workspace_id, location_id: 'loc_1', domain: `${id}.example`, timezone: 'UTC', site_key: id },
    ...{ is_active: true, count_search_engines: false, respect_dnt: true },
    ...{ forwarder_token_last4: 'abcd', forwarder_token_hash: 'x', last_log_at: null, last_beacon_at: null },
  } as never)
const day = (site_id: string, date: string, spoofed: number) => ({ site_id, date, spoofed_hits: spoofed })

describe('spoofed crawlers in the inbox', () => {
  test('are a jump over the week before, and no small number', () => {
    const quiet = ['08', '09', '10', '11', '12', '13'].map((date) => day('a', `2026-03-${date}`, 20))
    const jumps = (hits: number) => jumpsOf([...quiet, day('a', '2026-03-14', hits)], '2026-03-13')
    expect(jumps(49)).toEqual([])
    expect(jumps(51)).toEqual([])
    expect(jumps(60)).toEqual([{ ...day('a', '2026-03-14', 60), usual: 120 / 7 }])
    expect(jumpsOf([day('a', '2026-03-12', 500)], '2026-03-13')).toEqual([])
    const both = jumpsOf([day('a', '2026-03-13', 50), day('a', '2026-03-14', 5_000)], '2026-03-13')
    expect(both.map(({ date }) => date)).toEqual(['2026-03-14'])
  })

  test('are read from the sites of the workspace only', async () => {
    await site('sit_1', 'wsp_1')
    await site('sit_2', 'wsp_2')
    const sites = { sit_1: 'wsp_1', sit_2: 'wsp_2' }
    for (const [site_id, workspace_id] of Object.entries(sites)) {
      const row = dayOf({ site_id, workspace_id, date: '2026-03-14', spoofed_hits: 400 } as never)
      await bench.collection(AiTrafficDaily).insert({ ...row })
    }
    const [entry, ...others] = await list()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ id: 'sit_1', state: '2026-03-14', about: 'sit_1.example' })
    expect(entry?.title).toBe('400 hits pretended to be AI crawlers')
    expect(entry?.text).toContain('had 0.')
    expect(entry?.link?.href).toBe('/app/traffic?site=sit_1')
    expect(v.safeParse(inboxEntrySchema, entry).success).toBe(true)
  })
})
