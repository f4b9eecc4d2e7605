import { afterEach, beforeEach, expect, test } from 'bun:test'
import { BusinessLocation, Workspace } from '../../../../core/product/tenancy-plugin'
import { locationCounts } from '../../../../core/tenancy/locations/location-counts'
import { describeGateStores } from '../../../support/mongo'
import { startAgency, type TestAgency } from '../support/agency'

describeGateStores('The counts of a workspace on %s', (_, open) => {
  let acme: TestAgency
  beforeEach(async () => {
    acme = await startAgency(open)
  })
  afterEach(() => acme.stop())
  const repair = () => locationCounts.run(acme.first, new AbortController().signal)

  test('follow every command', async () => {
    const id = await acme.add('A')
    const pitched = await acme.add('B', { prospect: true })
    expect(await acme.counts()).toEqual([1, 1])
    await acme.run('location deactivate', { location_id: id })
    expect(await acme.counts()).toEqual([1, 0])
    await acme.run('location activate', { location_id: id })
    await acme.run('location sign', { location_id: pitched })
    expect(await acme.counts()).toEqual([2, 2])
  })

  test('that a dead process left wrong are set right, those of an empty workspace too', async () => {
    const second = await acme.run('workspace create', { name: 'Second' })
    await acme.add('A')
    const base = { is_active: true, is_prospect: false, auto_response_enabled: false }
    await acme.first
      .rows(BusinessLocation)
      .insert({ ...base, business_name: 'B', workspace_id: acme.workspace_id, is_active: false })
    await acme.first.rows(BusinessLocation).insert({
      ...base,
      business_name: 'C',
      workspace_id: acme.workspace_id,
      is_active: false,
      is_prospect: true,
    })
    await acme.first
      .rows(Workspace)
      .update(String(second.workspace_id), { locations_count: 4, active_locations_count: 3 })
    await repair()
    expect(await acme.counts()).toEqual([2, 1])
    expect(await acme.counts(String(second.workspace_id))).toEqual([0, 0])
  })

  test('that are right are not written again', async () => {
    await acme.add('A')
    const before = await acme.first.rows(Workspace).get(acme.workspace_id)
    acme.jump(60_000)
    await repair()
    expect(await acme.first.rows(Workspace).get(acme.workspace_id)).toEqual(before)
  })
})
