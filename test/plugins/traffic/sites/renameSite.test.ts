import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from 'renown'
import type { SitesFeed } from '../../../../core/contracts/traffic'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import traffic from '../../../../plugins/traffic'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { sitesFeed } from '../../../../plugins/traffic/sites/sitesFeed'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
let site_id: string
let before: Awaited<ReturnType<typeof row>>
const rows = () => bench.owner.rows(AiTrafficSite)
const row = (id = site_id) => rows().get(id)
beforeEach(async () => {
  bench = await workbench([tenancy, traffic])
  await bench.command('agency create', { name: 'Acme' })
  await bench.command('location create', { business_name: 'Acme' })
  site_id = String(
    (await bench.command('site create', { domain: 'example.com', timezone: 'Asia/Tokyo' })).site_id,
  )
  before = await row()
})
afterEach(() => bench.stop())

describe('the time zone of a site', () => {
  test('is fixed from its creation on, since its token works at once and hits wait unseen in a journal', async () => {
    const renamed = bench.command('site rename', {
      site_id,
      domain: 'example.org',
      timezone: 'Europe/Berlin',
    })
    await expect(renamed).rejects.toMatchObject({
      code: 'conflict',
      details: {
        errors: [{ pointer: '/timezone', code: 'immutable', message: 'must be Asia/Tokyo, or left out' }],
        hint: expect.stringContaining(`--timezone Europe/Berlin --replaces ${site_id}`),
      },
    })
    expect(await row()).toEqual(before)
  })
  test('may be named when it stays, and a rename without it keeps it', async () => {
    await bench.command('site rename', { site_id, domain: 'example.org', timezone: 'Asia/Tokyo' })
    expect(await row()).toMatchObject({ domain: 'example.org', timezone: 'Asia/Tokyo' })
    await bench.command('site rename', { site_id, domain: 'example.net' })
    expect(await row()).toMatchObject({ domain: 'example.net', timezone: 'Asia/Tokyo' })
  })
  test('cannot be changed by a page, a job or any other code', async () => {
    const own = where.eq('id', site_id)
    for (const timezone of ['Europe/Berlin', 'Asia/Tokyo', undefined] as const) {
      const changes = { timezone } as { timezone: string }
      for (const change of [
        () => rows().update(site_id, changes),
        () => rows().updateWhere(own, changes),
        () => rows().updateMany(own, changes),
      ]) {
        await expect((async () => change())()).rejects.toMatchObject({
          details: { errors: [{ pointer: '/timezone', code: 'immutable' }] },
        })
      }
    }
    expect(await row()).toEqual(before)
  })
})

describe('a site that replaces another', () => {
  const replace = (more: Record<string, unknown> = {}) =>
    bench.command('site create', {
      domain: 'example.com',
      timezone: 'Europe/Berlin',
      replaces: site_id,
      ...more,
    })
  test('takes over key and token, so that senders go on; the other keeps its hits and gets no more', async () => {
    const made = await replace()
    expect(made).not.toHaveProperty('forwarder_token')
    const old = await row()
    const fresh = await row(made.site_id)
    const { site_key, forwarder_token_hash, forwarder_token_last4 } = before ?? {}
    expect(fresh).toMatchObject({
      site_key,
      forwarder_token_hash,
      forwarder_token_last4,
      timezone: 'Europe/Berlin',
      is_active: true,
    })
    expect(old).toMatchObject({ id: site_id, timezone: 'Asia/Tokyo', is_active: false })
    expect([old?.site_key === site_key, old?.forwarder_token_hash === forwarder_token_hash]).toEqual([
      false,
      false,
    ])
    const feed = (await bench.registry.feeds.get('sites')?.run(bench.owner, undefined, 'own')) as SitesFeed
    expect(feed.sites.filter((site) => site.site_key === site_key).map((site) => site.site_id)).toEqual([
      String(made.site_id),
    ])
  })
  test('changes nothing where it cannot be made', async () => {
    await expect(replace({ timezone: 'Asia/Tokyo' })).rejects.toMatchObject({ code: 'conflict' })
    await expect(replace({ replaces: 'sit_none', domain: 'example.org' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await rows().list()).toEqual(before ? [before] : [])
  })
})

test('a process that dies between the two writes of a replacement leaves the key on one site after the next start', async () => {
  const dying = {
    ...bench.owner,
    rows: (entity: never) => {
      const all = bench.owner.rows(entity)
      const insert = () => Promise.reject(new Error('killed'))
      return (entity as { name: string }).name === 'AiTrafficSite' ? { ...all, insert } : all
    },
  } as typeof bench.owner
  const command = bench.registry.commands.get('site create')
  const input = { domain: 'example.com', timezone: 'Europe/Berlin', replaces: site_id, respect_dnt: true }
  const killed = Promise.resolve(command?.run(dying, { ...input, count_search_engines: false }))
  await expect(killed).rejects.toThrow('killed')
  const key = before?.site_key
  expect(await rows().count(where.eq('site_key', String(key)))).toBe(0)
  for (let start = 0; start < 2; start++) {
    const { sites } = (await sitesFeed.run(bench.owner, undefined, 'own')) as SitesFeed
    expect(sites.filter(({ is_active }) => is_active)).toMatchObject([
      {
        site_key: key,
        timezone: 'Europe/Berlin',
        domain: 'example.com',
        forwarder_token_hash: before?.forwarder_token_hash,
      },
    ])
    expect(sites).toHaveLength(2)
  }
  expect(await row()).toMatchObject({ is_active: false, handing_over: null, timezone: 'Asia/Tokyo' })
})
