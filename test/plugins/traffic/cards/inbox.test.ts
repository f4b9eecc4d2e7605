import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { inboxEntrySchema } from '../../../../core/contracts/inbox'
import type { PageContext } from '../../../../core/contracts/page'
import { corePlugins } from '../../../../core/product/core-plugins'
import traffic from '../../../../plugins/traffic'
import { spoofedSource } from '../../../../plugins/traffic/cards/inbox'
import { AiTrafficDaily } from '../../../../plugins/traffic/records/AiTrafficDaily'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { inEnglish } from '../../../support/english-entries'
import { type Workbench, workbench } from '../../../support/workbench'
import { dayOf } from '../support/day'

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([...corePlugins, traffic])
  bench.now = new Date('2026-03-15T12:00:00.000Z')
})
afterEach(() => bench.stop())

const list = async (workspace = 'wsp_1') =>
  inEnglish(
    await spoofedSource.list({ ...bench.read(workspace), counter: null } as unknown as PageContext, 10),
  )
const site = (id: string, workspace_id: string) =>
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
    last_log_at: null,
    last_beacon_at: null,
  })

describe('spoofed crawlers in the inbox', () => {
  test('are read from the sites of the workspace only', async () => {
    await site('sit_1', 'wsp_1')
    await site('sit_2', 'wsp_2')
    const sites = { sit_1: 'wsp_1', sit_2: 'wsp_2' }
    for (const [site_id, workspace_id] of Object.entries(sites)) {
      for (const [date, spoofed_hits] of [
        ['2026-03-01', 0],
        ['2026-03-13', 300],
        ['2026-03-14', 400],
      ] as const) {
        const row = dayOf({ site_id, workspace_id, date, spoofed_hits })
        await bench.collection(AiTrafficDaily).insert({ ...row })
      }
    }
    const [entry, ...others] = await list()
    expect(others).toEqual([])
    // The state is the day on which it began: an entry that was done stays done while the episode goes on.
    expect(entry).toMatchObject({ id: 'sit_1', state: '2026-03-13', about: 'sit_1.example' })
    expect(entry?.title).toBe('400 hits pretended to be AI crawlers')
    expect(entry?.text).toContain('before 13 Mar 2026 had 0.')
    expect(entry?.link?.href).toBe('/app/traffic?site=sit_1&from=2026-03-13&to=2026-03-14')
    expect(v.safeParse(inboxEntrySchema, entry).success).toBe(true)
  })
})
