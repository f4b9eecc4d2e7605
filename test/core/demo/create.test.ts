import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { insertPast, notePast } from '../../../core/contexts/past-rows'
import { runCommand } from '../../../core/contexts/run-command'
import type { DemoDeclaration } from '../../../core/contracts/demo'
import type { AnyEntity } from '../../../core/contracts/entity'
import type { PluginDeclaration } from '../../../core/contracts/plugin'
import { hitsTable, touchedTable } from '../../../core/contracts/traffic'
import { where } from '../../../core/contracts/where'
import { createDemo, findDemo, removeDemo } from '../../../core/demo/create'
import { ensureDemo } from '../../../core/demo/ensure-demo'
import { withCore } from '../../../core/product/core-plugins'
import { Agency } from '../../../core/product/tenancy-plugin'
import { AuditEntry } from '../../../core/tenancy/audit/AuditEntry'
import { builtin } from '../../../plugins'
import { Review } from '../../../plugins/reviews/records/Review'
import { AiTrafficSite } from '../../../plugins/traffic/records/AiTrafficSite'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'

const plugins = withCore(builtin)
const seed = { seed: 'renown', today: '2026-11-20' }

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins, columns })
})
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

/** Everything that stands in both stores. */
async function standing() {
  const documents: Record<string, unknown> = {}
  for (const entity of gate.registry.entities.values()) {
    if (entity.store !== 'documents') continue
    documents[entity.name] = await gate.owner.rows(entity).list({ sort: [{ field: 'id', direction: 'asc' }] })
  }
  const tables: Record<string, unknown> = {}
  for (const { name } of gate.registry.tables.values()) {
    tables[name] = await columns.query(`SELECT * FROM ${name} ORDER BY ALL`)
  }
  return { documents, tables }
}

const command = (name: string, input: Record<string, unknown> = {}) =>
  runCommand({ owner: gate.owner, commands: gate.registry.commands }, name, input)

test('its agency is removed last, also where the registry holds copies of the record types', async () => {
  await createDemo(gate.owner, plugins, seed)
  const copies = plugins.map((plugin) => ({
    ...plugin,
    ...(plugin.entities && { entities: plugin.entities.map((entity) => ({ ...entity })) }),
  }))
  const removed: string[] = []
  const rows = (copy: AnyEntity) => {
    const own = gate.owner.rows(gate.registry.entities.get(copy.name) ?? copy)
    const removeWhere: typeof own.removeWhere = (condition) => {
      removed.push(copy.name)
      return own.removeWhere(condition)
    }
    return { ...own, removeWhere }
  }
  await removeDemo({ ...gate.owner, rows: rows as never }, copies)
  expect(removed.slice(-2)).toEqual(['Workspace', 'Agency'])
  expect(new Set(removed).size).toBe(removed.length)
})

