import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import { auditOf } from '../../../../core/tenancy/audit/audit'
import { publishedEvents } from '../../../support/published-events'
import { startAgency, type TestAgency } from '../support/agency'

let acme: TestAgency
beforeEach(async () => {
  acme = await startAgency(async () => undefined, { paid: 1 })
})
afterEach(() => acme.stop())
const run = (name: string, location_id: string, more: object = {}) =>
  acme.run(`location ${name}`, { location_id, ...more })
const used = async () => (await acme.run('agency capacity show', {})).used
const actions = async () => {
  const { entries } = await auditOf(acme.first).list(acme.agency_id, { kind: 'location', limit: 50 })
  return entries.map(({ action }) => action).filter((action) => action !== 'location.capacity')
}

test('each change of the status of a location is one event', async () => {
  const id = await acme.add('A')
  for (const _ of [1, 2]) await run('deactivate', id)
  await run('activate', id)
  const prospect = await acme.add('P', { prospect: true })
  await expect(run('sign', prospect)).rejects.toMatchObject({ code: 'over_capacity' })
  const status = (is_active: boolean) => ({
    type: 'location.status_changed',
    data: { location_id: id, is_active, is_prospect: false },
  })
  const ready = (location_id: string) => ({ type: 'location.ready', data: { location_id } })
  expect(await publishedEvents(acme.first, 'location.')).toEqual([
    ready(id),
    status(false),
    status(true),
    ready(id),
    ready(prospect),
  ])
})

describe('A prospect', () => {
  test('that signs becomes an active client and takes a place', async () => {
    const id = await acme.add('P', { prospect: true })
    expect(await run('sign', id)).toEqual({ location_id: id, is_active: true, is_prospect: false })
    expect([await used(), await acme.counts()]).toEqual([1, [1, 1]])
    expect((await actions()).toSorted()).toEqual(['location.add', 'location.sign'])
    await expect(run('sign', id)).rejects.toThrow('P is not a prospect.')
  })

  test('that is activated has signed, too', async () => {
    const id = await acme.add('P', { prospect: true })
    expect(await run('activate', id)).toMatchObject({ is_active: true, is_prospect: false })
  })

  test('stays one where no place is free', async () => {
    await acme.add('A')
    const id = await acme.add('P', { prospect: true })
    for (const way of ['sign', 'activate']) {
      await expect(run(way, id)).rejects.toMatchObject({ code: 'over_capacity' })
    }
    expect(await acme.row(id)).toMatchObject({ is_active: false, is_prospect: true })
    expect(await acme.counts()).toEqual([1, 1])
  })

  test('that is deactivated stays one', async () => {
    const id = await acme.add('P', { prospect: true })
    expect(await run('deactivate', id)).toEqual({ location_id: id, is_active: false, is_prospect: true })
  })
})

describe('A location', () => {
  test('at rest frees its place, and takes one again', async () => {
    const id = await acme.add('A')
    expect(await run('deactivate', id)).toMatchObject({ is_active: false })
    expect(await used()).toBe(0)
    const other = await acme.add('B')
    await expect(run('activate', id)).rejects.toMatchObject({
      code: 'over_capacity',
      message: 'The agency pays for 1 location and uses 1, so A cannot be added.',
    })
    await run('deactivate', other)
    expect(await run('activate', id)).toMatchObject({ is_active: true })
  })

  test('that stands so already is left as it is, and nothing is written down', async () => {
    const id = await acme.add('A')
    const before = await acme.row(id)
    acme.jump(1_000)
    expect(await run('activate', id)).toMatchObject({ is_active: true })
    await run('exempt', id, { exempt: 'off' })
    expect(await acme.row(id)).toEqual(before)
    await run('deactivate', id)
    await run('deactivate', id)
    expect((await actions()).toSorted()).toEqual(['location.add', 'location.deactivate'])
  })

  test('of an agency that does not count is activated without a limit', async () => {
    await acme.run('agency capacity set', { none: true })
    const ids = [await acme.add('A'), await acme.add('B')]
    for (const id of ids) await run('deactivate', id)
    for (const id of ids) expect(await run('activate', id)).toMatchObject({ is_active: true })
  })

  test('that is not there, or belongs to the demo, is refused', async () => {
    const id = await acme.add('A')
    await acme.first.rows(BusinessLocation).update(id, { is_demo: true })
    const commands = ['activate', 'deactivate', 'sign', 'trial start', 'trial cancel'] as const
    for (const name of commands) {
      await expect(run(name, 'loc_0')).rejects.toMatchObject({ code: 'not_found' })
      await expect(run(name, id)).rejects.toThrow('belongs to the demo')
    }
    await expect(run('exempt', id, { exempt: 'on' })).rejects.toThrow('belongs to the demo')
    await expect(run('update', id, { phone: '1' })).rejects.toThrow('belongs to the demo')
  })
})

describe('An exempt location', () => {
  test('is counted nowhere, activated without a place, and counted again where one is free', async () => {
    const id = await acme.add('A')
    expect(await run('exempt', id, { exempt: 'on' })).toEqual({ location_id: id, billing_exempt: true })
    expect(await used()).toBe(0)
    const other = await acme.add('B')
    await run('deactivate', id)
    expect(await run('activate', id)).toMatchObject({ is_active: true })
    const refused = run('exempt', id, { exempt: 'off' })
    await expect(refused).rejects.toMatchObject({ code: 'over_capacity' })
    await expect(refused).rejects.not.toMatchObject({
      details: { hint: expect.stringContaining('--trial') },
    })
    await run('deactivate', other)
    expect(await run('exempt', id, { exempt: 'off' })).toMatchObject({ billing_exempt: false })
    expect(await used()).toBe(1)
    expect(await actions()).toEqual(
      expect.arrayContaining(['location.exempt', 'location.count', 'location.activate']),
    )
  })

  test('at rest or on trial is counted again without a place', async () => {
    await acme.add('A')
    const rest = await acme.add('B', { exempt: true })
    await run('deactivate', rest)
    expect(await run('exempt', rest, { exempt: 'off' })).toMatchObject({ billing_exempt: false })
    const trial = await acme.add('C', { trial: true })
    for (const exempt of ['on', 'off']) await run('exempt', trial, { exempt })
    expect(await acme.row(trial)).toMatchObject({ trial_state: 'trialing', billing_exempt: false })
  })

  test('is told so in two words and no other', async () => {
    await expect(run('exempt', 'loc_0', { exempt: 'yes' })).rejects.toMatchObject({
      details: { errors: [{ pointer: '/exempt' }] },
    })
  })
})
