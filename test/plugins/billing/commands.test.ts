import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../core/contracts/where'
import { BusinessLocation } from '../../../core/product/tenancy-plugin'
import { auditOf } from '../../../core/tenancy/audit/audit'
import { PastTrial } from '../../../plugins/billing/PastTrial'
import { dayMs, startAgency, type TestAgency } from '../../core/tenancy/support/agency'
import { describeGateStores } from '../../support/mongo'

describeGateStores('A trial on %s', (_, open) => {
  let acme: TestAgency
  let paid: string
  beforeEach(async () => {
    acme = await startAgency(open, { paid: 1 })
    paid = await acme.add('Paid')
  })
  afterEach(() => acme.stop())
  const start = (location_id: string) => acme.run('location trial start', { location_id })
  const cancel = (location_id: string, on = acme.first) =>
    acme.run('location trial cancel', { location_id }, on)
  const kinds = async () => (await acme.news()).map(({ type }) => type).toSorted()

  test('begins with a location beyond what is paid for, is told, and counts as no place', async () => {
    await acme.run('agency capacity set', { charge: 29, charge_interval: 'year' })
    const id = await acme.add('Corner Bakery', { trial: true })
    expect(await acme.row(id)).toMatchObject({
      is_active: true,
      is_prospect: false,
      trial_state: 'trialing',
      trial_started_at: '2026-03-15T12:00:00.000Z',
      trial_end: '2026-03-29T12:00:00.000Z',
      trial_charge_amount: 29,
      trial_charge_interval: 'year',
    })
    expect(await acme.run('agency capacity show', {})).toMatchObject({ used: 1, trialing: 1, beyond: 0 })
    expect(await acme.counts()).toEqual([2, 2])
    expect(await acme.news()).toEqual([
      {
        type: 'trial_started',
        location_id: id,
        title: 'Corner Bakery is on trial until 29 Mar 2026',
        body: 'It was added beyond the locations that are paid for, and counts as none of them until then. Then it goes on as a paid location. A location beyond paid capacity costs 29 a year.',
      },
    ])
  })

  test('is not spent where a place is free', async () => {
    await acme.run('agency capacity set', { paid: 2 })
    const id = await acme.add('A', { trial: true })
    expect(await acme.row(id)).not.toHaveProperty('trial_state')
    expect(await acme.run('agency capacity show', {})).toMatchObject({ used: 2, trialing: 0 })
  })

  test('begins later, of a location at rest or of one beyond a capacity that shrank', async () => {
    const rest = await acme.add('Rest', { exempt: true })
    await acme.run('location deactivate', { location_id: rest })
    await acme.run('location exempt', { location_id: rest, exempt: 'off' })
    expect(await start(rest)).toMatchObject({ is_active: true, trial_state: 'trialing' })
    await acme.run('agency capacity set', { paid: 0 })
    expect(await start(paid)).toMatchObject({ trial_state: 'trialing' })
    expect(await acme.run('agency capacity show', {})).toMatchObject({ used: 0, trialing: 2 })
  })

  test('begins with a prospect that signs, and with one that is activated', async () => {
    const one = await acme.add('B', { prospect: true })
    const two = await acme.add('C', { prospect: true })
    const client = { is_active: true, is_prospect: false, trial_state: 'trialing' }
    expect(await acme.run('location sign', { location_id: one, trial: true })).toMatchObject(client)
    expect(await acme.run('location activate', { location_id: two, trial: true })).toMatchObject(client)
  })

  test('is refused where it makes no sense, and says why', async () => {
    const prospect = await acme.add('P', { prospect: true })
    const exempt = await acme.add('E', { exempt: true })
    const trial = await acme.add('T', { trial: true })
    const why = (id: string) => start(id).then(String, (error) => `${error.code}: ${error.message}`)
    expect(await why(prospect)).toBe('conflict: P is a prospect.')
    expect(await why(exempt)).toBe('conflict: E does not count against capacity and needs no trial.')
    expect(await why(trial)).toBe('conflict: T is already on trial, until 2026-03-29T12:00:00.000Z.')
    expect(await why(paid)).toBe('conflict: Paid needs no trial: 0 of 1 location are in use without it.')
    await acme.run('agency capacity set', { none: true })
    expect(await why(paid)).toContain('the capacity of the agency is not counted')
    expect(await why('loc_0')).toStartWith('not_found')
  })

  test('that is cancelled is over for good: deactivated, kept, told and written down', async () => {
    const id = await acme.add('A', { trial: true })
    acme.jump(dayMs)
    expect(await cancel(id)).toEqual({
      location_id: id,
      trial_state: 'ended',
      is_active: false,
      trial_ended_at: '2026-03-16T12:00:00.000Z',
    })
    expect(await acme.counts()).toEqual([2, 1])
    expect(await kinds()).toEqual(['trial_ended', 'trial_started'])
    const { entries } = await auditOf(acme.first).list(acme.agency_id, { kind: 'location', limit: 20 })
    expect(entries.map(({ action }) => action)).toContain('location.trial_cancel')
    await expect(cancel(id)).rejects.toThrow('A is not on trial: it ended.')
    await expect(cancel(paid)).rejects.toThrow('Paid never was on trial.')
  })

  test('is cancelled once, whoever asks', async () => {
    const id = await acme.add('A', { trial: true })
    const outcomes = await Promise.allSettled(
      [acme.first, acme.second, acme.first, acme.second].map((on) => cancel(id, on)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await kinds()).toEqual(['trial_ended', 'trial_started'])
  }, 90_000)

  test('is not ended by the way: deactivating says what ends it', async () => {
    const id = await acme.add('A', { trial: true })
    await expect(acme.run('location deactivate', { location_id: id })).rejects.toMatchObject({
      code: 'conflict',
      details: { hint: expect.stringContaining(`location trial cancel ${id}`) },
    })
    expect(await acme.row(id)).toMatchObject({ is_active: true, trial_state: 'trialing' })
  })

  describe('is had once', () => {
    const had = { code: 'conflict', details: { errors: [{ pointer: '/trial', code: 'trial_had' }] } }

    test('by a location, whether it was ended or converted', async () => {
      const ended = await acme.add('A', { trial: true })
      await cancel(ended)
      await expect(start(ended)).rejects.toMatchObject({ ...had, message: expect.stringContaining('uses 1') })
      await expect(acme.run('location activate', { location_id: ended, trial: true })).rejects.toMatchObject(
        had,
      )
      const converted = await acme.add('B', { trial: true })
      acme.jump(20 * dayMs)
      await acme.due()
      await expect(start(converted)).rejects.toMatchObject(had)
      await expect(cancel(converted)).rejects.toThrow('B is not on trial: it converted.')
    })

    test('by a business, under a row of its own and in another workspace', async () => {
      const first = await acme.add('A', { trial: true, website: 'https://a.example' })
      await cancel(first)
      const second = await acme.run('workspace create', { name: 'Second' })
      const again = { trial: true, workspace_id: second.workspace_id }
      for (const told of [{}, { google_place_id: '', website: 'https://www.a.example/contact' }]) {
        await expect(acme.add('A', { ...again, ...told })).rejects.toMatchObject({
          details: { ...had.details, extra: { location_id: first } },
        })
      }
      expect(await acme.counts(String(second.workspace_id))).toEqual([0, 0])
    })

    test('by a business whose location and workspace are gone', async () => {
      await acme.add('A', { trial: true })
      await acme.first.rows(BusinessLocation).removeWhere(where.eq('business_name', 'A'))
      await expect(acme.add('A', { trial: true })).rejects.toMatchObject(had)
      const marks = await acme.first.rows(PastTrial).list()
      expect(marks).toMatchObject([{ agency_id: acme.agency_id, workspace_id: acme.agency_id }])
      expect(JSON.stringify(marks)).not.toContain('place_A')
    })

    test('by what it is known by since, too', async () => {
      const id = await acme.add('A', { trial: true })
      await acme.run('location update', { location_id: id, google_place_id: 'place_B' })
      const second = await acme.run('workspace create', { name: 'Second' })
      const again = { trial: true, workspace_id: second.workspace_id }
      await expect(acme.add('B', again)).rejects.toMatchObject(had)
      await expect(acme.add('A', again)).rejects.toMatchObject(had)
    })

    test('in one agency: another one has its own', async () => {
      await acme.add('A', { trial: true })
      const other = await acme.run('agency create', { name: 'Other' })
      await acme.run('agency capacity set', { agency_id: other.agency_id, paid: 0 })
      const id = await acme.add('A', { trial: true, workspace_id: other.workspace_id })
      expect(await acme.row(id)).toMatchObject({ trial_state: 'trialing' })
    })

    test('where two processes add one business to two workspaces at once', async () => {
      const { workspace_id } = await acme.run('workspace create', { name: 'Second' })
      const told = { business_name: 'A', google_place_id: 'ChIJ-1', trial: true }
      const outcomes = await Promise.allSettled([
        acme.run('location create', { ...told, workspace_id }, acme.first),
        acme.run('location create', { ...told, workspace_id: acme.workspace_id }, acme.second),
      ])
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }, 90_000)
  })
})
