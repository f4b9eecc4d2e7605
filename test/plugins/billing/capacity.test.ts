import { afterEach, beforeEach, expect, test } from 'bun:test'
import { BusinessLocation, Workspace } from '../../../core/product/tenancy-plugin'
import { capacityOf, hasRoom, overBy } from '../../../plugins/billing/capacity'
import { startAgency, type TestAgency } from '../../core/tenancy/support/agency'
import { describeGateStores } from '../../support/mongo'

describeGateStores('Paid capacity on %s', (_, open) => {
  let acme: TestAgency
  beforeEach(async () => {
    acme = await startAgency(open, { paid: 2 })
  })
  afterEach(() => acme.stop())

  test('counts active clients in every workspace, and none that is exempt, on trial, pitched, at rest or made up', async () => {
    const { workspace_id } = await acme.run('workspace create', { name: 'Second', agency_id: acme.agency_id })
    await acme.add('A')
    await acme.add('B', { workspace_id })
    await acme.add('C', { exempt: true })
    await acme.add('D', { trial: true })
    await acme.add('E', { prospect: true })
    const base = { workspace_id: acme.workspace_id, is_active: true, is_prospect: false } as const
    const rows = acme.first.rows(BusinessLocation)
    await rows.insert({ ...base, business_name: 'F', is_active: false, auto_response_enabled: false })
    await rows.insert({ ...base, business_name: 'G', is_demo: true, auto_response_enabled: false })
    const other = await acme.run('agency create', { name: 'Other' })
    await acme.add('H', { workspace_id: other.workspace_id })
    const capacity = await capacityOf(acme.first, acme.agency_id)
    expect(capacity).toMatchObject({ paid: 2, used: 2, trialing: 1, exempt: 1 })
    expect([hasRoom(capacity), overBy(capacity)]).toEqual([false, 0])
  })

  test('is not counted where it was never set, and refuses nothing', async () => {
    await acme.run('agency capacity set', { agency_id: acme.agency_id, none: true })
    for (const name of ['A', 'B', 'C']) await acme.add(name)
    expect(await capacityOf(acme.first, acme.agency_id)).toMatchObject({ paid: null, used: 3 })
  })

  test('refuses one more with the numbers, the ways out, and nothing left behind', async () => {
    await acme.add('A')
    await acme.add('B')
    await expect(acme.add('Corner Bakery')).rejects.toMatchObject({
      code: 'over_capacity',
      message: 'The agency pays for 2 locations and uses 2, so Corner Bakery cannot be added.',
      details: {
        extra: { paid_capacity: 2, used: 2 },
        hint: expect.stringMatching(/--paid 3.*location deactivate.*--trial/),
      },
    })
    expect(await acme.first.rows(BusinessLocation).count()).toBe(2)
    expect(await acme.counts()).toEqual([2, 2])
  })

  test('is given to exactly as many as it is for, however many ask two processes at once', async () => {
    const asked = Array.from({ length: 8 }, (_, place) =>
      acme.run(
        'location create',
        { business_name: `L${place}`, workspace_id: acme.workspace_id },
        place % 2 === 0 ? acme.first : acme.second,
      ),
    )
    const outcomes = await Promise.allSettled(asked)
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    expect(refused).toEqual(Array(6).fill('over_capacity'))
    expect(await capacityOf(acme.first, acme.agency_id)).toMatchObject({ used: 2 })
    expect(await acme.counts()).toEqual([2, 2])
  }, 90_000)

  test('is given once where an activation, a signature and an exemption taken back meet', async () => {
    const rest = await acme.add('Rest')
    const free = await acme.add('Free', { exempt: true })
    const pitched = await acme.add('Pitched', { prospect: true })
    await acme.run('location deactivate', { location_id: rest })
    await acme.add('A')
    const outcomes = await Promise.allSettled([
      acme.run('location activate', { location_id: rest }, acme.first),
      acme.run('location sign', { location_id: pitched }, acme.second),
      acme.run('location exempt', { location_id: free, exempt: 'off' }, acme.second),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await capacityOf(acme.first, acme.agency_id)).toMatchObject({ used: 2 })
    const [all, active] = await acme.counts()
    const rows = await acme.first.rows(BusinessLocation).list({ limit: 10 })
    expect(all).toBe(rows.filter(({ is_prospect }) => !is_prospect).length)
    expect(active).toBe(rows.filter(({ is_active }) => is_active).length)
  }, 90_000)

  test('of one agency is no matter of another', async () => {
    const other = await acme.run('agency create', { name: 'Other' })
    await acme.run('agency capacity set', { agency_id: other.agency_id, paid: 0 })
    await expect(acme.add('X', { workspace_id: other.workspace_id })).rejects.toMatchObject({
      code: 'over_capacity',
    })
    await acme.add('A')
    expect(await acme.first.rows(Workspace).get(String(other.workspace_id))).toMatchObject({
      locations_count: 0,
    })
  })
})
