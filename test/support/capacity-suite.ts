import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { OwnerContext } from 'renown'
import { type LocationCapacity, type LocationUsage, locationCapacity } from 'renown/records'
import { isRefusal } from '../../core/contracts/errors'
import type { PluginDeclaration } from '../../core/contracts/plugin'
import { corePlugins } from '../../core/product/core-plugins'
import { systemReads } from '../../core/registry/own-context'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { type Workbench, workbench } from './workbench'

/** How `testLocationCapacity` drives a limit of locations. */
export interface LocationCapacitySuite {
  readonly plugin: PluginDeclaration
  /** Further plugins that it needs, beside those of the core. */
  readonly with?: readonly PluginDeclaration[]
  /** Name of the implementation. */
  readonly name: string
  /** Settings by environment name. */
  readonly settings?: Readonly<Record<string, string>>
  /** Lets the agency have exactly that many active locations that count. */
  limit(ctx: OwnerContext, agencyId: string, locations: number): Promise<void>
  /** Whether a location beyond the limit can be active on trial. */
  readonly hasTrials: boolean
}

/** An agency with a workspace, and a limit of two locations. */
interface World {
  readonly bench: Workbench
  readonly agencyId: string
  add(name: string, more?: object): Promise<string>
  run(command: string, input: object): Promise<unknown>
  usage(): Promise<LocationUsage>
  isActive(id: string): Promise<boolean | undefined>
}

async function worldOf(suite: LocationCapacitySuite): Promise<World> {
  const { plugin, with: others = [], settings = {} } = suite
  const bench = await workbench([...corePlugins, ...others, plugin], {}, { settings })
  const { owner } = bench
  const created = await bench.command('agency create', { name: 'Acme' })
  const { agency_id: agencyId = '', workspace_id = '' } = created
  await suite.limit(owner, agencyId, 2)
  return {
    bench,
    agencyId,
    add: async (business_name, more = {}) =>
      String((await bench.command('location create', { business_name, workspace_id, ...more })).location_id),
    run: (command, input) => bench.command(command, input as Record<string, unknown>),
    usage: () => capacityIn(owner, suite.name).usage(owner, agencyId),
    isActive: async (id) => (await owner.rows(BusinessLocation).get(id))?.is_active,
  }
}

function capacityIn(ctx: OwnerContext, name: string): LocationCapacity {
  const found = ctx.extensions(locationCapacity).find((one) => one.name === name)
  if (!found) throw new Error(`No loaded plugin provides ${locationCapacity.id} named ${name}`)
  return found
}

/** Returns why it was refused. Fails when it was not, or when it failed without saying why. */
async function refusalOf(work: () => Promise<unknown>) {
  const error = await work().then(
    () => new Error('it was not refused'),
    (fault: unknown) => fault,
  )
  if (!isRefusal(error)) throw error
  expect(error.message).not.toBe('')
  return error
}

/**
 * Writes the tests of the contract of `locations.capacity`: how many locations may be active, what counts, what is refused and leaves
 * nothing behind, requests at the same time, other agencies, and trials. Call it in a test file.
 */
export function testLocationCapacity(suite: LocationCapacitySuite): void {
  const held: { world?: World } = {}
  const world = () => held.world as World

  describe(`the location capacity ${suite.name}`, () => {
    beforeEach(async () => {
      await held.world?.bench.stop()
      held.world = await worldOf(suite)
    })
    afterAll(() => held.world?.bench.stop())
    testCounting(world)
    testRefusals(world, suite)
    testTrials(world, suite)
  })
}

function testCounting(world: () => World) {
  test('counts active clients, and says how many there may be', async () => {
    expect(await world().usage()).toMatchObject({ paid: 2, used: 0, trialing: 0, exempt: 0 })
    const first = await world().add('First')
    await world().add('Second')
    expect(await world().usage()).toMatchObject({ paid: 2, used: 2 })
    await world().run('location deactivate', { location_id: first })
    expect(await world().usage()).toMatchObject({ paid: 2, used: 1 })
    await world().run('location activate', { location_id: first })
    expect(await world().usage()).toMatchObject({ paid: 2, used: 2 })
  })

  test('does not count prospects, and counts exempt locations on their own', async () => {
    await world().add('Pitch', { prospect: true })
    await world().add('Own shop', { exempt: true })
    expect(await world().usage()).toMatchObject({ used: 0, exempt: 1 })
    await world().add('First')
    await world().add('Second')
    await world().add('Own cafe', { exempt: true })
    expect(await world().usage()).toMatchObject({ paid: 2, used: 2, exempt: 2 })
  })

  test('does not count locations of another agency', async () => {
    const { bench, add } = world()
    const { agency_id: other = '', workspace_id } = await bench.command('agency create', { name: 'Other' })
    expect(other).not.toBe('')
    await add('First')
    await bench.command('location create', { business_name: 'Theirs', workspace_id }).catch(() => {})
    await add('Second')
    expect(await world().usage()).toMatchObject({ used: 2 })
  })
}

