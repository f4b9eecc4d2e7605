import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import type { SitesFeed } from '../../../../core/contracts/traffic'
import { isWellFormedToken, sha256Hex } from '../../../../core/process/crypto'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import traffic from '../../../../plugins/traffic'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
let made: Record<string, string>
beforeEach(async () => {
  bench = await workbench([tenancy, traffic])
  await bench.command('agency create', { name: 'Acme' })
  made = await bench.command('location create', { business_name: 'Acme' })
})
afterEach(() => bench.stop())
const feed = async () =>
  (await bench.registry.feeds.get('sites')?.run(bench.owner, undefined, 'own')) as SitesFeed

describe('site create', () => {
  test('shows the forwarder token once and keeps its hash', async () => {
    const site = await bench.command('site create', { domain: 'https://www.Example.com/' })
    expect(site).toMatchObject({
      domain: 'example.com',
      timezone: 'UTC',
      location_id: made.location_id,
      workspace_id: made.workspace_id,
    })
    expect(site.beacon_tag).toBe(`<script defer src="http://localhost:3001/s/${site.site_key}.js"></script>`)
    const token = site.forwarder_token ?? ''
    expect(isWellFormedToken('rnw_fwd_', token)).toBe(true)
    const row = await bench.owner.rows(AiTrafficSite).get(site.site_id ?? '')
    expect(row).toMatchObject({
      forwarder_token_hash: await sha256Hex(token),
      forwarder_token_last4: token.slice(-4),
      count_search_engines: false,
      is_active: true,
    })
    expect(JSON.stringify(row)).not.toContain(token)
    expect(bench.registry.commands.get('site create')?.secrets).toEqual(['forwarder_token'])
  })

  const spellings = [
    'example.com',
    'EXAMPLE.com',
    'www.example.com',
    'WWW.Example.Com.',
    'https://example.com/shop',
    'http://www.example.com:8080',
    'example.com.',
  ]
  test.each(spellings)(
    'refuses the same domain a second time as %s, and names the site that has it',
    async (again) => {
      const { site_id = '' } = await bench.command('site create', { domain: 'example.com' })
      const elsewhere = await bench.command('location create', { business_name: 'Second' })
      for (const location_id of [made.location_id, elsewhere.location_id])
        for (const timezone of ['UTC', 'Asia/Tokyo'])
          await expect(
            bench.command('site create', { domain: again, location_id, timezone }),
          ).rejects.toThrow(`example.com is already counted in this workspace, as the site ${site_id}`)
    },
  )

  test('refuses an international domain in both of its spellings', async () => {
    await bench.command('site create', { domain: 'bücher.example' })
    for (const domain of ['BÜCHER.example', 'xn--bcher-kva.example', 'https://www.xn--bcher-kva.example'])
      await expect(bench.command('site create', { domain })).rejects.toThrow('is already counted')
  })

  test('two at the same time make one site', async () => {
    const elsewhere = await bench.command('location create', { business_name: 'Second' })
    const both = [made.location_id, elsewhere.location_id].map((location_id) =>
      bench.command('site create', { domain: 'example.com', location_id }),
    )
    const states = (await Promise.allSettled(both)).map(({ status }) => status)
    expect(states.sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('a site that is switched off makes room for another zone, and for nothing else', async () => {
    const { site_id = '' } = await bench.command('site create', { domain: 'example.com' })
    await bench.owner.rows(AiTrafficSite).update(site_id, { is_active: false })
    await expect(bench.command('site create', { domain: 'example.com' })).rejects.toThrow(
      `as the site ${site_id}, which is switched off`,
    )
    await bench.command('site create', { domain: 'example.com', timezone: 'Asia/Tokyo' })
  })

  test('a site cannot be renamed to a domain that is counted already', async () => {
    await bench.command('site create', { domain: 'example.com' })
    const { site_id } = await bench.command('site create', { domain: 'example.org' })
    const rename = (domain: string, timezone?: string) =>
      bench.command('site rename', { site_id, domain, ...(timezone ? { timezone } : {}) })
    await expect(rename('www.example.com')).rejects.toThrow('is already counted')
    await expect(rename('example.org', 'Asia/Tokyo')).rejects.toThrow(
      'You set the time zone of a site when you create it',
    )
    expect(await rename('example.org', 'UTC')).toMatchObject({ timezone: 'UTC' })
    expect(await rename('example.net')).toMatchObject({ domain: 'example.net' })
  })

  test('the same domain in another workspace is another matter', async () => {
    await bench.command('site create', { domain: 'example.com' })
    const workspace = await bench.command('workspace create', { name: 'Other' })
    const { location_id } = await bench.command('location create', {
      business_name: 'Elsewhere',
      workspace_id: workspace.workspace_id,
    })
    await bench.command('site create', { domain: 'example.com', location_id })
  })

  test('is in the feed at once, and says so', async () => {
    const site = await bench.command('site create', { domain: 'example.com', timezone: 'Asia/Tokyo' })
    expect(bench.changed).toEqual(['sites'])
    expect((await feed()).sites).toEqual([
      {
        site_id: site.site_id ?? '',
        site_key: site.site_key ?? '',
        forwarder_token_hash: await sha256Hex(site.forwarder_token ?? ''),
        domain: 'example.com',
        timezone: 'Asia/Tokyo',
        is_active: true,
        count_search_engines: false,
        respect_dnt: true,
      },
    ])
  })

  test.each([
    [{ domain: 'example.com' }, true],
    [{ domain: 'nonsense' }, false],
    [{ domain: 'example.com', timezone: 'Europe/Nowhere' }, false],
    [{ domain: 'example.com', colour: 'red' }, false],
    [{}, false],
  ])('takes %j: %j', (input, good) => {
    const command = bench.registry.commands.get('site create')
    expect(command && v.is(command.input, input)).toBe(good)
  })

  test('asks which location where there are several, leaving prospects aside', async () => {
    await bench.command('location create', { business_name: 'Pitch', prospect: true })
    await bench.command('site create', { domain: 'example.com' })
    await bench.command('location create', { business_name: 'Second' })
    await expect(bench.command('site create', { domain: 'example.org' })).rejects.toThrow('--location-id')
    await expect(
      bench.command('site create', { domain: 'example.org', location_id: 'loc_0' }),
    ).rejects.toThrow('no business location loc_0')
  })
})

test('site list shows what is counted, and no hash', async () => {
  await bench.command('site create', { domain: 'example.com' })
  await bench.command('site create', { domain: 'example.org' })
  const answer = await bench.command('site list', {})
  const sites = answer.sites as unknown as { domain: string }[]
  expect(sites.map(({ domain }) => domain).toSorted()).toEqual(['example.com', 'example.org'])
  expect(JSON.stringify(sites)).not.toContain('hash')
  const none = await bench.command('site list', { location_id: 'loc_0' })
  expect(none.sites as unknown).toEqual([])
})

test('site token rotate ends the token of before', async () => {
  const site = await bench.command('site create', { domain: 'example.com' })
  const rotated = await bench.command('site token rotate', { site_id: site.site_id })
  expect(rotated.forwarder_token).not.toBe(site.forwarder_token)
  expect((await feed()).sites[0]?.forwarder_token_hash).toBe(await sha256Hex(rotated.forwarder_token ?? ''))
  expect(bench.changed).toEqual(['sites', 'sites'])
  await expect(bench.command('site token rotate', { site_id: 'sit_0' })).rejects.toThrow('no site sit_0')
})
