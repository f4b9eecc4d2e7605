import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { ColumnsStore } from '../../../../core/stores/columns/port'
import type { Documents } from '../../../../core/stores/documents/port'
import { Agency } from '../../../../core/tenancy/Agency'
import { createPersonRights, type TypedPerson } from '../../../../core/transfer/person'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { type FindingWorld, findingWorld, post } from '../support/finding-world'

let world: FindingWorld
const author = {
  handle: 'plantessa_p',
  name: 'Plantessa Plantowski',
  url: 'https://forum.example/u/plantessa_p',
}
const text = 'acme broke my zebrawood counter and would not talk about it'
const hers = () => ({ ...post('1', text), url: 'https://forum.example/u/plantessa_p/1', author })

beforeEach(async () => {
  world = await findingWorld()
  await world.tracker(['acme'], { sources: ['forum'] })
  world.search.read = () => ({ posts: [hers(), post('2', 'acme is fine')] })
  await world.read()
})
afterEach(() => world.stop())

async function erase(person: TypedPerson) {
  const { bench, owner } = world
  const rights = createPersonRights({
    registry: bench.registry,
    documents: { collection: bench.collection } as unknown as Documents,
    columns: { query: async () => [] } as unknown as ColumnsStore,
    owner,
    clock: { now: () => bench.now },
    folder: null,
  })
  const [agency] = await owner.rows(Agency).list({ limit: 1 })
  const { id } = await rights.begin(agency?.id ?? '', person, { host: 'command line' })
  await rights.erase(await rights.work(id), [], { host: 'command line' })
  return rights.work(id)
}

const stored = async () => JSON.stringify(await world.owner.rows(Mention).list({ limit: 100 }))

test('the post of an erased author is emptied, and not found again', async () => {
  expect(await stored()).toContain('zebrawood')
  expect((await erase({ handle: ['@plantessa_p'] })).found.Mention).toEqual({ about: 1, named: 0 })
  for (const word of ['lantessa', 'lantowski', 'zebrawood']) expect(await stored()).not.toContain(word)
  world.search.read = () => ({
    posts: [
      hers(),
      post('2', 'acme is fine'),
      post('5', 'acme is new'),
      { ...post('3', 'acme again'), author },
    ],
  })
  await world.read(10)
  for (const word of ['lantessa', 'lantowski', 'zebrawood', 'acme again'])
    expect(await stored()).not.toContain(word)
  expect(await world.owner.rows(Mention).count()).toBe(3)
  expect(await stored()).toContain('acme is new')
})

test('a post of somebody else who names the person comes without the name', async () => {
  await erase({ name: ['Plantessa Plantowski'] })
  world.search.read = () => ({ posts: [post('4', 'acme sent Plantessa Plantowski to us')] })
  await world.read(10)
  expect(await stored()).toContain('acme sent [erased] to us')
})
