import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { Agency, BusinessLocation, tenancy, User, Workspace } from '../../../core/product/tenancy-plugin'
import { type Workbench, workbench } from '../../support/workbench'

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([tenancy])
})
afterEach(() => bench.stop())
const accepts = (name: string, input: Record<string, unknown>) => {
  const command = bench.registry.commands.get(name)
  return command ? v.safeParse(command.input, input).success : undefined
}

describe('agency create', () => {
  test('makes the agency, its home workspace and its owner', async () => {
    const made = await bench.command('agency create', {
      name: ' Acme ',
      timezone: 'Europe/Madrid',
      owner_email: 'Owner@Example.com',
    })
    expect(await bench.owner.rows(Agency).get(made.agency_id ?? '')).toMatchObject({
      name: 'Acme',
      is_platform: false,
      is_active: true,
    })
    expect(await bench.owner.rows(Workspace).get(made.workspace_id ?? '')).toMatchObject({
      workspace_id: made.workspace_id,
      agency_id: made.agency_id,
      is_home: true,
      timezone: 'Europe/Madrid',
      locations_count: 0,
    })
    expect(await bench.owner.rows(User).get(made.user_id ?? '')).toMatchObject({
      agency_id: made.agency_id,
      role: 'owner',
      email: 'owner@example.com',
    })
  })

  test('makes nothing where somebody signs in with the address of the owner', async () => {
    await bench.command('agency create', { name: 'Acme', owner_email: 'owner@example.com' })
    const second = bench.command('agency create', { name: 'Other', owner_email: 'OWNER@example.com' })
    await expect(second).rejects.toMatchObject({
      code: 'conflict',
      details: { errors: [{ pointer: '/owner_email' }] },
    })
    expect(await bench.owner.rows(Agency).count()).toBe(1)
  })

  test.each([
    [{ name: '' }, false],
    [{}, false],
    [{ name: 'A', timezone: 'Mars/Olympus' }, false],
    [{ name: 'A', timezone: '+02:00' }, false],
    [{ name: 'A', timezone: 'America/Argentina/Buenos_Aires' }, true],
    [{ name: 'A', locale: 'not a tag' }, false],
    [{ name: 'A', locale: 'pt-BR' }, true],
    [{ name: 'A', owner_email: 'nobody' }, false],
    [{ name: 'A', colour: 'red' }, false],
  ])('takes %j: %j', (input, good) => {
    expect(accepts('agency create', input)).toBe(good)
  })
})

describe('workspace create', () => {
  test('makes a workspace of the only agency, and no second home', async () => {
    const agency = await bench.command('agency create', { name: 'Acme' })
    const made = await bench.command('workspace create', { name: 'Client' })
    expect(made).toMatchObject({ agency_id: agency.agency_id, is_home: false })
  })
  test('gives an agency a home that lacks one', async () => {
    const agency = await bench.command('agency create', { name: 'Acme' })
    await bench.collection(Workspace).remove({ op: 'eq', field: 'agency_id', value: agency.agency_id ?? '' })
    expect(await bench.command('workspace create', { name: 'Home' })).toMatchObject({ is_home: true })
  })
  test('asks which agency where there are several, and knows when there is none', async () => {
    await expect(bench.command('workspace create', { name: 'X' })).rejects.toThrow('no agency yet')
    await bench.command('agency create', { name: 'A' })
    await bench.command('agency create', { name: 'B' })
    await expect(bench.command('workspace create', { name: 'X' })).rejects.toThrow('--agency-id')
    await expect(bench.command('workspace create', { name: 'X', agency_id: 'agc_0' })).rejects.toThrow(
      'no agency agc_0',
    )
  })
})

describe('location create', () => {
  beforeEach(async () => {
    await bench.command('agency create', { name: 'Acme' })
  })
  test('makes an active location and counts it in its workspace', async () => {
    const made = await bench.command('location create', { business_name: 'Café Ñ', website: 'cafe.example' })
    const row = await bench.owner.rows(BusinessLocation).get(made.location_id ?? '')
    expect(row).toMatchObject({
      business_name: 'Café Ñ',
      website: 'https://cafe.example',
      added_via: 'website',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
    })
    expect(await bench.owner.rows(Workspace).get(made.workspace_id ?? '')).toMatchObject({
      locations_count: 1,
      active_locations_count: 1,
    })
  })
  test('makes a prospect inactive, and counts it nowhere', async () => {
    const made = await bench.command('location create', { business_name: 'Pitch', prospect: true })
    expect(made).toMatchObject({ is_active: false, is_prospect: true })
    expect(await bench.owner.rows(Workspace).get(made.workspace_id ?? '')).toMatchObject({
      locations_count: 0,
      active_locations_count: 0,
    })
  })
  test('takes no website that is none', () => {
    for (const website of ['ftp://x.example', 'nothing', 'javascript:alert(1)', 'https://user@x.example']) {
      expect(accepts('location create', { business_name: 'A', website })).toBe(false)
    }
  })
  test('asks which workspace where there are several', async () => {
    await bench.command('workspace create', { name: 'Second' })
    await expect(bench.command('location create', { business_name: 'A' })).rejects.toThrow('--workspace-id')
  })
})

test('whoami says whose credential it is and which workspace is read', async () => {
  const made = await bench.command('agency create', { name: 'Acme', timezone: 'Asia/Tokyo' })
  const whoami = bench.registry.operations.get('whoami')
  await bench
    .collection(Workspace)
    .updateOne({ op: 'eq', field: 'id', value: made.workspace_id ?? '' }, { set: { agency_id: 'agc_1' } })
  const answer = await whoami?.run(bench.read(made.workspace_id ?? ''), {})
  expect(answer).toEqual({
    credential: { kind: 'agent_key', platform: false, scopes: ['read', 'write'] },
    agency_id: 'agc_1',
    workspace: {
      id: made.workspace_id,
      name: 'Acme',
      agency_id: 'agc_1',
      is_home: true,
      timezone: 'Asia/Tokyo',
      locale: 'en',
      plan: 'self_hosted',
      is_demo: false,
    },
    checked_at: '2026-03-15T12:00:00.000Z',
  })
  expect(whoami && v.is(whoami.output, answer)).toBe(true)
})