test('what is created is read through the gate, and all of it and nothing else is removed', async () => {
  await bystanders()
  const before = await standing()
  const began = process.cpuUsage()
  const made = await command('demo create', { today: seed.today })
  const { user, system } = process.cpuUsage(began)
  // Work and not time: a busy machine makes the same demo later.
  expect((user + system) / 1e6).toBeLessThan(20)
  const key = made.agent_key as string
  const spaces = made.workspaces as { id: string; name: string }[]
  const list = async (name: string, workspace: string, query = '') => {
    const answer = await gate.ask(`/api/entities/${name}?limit=1000${query}`, { key, workspace })
    expect(answer.status).toBe(200)
    return (await answer.json()) as Record<string, unknown>[]
  }
  const offered = [...gate.registry.entities.values()].filter(({ reads }) => reads.includes('list'))
  const home = spaces[0]?.id ?? ''
  for (const { name } of offered) expect([name, (await list(name, home)).length > 0]).toEqual([name, true])

  expect((await list('Workspace', home)).map(({ is_demo }) => is_demo)).toEqual([true, true, true])
  const who = (await (await gate.call('whoami', {}, { key })).json()) as { workspace: object }
  expect(who.workspace).toMatchObject({ is_demo: true, is_home: true })

  expect((await list('Review', home)).filter((row) => row.removed_at_source_at)).toEqual([])
  expect((await list('BusinessLocation', home)).filter((row) => row.is_prospect)).toEqual([])
  const prospects = await list('BusinessLocation', home, '&q={"is_prospect":true}')
  expect(prospects).toHaveLength(4)
  expect((await list('Lead', home)).filter((row) => row.is_archived)).toEqual([])
  const hidden =
    JSON.stringify(await list('Report', home)) + JSON.stringify(await list('ScheduledReport', home))
  expect(hidden).not.toContain('demo-not-a-token')
  expect(hidden).not.toContain('someone@mail.example')
  const days = await list('AiTrafficDaily', home)
  expect(days.length).toBeGreaterThan(400)

  await everyRead(
    key,
    spaces.map(({ id }) => id),
  )

  const leads = await list('Lead', home)
  const seen = { lead_ids: leads.slice(0, 3).map(({ id }) => id) }
  const headers = { 'idempotency-key': 'demo' }
  expect((await gate.call('markLeadsSeen', seen, { key, headers })).status).toBe(200)

  const [site] = await gate.owner
    .rows(AiTrafficSite)
    .list({ limit: 1, sort: [{ field: 'created_date', direction: 'asc' }] })
  const day = ['crawl', site?.id, '2026-11-20', 'GPTBot', 'training', 'OpenAI', '/late', 3, 3, 0]
  await columns.insert(hitsTable.name, Object.keys(hitsTable.columns), [day])

  expect(await command('demo remove')).toMatchObject({ workspaces: 3 })
  // That there was one is told by the audit of whose installation it is.
  const told = await gate.owner.rows(AuditEntry).removeWhere(where.eq('subject', 'Demo'))
  expect([told, await standing()]).toEqual([2, before])
  expect((await gate.ask('/api/entities/Review', { key })).status).toBe(401)
}, 120_000)

describe('commands', () => {
  test('the same demo twice is refused, and a removal where there is none', async () => {
    await expect(command('demo remove')).rejects.toThrow('The demo is not loaded')
    await createDemo(gate.owner, tiny, seed)
    await expect(createDemo(gate.owner, tiny, seed)).rejects.toThrow('already loaded')
    await removeDemo(gate.owner, plugins)
  })

  test('another seed makes a second agency, marked with it, and both are removed', async () => {
    const agencies = await gate.owner.rows(Agency).count()
    // Plugins whose rows have unique names, so that both demos must be apart in every one of them.
    const some = plugins.filter(({ name }) => ['gate', 'tenancy', 'traffic', 'posts'].includes(name))
    const { world } = await createDemo(gate.owner, some, seed)
    const other = await createDemo(gate.owner, some, { ...seed, seed: 'other' })
    expect(other.world.workspaces[0]?.name).toBe('Lantern Street clients (demo other)')
    const known = new Set([world.agency_id, ...world.workspaces.map(({ id }) => id)])
    expect(
      [other.world.agency_id, ...other.world.workspaces.map(({ id }) => id)].some((id) => known.has(id)),
    ).toBe(false)
    await expect(createDemo(gate.owner, some, { ...seed, seed: 'other' })).rejects.toThrow('already loaded')
    await expect(command('demo create', { seed: 'a b' })).rejects.toThrow('is invalid')
    expect(await removeDemo(gate.owner, plugins)).toMatchObject({ workspaces: 6 })
    expect([await findDemo(gate.owner), await gate.owner.rows(Agency).count()]).toEqual([null, agencies])
  })

  test('a plugin cannot put rows where their removal would not find them, or rows of another', async () => {
    const plugin = (demo: DemoDeclaration): PluginDeclaration => ({
      name: 'stray',
      renown: '^1.0.0',
      entities: [Review],
      demo,
    })
    const row = { id: 'rev_1', workspace_id: gate.tenant.workspaceId }
    const outside = plugin({ rows: () => [{ entity: Review, rows: [row] }] })
    await expect(createDemo(gate.owner, [...tiny, outside], seed)).rejects.toThrow('outside the demo')
    const others = plugin({ rows: () => [{ entity: AiTrafficSite, rows: [] }] })
    await expect(createDemo(gate.owner, [...tiny, others], seed)).rejects.toThrow('another plugin')
    expect(await findDemo(gate.owner)).toBeNull()
  })

  test('a creation that broke off is known as such, and made anew', async () => {
    const rows: typeof gate.owner.rows = (entity) => gate.owner.rows(entity)
    notePast(rows, async (entity, list) => {
      if (entity === Review) throw new Error('cut')
      return insertPast(gate.owner.rows, entity, list)
    })
    const half = { ...gate.owner, rows }
    await expect(createDemo(half, plugins, seed)).rejects.toThrow('cut')
    expect(await findDemo(gate.owner)).toMatchObject({ is_active: false })
    const turns = { owner: gate.owner, documents: gate.documents, clock: gate.clock }
    expect(await ensureDemo({ ...turns, plugins: tiny, wanted: false })).toBeNull()
    const made = await ensureDemo({ ...turns, plugins: tiny, wanted: true })
    expect(made?.agent_key).toMatch(/^rnw_key_/)
    expect(await ensureDemo({ ...turns, plugins: tiny, wanted: true })).toEqual({
      agency_id: made?.agency_id ?? '',
    })
    await removeDemo(gate.owner, plugins)
    expect(await gate.owner.rows(Agency).count()).toBe(3)
  })

  test('a demo is never taken for the one agency, workspace or location that a command may leave unnamed', async () => {
    const empty = await startGate({ plugins })
    for (const tenant of [empty.stranger, empty.platform]) {
      await empty.owner.rows(Agency).removeWhere({ op: 'eq', field: 'id', value: tenant.agencyId })
    }
    await createDemo(empty.owner, tiny, seed)
    const deps = { owner: empty.owner, commands: empty.registry.commands }
    const made = await runCommand(deps, 'workspace create', { name: 'Mine' })
    expect(made.agency_id).toBe(empty.tenant.agencyId)
    expect(await runCommand(deps, 'key rotate', {})).toMatchObject({ agency_id: empty.tenant.agencyId })
    await empty.stop()
  })
})

