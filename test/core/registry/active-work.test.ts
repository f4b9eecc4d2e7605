import { afterEach, beforeEach, expect, test } from 'bun:test'
import { defineCommand, definePlugin, everything } from 'renown'
import { defineAction, definePage } from 'renown/pages'
import * as v from 'valibot'
import type { OwnerContext } from '../../../core/contracts/plugin'
import { Job } from '../../../core/jobs/Job'
import { corePlugins } from '../../../core/product/core-plugins'
import { BusinessLocation, Workspace } from '../../../core/product/tenancy-plugin'
import { builtin } from '../../../plugins/index'
import { part } from '../../support/part'
import { type Workbench, workbench } from '../../support/workbench'

const nothing = v.strictObject({})
const start = (ctx: OwnerContext, workspace_id: string) =>
  ctx.enqueue('dig', { workspace_id, payload: {} }).then(() => ({}))
const where = v.strictObject({ workspace_id: v.string() })
const digger = definePlugin({
  name: 'digger',
  renown: '^1.0.0',
  queues: { dig: { summary: 'Digs', payload: nothing, run: async () => {} } },
  commands: [
    defineCommand({
      name: 'hole open',
      summary: 'Digs',
      input: where,
      run: (ctx, { workspace_id }) => start(ctx, workspace_id),
    }),
  ],
  pages: [
    definePage({
      path: '/app/dig',
      title: 'Dig',
      module: new URL('./none.tsx', import.meta.url),
      load: async () => null,
      actions: {
        dig: defineAction({
          input: where,
          auth: 'session',
          run: async (ctx, { workspace_id }) => void (await start(ctx.owner, workspace_id)),
        }),
      },
    }),
  ],
})

let bench: Workbench
let workspace_id: string
beforeEach(async () => {
  bench = await workbench([...corePlugins, ...builtin, digger])
  await bench.command('agency create', { name: 'Acme' })
  workspace_id = (await bench.owner.rows(Workspace).list())[0]?.id ?? ''
  await bench.owner.rows(Workspace).update(workspace_id, { is_active: false })
})
afterEach(() => bench.stop())
const jobs = () => bench.owner.rows(Job).count(everything)

test('a command and a form start no work for an inactive workspace, and do once it is active', async () => {
  const form = () =>
    Promise.resolve(
      bench.registry.pages.get('/app/dig')?.actions?.dig?.run(part({ owner: bench.owner }), { workspace_id }),
    )
  const command = () => bench.command('hole open', { workspace_id })
  for (const way of [form, command]) {
    await expect(way()).rejects.toMatchObject({ code: 'workspace_inactive', status: 409 })
    expect(await jobs()).toBe(0)
  }
  await bench.owner.rows(Workspace).update(workspace_id, { is_active: true })
  await form()
  await command()
  expect(await jobs()).toBe(2)
})

test('the shipped commands that start work are refused there and leave nothing behind; the others still work', async () => {
  const input = { workspace_id, website: 'https://example.com/', prospect: true }
  await bench.owner.rows(Workspace).update(workspace_id, { is_active: true })
  const location = await bench.command('location create', { ...input, business_name: 'Acme' })
  const { location_id = '' } = location
  await bench.owner.rows(Workspace).update(workspace_id, { is_active: false })
  const rows = async () =>
    Promise.all(
      [...bench.registry.entities.values()].map((entity) => bench.collection(entity).count(everything)),
    )
  const before = await bench.owner.rows(BusinessLocation).get(location_id)
  const kept = await rows()
  for (const command of ['enrichment refresh', 'prospect audit'])
    await expect(bench.command(command, { location_id })).rejects.toMatchObject({
      code: 'workspace_inactive',
    })
  expect(await rows()).toEqual(kept)
  expect(await bench.owner.rows(BusinessLocation).get(location_id)).toEqual(before)
  await bench.command('location update', { location_id, business_name: 'Acme Two' })
  const shown = await bench.command('location show', { location_id })
  expect(JSON.stringify(shown)).toContain('Acme Two')
})
