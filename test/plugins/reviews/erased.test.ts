import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { ColumnsStore } from '../../../core/stores/columns/port'
import type { Documents } from '../../../core/stores/documents/port'
import { Agency } from '../../../core/tenancy/Agency'
import { createPersonRights, type TypedPerson } from '../../../core/transfer/person'
import { Review } from '../../../plugins/reviews/records/Review'
import { ReviewObservation } from '../../../plugins/reviews/records/ReviewObservation'
import { platformWorld } from './support/platform-world'

let world: Awaited<ReturnType<typeof platformWorld>>
const author = 'Plantessa Plantowski'
const said = 'The zebrawood counter was scratched and nobody wanted to hear about my broken umbrella'

const write = (id: string, by: string, text: string) => {
  const at = world.bench.now.getTime()
  world.google.reviews.set(id, { id, stars: 2, text, author: by, created: at, updated: at })
}
const verify = async () =>
  (await world.bench.command('review verify', {})) as unknown as {
    sound: boolean
    chains: { fault?: string; strays?: string[]; standing: number; entries: number }[]
  }

async function erase(person: TypedPerson) {
  const { bench } = world
  const rights = createPersonRights({
    registry: bench.registry,
    documents: { collection: bench.collection } as unknown as Documents,
    columns: { query: async () => [] } as unknown as ColumnsStore,
    owner: bench.owner,
    clock: { now: () => bench.now },
    folder: null,
  })
  const [agency] = await bench.owner.rows(Agency).list({ limit: 1 })
  const { id } = await rights.begin(agency?.id ?? '', person, { host: 'command line' })
  await rights.erase(await rights.work(id), [], { host: 'command line' })
  return rights.work(id)
}

const rowOf = async (id: string) =>
  (await world.bench.owner.rows(Review).list({ limit: 100 })).find(({ source_id }) => source_id.includes(id))
const everything = async () => {
  const rows = await world.bench.owner.rows(Review).list({ limit: 100 })
  const log = await world.bench.owner.rows(ReviewObservation).list({ limit: 1_000 })
  return JSON.stringify([rows, log])
}

beforeEach(async () => {
  world = await platformWorld()
  write('hers', author, said)
  write('other', 'Ann Other', 'Good coffee')
  write('naming', 'Ben Third', `Ask for ${author}, she knows the menu by heart`)
  await world.sync()
})
afterEach(() => world.bench.stop())

test('a review whose author was erased keeps its stars, and the log still proves it', async () => {
  expect(await everything()).toContain('umbrella')
  const { state, found } = await erase({ name: [author] })
  expect([state, found.Review]).toEqual(['erased', { about: 1, named: 1 }])
  const left = await everything()
  for (const text of ['Plantessa', 'Plantowski', 'umbrella', 'zebrawood']) expect(left).not.toContain(text)
  const hers = await rowOf('hers')
  expect([hers?.star_rating, hers?.reviewer_name, hers?.review_text]).toEqual([2, undefined, undefined])
  expect((await rowOf('naming'))?.review_text).toBe('Ask for [erased], she knows the menu by heart')
  expect((await rowOf('other'))?.reviewer_name).toBe('Ann Other')
  const { sound, chains } = await verify()
  expect([sound, chains[0]?.standing]).toEqual([true, 3])
})

test('the platform returns it again, and nothing comes back', async () => {
  await erase({ name: [author] })
  for (let day = 0; day < 3; day++) {
    world.later(25 * 3_600_000)
    await world.sync()
  }
  const before = (await verify()).chains[0]?.entries
  write('hers', author, `${said}. Later they called me`)
  world.later(25 * 3_600_000)
  await world.sync()
  const left = await everything()
  for (const text of ['Plantessa', 'Plantowski', 'umbrella', 'zebrawood']) expect(left).not.toContain(text)
  expect((await verify()).sound).toBe(true)
  expect((await rowOf('hers'))?.star_rating).toBe(2)
  expect(before).toBeGreaterThan(0)
})

test('an entry from which somebody was erased cannot be changed further', async () => {
  await erase({ name: [author] })
  const [first] = await world.bench.owner
    .rows(ReviewObservation)
    .list({ sort: [{ field: 'seq', direction: 'asc' }], limit: 1 })
  const entry = JSON.parse(JSON.stringify(first?.entry).replace('"star_rating":2', '"star_rating":5'))
  await world.bench.owner.rows(ReviewObservation).update(first?.id ?? '', { entry })
  expect((await verify()).sound).toBe(false)
})

test('a namesake who writes later comes without the name, and with the text and the stars', async () => {
  await erase({ name: [author] })
  world.later(5 * 24 * 3_600_000)
  write('namesake', author, 'Nice place')
  await world.sync()
  const row = await rowOf('namesake')
  expect([row?.star_rating, row?.reviewer_name, row?.review_text]).toEqual([2, '[erased]', 'Nice place'])
})