/** Every operation that reads answers over the demo, in each of its workspaces. */
async function everyRead(key: string, spaces: readonly string[]) {
  for (const workspace of spaces) {
    const first = async (entity: string) => {
      const answer = await gate.ask(`/api/entities/${entity}?limit=1&fields=id`, { key, workspace })
      return ((await answer.json()) as { id: string }[])[0]?.id
    }
    const given: Record<string, object> = {
      aggregateRecords: { entity: 'Review', group_by: ['star_rating'] },
      countRecords: { entity: 'Review' },
      getAnswer: { run_id: await first('VisibilityRun') },
      getPromptPerformance: { tracker_id: await first('VisibilityTracker') },
      getShareOfVoice: { tracker_id: await first('VisibilityTracker') },
      reconcileVisibility: { rulers: ['visibility.mention_rate@2', 'visibility.mention_rate@1'] },
      getPageJourney: { path: '/' },
      explainReviewCount: { location_id: await first('BusinessLocation') },
      getReportMarkdown: { report_id: await first('Report') },
      getReportStatus: { report_id: await first('Report') },
    }
    for (const { name, class: kind } of gate.registry.operations.values()) {
      if (kind !== 'read') continue
      const answer = await gate.call(name, given[name] ?? {}, { key, workspace })
      expect([name, workspace, answer.status]).toEqual([name, workspace, 200])
    }
  }
}

/** Core's own part of a demo, without what plugins add. */
const tiny = withCore([])

/** Rows of others, some in the same tables. */
async function bystanders() {
  const location = (await command('location create', {
    business_name: 'Bystander',
    workspace_id: gate.tenant.workspaceId,
  })) as { location_id: string }
  const site = await command('site create', { domain: 'bystander.test', location_id: location.location_id })
  await gate.put(Review, { location_id: location.location_id, source: 'google', source_id: 'r1' })
  // Touched now: the store drops what was touched long ago whenever it merges.
  const touched = ['site_id', 'date', 'source', 'last_hit_at']
  await columns.insert(touchedTable.name, touched, [[site.site_id, '2026-11-19', 'log', 1]])
  const hit = ['crawl', site.site_id, '2026-11-19', 'GPTBot', 'training', 'OpenAI', '/', 3, 3, 0]
  await columns.insert(hitsTable.name, Object.keys(hitsTable.columns), [hit])
  await columns.insert(
    dailyTable.name,
    ['id', 'workspace_id', 'site_id', 'date', 'rev'],
    [[`${site.site_id}:2026-11-19`, gate.tenant.workspaceId, site.site_id, '2026-11-19', 1]],
  )
}
