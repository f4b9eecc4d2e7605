import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { tenancy, Workspace } from '../../../core/product/tenancy-plugin'
import { AuditEntry } from '../../../core/tenancy/audit/AuditEntry'
import { Notification } from '../../../core/tenancy/news/Notification'
import { type Workbench, workbench } from '../../support/workbench'

let bench: Workbench
let agency: Record<string, string>
let client: Record<string, string>
beforeEach(async () => {
  bench = await workbench([tenancy])
  agency = await bench.command('agency create', { name: 'Acme' })
  client = await bench.command('workspace create', { name: 'Client' })
})
afterEach(() => bench.stop())

const rowsOf = async (command: string, list: string, input: Record<string, unknown> = {}) =>
  (await bench.command(command, input))[list] as unknown as Record<string, unknown>[]
const actions = async () => (await bench.owner.rows(AuditEntry).list({})).map(({ action }) => action)

test('a workspace is found by its name too, where only one has it', async () => {
  const renamed = await bench.command('workspace rename', { workspace_id: 'Client', name: 'Corner' })
  expect(renamed).toEqual({ name: 'Corner', before: 'Client', workspace_id: client.workspace_id ?? '' })
  await bench.command('workspace create', { name: 'Corner' })
  const refused = bench.command('workspace archive', { workspace_id: 'Corner' })
  expect(await refused.catch(({ message }) => message)).toContain(client.workspace_id ?? 'none')
})

describe('lists', () => {
  test('agencies stand with their workspaces and people, by name', async () => {
    await bench.command('agency create', { name: 'Aaa' })
    expect(await rowsOf('agency list', 'agencies')).toMatchObject([
      { name: 'Aaa', status: 'active', workspaces: 1, people: 1 },
      { name: 'Acme', status: 'active', workspaces: 2, people: 1, agency_id: agency.agency_id },
    ])
  })
  test('workspaces are of one agency or of all', async () => {
    const other = await bench.command('agency create', { name: 'Zoo' })
    expect((await rowsOf('workspace list', 'workspaces')).map(({ name }) => name)).toEqual([
      'Acme',
      'Client',
      'Zoo',
    ])
    expect(await rowsOf('workspace list', 'workspaces', { agency_id: other.agency_id })).toEqual([
      {
        name: 'Zoo',
        agency: 'Zoo',
        status: 'home',
        locations: '0 of 0 active',
        timezone: 'UTC',
        workspace_id: other.workspace_id,
      },
    ])
    const refused = bench.command('workspace list', { agency_id: 'agc_no' })
    expect(await refused.catch(({ code }) => code)).toBe('not_found')
  })
  test('notifications are unread ones, unless all are asked for', async () => {
    const add = (title: string, is_read: boolean, workspace_id = client.workspace_id ?? '') =>
      bench.owner
        .rows(Notification)
        .insert({ workspace_id, type: 'sync', severity: 'warning', title, body: title, is_read })
    await add('Unread', false)
    await add('Read', true)
    await add('Elsewhere', false, agency.workspace_id)
    const titles = async (input: Record<string, unknown>) =>
      (await rowsOf('notification list', 'notifications', input)).map(({ title }) => title).sort()
    expect(await titles({})).toEqual(['Elsewhere', 'Unread'])
    expect(await titles({ workspace_id: client.workspace_id })).toEqual(['Unread'])
    expect(await titles({ workspace_id: client.workspace_id, all: true })).toEqual(['Read', 'Unread'])
    expect(await titles({ severity: 'critical' })).toEqual([])
    const refused = bench.command('notification list', { workspace_id: 'wsp_no' })
    expect(await refused.catch(({ code }) => code)).toBe('not_found')
  })
})

describe('a workspace', () => {
  test('is renamed, with both names in the audit log', async () => {
    const { workspace_id } = client
    expect(await bench.command('workspace rename', { workspace_id, name: ' Bakery ' })).toEqual({
      name: 'Bakery',
      before: 'Client',
      workspace_id: workspace_id ?? '',
    })
    expect((await bench.owner.rows(Workspace).get(workspace_id ?? ''))?.name).toBe('Bakery')
    const [entry] = (await bench.owner.rows(AuditEntry).list({})).filter(
      ({ action }) => action === 'workspace.rename',
    )
    expect(entry?.subject).toBe('Client → Bakery')
  })
  test('is archived and restored; a second time changes nothing', async () => {
    const { workspace_id } = client
    for (let time = 0; time < 2; time++)
      expect(await bench.command('workspace archive', { workspace_id })).toMatchObject({ status: 'archived' })
    expect((await bench.owner.rows(Workspace).get(workspace_id ?? ''))?.is_active).toBe(false)
    expect((await bench.owner.rows(Workspace).get(agency.workspace_id ?? ''))?.is_active).toBe(true)
    for (let time = 0; time < 2; time++)
      expect(await bench.command('workspace restore', { workspace_id })).toMatchObject({ status: 'active' })
    expect((await bench.owner.rows(Workspace).get(workspace_id ?? ''))?.is_active).toBe(true)
    const written = await actions()
    expect(written.filter((action) => action === 'workspace.archive')).toHaveLength(1)
    expect(written.filter((action) => action === 'workspace.restore')).toHaveLength(1)
  })
  test('that is the home of its agency cannot be archived', async () => {
    const refused = bench.command('workspace archive', { workspace_id: agency.workspace_id })
    expect(await refused.catch(({ code }) => code)).toBe('conflict')
    expect((await bench.owner.rows(Workspace).get(agency.workspace_id ?? ''))?.is_active).toBe(true)
  })
  test.each(['workspace rename', 'workspace archive', 'workspace restore'])(
    '%s says where ids come from',
    async (name) => {
      const refused = await bench
        .command(name, {
          workspace_id: 'wsp_no',
          ...(name === 'workspace rename' ? { name: 'X' } : {}),
        })
        .catch((error) => error)
      expect(refused.code).toBe('not_found')
      expect(refused.details.hint).toContain('`bun renown workspace list`')
    },
  )
})
