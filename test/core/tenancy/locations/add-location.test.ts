import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { BusinessLocation, Workspace } from '../../../../core/product/tenancy-plugin'
import { auditOf } from '../../../../core/tenancy/audit/audit'
import { addLocation } from '../../../../core/tenancy/locations/add-location'
import { describeGateStores } from '../../../support/mongo'
import { startAgency, type TestAgency } from '../support/agency'

let acme: TestAgency
afterEach(() => acme.stop())

describe('A business that is added', () => {
  beforeEach(async () => {
    acme = await startAgency(async () => undefined)
  })
  const add = (told: object) =>
    addLocation(acme.first, { workspace_id: acme.workspace_id, business_name: 'Acme', ...told })
  test.each([
    [{ is_demo: true }, 'the demo'],
    [{ is_active: false }, 'no workspace'],
  ])('goes into no workspace that is %p', async (changes, why) => {
    await acme.first.rows(Workspace).update(acme.workspace_id, changes)
    await expect(add({})).rejects.toThrow(why)
    expect(await acme.first.rows(BusinessLocation).count()).toBe(0)
  })

  const listing = { google_account_id: 'accounts/111', google_location_id: 'locations/222' }

  test.each([
    [{}, { added_via: undefined, source: undefined }],
    [{ website: 'https://acme.example' }, { added_via: 'website', source: undefined }],
    [
      { google_place_id: 'ChIJ-1', website: 'https://acme.example' },
      { added_via: 'places', source: 'google' },
    ],
    [
      { google_place_id: 'ChIJ-1', ...listing },
      { added_via: 'gbp_oauth', source: 'google' },
    ],
    [
      { facebook_page_id: '777', website: 'https://acme.example' },
      { added_via: undefined, source: 'facebook' },
    ],
    [
      { added_via: 'dfs_keyword', country: 'GB', google_place_id: 'ChIJ-1' } as const,
      { added_via: 'dfs_keyword', source: 'google' },
    ],
    [
      { website: '', phone: '' },
      { added_via: undefined, website: undefined, phone: undefined },
    ],
  ])('with %j was added as its ids say', async (told, expected) => {
    const row = await acme.row((await add(told)).id)
    expect({ ...row }).toMatchObject(Object.fromEntries(Object.entries(expected).filter(([, v]) => v)))
    for (const [name, value] of Object.entries(expected))
      if (value === undefined) expect(row).not.toHaveProperty(name)
  })

  test.each([
    ['222', '111'],
    ['accounts/111/locations/222', undefined],
    ['accounts/111/locations/222', 'accounts/111'],
  ])('keeps the listing %j of account %j in one form', async (google_location_id, google_account_id) => {
    expect(await add({ google_location_id, google_account_id })).toMatchObject(listing)
  })

  test.each([
    [{ facebook_page_id: '777', ...listing }, ['facebook_page_id']],
    [{ google_location_id: 'locations/222' }, ['google_account_id']],
    [{ added_via: 'places' }, ['google_place_id']],
    [{ added_via: 'gbp_oauth' }, ['google_account_id', 'google_location_id']],
    [{ added_via: 'website' }, ['website']],
    [{ added_via: 'dfs_keyword' }, ['country']],
    [{ facebook_page_id: '777', source: 'google' }, ['source']],
    [{ google_place_id: 'ChIJ-1', source: 'facebook' }, ['source']],
    [{ is_prospect: true, trial: true }, ['trial']],
  ])('with %j is refused', async (told, names) => {
    await expect(add(told)).rejects.toMatchObject({
      code: 'invalid_field',
      details: { errors: names.map((name) => expect.objectContaining({ pointer: `/${name}` })) },
    })
    expect(await acme.first.rows(BusinessLocation).count()).toBe(0)
  })

  test.each([
    ['google_place_id', 'ChIJ-1', 'ChIJ-1'],
    ['facebook_page_id', '777', '777'],
    ['google_location_id', 'accounts/111/locations/222', 'accounts/999/locations/222'],
  ])('with the %s of another is refused with its id', async (name, first, second) => {
    const { id } = await add({ [name]: first })
    await expect(add({ [name]: second })).rejects.toMatchObject({
      code: 'conflict',
      details: { extra: { location_id: id }, errors: [{ pointer: `/${name}`, code: 'taken' }] },
    })
    const { workspace_id } = (await acme.run('workspace create', { name: 'Second' })) as Record<
      string,
      string
    >
    await add({ [name]: second, workspace_id })
  })

  test('with a listing that another bears in its short form is refused, too', async () => {
    const { id } = await add({})
    await acme.first.rows(BusinessLocation).update(id, { google_location_id: '222' })
    await expect(add(listing)).rejects.toMatchObject({ details: { extra: { location_id: id } } })
  })

  test('is said to be a prospect where that is what stands in the way', async () => {
    const { id } = await add({ google_place_id: 'ChIJ-1', is_prospect: true })
    await expect(add({ google_place_id: 'ChIJ-1' })).rejects.toMatchObject({
      details: { hint: `It is a prospect: \`location sign ${id}\` makes it a client.` },
    })
  })

  test('needs a workspace that is there', async () => {
    await expect(add({ workspace_id: 'wsp_0' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is written down, with its trial', async () => {
    await acme.run('agency capacity set', { paid: 0 })
    await add({ trial: true })
    const { entries } = await auditOf(acme.first).list(acme.agency_id, { kind: 'location', limit: 10 })
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'location.add',
      'location.capacity',
      'location.trial_start',
    ])
  })
})

describeGateStores('On %s', (_, open) => {
  test('a business that two processes import at once is added once', async () => {
    acme = await startAgency(open)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, place) =>
        addLocation(place % 2 === 0 ? acme.first : acme.second, {
          workspace_id: acme.workspace_id,
          business_name: 'Acme',
          google_place_id: 'ChIJ-1',
        }),
      ),
    )
    const [added] = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
    const found = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [one.reason.details.extra.location_id] : [],
    )
    expect(found).toEqual(Array(5).fill(added))
    expect(await acme.counts()).toEqual([1, 1])
  }, 90_000)
})
