import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { enrichmentSchema } from '../../../../core/contracts/enrichment'
import { unstorable } from '../../../../core/kit/fields'
import type { EnrichedRow } from '../../../../plugins/enrichment/EnrichedLocation'
import { type Listing, silentListing } from '../../../../plugins/enrichment/listing/listing'
import { ownWords } from '../../../../plugins/enrichment/profile/own-words'
import {
  findingsOf,
  type Profile,
  structuredProfile,
  withBefore,
  withUnderstood,
} from '../../../../plugins/enrichment/profile/profile'
import { readPage } from '../../../../plugins/enrichment/website/read-page'

const at = '2026-03-15T12:00:00.000Z'
const location = {
  id: 'loc_1',
  business_name: 'Acme',
  business_category: 'Plumber',
  city: 'Leeds',
} as EnrichedRow
const listing: Listing = {
  ...silentListing,
  reader: 'places',
  id: 'places:x',
  url: 'https://maps.example/1',
  fetched_at: at,
}
const page = (html: string, path = '') => readPage(html, `https://acme.example/${path}`, at)

const isWhole = (profile: Profile) => {
  v.parse(enrichmentSchema, profile)
  expect(unstorable(profile, '')).toBeNull()
  expect(profile.about).not.toBe('')
  expect(profile.about.length).toBeLessThanOrEqual(1_000)
  for (const list of [profile.services, profile.attributes]) {
    expect(list.length).toBeLessThanOrEqual(30)
    for (const item of list) expect(item.length).toBeLessThanOrEqual(80)
  }
  expect(profile.languages.length).toBeLessThanOrEqual(10)
  expect(profile.sources.length).toBeLessThanOrEqual(8)
  expect(profile.service_area?.length ?? 0).toBeLessThanOrEqual(300)
  expect(JSON.stringify(profile).length).toBeLessThan(40_000)
  expect(JSON.stringify(profile)).not.toMatch(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/)
}

const wild = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '\u202Eevil',
    'x'.repeat(5_000),
    '\uD800',
    'Mo-Fr 9-5',
    'https://x.com/acme',
    'de',
    '0113 496 0187',
  ),
)
const html = fc
  .array(fc.record({ tag: fc.constantFrom('p', 'h1', 'li', 'title', 'div hidden', 'script'), text: wild }), {
    maxLength: 20,
  })
  .map((parts) => parts.map(({ tag, text }) => `<${tag}>${text}</${tag.split(' ')[0]}>`).join(''))
const marked = fc
  .dictionary(
    fc.constantFrom(
      'name',
      'description',
      'telephone',
      'areaServed',
      'sameAs',
      'knowsLanguage',
      'openingHours',
      'amenityFeature',
      'makesOffer',
      'address',
    ),
    fc.oneof(wild, fc.array(wild, { maxLength: 60 }), fc.jsonValue({ maxDepth: 3 })),
  )
  .map(
    (data) => `<script type="application/ld+json">${JSON.stringify({ '@type': 'Store', ...data })}</script>`,
  )
const said = fc.record({
  about: wild,
  area: wild,
  services: fc.array(wild, { maxLength: 60 }),
  attributes: fc.array(wild, { maxLength: 60 }),
  languages: fc.array(wild, { maxLength: 20 }),
  socials: fc.array(wild, { maxLength: 20 }),
  fields: fc.record({ phone: wild, postal_code: wild }, { requiredKeys: [] }),
})
const understood = fc.record({
  about: fc.option(wild),
  services: fc.array(wild, { maxLength: 20 }),
  attributes: fc.array(wild, { maxLength: 20 }),
  service_area: fc.option(wild),
  languages: fc.array(wild, { maxLength: 8 }),
})

test('whatever pages, profiles and models say, a profile can be stored, is bounded, and shows all that it says', async () => {
  await fc.assert(
    fc.asyncProperty(html, marked, fc.option(said), understood, async (words, data, told, answer) => {
      const site = {
        url: 'https://acme.example/',
        pages: [await page(words + data), await page(words, 'about')],
      }
      const findings = findingsOf(site, told && { ...listing, ...told }, location)
      const profile = structuredProfile(findings, location)
      isWhole(profile)
      isWhole(withUnderstood(profile, answer))
      isWhole(withBefore(profile, withUnderstood(profile, answer)) as Profile)
      ownWords(findings).holds(words)
    }),
    { numRuns: process.env.RENOWN_LONG ? 5_000 : 300 },
  )
})

describe('How sure it is', () => {
  const plumber = (more: object) =>
    page(
      `<script type="application/ld+json">${JSON.stringify({ '@type': 'Plumber', name: 'Acme', ...more })}</script>`,
    )
  const sure = async (told: Partial<Listing> | null, home: Awaited<ReturnType<typeof page>> | null) => {
    const site = home && { url: home.url, pages: [home] }
    return structuredProfile(findingsOf(site, told && { ...listing, ...told }, location), location).confidence
  }

  test('rests on what was read and on what agrees', async () => {
    expect(await sure({}, null)).toBe(0.4)
    expect(await sure(null, await page('<p>Hi'))).toBe(0.2)
    expect(await sure(null, await plumber({ telephone: '0113 496 0187' }))).toBe(0.4)
    const told = { fields: { phone: '+44 113 496 0187', postal_code: 'LS1 1AA' } }
    expect(await sure(told, await plumber({ telephone: '0113 496 0000' }))).toBe(0.8)
    expect(await sure(told, await plumber({ telephone: '(0113) 4960187' }))).toBe(1)
    expect(await sure(told, await plumber({ address: { postalCode: 'ls1 1aa' } }))).toBe(1)
    expect(await sure(told, await page('<a href="tel:01134960187">ring</a>'))).toBe(0.8)
  })
})

test('of several businesses on a page the one that we know is taken', async () => {
  const data = (name: string, more: object) => ({ '@type': 'Store', name, description: name, ...more })
  const shops = [
    data('Other', { telephone: '1', address: { streetAddress: 'x', postalCode: 'LS2' } }),
    { '@type': 'WebPage', publisher: data('Ours', { telephone: '0113 496 0187' }) },
    { '@type': 'Person', name: 'Acme', telephone: '0113 496 0187', description: 'no' },
  ]
  const home = await page(
    `<script type="application/ld+json">${JSON.stringify({ '@graph': shops })}</script>`,
  )
  const known = { ...location, phone: '+44 113 4960187' } as EnrichedRow
  expect(findingsOf({ url: home.url, pages: [home] }, null, known).data?.name).toBe('Ours')
  expect(findingsOf({ url: home.url, pages: [home] }, null, location).data?.name).toBe('Other')
})

test.each([
  ['a link', 'See evil.example.com/pay now'],
  ['a link with a scheme', 'See https://evil.test'],
  ['a mail address', 'Write to me@evil.test'],
  ['a number', 'Call 0900 123 456'],
  ['a number in other words', 'Call +49 (0)900-123.456 now'],
])('words that name %s which was not read are nobody’s own', async (_, claim) => {
  const home = await page(
    '<p>2024<p>We mend boilers. Call 0113 496 0187<p>2025<p>or write to us@acme.example, see acme.example/about.',
  )
  const words = ownWords(findingsOf({ url: home.url, pages: [home] }, null, location))
  expect(words.holds(claim)).toBe(false)
  expect(
    words.holds(
      'Boilers. Call +44 113 496 0187, us@acme.example, https://acme.example/about. Open 9-17, since 1990.',
    ),
  ).toBe(true)
  expect([words.knows('Boilers mended'), words.knows('Unicorn taming')]).toEqual([true, false])
})
