import { afterEach, beforeEach, expect, test } from 'bun:test'
import { auditOf } from '../../../../core/tenancy/audit/audit'
import { startAgency, type TestAgency } from '../support/agency'

let acme: TestAgency
let id: string
beforeEach(async () => {
  acme = await startAgency(async () => undefined)
  id = await acme.add('A', { google_place_id: 'ChIJ-1', phone: '1', website: 'a.example' })
})
afterEach(() => acme.stop())
const update = (changes: object) => acme.run('location update', { location_id: id, ...changes })

test('what is told is changed and answered, and nothing else', async () => {
  const before = await acme.row(id)
  acme.jump(1_000)
  expect(await update({ business_name: ' B ', city: 'Leeds', latitude: 53.8 })).toEqual({
    location_id: id,
    business_name: 'B',
    city: 'Leeds',
    latitude: 53.8,
  })
  expect(await acme.row(id)).toEqual({
    ...before,
    business_name: 'B',
    city: 'Leeds',
    latitude: 53.8,
    updated_date: '2026-03-15T12:00:01.000Z',
  })
  const { entries } = await auditOf(acme.first).list(acme.agency_id, { kind: 'location', limit: 1 })
  expect(entries).toMatchObject([{ action: 'location.change', subject: 'B' }])
})

test('an empty text takes a field away', async () => {
  expect(await update({ phone: '', website: '', notes: 'short replies' })).toEqual({
    location_id: id,
    phone: null,
    website: null,
    manual_notes: 'short replies',
  })
  expect(await update({ notes: '' })).toMatchObject({ manual_notes: null })
  const row = await acme.row(id)
  for (const name of ['phone', 'website', 'manual_notes']) expect(row).not.toHaveProperty(name)
})

test('whether it is online only is a person’s word until it is to be inferred again', async () => {
  await update({ online_only: 'yes' })
  expect(await acme.row(id)).toMatchObject({ is_online_only: true, is_online_only_overridden: true })
  await update({ online_only: 'no' })
  expect(await acme.row(id)).toMatchObject({ is_online_only: false, is_online_only_overridden: true })
  await update({ online_only: 'inferred' })
  expect(await acme.row(id)).toMatchObject({ is_online_only_overridden: false })
  expect(await acme.row(id)).not.toHaveProperty('is_online_only')
  await update({ online_only: 'no' })
  await update({ online_only: 'inferred', business_category: 'E-commerce service' })
  expect(await acme.row(id)).toMatchObject({ is_online_only: true, is_online_only_overridden: false })
  await update({ online_only: 'yes' })
  await update({ online_only: 'inferred', address_line1: '1 High Street' })
  expect(await acme.row(id)).toMatchObject({ is_online_only: false, is_online_only_overridden: false })
})

test('automatic replies are turned on and off', async () => {
  await update({ auto_response: 'on' })
  expect(await acme.row(id)).toMatchObject({ auto_response_enabled: true })
  await update({ auto_response: 'off' })
  expect(await acme.row(id)).toMatchObject({ auto_response_enabled: false })
})

test('a listing that is named is read through its account from then on', async () => {
  await update({ google_location_id: 'accounts/111/locations/222' })
  expect(await acme.row(id)).toMatchObject({
    google_account_id: 'accounts/111',
    google_location_id: 'locations/222',
    google_place_id: 'ChIJ-1',
    added_via: 'gbp_oauth',
    source: 'google',
  })
  await expect(update({ google_location_id: '' })).rejects.toMatchObject({
    details: { errors: [{ pointer: '/google_location_id' }] },
  })
  await update({ google_location_id: '', google_account_id: '', added_via: 'places' })
  expect(await acme.row(id)).toMatchObject({ added_via: 'places', google_place_id: 'ChIJ-1' })
  expect(await acme.row(id)).not.toHaveProperty('google_location_id')
})

test('a listing may become a Page, and says so', async () => {
  await update({ google_place_id: '', added_via: 'website', facebook_page_id: '777' })
  expect(await acme.row(id)).toMatchObject({ source: 'facebook', facebook_page_id: '777' })
})

test.each([
  [{ business_name: ' ' }, 'business_name'],
  [{ website: 'ftp://a.example' }, 'website'],
  [{ google_maps_url: 'javascript:alert(1)' }, 'google_maps_url'],
  [{ logo_url: 'data:text/html,x' }, 'logo_url'],
  [{ latitude: 91 }, 'latitude'],
  [{ google_place_id: 'no place' }, 'google_place_id'],
  [{ google_place_id: '' }, 'google_place_id'],
  [{ google_account_id: '111', google_location_id: '222', facebook_page_id: '777' }, 'facebook_page_id'],
  [{ added_via: 'dfs_keyword' }, 'country'],
  [{ online_only: 'perhaps' }, 'online_only'],
  [{ notes: 'x'.repeat(4_001) }, 'notes'],
  [{ trial_state: 'converted' }, 'trial_state'],
  [{ is_active: true }, 'is_active'],
])('%j is refused by its field', async (changes, name) => {
  const before = await acme.row(id)
  await expect(update(changes)).rejects.toMatchObject({
    code: 'invalid_field',
    details: { errors: [{ pointer: `/${name}` }] },
  })
  expect(await acme.row(id)).toEqual(before)
})

test('nothing to change is refused', async () => {
  await expect(update({})).rejects.toThrow('Name a field to change')
})

test('the id of another location of the workspace is refused, its own is not', async () => {
  const other = await acme.add('B', { google_place_id: 'ChIJ-2' })
  await expect(update({ google_place_id: 'ChIJ-2' })).rejects.toMatchObject({
    code: 'conflict',
    details: { extra: { location_id: other } },
  })
  expect(await update({ google_place_id: 'ChIJ-1' })).toMatchObject({ google_place_id: 'ChIJ-1' })
})
