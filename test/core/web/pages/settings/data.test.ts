import { afterAll, beforeAll, expect, test } from 'bun:test'
import { hitsTable } from '../../../../../core/contracts/traffic'
import { where } from '../../../../../core/contracts/where'
import { createDemo } from '../../../../../core/demo/create'
import { addressIn, baseOf } from '../../../../../core/kit/page-addresses'
import { tenancy, Workspace } from '../../../../../core/product/tenancy-plugin'
import { AppliedMigration } from '../../../../../core/stores/AppliedMigration'
import type { ColumnsStore } from '../../../../../core/stores/columns/port'
import { auditOf } from '../../../../../core/tenancy/audit/audit'
import { builtin } from '../../../../../plugins'
import { AiTrafficSite } from '../../../../../plugins/traffic/records/AiTrafficSite'
import { freshColumns } from '../../../../support/chdb'
import { type Gate, startGate } from '../../../../support/harness'
import { formOf, signedIn } from '../../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../../support/visitor'

const path = '/app/workspace-data'
let gate: Gate
let columns: ColumnsStore
let demo: Awaited<ReturnType<typeof createDemo>>['world']
let cookie: string
let ada: Visitor

beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: builtin, columns })
  await gate.documents.ensure([AppliedMigration])
  demo = (await createDemo(gate.owner, [tenancy, ...builtin], { seed: 'data', today: '2026-11-20' })).world
  const signed = await signedIn(gate, { agencyId: demo.agency_id })
  cookie = signed.cookie
  ada = visitorOf(cookie)
  for (const { workspace_id, id } of await gate.owner.rows(AiTrafficSite).list({ limit: 100 }))
    await columns.insert(hitsTable.name, Object.keys(hitsTable.columns), [
      ['crawl', id, '2026-11-19', 'GPTBot', 'training', 'OpenAI', `/${workspace_id}`, 3, 1, 0],
    ])
}, 90_000)
afterAll(async () => {
  await gate.stop()
  await columns.close()
})

function visitorOf(sent: string): Visitor {
  const visitor = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const [name = '', value = ''] = sent.split('=')
  visitor.cookies.set(name, value)
  return visitor
}
const home = () => demo.workspaces[0]?.id ?? ''
const other = () => demo.workspaces[1]?.id ?? ''
const third = () => demo.workspaces[2]?.id ?? ''

/** Rows of a workspace in every store, by name. */
async function countsOf(workspaceId: string, siteIds: readonly string[]) {
  const counts: Record<string, number> = {}
  for (const entity of gate.registry.entities.values())
    if (entity.store === 'documents')
      counts[entity.name] = await gate.documents
        .collection(entity)
        .count(where.eq('workspace_id', workspaceId))
  for (const [table, column, values] of [
    ['traffic_hits', 'site_id', siteIds],
    ['ai_traffic_daily', 'workspace_id', [workspaceId]],
  ] as const) {
    const sql = `SELECT count() AS n FROM ${table} WHERE ${column} IN {values:Array(String)}`
    const [row] = await columns.query<{ n: string }>(sql, { values: [...values] })
    counts[table] = Number(row?.n)
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
const sitesOf = async (workspaceId: string) =>
  (await gate.owner.rows(AiTrafficSite).list({ where: where.eq('workspace_id', workspaceId) })).map(
    ({ id }) => id,
  )

test('a workspace is downloaded whole, with nothing of another and no secret of an account', async () => {
  await ada.open(addressIn(baseOf(other()), path))
  const file = await ada.submit(`${path}/download`)
  expect(file.headers.get('content-disposition')).toStartWith(`attachment; filename="renown-${other()}-`)
  const lines = file.html
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ renown_export: 1, workspace_id: other() })
  const rows = lines.slice(1, -1) as { in: string; row: Record<string, unknown> }[]
  expect(lines.at(-1)).toEqual({
    end: true,
    counts: Object.fromEntries([...Map.groupBy(rows, (line) => line.in)].map(([k, all]) => [k, all.length])),
  })
  const counts = await countsOf(other(), await sitesOf(other()))
  expect(lines.at(-1).counts).toEqual(counts)
  for (const name of ['Review', 'Lead', 'AiTrafficSite', 'traffic_hits', 'ai_traffic_daily'])
    expect(counts[name]).toBeGreaterThan(0)
  const foreign = [home(), third(), ...(await sitesOf(home())), ...(await sitesOf(third()))]
  for (const id of foreign) expect(file.html).not.toContain(id)
  expect(rows.some((line) => line.in === 'Connection')).toBe(false)
})

