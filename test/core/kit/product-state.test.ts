import { expect, test } from 'bun:test'
import { defineCommand, defineOperation, definePlugin, type OwnerContext } from 'renown'
import { productState } from 'renown/pages'
import * as v from 'valibot'
import { ownerContext } from '../../../core/contexts/owner'
import { createRegistry } from '../../../core/registry/registry'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { startGate } from '../../support/harness'
import { quietLog as log } from '../../support/quiet-log'

const product = async (plugins: Parameters<typeof createRegistry>[0]) => {
  const registry = createRegistry(plugins)
  const documents = await openSqlite({ path: ':memory:', now: () => new Date(), log })
  const columns = { insert: async () => {}, query: async () => [] } as never
  const clock = { now: () => new Date() }
  const owner = ownerContext({ registry, documents, columns, clock, log, onChanged: () => {} })
  return { registry, documents, owner }
}

test('jobs, queues and commands of a product share one state, and two products have two', async () => {
  const counted = productState(() => ({ runs: 0 }))
  const contexts = new Set<OwnerContext>()
  const count = async (ctx: OwnerContext) => {
    contexts.add(ctx)
    counted(ctx).runs++
  }
  const input = v.strictObject({})
  const plugin = definePlugin({
    name: 'counter',
    renown: '^1.0.0',
    jobs: { count: { summary: 'Counts', everyMs: 60_000, run: count } },
    queues: { count: { summary: 'Counts', payload: v.object({}), run: count } },
    commands: [
      defineCommand({
        name: 'thing count',
        summary: 'Counts',
        input,
        run: async (ctx) => ({ _: await count(ctx) }),
      }),
    ],
  })
  const one = await product([plugin])
  const two = await product([plugin])
  const task = { workspace_id: 'wsp_1' } as never
  for (const { registry, owner } of [one, one, two]) {
    await registry.queues.get('count')?.run(owner, {}, task)
    await registry.jobs.get('count')?.run(owner, new AbortController().signal)
    await registry.commands.get('thing count')?.run(owner, {})
  }
  expect([counted(one.owner).runs, counted(two.owner).runs]).toEqual([6, 3])
  // Each run had a context of its own, so that a map by context would have counted to one.
  expect(contexts.size).toBe(9)
  for (const { documents } of [one, two]) await documents.close()
})

test('requests and the system share the state of a product', async () => {
  const counted = productState(() => ({ calls: 0 }))
  const count = defineOperation({
    name: 'countCalls',
    summary: 'Counts calls',
    class: 'read',
    crossAgency: 'own',
    input: v.strictObject({}),
    output: v.object({ calls: v.number() }),
    run: async (ctx) => ({ calls: ++counted(ctx).calls }),
  })
  const gate = await startGate({
    plugins: [definePlugin({ name: 'calls', renown: '^1.0.0', operations: [count] })],
  })
  await gate.call('countCalls')
  expect(await (await gate.call('countCalls')).json()).toEqual({ calls: 2 })
  expect(counted(gate.owner).calls).toBe(2)
  await gate.stop()
})
