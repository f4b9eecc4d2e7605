import { afterEach, beforeEach, expect, test } from 'bun:test'
import { AgentKey } from '../../../core/auth/AgentKey'
import { runCommand } from '../../../core/contexts/run-command'
import type { AnyCommand } from '../../../core/contracts/plugin'
import { corePlugins } from '../../../core/product/core-plugins'
import { firstRun } from '../../../core/product/first-run'
import { Agency, BusinessLocation, User, Workspace } from '../../../core/product/tenancy-plugin'
import { Installation } from '../../../core/tenancy/Installation'
import { builtin } from '../../../plugins'
import { type Workbench, workbench } from '../../support/workbench'

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([...corePlugins, ...builtin])
})
afterEach(() => bench.stop())

const deps = () => ({ owner: bench.owner, commands: bench.registry.commands, siteDomain: 'localhost' })
const everything = async () => {
  const counts: Record<string, number> = {}
  for (const entity of [Agency, Workspace, User, BusinessLocation, AgentKey]) {
    counts[entity.name] = await bench.owner.rows(entity).count()
  }
  const { sites } = await runCommand(deps(), 'site list', {})
  return { ...counts, sites: (sites as unknown[]).length }
}
const one = { Agency: 1, Workspace: 1, User: 1, BusinessLocation: 1, AgentKey: 1, sites: 1 }

test('the first run makes one of each and hands out its secrets', async () => {
  const first = await firstRun(deps())
  expect(first.isFirst).toBe(true)
  expect(first.agent_key).toMatch(/^rnw_key_/)
  expect(first.forwarder_token).toMatch(/^rnw_fwd_/)
  expect(first.owner_link).toMatch(/^http:\/\/localhost:3000\/app\/link\?token=rnw_link_\w{46}$/)
  expect(await everything()).toEqual(one)
})

test('a later run answers the same ids and no secret', async () => {
  const { isFirst: _, agent_key, forwarder_token, owner_link, ...ids } = await firstRun(deps())
  expect(agent_key).toBeDefined()
  expect(forwarder_token).toBeDefined()
  expect(owner_link).toBeDefined()
  expect(await firstRun(deps())).toEqual({ isFirst: false, ...ids })
  expect(await everything()).toEqual(one)
})

test('a run killed after any of its writes is finished by the next, which hands out secrets that work', async () => {
  for (let writes = 0; ; writes++) {
    const finished = await firstRun(failingAfter(writes)).then(
      () => true,
      () => false,
    )
    if (finished) break
    const first = await firstRun(deps())
    expect(first).toMatchObject({
      isFirst: true,
      agent_key: expect.any(String),
      forwarder_token: expect.any(String),
    })
    expect(await everything()).toEqual(one)
    expect(await bench.owner.rows(Installation).count()).toBe(1)
    await bench.stop()
    bench = await workbench([...corePlugins, ...builtin])
  }
})

test('a key that the owner revoked stays revoked', async () => {
  await firstRun(deps())
  await runCommand(deps(), 'key revoke', {})
  await firstRun(deps())
  expect((await bench.owner.rows(AgentKey).list())[0]?.is_active).toBe(false)
})

/** The same, with a process that dies at the write after so many. */
function failingAfter(writes: number) {
  let left = writes
  const dying =
    <A extends unknown[], R>(write: (...given: A) => R) =>
    (...given: A): R => {
      if (left-- <= 0) throw new Error('killed')
      return write(...given)
    }
  const owner = {
    ...bench.owner,
    rows: ((entity: Parameters<typeof bench.owner.rows>[0]) => {
      const rows = bench.owner.rows(entity)
      return {
        ...rows,
        insert: dying(rows.insert),
        update: dying(rows.update),
        updateWhere: dying(rows.updateWhere),
      }
    }) as typeof bench.owner.rows,
  }
  const commands: ReadonlyMap<string, AnyCommand> = bench.registry.commands
  return { owner, commands, siteDomain: 'localhost' }
}