test('what is kept is said with the setting that decides it', async () => {
  const { text } = await ada.open(path)
  for (const words of ['HITS_KEPT_DAYS', 'AUDIT_KEPT_DAYS', '400 days']) expect(text).toContain(words)
})

test('a workspace is deleted with all that is in it when its name was typed, and nothing of another', async () => {
  const sites = await sitesOf(other())
  const before = [
    await countsOf(home(), await sitesOf(home())),
    await countsOf(third(), await sitesOf(third())),
  ]
  const name = demo.workspaces[1]?.name ?? ''
  const asked = await ada.open(`${path}/delete?of=${other()}`)
  expect(asked.text).toContain('Review')
  const wrong = await ada.submit(`${path}/delete`, { name: 'something else' })
  expect(wrong.status).toBe(422)
  expect(await sitesOf(other())).toEqual(sites)
  const done = await ada.submit(`${path}/delete`, { name })
  expect(done.text).toContain('The data is deleted.')
  expect(await countsOf(other(), sites)).toEqual({})
  expect([
    await countsOf(home(), await sitesOf(home())),
    await countsOf(third(), await sitesOf(third())),
  ]).toEqual(before)
  const { entries } = await auditOf(gate.owner).list(demo.agency_id, { limit: 10 })
  expect(entries.find(({ action }) => action === 'workspace.delete')?.subject).toBe(name)
}, 90_000)

test('the home workspace stays while there are others, and is emptied when it is the only one', async () => {
  const asked = await ada.open(`${path}/delete?of=${home()}`)
  expect(asked.status).toBe(409)
  const csrf = /name="csrf" value="([^"]*)"/.exec(asked.html)?.[1] ?? ''
  const fields = { csrf, of: home(), name: demo.workspaces[0]?.name ?? '' }
  expect((await gate.ask(`${path}/delete`, formOf(fields, { cookie }))).status).toBe(409)
  expect((await sitesOf(home())).length).toBeGreaterThan(0)

  await ada.open(`${path}/delete?of=${third()}`)
  await ada.submit(`${path}/delete`, { name: demo.workspaces[2]?.name ?? '' })
  const sites = await sitesOf(home())
  await ada.open(`${path}/delete?of=${home()}`)
  await ada.submit(`${path}/delete`, { name: demo.workspaces[0]?.name ?? '' })
  expect(await countsOf(home(), sites)).toEqual({ Workspace: 1 })
  expect(await gate.owner.rows(Workspace).get(home())).toMatchObject({ is_active: true, locations_count: 0 })
}, 90_000)

test("another agency's workspace is neither downloaded nor deleted", async () => {
  const strange = gate.tenant.workspaceId
  expect((await ada.open(`${path}/delete?of=${strange}`)).status).toBe(404)
  const csrf = /name="csrf" value="([^"]*)"/.exec((await ada.open(path)).html)?.[1] ?? ''
  for (const what of ['download', 'delete']) {
    const form = formOf({ csrf, of: strange, name: 'Home' }, { cookie })
    expect((await gate.ask(`${path}/${what}`, form)).status).toBe(404)
  }
  expect(await gate.owner.rows(Workspace).get(strange)).toMatchObject({ is_active: true })
})
