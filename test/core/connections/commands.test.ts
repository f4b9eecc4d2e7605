import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connection } from '../../../core/outbound/Connection'
import { createSecrets } from '../../../core/outbound/secrets'
import { withCore } from '../../../core/product/core-plugins'
import { Workspace } from '../../../core/product/tenancy-plugin'
import { getActiveSyncs } from '../../../core/tenancy/news/getActiveSyncs'
import { part } from '../../support/part'
import { platformPlugins } from '../../support/platforms'
import { type Workbench, workbench } from '../../support/workbench'

let folder: string
let bench: Workbench
let workspace_id: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'renown-connection-'))
  bench = await workbench(withCore(platformPlugins), { secrets: createSecrets({ keys: [], folder }) })
  workspace_id = String((await bench.command('agency create', { name: 'Acme' })).workspace_id)
})
afterEach(async () => {
  await bench.stop()
  rmSync(folder, { recursive: true })
})

function add(token: string, more: Record<string, unknown> = {}) {
  const token_file = join(folder, 'token')
  writeFileSync(token_file, token)
  const input = { provider: 'google', account_id: 'accounts/1', workspace_id, token_file, ...more }
  return bench.command('connection add', input)
}

test('an account is connected by a file, and connecting it again replaces its token', async () => {
  const first = await add('1//one\n', { account_name: 'Ann' })
  const second = await add('1//two')
  expect([second.connection_id, second.replaced as unknown]).toEqual([first.connection_id ?? '', true])
  const { connections } = part(await bench.command('connection list', {})) as { connections: object[] }
  expect(connections).toMatchObject([{ provider: 'google', account_name: 'Ann', state: 'connected' }])
  expect(JSON.stringify(connections)).not.toContain('token')
  const row = await bench.owner.rows(Connection).get(first.connection_id ?? '')
  expect(row?.refresh_token).toStartWith('v1.own.')
})

test('what is no token, no account and no workspace is refused', async () => {
  await expect(add('two tokens')).rejects.toThrow('must contain exactly one token')
  await expect(add('')).rejects.toThrow('must contain exactly one token')
  await expect(add('1//one', { token_file: join(folder, 'none') })).rejects.toThrow('cannot be read')
  await expect(add('1//one', { workspace_id: 'wsp_none' })).rejects.toThrow('no workspace wsp_none')
})

test('no account is connected to a workspace that is being deleted', async () => {
  await bench.owner.rows(Workspace).update(workspace_id, { is_active: false })
  await expect(add('1//one')).rejects.toThrow('no workspace')
  expect(await bench.owner.rows(Connection).count()).toBe(0)
})

test('an account is forgotten once', async () => {
  const { connection_id = '' } = await add('1//one')
  await bench.command('connection remove', { connection_id })
  await expect(bench.command('connection remove', { connection_id })).rejects.toThrow('no connection')
})

test('an account that stopped working is a problem of its workspace, named as people know it', async () => {
  const ids: string[] = []
  for (const [n, account_name] of [undefined, 'Ann', 'Zoe'].entries()) {
    const named = account_name === undefined ? {} : { account_name }
    ids.push(String((await add('1//one', { account_id: `accounts/${n}`, ...named })).connection_id))
  }
  const problems = async () =>
    (await bench.ask(getActiveSyncs, {}, { workspace: workspace_id })).problems.map(
      ({ kind, about, severity, why }) => ({
        kind,
        about,
        severity,
        why,
      }),
    )
  expect(await problems()).toEqual([])
  const rows = bench.owner.rows(Connection)
  await rows.update(String(ids[0]), { state: 'broken', error: 'The consent was withdrawn' })
  await rows.update(String(ids[1]), { state: 'source_unavailable' })
  const critical = { severity: 'critical' as const }
  expect((await problems()).toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
    { kind: 'connection_broken', about: 'google: accounts/0', ...critical, why: 'The consent was withdrawn' },
    { kind: 'connection_unavailable', about: 'google: Ann', ...critical, why: undefined },
  ])
})
