import { expect, test } from 'bun:test'
import type { Account } from '../../../core/contracts/upkeep'
import { definePlugin } from '../../../core/kit'
import { corePlugins } from '../../../core/product/core-plugins'
import { Agency, Workspace } from '../../../core/product/tenancy-plugin'
import { createRegistry } from '../../../core/registry/registry'
import { workbench } from '../../support/workbench'

const account: Account = { workspace_id: 'wsp_1', provider: 'google', account_id: 'accounts/1' }

test('every plugin that reacts is told, also after one that fails at it', async () => {
  const heard: Account[] = []
  const reacting = (name: string, react: (about: Account) => Promise<void>) =>
    definePlugin({ name, renown: '^1.0.0', reactions: { accountReady: (_, about) => react(about) } })
  const bench = await workbench([
    ...corePlugins,
    reacting('first', async () => {
      throw new Error('not today')
    }),
    definePlugin({ name: 'deaf', renown: '^1.0.0' }),
    reacting('second', async (about) => void heard.push(about)),
  ])
  await bench.owner.happened('accountReady', account)
  expect(heard).toEqual([account])
  await bench.stop()
})

test('a reaction that is none is told at the start', () => {
  const wrong = { name: 'wrong', renown: '^1.0.0', reactions: { accountReady: 'later' } }
  expect(() => createRegistry([...corePlugins, wrong as never])).toThrow(
    'reactions is not an object of functions',
  )
})

test('nobody is told of an inactive workspace, or of one of an inactive agency', async () => {
  const heard: string[] = []
  const reactions = {
    accountReady: async (_: unknown, about: Account) => void heard.push(about.workspace_id),
  }
  const bench = await workbench([
    ...corePlugins,
    definePlugin({ name: 'hears', renown: '^1.0.0', reactions }),
  ])
  await bench.command('agency create', { name: 'Acme' })
  const [agency] = await bench.owner.rows(Agency).list()
  const [workspace] = await bench.owner.rows(Workspace).list()
  const workspace_id = workspace?.id ?? ''
  const tell = () => bench.owner.happened('accountReady', { ...account, workspace_id })
  const set = (is_active: boolean) => bench.owner.rows(Agency).update(agency?.id ?? '', { is_active })
  await bench.owner.rows(Workspace).update(workspace_id, { is_active: false })
  await tell()
  await bench.owner.rows(Workspace).update(workspace_id, { is_active: true })
  await set(false)
  await tell()
  expect(heard).toEqual([])
  await set(true)
  await tell()
  expect(heard).toEqual([workspace_id])
  await bench.stop()
})
