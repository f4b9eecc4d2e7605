import { expect, test } from 'bun:test'
import type { RecordedEvent } from '../../../core/contracts/event-type'
import type { Account } from '../../../core/contracts/upkeep'
import { connectionReady } from '../../../core/events/core-events'
import { EventEntry } from '../../../core/events/EventEntry'
import { definePlugin } from '../../../core/kit'
import { corePlugins } from '../../../core/product/core-plugins'
import { Agency, Workspace } from '../../../core/product/tenancy-plugin'
import { createRegistry } from '../../../core/registry/registry'
import { workbench } from '../../support/workbench'

const account: Account = { workspace_id: 'wsp_1', provider: 'google', account_id: 'accounts/1' }

test('every subscriber gets an event, also after one that fails', async () => {
  const heard: string[] = []
  const subscriber = (name: string, react: (event: RecordedEvent) => Promise<void>) =>
    definePlugin({ name, renown: '^1.0.0', subscribers: { 'connection.ready': (_, event) => react(event) } })
  const bench = await workbench([
    ...corePlugins,
    subscriber('first', async () => {
      throw new Error('not today')
    }),
    definePlugin({ name: 'deaf', renown: '^1.0.0' }),
    subscriber('second', async ({ workspace_id }) => void heard.push(workspace_id)),
  ])
  const { workspace_id, ...data } = account
  await bench.owner.publish(connectionReady, { workspace_id, data })
  expect(heard).toEqual([workspace_id])
  await bench.stop()
})

test('an event is recorded, and its subscribers get what was recorded, by its name and by `*`', async () => {
  const heard: unknown[] = []
  const hear = (name: string) => async (_: unknown, about: object) => void heard.push([name, about])
  const subscribers = {
    'connection.ready': hear('type'),
    '*': hear('all'),
    'location.ready': hear('other'),
  }
  const bench = await workbench([
    ...corePlugins,
    definePlugin({ name: 'hears', renown: '^1.0.0', subscribers }),
  ])
  const { workspace_id, ...data } = account
  for (const _ of [1, 2]) await bench.owner.publish(connectionReady, { workspace_id, key: 'one', data })
  const [row] = await bench.owner.rows(EventEntry).list()
  expect(row).toMatchObject({ workspace_id, seq: 1, type: 'connection.ready', data })
  const event = {
    id: row?.id,
    workspace_id,
    type: 'connection.ready',
    seq: 1,
    occurred_at: row?.created_date,
    data,
  }
  expect(heard).toEqual([
    ['type', event],
    ['all', event],
  ])
  const strange = { ...connectionReady, name: 'connection.strange' }
  await expect(bench.owner.publish(strange, { workspace_id, data })).rejects.toThrow('connection.strange')
  await bench.stop()
})

test('a subscriber that is no function is reported at the start', () => {
  const wrong = { name: 'wrong', renown: '^1.0.0', subscribers: { 'connection.ready': 'later' } }
  expect(() => createRegistry([...corePlugins, wrong as never])).toThrow(
    'subscribers is not an object of functions',
  )
})

test('no subscriber gets an event of an inactive workspace, or of one of an inactive agency', async () => {
  const heard: string[] = []
  const subscribers = {
    'connection.ready': async (_: unknown, event: RecordedEvent) => void heard.push(event.workspace_id),
  }
  const bench = await workbench([
    ...corePlugins,
    definePlugin({ name: 'hears', renown: '^1.0.0', subscribers }),
  ])
  await bench.command('agency create', { name: 'Acme' })
  const [agency] = await bench.owner.rows(Agency).list()
  const [workspace] = await bench.owner.rows(Workspace).list()
  const workspace_id = workspace?.id ?? ''
  const { workspace_id: _, ...data } = account
  const tell = () => bench.owner.publish(connectionReady, { workspace_id, data })
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
