import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { runCommand } from '../../../../core/contexts/run-command'
import type { EventType, NewEvent } from '../../../../core/contracts/event-type'
import { Agency } from '../../../../core/tenancy/Agency'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { type ConnectingWorld, connectingWorld } from '../../../support/connecting'
import { refreshToken } from '../../../support/stand-ins/google-profiles'

let world: ConnectingWorld
let connection_id: string
let folder: string
beforeEach(async () => {
  world = await connectingWorld()
  const { services, gate } = world
  services.profiles.locations.set('accounts/111', [
    { name: 'locations/1', title: 'One', metadata: { placeId: 'ChIJ1' } },
    { name: 'locations/2', title: 'Two' },
    { name: 'accounts/333/locations/3', title: 'Three' },
  ])
  folder = `${process.env.TMPDIR ?? '/tmp'}/renown-import-${crypto.randomUUID()}`
  await Bun.write(`${folder}/token`, refreshToken)
  const account = { provider: 'google', account_id: 'accounts/111', token_file: `${folder}/token` }
  const added = await run('connection add', { ...account, workspace_id: gate.tenant.workspaceId })
  connection_id = String(added.connection_id)
})
afterEach(async () => {
  await Bun.$`rm -r ${folder}`
  await world.stop()
})

const run = (name: string, input: object) =>
  runCommand({ commands: world.gate.registry.commands, owner: world.gate.owner }, name, input)
const take = async (...ids: string[]) =>
  (await run('connection location import', { connection_id, ids })).locations as Record<string, string>[]
const count = () => world.gate.owner.rows(BusinessLocation).count()

test('the locations of an account are shown with what is here, and those of others as refused', async () => {
  await take('locations/1')
  const { locations } = (await run('connection location list', { connection_id })) as { locations: object[] }
  expect(locations).toMatchObject([
    { id: 'locations/1', name: 'One', location_id: expect.stringMatching(/^loc_/) },
    { id: 'locations/2', name: 'Two', location_id: undefined },
    { id: 'locations/3', refused: expect.stringContaining('accounts/333') },
  ])
})

describe('an import', () => {
  test('adds each location once, however it is named and however often', async () => {
    expect(await take('locations/1', 'accounts/111/locations/1', '2')).toMatchObject([
      { id: 'locations/1', outcome: 'added' },
      { id: 'locations/2', outcome: 'added' },
    ])
    expect(await take('1', '2')).toMatchObject([{ outcome: 'there' }, { outcome: 'there' }])
    expect(await count()).toBe(2)
  })

  test('of two at the same moment adds one', async () => {
    const both = await Promise.all([take('1'), take('1')])
    expect(both.map(([one]) => one?.outcome).sort()).toEqual(['added', 'there'])
    expect(new Set(both.map(([one]) => one?.location_id)).size).toBe(1)
    expect(await count()).toBe(1)
  })

  test.each([
    ['accounts/333/locations/1', 'It names accounts/333'],
    ['locations/3', 'belongs to accounts/333'],
    ['locations/404', 'has no such location'],
  ])('of %s is refused', async (id, words) => {
    await expect(take(id)).rejects.toThrow(words)
    expect(await count()).toBe(0)
  })

  test('of several adds what it can, and says what became of each', async () => {
    await world.gate.owner.rows(Agency).update(world.gate.tenant.agencyId, { paid_capacity: 1 })
    expect(await take('1', '2', '404')).toMatchObject([
      { outcome: 'added' },
      {
        outcome: 'refused',
        reason: expect.stringContaining('pays for 1 location'),
        hint: expect.stringContaining('--trial'),
      },
      { outcome: 'refused' },
    ])
    expect(await count()).toBe(1)
  })

  test('leaves a prospect a prospect, and says what to do', async () => {
    await world.gate.put(BusinessLocation, {
      business_name: 'One',
      is_active: false,
      is_prospect: true,
      auto_response_enabled: false,
      added_via: 'places',
      google_place_id: 'ChIJ1',
    })
    await expect(take('1')).rejects.toThrow('a prospect')
  })

  test('of nothing but refused ones fails with each reason, and with what to do where that is known', async () => {
    const faultOf = (asked: Promise<unknown>) =>
      asked.then(String, ({ code, message, details }) => ({ code, message, hint: details.hint }))
    await world.gate.owner.rows(Agency).update(world.gate.tenant.agencyId, { paid_capacity: 1 })
    await take('1')
    expect(await faultOf(take('2', '404'))).toEqual({
      code: 'conflict',
      message: expect.stringMatching(/^locations\/2: .+\n404: .+$/),
      hint: expect.stringContaining('--trial'),
    })
    expect(await faultOf(take('404'))).toMatchObject({ code: 'conflict', hint: undefined })
    expect(await count()).toBe(1)
  })

  test('tells the plugins that there is something to read, and only then', async () => {
    const heard: unknown[] = []
    const owner = {
      ...world.gate.owner,
      publish: async ({ name }: EventType, { workspace_id, data }: NewEvent) => {
        if (name === 'connection.ready') heard.push({ workspace_id, data })
      },
    }
    const commands = world.gate.registry.commands
    const ask = (...ids: string[]) =>
      runCommand({ commands, owner }, 'connection location import', { connection_id, ids })
    await ask('1')
    await ask('1')
    const account = { provider: 'google', account_id: 'accounts/111' }
    expect(heard).toEqual([{ workspace_id: world.gate.tenant.workspaceId, data: account }])
  })
})

test('what the service refuses is refused by the command', async () => {
  world.services.profiles.faults.locations.push(
    { kind: 'status', status: 403 },
    { kind: 'status', status: 503 },
  )
  const code = (asking: Promise<unknown>) => asking.then(String, (error) => error.code)
  expect(await code(run('connection location list', { connection_id }))).toBe('conflict')
  expect(await code(take('1'))).toBe('unavailable')
})

test('an account that is every account, and one that is not there, are refused', async () => {
  const account = { provider: 'google', account_id: 'accounts/-', token_file: `${folder}/token` }
  const adding = run('connection add', { ...account, workspace_id: world.gate.tenant.workspaceId })
  await expect(adding).rejects.toThrow('Name one')
  await expect(run('connection location list', { connection_id: 'con_none' })).rejects.toThrow(
    'no connection',
  )
})
