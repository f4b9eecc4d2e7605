import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { hitsTable, type OwnerContext, type TableDeclaration, touchedTable } from 'renown'
import { runCommand } from '../../../../core/contexts/run-command'
import { builtin } from '../../../../plugins/index'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { dailyTable } from '../../../../plugins/traffic/records/dailyTable'
import { freshColumns } from '../../../support/chdb'
import { type Gate, startGate } from '../../../support/harness'

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
let site_id: string
let domains = 0
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: builtin, columns })
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

test('a site is not renamed while an ingest on another machine may hold hits of it', async () => {
  await expect(rename(async () => false)).rejects.toMatchObject({
    code: 'conflict',
    message: `An ingest on another machine may hold hits of site-${domains}.example, so it keeps its domain.`,
  })
  expect(await domain()).toBe(`site-${domains}.example`)
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
  test('keeps a site while an ingest on another machine may hold hits of it', async () => {
    await remove()
    later()
    expect(await remove(async () => false)).toMatchObject({
      status: expect.stringContaining('another machine'),
    })
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
})
