import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runCommand } from '../../../core/contexts/run-command'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { backOf, type ConnectingWorld, connectingWorld, connectionsPath } from '../../support/connecting'
import { createLiar, type Liar, unreadableAnswers } from '../../support/liar'
import type { SeenPage } from '../../support/visitor'

/** Every address that connecting an account and importing its locations asks. A request to any other fails the last test. */
const addresses = [
  [/^POST [^/]+\/google\/token$/, 'google token'],
  [/^GET [^/]+\/google\/v1\/accounts$/, 'google accounts'],
  [/^GET [^/]+\/google\/v1\/accounts\/-\/locations$/, 'google reached locations'],
  [/^GET [^/]+\/google\/v1\/accounts\/[^/]+\/locations$/, 'google locations'],
  [/^POST [^/]+\/facebook\/v21\.0\/oauth\/access_token$/, 'facebook token'],
  [/^GET [^/]+\/facebook\/v21\.0\/me\/accounts$/, 'facebook pages'],
  [/^GET [^/]+\/facebook\/v21\.0\/me\/permissions$/, 'facebook permissions'],
  [/^GET [^/]+\/facebook\/v21\.0\/777$/, 'facebook page'],
] as const

let liar: Liar
let world: ConnectingWorld
const kinds = Object.entries(unreadableAnswers)
/** Google leaves out empty fields, so that an account without locations lists `{}`. */
const isEmptyList = (kind: string) => kind === '{}'

beforeAll(async () => {
  liar = createLiar(addresses)
  world = await connectingWorld({}, liar)
  const { services } = world
  services.profiles.locations.set(
    'accounts/111',
    Array.from({ length: 150 }, (_, n) => ({ name: `locations/${n}`, title: `Shop ${n}` })),
  )
  for (const [n, id] of ['777', '778', '779', '780'].entries()) {
    services.login.pages.push({ id, name: `Page ${n}`, access_token: `EAA-page-${id}`, tasks: ['MODERATE'] })
  }
})
afterAll(() => world.stop())

const connectGoogle = async (): Promise<SeenPage> =>
  world.ada.open(backOf(world.services.profiles.answer(await world.asking('google'))))
const choosePages = async (): Promise<SeenPage> =>
  world.ada.open(backOf(world.services.login.answer(await world.asking('facebook'))))
const run = (name: string, input: object) =>
  runCommand({ commands: world.gate.registry.commands, owner: world.gate.owner }, name, input)
const countLocations = () => world.gate.owner.rows(BusinessLocation).count()

describe.each([
  ['google token', 1],
  ['google accounts', 1],
] as const)('Google is not connected when %s, request %i,', (at, from) => {
  test.each(kinds)('answers %s', async (_, answer) => {
    liar.tell({ at, answer, from })
    const page = await connectGoogle()
    expect(liar.told).toBeGreaterThan(0)
    expect([page.status, page.text.includes('Google was not connected')]).toEqual([422, true])
    expect(page.text).not.toContain('lists no account')
    expect(await world.rows()).toEqual([])
    liar.tell(null)
  })
})

describe.each([
  ['facebook token', 1],
  ['facebook token', 2],
  ['facebook pages', 1],
  ['facebook pages', 2],
] as const)('Facebook is not connected when %s, request %i,', (at, from) => {
  test.each(kinds)('answers %s', async (_, answer) => {
    liar.tell({ at, answer, from })
    const page = await choosePages()
    expect(liar.told).toBeGreaterThan(0)
    expect([page.status, page.text.includes('Facebook was not connected')]).toEqual([422, true])
    expect(page.text).not.toContain('shows no Page')
    expect(await world.rows()).toEqual([])
    liar.tell(null)
  })
})

test.each(kinds)('Granted permissions are not known when Facebook answers %s', async (_, answer) => {
  liar.tell({ at: 'facebook permissions', answer })
  const page = await choosePages()
  expect(liar.told).toBeGreaterThan(0)
  expect(page.text).toContain('Facebook did not say which permissions you granted')
  liar.tell(null)
})

describe('Locations', () => {
  let google: string
  let facebook: string
  beforeAll(async () => {
    liar.tell(null)
    await connectGoogle()
    await choosePages()
    await world.ada.submit(`${connectionsPath}/facebook/pages`, { page: ['777'] })
    const rows = await world.rows()
    google = rows.find(({ provider }) => provider === 'google')?.id ?? ''
    facebook = rows.find(({ provider }) => provider === 'facebook')?.id ?? ''
  })
  const refusal = (name: string, input: object) =>
    run(name, input).then(
      () => 'done',
      ({ code }) => code,
    )

  test.each(kinds)('of Google are not imported when a later page answers %s', async (_, answer) => {
    liar.tell({ at: 'google locations', answer, from: 2 })
    expect(await refusal('connection location import', { connection_id: google, ids: ['locations/0'] })).toBe(
      'unavailable',
    )
    expect(liar.told).toBe(1)
    expect(await countLocations()).toBe(0)
    liar.tell(null)
  })

  test.each(kinds)('of Google are not imported when the first page answers %s', async (kind, answer) => {
    liar.tell({ at: 'google locations', answer })
    const code = await refusal('connection location import', { connection_id: google, ids: ['locations/0'] })
    expect(liar.told).toBe(1)
    expect(code).toBe(isEmptyList(kind) ? 'conflict' : 'unavailable')
    expect(await countLocations()).toBe(0)
    liar.tell(null)
  })

  test.each(kinds)('that are reached through others are not counted from %s', async (kind, answer) => {
    liar.tell({ at: 'google reached locations', answer })
    const code = await refusal('connection location list', { connection_id: google })
    expect(liar.told).toBe(1)
    expect(code).toBe(isEmptyList(kind) ? 'done' : 'unavailable')
    liar.tell(null)
  })

  test.each(kinds)('of Facebook are not imported when the Page answers %s', async (_, answer) => {
    liar.tell({ at: 'facebook page', answer })
    expect(await refusal('connection location import', { connection_id: facebook, ids: ['777'] })).toBe(
      'unavailable',
    )
    expect(liar.told).toBeGreaterThan(0)
    expect(await refusal('connection location list', { connection_id: facebook })).toBe('unavailable')
    expect(await countLocations()).toBe(0)
    liar.tell(null)
  })

  test('are imported when every answer can be read', async () => {
    expect(await refusal('connection location import', { connection_id: google, ids: ['locations/0'] })).toBe(
      'done',
    )
    expect(await refusal('connection location import', { connection_id: facebook, ids: ['777'] })).toBe(
      'done',
    )
  })

  test('and accounts were asked for at the addresses of this table alone', () => {
    expect([...liar.asked].sort()).toEqual(addresses.map(([, name]) => name).sort())
  })
})