function testRefusals(world: () => World, { name }: LocationCapacitySuite) {
  test('refuses one more with a reason, and leaves nothing behind', async () => {
    await world().add('First')
    await world().add('Second')
    await refusalOf(() => world().add('Third'))
    expect(await world().bench.owner.rows(BusinessLocation).count()).toBe(2)
    expect(await world().usage()).toMatchObject({ used: 2, trialing: 0 })
  })

  test('admits exactly as many as there may be when several are added at the same time', async () => {
    const added = Array.from({ length: 6 }, (_, n) => world().add(`Shop ${n}`))
    const states = (await Promise.allSettled(added)).map(({ status }) => status)
    expect(states.filter((status) => status === 'fulfilled')).toHaveLength(2)
    expect(await world().usage()).toMatchObject({ used: 2 })
  })

  test('refuses to activate a location or to sign a prospect beyond the limit', async () => {
    const first = await world().add('First')
    await world().run('location deactivate', { location_id: first })
    const pitch = await world().add('Pitch', { prospect: true })
    await world().add('Second')
    await world().add('Third')
    await refusalOf(() => world().run('location activate', { location_id: first }))
    await refusalOf(() => world().run('location sign', { location_id: pitch }))
    expect([await world().isActive(first), await world().isActive(pitch)]).toEqual([false, false])
  })

  test('refuses to count an exempt location again beyond the limit, and only then', async () => {
    const own = await world().add('Own shop', { exempt: true })
    const count = () => world().run('location exempt', { location_id: own, exempt: 'off' })
    await world().add('First')
    const second = await world().add('Second')
    await refusalOf(count)
    expect(await world().usage()).toMatchObject({ used: 2, exempt: 1 })
    await world().run('location deactivate', { location_id: second })
    await count()
    expect(await world().usage()).toMatchObject({ used: 2, exempt: 0 })
  })

  test('gives pages the same numbers as jobs', async () => {
    const { bench, agencyId, add, usage } = world()
    await add('First')
    const reads = systemReads(bench.owner)
    expect(await capacityIn(bench.owner, name).usage(reads, agencyId)).toEqual(await usage())
  })
}

function testTrials(world: () => World, { name, hasTrials }: LocationCapacitySuite) {
  const start = (id: string) => capacityIn(world().bench.owner, name).startTrial(world().bench.owner, id)
  const cancel = (id: string) => capacityIn(world().bench.owner, name).cancelTrial(world().bench.owner, id)

  test('refuses a trial to a prospect and to a location that is not on trial, with a reason', async () => {
    const pitch = await world().add('Pitch', { prospect: true })
    const first = await world().add('First')
    await refusalOf(() => start(pitch))
    await refusalOf(() => cancel(first))
    expect(await world().usage()).toMatchObject({ used: 1, trialing: 0 })
  })

  if (!hasTrials) {
    test('refuses every trial', async () => {
      const first = await world().add('First')
      await world().add('Second')
      await refusalOf(() => world().add('Third', { trial: true }))
      await refusalOf(() => start(first))
    })
    return
  }

  test('puts a location beyond the limit on trial, counts it on its own, and ends the trial for good', async () => {
    await world().add('First')
    await world().add('Second')
    const third = await world().add('Third', { trial: true })
    expect(await world().isActive(third)).toBe(true)
    expect(await world().usage()).toMatchObject({ paid: 2, used: 2, trialing: 1 })
    await refusalOf(() => start(third))
    await cancel(third)
    expect(await world().isActive(third)).toBe(false)
    expect(await world().usage()).toMatchObject({ used: 2, trialing: 0 })
    await refusalOf(() => start(third))
  })

  test('starts the trial of an inactive location beyond the limit', async () => {
    const first = await world().add('First')
    await world().run('location deactivate', { location_id: first })
    await world().add('Second')
    await world().add('Third')
    await start(first)
    expect(await world().isActive(first)).toBe(true)
    expect(await world().usage()).toMatchObject({ used: 2, trialing: 1 })
  })
}
