import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { OwnerContext } from '../../../core/contracts/plugin'
import { where } from '../../../core/contracts/where'
import { Review } from '../../../plugins/reviews/Review'
import { ReviewObservation } from '../../../plugins/reviews/ReviewObservation'
import { platformWorld } from './support/platform-world'

let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld()
  for (let n = 0; n < 8; n++) write(`r${n}`)
  await world.sync()
})
afterEach(() => world.bench.stop())

const write = (id: string) => {
  const at = world.bench.now.getTime()
  world.google.reviews.set(id, { id, stars: 5, text: `text ${id}`, author: 'Ann', created: at, updated: at })
}
const verify = async () =>
  (await world.bench.command('reviews verify', {})) as unknown as {
    sound: boolean
    chains: { fault?: string; strays?: string[]; standing: number; entries: number }[]
  }
const entry = async (seq: number) => {
  const rows = await world.owner.rows(ReviewObservation).list({ where: where.eq('seq', seq) })
  const [row] = rows
  if (!row) throw new Error(`no entry ${seq}`)
  return row
}
const change = (seq: number, patch: object) =>
  world.bench.collection(ReviewObservation).updateOne(where.eq('seq', seq), { set: { ...patch } })

describe('The ledger of observations', () => {
  test('is sound after readings that find new, changed, removed and restored reviews', async () => {
    world.later(25 * 3_600_000)
    write('r9')
    world.google.reviews.delete('r3')
    await world.sync()
    write('r3')
    world.later(25 * 3_600_000)
    await world.sync()
    const { sound, chains } = await verify()
    expect([sound, chains[0]?.standing]).toEqual([true, 9])
  })

  test('grows by nothing when a look finds nothing new', async () => {
    const before = (await verify()).chains[0]?.entries
    world.later(60_000)
    await world.sync()
    expect((await verify()).chains[0]?.entries).toBe(before)
  })

  test('lets go of a review that was seen by a process that died, and was gone before the next', async () => {
    write('brief')
    world.later(25 * 3_600_000)
    const dying = (owner: OwnerContext): OwnerContext => ({
      ...owner,
      rows: (entity) => {
        const rows = owner.rows(entity)
        const insert = async () => {
          throw new Error('killed')
        }
        return entity.name === 'Review' ? { ...rows, insert } : rows
      },
    })
    await expect(world.sync(dying)).rejects.toThrow('killed')
    expect((await verify()).chains[0]?.strays).toEqual(['brief: no row'])
    world.google.reviews.delete('brief')
    world.later(25 * 3_600_000)
    await world.sync()
    const { sound, chains } = await verify()
    expect([sound, chains[0]?.standing]).toEqual([true, 8])
  })

  test('tells of an entry that was changed, taken out, or put in its place', async () => {
    const { entry: body, hash } = await entry(1)
    await change(1, { entry: { ...body, reviews: [] } })
    expect((await verify()).chains[0]?.fault).toBe('entry 1: it was changed')
    await change(1, { entry: body, at: '2020-01-01T00:00:00.000Z' })
    expect((await verify()).sound).toBe(false)
    await change(1, { at: (await entry(2)).at, hash: `${hash.startsWith('0') ? 1 : 0}${hash.slice(1)}` })
    expect((await verify()).sound).toBe(false)
    await world.bench.collection(ReviewObservation).remove(where.eq('seq', 1))
    expect((await verify()).chains[0]?.fault).toBe('entry 1: entry 1 is missing')
  })

  test('tells of a row that was changed, hidden or put in behind its back', async () => {
    const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', 'r1') })
    const id = row?.id ?? ''
    await world.owner.rows(Review).update(id, { star_rating: 1 })
    expect((await verify()).chains[0]?.strays).toEqual(['r1: the row says something else'])
    await world.owner
      .rows(Review)
      .update(id, { star_rating: 5, removed_at_source_at: world.bench.now.toISOString() })
    expect((await verify()).chains[0]?.strays).toEqual(['r1: no row'])
    await world.owner.rows(Review).update(id, { removed_at_source_at: null, source_id: 'invented' })
    expect((await verify()).chains[0]?.strays).toEqual(['r1: no row', 'invented: never seen'])
  })

  test('answers why the source shows another number than we list', async () => {
    world.google.reviews.delete('r1')
    world.google.reviews.delete('r2')
    world.later(25 * 3_600_000)
    await world.sync()
    const said = await world.bench.command('reviews explain', { location_id: world.location_id })
    expect(said as unknown).toMatchObject({
      sources: [{ source: 'google', source_shows: 6, we_list: 6, removed_at_source: 2, missing_once: [] }],
    })
  })
})
