import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { runDeclared } from 'renown'
import type { SitesFeed } from '../../../../core/contracts/traffic'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import { cachedSites, createSites } from '../../../../ingest/sites/sites'
import traffic from '../../../../plugins/traffic'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { proposeMapping, saveMapping } from '../../../../plugins/traffic/sites/log-mapping'
import { sitesFeed } from '../../../../plugins/traffic/sites/sitesFeed'
import { inTemporaryFolder, silentLog } from '../../../ingest/support/journal'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
let site_id: string
const feed = async () => (await sitesFeed.run(bench.owner, undefined, 'own')) as SitesFeed
const mapping = { path: 'req.uri', user_agent: 'req.ua', time: 'at', time_format: 'seconds' as const }
beforeEach(async () => {
  bench = await workbench([tenancy, traffic])
  await bench.command('agency create', { name: 'Acme' })
  await bench.command('location create', { business_name: 'Acme' })
  site_id = String((await bench.command('site create', { domain: 'example.com' })).site_id)
})
afterEach(() => bench.stop())

describe('a mapping by command', () => {
  test('is proposed for pasted lines, and nothing of them is stored', async () => {
    const line = { at: bench.now.toISOString(), uri: '/secret-page', agent: 'GPTBot/1.2', ip: '203.0.113.7' }
    const proposed = await bench.command('site mapping propose', { site_id, lines: JSON.stringify(line) })
    expect(proposed).toMatchObject({
      mapping: { path: 'uri', user_agent: 'agent', time: 'at', address: 'ip' },
      lines: [{ line: 1, outcome: 'counted', request: { address: 'read', path: '/secret-page' } }],
    })
    expect(JSON.stringify(proposed)).not.toContain('203.0.113.7')
    expect((await bench.owner.rows(AiTrafficSite).get(site_id))?.log_mapping ?? null).toBeNull()
  })

  test('reaches the ingest with the other facts of the site, and its cache on the disk', async () => {
    const told = bench.changed.length
    await bench.command('site mapping save', { site_id, ...mapping })
    expect(bench.changed.slice(told)).toEqual(['sites'])
    const sites = await feed()
    expect(sites.sites[0]?.log_mapping).toEqual(mapping)
    await inTemporaryFolder(async (directory) => {
      const kept = createSites(directory, silentLog)
      kept.set(sites)
      await kept.saved()
      expect((await cachedSites(directory))?.sites[0]?.log_mapping).toEqual(mapping)
    })
    expect(((await bench.command('site list', {})) as unknown as { sites: object[] }).sites[0]).toMatchObject(
      {
        log_mapping: mapping,
      },
    )
    await bench.command('site mapping remove', { site_id })
    expect((await feed()).sites[0]).not.toHaveProperty('log_mapping')
  })

  test('goes over to a site that takes over the key', async () => {
    await bench.command('site mapping save', { site_id, ...mapping })
    await bench.command('site create', { domain: 'example.com', timezone: 'Asia/Tokyo', replaces: site_id })
    expect((await feed()).sites.map(({ log_mapping }) => log_mapping)).toEqual([mapping, mapping])
  })

  test('is refused with the field that is wrong', async () => {
    const save = (more: object) =>
      runDeclared(saveMapping.command, bench.owner, { site_id, ...mapping, ...more })
    for (const more of [
      { path: '' },
      { user_agent: 'x'.repeat(201) },
      { host: 'a.b.c.d.e.f.g.h.i' },
      { time_format: 'stardate' },
      { extra: 'x' },
    ])
      await expect(save(more)).rejects.toMatchObject({
        details: { errors: [{ pointer: `/${Object.keys(more)[0]}` }] },
      })
    await expect(save({ site_id: 'sit_none' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      runDeclared(proposeMapping, bench.owner, { site_id, lines: 'x'.repeat(65_537) }),
    ).rejects.toMatchObject({ details: { errors: [{ pointer: '/lines' }] } })
  })
})
