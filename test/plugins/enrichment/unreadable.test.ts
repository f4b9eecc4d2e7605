import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ServiceRequest } from '../../../core/contracts/outbound'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { setRow } from '../../support/any-state'
import { createLiar, type Liar, lax, type Unreadable, unreadableAnswers } from '../../support/liar'
import { addedAs, enrichmentWorld, llm } from './support/world'

/** Every address that the enrichment of a location asks, websites apart. A request to any other fails the last test. */
const addresses = [
  [/^POST google\.test\/token$/, 'google token'],
  [/^GET google\.test\/v1\/locations\/[^/]+$/, 'google profile'],
  [/^GET google\.test\/v4\/.+\/media$/, 'google photos'],
  [/^GET graph\.test\/v21\.0\/[^/]+$/, 'facebook page'],
  [/^GET places\.test\/v1\/places\/[^/]+$/, 'places place'],
  [/^POST llm\.test\/v1\/chat\/completions$/, 'language model'],
] as const

const kinds = Object.entries(unreadableAnswers)
const forms: ServiceRequest[] = []
const asked = new Set<string>()
let liar: Liar
let world: Awaited<ReturnType<typeof enrichmentWorld>>

const profiles = {
  google: { title: 'Acme', phoneNumbers: { primaryPhone: '0113 1' }, profile: { description: 'Plumbers.' } },
  media: {
    mediaItems: [
      { locationAssociation: { category: 'COVER' }, googleUrl: 'https://lh3.example/cover' },
      { locationAssociation: { category: 'LOGO' }, googleUrl: 'https://lh3.example/logo' },
    ],
  },
  facebook: { name: 'Acme', phone: '0113 1', about: 'Plumbers.' },
  places: { internationalPhoneNumber: '+44 113 1', editorialSummary: { text: 'Plumbers.' } },
}

const open = async (settings: Record<string, string> = {}) => {
  liar = createLiar(addresses)
  world = await enrichmentWorld({ liar, settings, onAsk: (request) => void forms.push(request) })
  Object.assign(world.profiles, profiles)
}
const close = async () => {
  for (const address of liar.asked) asked.add(address)
  await world.stop()
}
/** The location as people see it, waiting to be read again. */
async function again(id: string) {
  await setRow(world.bench.collection(BusinessLocation), id, { enrichment_status: 'pending' })
  const { updated_date: _, ...row } = await world.row(id)
  return row
}

describe.each([
  ['google', 'google profile'],
  ['google', 'google token'],
  ['facebook', 'facebook page'],
  ['places', 'places place'],
] as const)('A profile at %s, where the %s', (platform, address) => {
  let id: string
  beforeAll(async () => {
    await open()
    id = await world.location(addedAs[platform])
    const { phone, enrichment_status } = await world.enrich(id)
    expect([enrichment_status, phone?.slice(-1)]).toEqual(['success', '1'])
  })
  afterAll(close)

  test.each(kinds)('answers %s, is not read, and takes nothing away', async (_, answer) => {
    const before = await again(id)
    if (address === 'google token') world.bench.now = new Date(world.bench.now.getTime() + 7_200_000)
    liar.tell({ at: address, answer })
    expect(await world.failure(id)).toMatchObject({ name: 'ServiceFault', kind: 'transient' })
    expect(liar.told).toBeGreaterThan(0)
    expect(await again(id)).toEqual(before)
    liar.tell(null)
  })
})

describe("A profile's photos", () => {
  let id: string
  beforeAll(async () => {
    await open()
    id = await world.location(addedAs.google)
    await world.enrich(id)
  })
  afterAll(close)

  test.each(kinds.filter(([kind]) => kind !== '{}'))(
    'that come as %s stay as they were',
    async (_, answer) => {
      await again(id)
      liar.tell({ at: 'google photos', answer })
      await world.enrich(id)
      await again(id)
      const location = await world.enrich(id)
      expect(liar.told).toBe(2)
      expect([location.cover_photo_url, location.logo_url]).toEqual([
        'https://lh3.example/cover',
        'https://lh3.example/logo',
      ])
      liar.tell(null)
    },
  )

  test('go when Google says that there are none', async () => {
    await again(id)
    world.profiles.media = {}
    const location = await world.enrich(id)
    expect([location.cover_photo_url, location.logo_url]).toEqual([undefined, undefined])
  })
})

describe('A language model', () => {
  beforeAll(() => open(llm))
  afterAll(close)
  const refusals = ['an error text with status 404', 'an error in no known form with status 404']
  const failures: [string, Unreadable][] = kinds.filter(([kind]) => !refusals.includes(kind))

  test.each(failures)('that answers %s is asked again, and its answer is not taken', async (_, answer) => {
    const id = await world.location(addedAs.places)
    world.model.answers.push('x', 'x')
    liar.tell({ at: 'language model', answer })
    expect(await world.failure(id)).toMatchObject({ name: 'ServiceFault', kind: 'transient' })
    expect((await world.row(id)).enrichment).toBeUndefined()
    liar.tell(null)
  })
})

describe('Every request of an enrichment', () => {
  /** Google leaves the list of photos out where there are none. */
  const known = new Set(["Google's photos: {}"])

  test('went to an address of this table, and each address was asked', () => {
    expect([...asked].sort()).toEqual(addresses.map(([, name]) => name).sort())
  })

  test('names a form of its answer that takes nothing strange', () => {
    expect([...new Set(forms.flatMap(lax))].filter((one) => !known.has(one))).toEqual([])
  })
})
