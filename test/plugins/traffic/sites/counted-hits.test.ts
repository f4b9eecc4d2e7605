import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { OwnerContext, TableDeclaration } from 'renown'
import { hitsTable, type SitesFeed, touchedTable } from 'renown/traffic'
import { runCommand } from '../../../../core/contexts/run-command'
import { builtin } from '../../../../plugins/index'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { dailyTable } from '../../../../plugins/traffic/records/dailyTable'
import { sitesFeed } from '../../../../plugins/traffic/sites/sitesFeed'
import { freshColumns } from '../../../support/chdb'
import { type Gate, startGate } from '../../../support/harness'

const secret = 'a-long-ingest-secret'
let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
let site_id: string
let domains = 0
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: builtin, columns, settings: { RENOWN_INGEST_SECRET: secret } })
  await command('location create', { business_name: 'Acme', workspace_id: gate.tenant.workspaceId })
}, 90_000)
afterAll(async () => {
  await gate.stop()
  await columns.close()
})
beforeEach(async () => {
  site_id = String((await command('site create', { domain: `site-${++domains}.example` })).site_id)
})
afterEach(() => columns.remove(hitsTable.name, 'site_id', [site_id]))

const command = (name: string, input: object, owner: OwnerContext = gate.owner) =>
  runCommand({ owner, commands: gate.registry.commands }, name, input)
const rename = (flushHits = async () => true) =>
  command('site rename', { site_id, domain: `new-${domains}.example` }, { ...gate.owner, flushHits })
/** Reads the sites as an ingest on another machine does, and returns their domains. */
async function readRemotely(): Promise<string[]> {
  const response = await gate.ask('/internal/sites', { key: secret })
  expect(response.status).toBe(200)
  const { sites } = (await response.json()) as SitesFeed
  return sites.map((site) => site.domain)
}
const domain = async () => (await gate.owner.rows(AiTrafficSite).get(site_id))?.domain
const put = ({ name }: TableDeclaration, row: object) =>
  columns.insert(name, Object.keys(row), [Object.values(row)])
const day = () => ({ site_id, date: '2026-03-01' })

describe('a site keeps its domain once a hit was accepted, whatever its stamps say:', () => {
  test.each([
    ['counted in detail', () => put(hitsTable, { ...day(), kind: 'crawl', agent: 'GPTBot', hits: 1 })],
    ['with a touched day', () => put(touchedTable, { ...day(), last_hit_at: '2026-03-01 00:00:00.000' })],
    ['in a daily row alone, after the detail has expired', () => put(dailyTable, day())],
  ])('%s', async (_, count) => {
    await count()
    await expect(rename()).rejects.toMatchObject({
      code: 'conflict',
      details: { errors: [{ pointer: '/domain', code: 'immutable' }] },
    })
    expect(await domain()).toBe(`site-${domains}.example`)
    expect(await gate.owner.rows(AiTrafficSite).get(site_id)).not.toHaveProperty('last_log_at')
  })

  test('still in the journal, which is written to ClickHouse first', async () => {
    await expect(
      rename(async () => {
        await put(hitsTable, { ...day(), kind: 'crawl', agent: 'GPTBot', hits: 1 })
        return true
      }),
    ).rejects.toMatchObject({ code: 'conflict' })
  })
})

test('where the journal cannot be read the site is not renamed', async () => {
  await expect(rename(() => Promise.reject(new Error('ClickHouse is away')))).rejects.toThrow(
    'ClickHouse is away',
  )
  expect(await domain()).toBe(`site-${domains}.example`)
})

