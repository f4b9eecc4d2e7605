import { describe, expect, test } from 'bun:test'
import type { EnrichedRow } from '../../../plugins/enrichment/EnrichedLocation'
import { businessData } from '../../../plugins/enrichment/listing/business-data'
import { silentListing } from '../../../plugins/enrichment/listing/listing'
import { findingsOf, structuredProfile } from '../../../plugins/enrichment/profile/profile'
import type { SitePage } from '../../../plugins/enrichment/website/page'
import { readPage } from '../../../plugins/enrichment/website/read-page'
import { distinct, phoneDigits } from '../../../plugins/enrichment/website/text'

const at = '2026-03-15T12:00:00.000Z'
const read = (html: string) => readPage(html, 'https://acme.example/', at)
const times = (n: number, make: (n: number) => string) =>
  Array.from({ length: n }, (_, i) => make(i)).join('')
const known = { business_name: 'Acme' }

/** Every bound by its number: a changed one is a decision, and shows here. */
describe('Of a page', () => {
  test.each([
    ['600 blocks', times(700, (n) => `<p>w${n}</p>`), (page) => page.blocks.length, 600],
    ['60 headings', times(70, (n) => `<h2>w${n}</h2>`), (page) => page.headings.length, 60],
    ['600 links', times(700, (n) => `<a href="/${n}">w</a>`), (page) => page.links.length, 600],
    [
      '20 telephone numbers',
      times(30, (n) => `<a href="tel:01134960${n}">w</a>`),
      (page) => page.phones.length,
      20,
    ],
    [
      '40 languages',
      times(60, () => '<link rel="alternate" hreflang="de">'),
      (page) => page.languages.length,
      40,
    ],
    [
      '12 blocks of data',
      times(20, () => '<script type="application/ld+json">{}</script>'),
      (page) => page.data.length,
      12,
    ],
    ['2,000 characters of a block', `<p>${'x'.repeat(3_000)}`, (page) => page.blocks[0]?.length, 2_000],
    ['200 characters of a heading', `<h1>${'x'.repeat(3_000)}</h1>`, (page) => page.headings[0]?.length, 200],
    ['200 characters of a title', `<title>${'x'.repeat(3_000)}</title>`, (page) => page.title.length, 200],
    [
      '120 characters of a link',
      `<a href="/x">${'x'.repeat(900)}</a>`,
      (page) => page.links[0]?.words.length,
      120,
    ],
    [
      '40 characters of a telephone number',
      `<a href="tel:${'1'.repeat(90)}">w</a>`,
      (page) => page.phones[0]?.length,
      40,
    ],
    [
      '20,000 characters in all',
      times(30, () => `<p>${'x'.repeat(1_500)}</p>`),
      (page) => page.blocks.join('').length,
      20_000,
    ],
    [
      '2,048 characters of an attribute',
      `<meta name="description" content="${'x'.repeat(2_048)}">`,
      (page) => page.description.length,
      2_048,
    ],
  ] as [string, string, (page: SitePage) => number | undefined, number][])(
    '%s are read',
    async (_, html, count, most) => {
      expect(count(await read(html))).toBe(most)
    },
  )

  test('data of 128 KiB is read and more is not', async () => {
    const data = async (characters: number) =>
      (await read(`<script type="application/ld+json">"${'x'.repeat(characters - 2)}"</script>`)).data.length
    expect([await data(128 * 1024), await data(128 * 1024 + 1)]).toEqual([1, 0])
  })
})

describe('Of the data of a page', () => {
  const business = (more: object) => businessData([{ '@type': 'Plumber', telephone: '1', ...more }], known)
  const names = (n: number) => Array.from({ length: n }, (_, i) => `n${i}`)
  test.each([
    ['60 offers', { makesOffer: names(90).map((name) => ({ name })) }, 'services', 60],
    ['200 items of a list', { knowsLanguage: names(300) }, 'languages', 200],
    ['40 addresses', { sameAs: names(90) }, 'same_as', 40],
    ['10 types', { '@type': names(30) }, 'types', 10],
    ['300 characters of a name', { name: 'x'.repeat(900) }, 'name', 300],
    ['2,000 characters of a description', { description: 'x'.repeat(9_000) }, 'description', 2_000],
    ['40 characters of a telephone number', { telephone: '1'.repeat(90) }, 'phone', 40],
    ['300 characters of an address', { address: 'x'.repeat(900) }, 'street', 300],
    ['200 characters of a street', { address: { streetAddress: 'x'.repeat(900) } }, 'street', 200],
  ] as const)('%s are read', (_, more, key, most) => {
    expect(business(more)?.[key].length).toBe(most)
  })
})

test('a profile has 1,000 characters of text, 30 services and attributes of 80, an area of 300 and 10 languages', () => {
  const long = (n: number) =>
    Array.from({ length: n }, (_, i) => `${String(i).padStart(3, '0')}${'x'.repeat(200)}`)
  const profile = structuredProfile(
    findingsOf(
      null,
      {
        ...silentListing,
        reader: 'places',
        id: 'places:x',
        url: 'https://maps.example/1',
        fetched_at: at,
        about: 'x'.repeat(5_000),
        services: long(90),
        attributes: long(90),
        area: 'x'.repeat(900),
        languages: 'ar bg bn ca cs cy da de el en es et'.split(' '),
      },
      { ...known } as EnrichedRow,
    ),
    { ...known } as EnrichedRow,
  )
  expect(profile.about).toHaveLength(1_000)
  for (const list of [profile.services, profile.attributes])
    expect([list.length, ...new Set(list.map(({ length }) => length))]).toEqual([30, 80])
  expect(profile.service_area).toHaveLength(300)
  expect(profile.languages).toHaveLength(10)
})

test('texts are kept once, and a telephone number has 6 to 15 digits', () => {
  expect(distinct(['a', 'A', ' a ', 'b', 'c'], 2, 5)).toEqual(['a', 'b'])
  const lengths = [5, 6, 15, 16].map((n) => phoneDigits('1'.repeat(n)).length)
  expect(lengths).toEqual([0, 6, 9, 0])
})
