import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ProfileFieldName, profileFieldNames } from '../../../../plugins/enrichment/contract'
import type { EnrichedRow } from '../../../../plugins/enrichment/EnrichedLocation'
import { fillListing } from '../../../../plugins/enrichment/listing/fill-listing'
import { inferOnlineOnly } from '../../../../plugins/enrichment/listing/online-only'

const location = (changes: Partial<EnrichedRow> = {}) =>
  ({ id: 'loc_1', business_name: 'Acme', ...changes }) as EnrichedRow
const fill = (stands: Partial<EnrichedRow>, fields: object, id = 'google:1') =>
  fillListing(location(stands), { id, fields: fields as Record<ProfileFieldName, string> })

describe('A profile', () => {
  test('fills no half of an address beside another half', () => {
    const told = { address_line1: '1 High St', city: 'Leeds', postal_code: 'LS1' }
    expect(fill({ city: 'York' }, told).changes).toEqual({})
    expect(fill({ city: 'leeds ' }, told).changes).toEqual({ ...told })
    expect(fill({ latitude: 1 }, { latitude: 2, longitude: 3 }).changes).toEqual({})
  })

  test('takes away what it gave and no longer gives, and nothing else', () => {
    const given = { phone: '1', website: 'https://a.example/' }
    const stands = { ...given, listing_from: { id: 'google:1', fields: given } }
    expect(fill(stands, { website: given.website }).changes).toEqual({ phone: undefined })
    expect(fill({ ...stands, phone: '2' }, {}).changes).toEqual({ website: undefined })
    expect(fill(stands, {}, 'places:x').changes).toEqual({})
  })

  test('says nothing that a field cannot hold', () => {
    const wrong = {
      website: 'javascript:alert(1)',
      google_maps_url: 'x',
      latitude: 91,
      longitude: Number.NaN,
      phone: '\u202E',
      logo_url: `https://a.example/${'x'.repeat(3_000)}`,
      business_category: `Plumber\u200B${'x'.repeat(500)}`,
    }
    const { changes } = fill({}, wrong)
    expect(Object.keys(changes)).toEqual(['business_category', 'logo_url'])
    expect(changes.business_category?.length).toBeLessThanOrEqual(200)
  })
})

const value = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined, freq: 2 })
const row = fc.record(
  Object.fromEntries(
    profileFieldNames
      .filter((name) => !/url|website|link|tude|verified/.test(name))
      .map((name) => [name, value]),
  ),
)

test('whatever a person writes between two readings stands', () => {
  fc.assert(
    fc.property(row, row, row, row, (first, told, written, later) => {
      let stands = location(first as Partial<EnrichedRow>)
      const read = (fields: object) => {
        const { changes, listing_from } = fillListing(stands, {
          id: 'google:1',
          fields: fields as Record<ProfileFieldName, string>,
        })
        stands = { ...stands, ...changes, listing_from } as EnrichedRow
      }
      read(told)
      for (const [name, value] of Object.entries(first))
        if (value !== undefined) expect(stands[name as ProfileFieldName]).toBe(value)
      const own = Object.entries(written).filter(
        ([name, value]) => value !== undefined && value !== stands[name as ProfileFieldName],
      )
      stands = { ...stands, ...Object.fromEntries(own) }
      read(later)
      for (const [name, value] of own) expect(stands[name as ProfileFieldName]).toBe(value as string)
    }),
    { numRuns: 500 },
  )
})

describe('Online only is', () => {
  const listing = { hasPlace: false, isServiceArea: false }
  const data = { street: '', types: ['Organization'] }
  test.each([
    [
      'what has a street',
      { address_line1: '1 High St', business_category: 'E-commerce service' },
      listing,
      data,
      false,
    ],
    [
      'what has a street by its pages',
      { business_category: 'Online shop' },
      listing,
      { ...data, street: '1 High St' },
      false,
    ],
    [
      'what has a street by its profile',
      { business_category: 'Online shop' },
      { ...listing, hasPlace: true },
      data,
      false,
    ],
    [
      'what comes to its customers',
      { business_category: 'Software company' },
      { ...listing, isServiceArea: true },
      null,
      false,
    ],
    [
      'a shop of that category without any',
      { business_category: 'E-commerce service', city: 'Leeds' },
      listing,
      data,
      true,
    ],
    ['a shop of that type without any', {}, null, { street: '', types: ['OnlineStore'] }, true],
    ['what says nothing of it', { business_category: 'Plumber' }, listing, data, null],
    ['what only sounds so', { business_category: 'Onliner of tyres' }, null, null, null],
  ] as const)('%s: as told', (_, stands, listed, marked, is) => {
    expect(inferOnlineOnly({ location: stands, listing: listed, data: marked })).toBe(is)
  })
})
