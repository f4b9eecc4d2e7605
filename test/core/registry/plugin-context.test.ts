import { describe, expect, test } from 'bun:test'
import { defineCommand, definePlugin, foreignEntity } from 'renown'
import * as v from 'valibot'
import { ownerContext } from '../../../core/contexts/owner'
import type { OwnerContext } from '../../../core/contracts/plugin'
import type { ConnectionInfo, Connections } from '../../../core/contracts/upkeep'
import { closedOutbound } from '../../../core/outbound/closed'
import { createRegistry } from '../../../core/registry/registry'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { part } from '../../support/part'
import { quietLog as log } from '../../support/quiet-log'
import { connectionOf, ownSettings, Vault, vault } from './support/planted-kinds'

const nothing = v.strictObject({})
const standIn: Connections = {
  get: async (id) => rowOf(id),
  list: async ({ provider }) => [rowOf(`con_${provider}`)],
  token: async (id) => `token of ${id}`,
  fail: async () => {},
  works: async () => {},
}
const rowOf = (id: string): ConnectionInfo => ({
  id,
  workspace_id: 'wsp_1',
  provider: id.slice(4),
  account_id: 'a',
  state: 'connected',
})

test('a plugin that names a hidden field of another one is refused at the start', () => {
  const reads = [foreignEntity('Vault', { token: v.string() })]
  const thief = definePlugin({ name: 'thief', renown: '^1.0.0', reads })
  expect(() => createRegistry([vault, thief])).toThrow(
    'thief: reads Vault.token, which its plugin keeps to itself',
  )
  const open = definePlugin({ ...vault, entities: [{ ...Vault, readableByPlugins: ['token'] }] })
  expect(createRegistry([open, thief]).plugins.has('thief')).toBe(true)
})

test('a job of a queue, a form and a reaction use connections of their own workspace alone', async () => {
  const got: unknown[] = []
  const use = async ({ outbound: { connections } }: OwnerContext) => {
    const wanted = (workspace_id: string) => ({ workspace_id, provider: 'own' })
    got.push(await connections.list(wanted('wsp_1')).then((list) => list.length))
    got.push(await connections.token('con_own').catch((error: Error) => error.message))
  }
  const stranger = definePlugin({
    name: 'stranger',
    renown: '^1.0.0',
    settings: ownSettings,
    connections: [connectionOf('own')],
    queues: { try: { summary: 'Tries', payload: nothing, run: use } },
    subscribers: { '*': use },
  })
  const { queues, plugins } = createRegistry([stranger])
  const ctx = part<OwnerContext>({ outbound: { ...closedOutbound, connections: standIn } })
  for (const workspace_id of ['wsp_1', 'wsp_2']) {
    await queues.get('try')?.run(ctx, {}, part({ workspace_id }))
    await plugins.get('stranger')?.subscribers?.['*']?.(ctx, part({ workspace_id }))
  }
  const refused = expect.stringContaining('another workspace')
  const own = [1, 'token of con_own']
  const foreign = [0, refused]
  expect(got).toEqual([...own, ...own, ...foreign, ...foreign])
})

describe('the services that people connect', () => {
  test('are known to a plugin by their names, without the functions of the plugins that connect them', async () => {
    const seen: unknown[] = []
    const look = defineCommand({
      name: 'provider list',
      summary: 'For the test',
      input: v.strictObject({}),
      async run(ctx) {
        seen.push(...ctx.providers.values())
        return {}
      },
    })
    const plugins = [
      definePlugin({ name: 'other', renown: '^1.0.0', connections: [connectionOf('other')] }),
      definePlugin({
        name: 'curious',
        renown: '^1.0.0',
        commands: [look],
        connections: [connectionOf('own')],
      }),
    ]
    const registry = createRegistry(plugins)
    const documents = await openSqlite({ path: ':memory:', now: () => new Date(), log })
    const owner = ownerContext({
      registry,
      documents,
      columns: part({}),
      clock: { now: () => new Date() },
      log,
      onChanged: () => {},
    })
    await registry.commands.get('provider list')?.run(owner, {})
    expect(seen).toEqual(
      ['other', 'own'].map((provider) => ({
        provider,
        label: provider,
        order: 900,
        account: { one: 'Account', many: 'Accounts' },
      })),
    )
    expect(() => Object.assign(seen[0] as object, { label: 'Mine' })).toThrow()
    await documents.close()
  })
})