describe('where an ingest on another machine can read the sites, a site', () => {
  const mayBeElsewhere = async () => false
  const isRefused = async (renaming: Promise<unknown>) => {
    await expect(renaming).rejects.toMatchObject({
      code: 'conflict',
      message: `An ingest on another machine may hold hits of site-${domains}.example, so it keeps its domain.`,
    })
    expect(await domain()).toBe(`site-${domains}.example`)
  }
  test('is renamed if none has read it', async () => {
    expect(await rename(mayBeElsewhere)).toMatchObject({ domain: `new-${domains}.example` })
  })
  test('is renamed if only the own ingest has read it', async () => {
    await sitesFeed.run(gate.owner, undefined, 'own')
    expect(await rename(mayBeElsewhere)).toMatchObject({ domain: `new-${domains}.example` })
  })
  test('keeps its domain once one has read it, also without the secret', async () => {
    expect(await readRemotely()).toContain(`site-${domains}.example`)
    await isRefused(rename(mayBeElsewhere))
    await isRefused(rename())
  })
  test('keeps its domain if one reads it during the rename', async () => {
    await isRefused(
      rename(async () => {
        await readRemotely()
        return false
      }),
    )
  })
  test('keeps its domain if an older version created it, which recorded nothing', async () => {
    await gate.owner.rows(AiTrafficSite).update(site_id, { is_read_remotely: null })
    await isRefused(rename(mayBeElsewhere))
    expect(await rename()).toMatchObject({ domain: `new-${domains}.example` })
  })
  test('keeps its domain if this installation runs no ingest of its own', async () => {
    const settings = { ...gate.owner.settings, RENOWN_INGEST: 'off' as const }
    const owner: OwnerContext = { ...gate.owner, flushHits: mayBeElsewhere, settings }
    await isRefused(command('site rename', { site_id, domain: 'new.example' }, owner))
  })
})

describe('an ingest on another machine', () => {
  test('needs the secret to mark a site', async () => {
    expect((await gate.ask('/internal/sites', { key: 'another-secret' })).status).toBe(401)
    expect((await gate.owner.rows(AiTrafficSite).get(site_id))?.is_read_remotely).toBe(false)
  })
  test('receives the new domain if the site is renamed while the feed is read', async () => {
    let renames = 0
    const renaming = {
      ...gate.owner,
      rows: (entity: never) => {
        const all = gate.owner.rows<typeof AiTrafficSite>(entity)
        const updateMany: typeof all.updateMany = async (...given) => {
          if (++renames === 1) await rename()
          return all.updateMany(...given)
        }
        return { ...all, updateMany }
      },
    } as unknown as OwnerContext
    const { sites } = (await sitesFeed.run(renaming, undefined, 'remote')) as SitesFeed
    expect(sites.find((site) => site.site_id === site_id)?.domain).toBe(`new-${domains}.example`)
    expect([renames, await domain()]).toEqual([1, `new-${domains}.example`])
  })
  test('marks a site once, and a new one that appears meanwhile', async () => {
    await readRemotely()
    const before = await gate.owner.rows(AiTrafficSite).get(site_id)
    gate.clock.advance(1_000)
    const made = await command('site create', { domain: `beside-${domains}.example` })
    await readRemotely()
    const site = await gate.owner.rows(AiTrafficSite).get(String(made.site_id))
    expect([site?.is_read_remotely, before?.is_read_remotely]).toEqual([true, true])
    expect(await gate.owner.rows(AiTrafficSite).get(site_id)).toEqual(before)
  })
})

test('hits of another site do not count, and a site without hits is renamed', async () => {
  await put(hitsTable, { site_id: 'sit_other', date: '2026-03-01', kind: 'crawl', hits: 1 })
  expect(await rename()).toMatchObject({ site_id, domain: `new-${domains}.example` })
  expect(await domain()).toBe(`new-${domains}.example`)
})

