import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { OwnerContext } from '../../../core/contracts/plugin'
import { where } from '../../../core/contracts/where'
import { Job } from '../../../core/jobs/Job'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import type { ReviewRow } from '../../../plugins/reviews/analysis/reconcile'
import { Review } from '../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../plugins/reviews/records/ReviewListing'
import { ReviewObservation } from '../../../plugins/reviews/records/ReviewObservation'
import { dueReviews, findLocations } from '../../../plugins/reviews/sync/dueReviews'
import { platformWorld } from './support/platform-world'
import { withoutTransactions } from './support/without-transactions'

let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld()
  const at = world.bench.now.getTime()
  for (let n = 0; n < 25; n++) {
    const said = { stars: n < 5 ? 1 : 5, text: n < 5 ? 'awful' : 'lovely', author: 'Ann' }
    world.google.reviews.set(`r${n}`, { id: `r${n}`, ...said, created: at - n, updated: at - n })
  }
  await nextDay()
})
afterEach(() => world.bench.stop())

const nextDay = async (through?: (owner: OwnerContext) => OwnerContext) => {
  try {
    await world.sync(through)
  } finally {
    world.later(25 * 3_600_000)
  }
}
interface Verdict {
  sound: boolean
  chains: { fault?: string; strays?: string[]; judged_by_earlier_version?: number }[]
}
const verify = async (input: object = {}) =>
  (await world.bench.command('review verify', { ...input })) as unknown as Verdict
const alter = (id: string, set: Partial<ReviewRow>, unset?: string[]) =>
  world.bench
    .collection(Review)
    .updateOne(where.eq('source_id', id), { set: { ...set }, ...(unset ? { unset } : {}) })
const rowOf = async (id: string) =>
  (await world.owner.rows(Review).list({ where: where.eq('source_id', id) }))[0]

/** Dies where a reading would mark a row as removed: the ledger has the removal already. */
const dying = (owner: OwnerContext): OwnerContext =>
  withoutTransactions({
    ...owner,
    rows: ((entity: typeof Review) => {
      const rows = owner.rows(entity)
      const update: typeof rows.update = async (id, changes) => {
        if ('removed_at_source_at' in changes) throw new Error('killed')
        return rows.update(id, changes)
      }
      return entity === Review ? { ...rows, update } : rows
    }) as OwnerContext['rows'],
  })

test('A reading that dies between the ledger and the removal is proved sound after the next one', async () => {
  world.google.reviews.delete('r3')
  await expect(nextDay(dying)).rejects.toThrow('killed')
  await nextDay()
  expect((await rowOf('r3'))?.removed_at_source_at).toBeString()
  expect(await verify()).toMatchObject({ sound: true })
  await alter('r3', { star_rating: 5 })
  expect((await verify()).chains[0]?.strays).toEqual(['r3: the row says something else'])
})

test('A removed review that was shown by hand is removed again, and the proof is sound', async () => {
  world.google.reviews.delete('r3')
  await nextDay()
  await alter('r3', { removed_at_source_at: null })
  expect((await verify()).sound).toBe(false)
  await nextDay()
  expect(await verify()).toMatchObject({ sound: true })
})

test('The reviews of a paused location follow from its chain, and an edit of them is found', async () => {
  await world.owner.rows(BusinessLocation).update(world.location_id, { is_active: false })
  await findLocations.run(world.owner, new AbortController().signal)
  expect((await world.owner.rows(ReviewListing).list())[0]?.due_at).toBeUndefined()
  expect(await verify()).toMatchObject({ sound: true, chains: [{ entries: 2, standing: 25 }] })
  await alter('r1', { star_rating: 5 })
  expect((await verify()).chains[0]?.strays).toEqual(['r1: the row says something else'])
})

test('A paused location keeps the note of where its chain ends, and goes on from it', async () => {
  const pause = async (is_active: boolean) => {
    await world.owner.rows(BusinessLocation).update(world.location_id, { is_active })
    await findLocations.run(world.owner, new AbortController().signal)
    return (await world.owner.rows(ReviewListing).list())[0]
  }
  const before = (await world.owner.rows(ReviewListing).list())[0]
  expect(before?.heads).toBeDefined()
  expect((await pause(false))?.heads).toEqual(before?.heads)
  await dueReviews.run(world.owner, new AbortController().signal)
  expect(await world.owner.rows(Job).list({ where: where.eq('queue', 'sync-reviews') })).toEqual([])
  const entries = await world.owner.rows(ReviewObservation).list()
  const last = entries.toSorted((a, b) => b.seq - a.seq)[0]
  const cut = where.eq('id', last?.id ?? '')
  await world.bench.collection(ReviewObservation).remove(cut)
  expect(await verify()).toMatchObject({ sound: false })
  await world.owner.rows(ReviewObservation).insert(last as never)
  const after = await pause(true)
  expect([after?.heads, after?.last_full_at, typeof after?.due_at]).toEqual([
    before?.heads,
    before?.last_full_at,
    'string',
  ])
  await nextDay()
  expect(await verify()).toMatchObject({ sound: true })
})

test('All reviews of a location that are deleted with the note of its readings are missed', async () => {
  const own = where.eq('location_id', world.location_id)
  await world.bench.collection(Review).remove(own)
  await world.bench.collection(ReviewListing).remove(own)
  expect((await verify()).chains).toMatchObject([{ sound: false, strays_total: 25 }])
})

test.each([
  ['a feeling', { sentiment: 'positive' }],
  ['that a review waits for an answer', { needs_response: false }],
] as const)('Who changes %s is found, and the next whole reading judges again', async (_, set) => {
  await alter('r1', set)
  expect((await verify()).chains[0]?.strays).toEqual(['r1: its judgement does not follow from its words'])
  await nextDay()
  expect(await verify()).toMatchObject({ sound: true })
  expect(await rowOf('r1')).toMatchObject({ sentiment: 'negative', needs_response: true })
})

test('A judgement of an earlier version is counted, and the next whole reading judges again', async () => {
  await alter('r1', { sentiment: 'positive' }, ['analysis_version'])
  expect(await verify()).toMatchObject({ sound: true, chains: [{ judged_by_earlier_version: 1 }] })
  await nextDay()
  expect(await rowOf('r1')).toMatchObject({ sentiment: 'negative' })
  expect((await verify()).chains[0]).not.toHaveProperty('judged_by_earlier_version')
})

test('A location that moves from Facebook to a Google profile without reviews has no average', async () => {
  await world.bench.stop()
  world = await platformWorld({ platform: 'facebook' })
  world.facebook.figures = { overall_star_rating: 4.6, rating_count: 412 }
  await nextDay()
  const google = { google_account_id: 'accounts/111', google_location_id: 'locations/222' }
  await world.owner.rows(BusinessLocation).update(world.location_id, { added_via: 'gbp_oauth', ...google })
  const counted = async () => {
    await nextDay()
    expect(await verify()).toMatchObject({ sound: true })
    const { average_rating, total_reviews } = await world.location()
    return [average_rating, total_reviews]
  }
  expect(await counted()).toEqual([undefined, 0])
  const at = world.bench.now.getTime()
  const said = { stars: 4, text: 'fine', author: 'Ann', created: at, updated: at }
  world.google.reviews.set('g1', { id: 'g1', ...said })
  expect(await counted()).toEqual([4, 1])
})