describe('site remove', () => {
  const remove = (flushHits = async () => true) =>
    command('site remove', { site_id }, { ...gate.owner, flushHits })
  const site = () => gate.owner.rows(AiTrafficSite).get(site_id)
  const later = () => gate.clock.advance(61_000)

  test('switches a site off, and deletes it a minute later where it has no hits', async () => {
    expect(await remove()).toMatchObject({ status: 'switched off; run this again in a minute to delete it' })
    expect((await site())?.is_active).toBe(false)
    expect(await remove()).toMatchObject({ status: 'switched off; run this again in a minute to delete it' })
    later()
    expect(await remove()).toMatchObject({ status: 'deleted' })
    expect(await site()).toBeNull()
    await expect(remove()).rejects.toMatchObject({ code: 'not_found' })
  })
  test('keeps a site with hits, also with hits that came since it was switched off', async () => {
    await remove()
    later()
    const late = async () => {
      await put(hitsTable, { ...day(), kind: 'crawl', agent: 'GPTBot', hits: 1 })
      return true
    }
    expect(await remove(late)).toMatchObject({ status: 'switched off; its counts are kept' })
    expect((await site())?.is_active).toBe(false)
  })
  test('deletes a site that no ingest on another machine has read', async () => {
    await remove(async () => false)
    later()
    expect(await remove(async () => false)).toMatchObject({ status: 'deleted' })
    expect(await site()).toBeNull()
  })
  test('keeps a site if an ingest on another machine has read it', async () => {
    await readRemotely()
    await remove()
    later()
    expect(await remove(async () => false)).toMatchObject({
      status: expect.stringContaining('another machine'),
    })
    expect(await site()).not.toBeNull()
  })
  test('keeps a site if an ingest on another machine reads it during the call', async () => {
    await remove()
    later()
    const reading = async () => (await readRemotely()).length === 0
    expect(await remove(reading)).toMatchObject({ status: expect.stringContaining('another machine') })
    expect(await site()).not.toBeNull()
  })
  test('deletes nothing where the journal cannot be read', async () => {
    await remove()
    later()
    await expect(remove(() => Promise.reject(new Error('ClickHouse is away')))).rejects.toThrow('away')
    expect(await site()).not.toBeNull()
  })
  test('deletes a site with all of its counts where the person says so, and nothing of another site', async () => {
    await remove()
    const other = { site_id: 'sit_neighbour', date: '2026-03-01' }
    for (const each of [day(), other]) {
      await put(hitsTable, { ...each, kind: 'crawl', agent: 'GPTBot', hits: 1 })
      await put(touchedTable, { ...each, last_hit_at: '2026-03-01 00:00:00.000' })
      await put(dailyTable, { ...each, id: `${each.site_id}:${each.date}` })
    }
    const removeAll = () => command('site remove', { site_id, delete_counts: true })
    const counted = async (id: string) =>
      Promise.all(
        [hitsTable, touchedTable, dailyTable].map(async ({ name }) => {
          const sql = `SELECT count() AS n FROM ${name} WHERE site_id = {id:String}`
          return Number((await columns.query<{ n: number }>(sql, { id }))[0]?.n)
        }),
      )
    expect(await removeAll()).toMatchObject({
      status: 'switched off; run this again in a minute to delete it',
    })
    expect(await counted(site_id)).toEqual([1, 1, 1])
    later()
    expect(await removeAll()).toMatchObject({ status: 'deleted' })
    expect([await site(), await counted(site_id)]).toEqual([null, [0, 0, 0]])
    expect(await counted('sit_neighbour')).toEqual([1, 1, 1])
    for (const { name } of [hitsTable, touchedTable, dailyTable])
      await columns.remove(name, 'site_id', ['sit_neighbour'])
  })
  test.each([
    ['that has told of hits', { last_log_at: '2026-03-01T00:00:00.000Z' }],
    ['that has told of none', {}],
  ])('deletes with a site %s the hits that are still in the journal', async (_, stamps) => {
    await put(hitsTable, { ...day(), kind: 'crawl', agent: 'GPTBot', hits: 1 })
    await remove()
    await gate.owner.rows(AiTrafficSite).update(site_id, stamps)
    later()
    let waiting = 1
    const flushHits = async () => {
      if (waiting-- > 0) await put(hitsTable, { ...day(), kind: 'crawl', agent: 'ClaudeBot', hits: 1 })
      return true
    }
    const input = { site_id, delete_counts: true }
    expect(await command('site remove', input, { ...gate.owner, flushHits })).toMatchObject({
      status: 'deleted',
    })
    // What the journal still has would come now, to a site that nobody can see.
    await flushHits()
    const sql = `SELECT count() AS n FROM ${hitsTable.name} WHERE site_id = {id:String}`
    expect(await columns.query(sql, { id: site_id })).toMatchObject([{ n: 0 }])
  })
})
