import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { SyncStatus } from '../../../../core/tenancy/news/SyncStatus'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { enterLong, leaveLong, requireSlot } from '../../../../plugins/reviews/sync/longReadings'
import { platformWorld } from '../support/platform-world'

let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld()
})
afterEach(() => world.bench.stop())

const turn = (n: number, agency_id = world.agency_id) => ({ location_id: `loc_${n}`, agency_id })
const fill = (count: number) => {
  for (let n = 0; n < count; n++) {
    const at = world.bench.now.getTime() - n * 60_000
    world.google.reviews.set(`r${n}`, {
      id: `r${n}`,
      stars: 5,
      text: '',
      author: 'A',
      created: at,
      updated: at,
    })
  }
}

describe('Places for long readings', () => {
  test('are four for an agency, leave room for others, and are free again', () => {
    const { owner } = world
    expect([1, 2, 3, 4, 5].map((n) => enterLong(owner, turn(n)))).toEqual([true, true, true, true, false])
    expect(enterLong(owner, turn(1))).toBe(true)
    expect(enterLong(owner, turn(6, 'agc_other'))).toBe(true)
    leaveLong(owner, turn(1))
    expect(enterLong(owner, turn(5))).toBe(true)
  })

  test('are sixteen in a process', () => {
    const agencies = Array.from({ length: 17 }, (_, n) => turn(n, `agc_${n % 5}`))
    expect(agencies.filter((one) => enterLong(world.owner, one))).toHaveLength(16)
  })

  test('are wanted after the first pages alone', () => {
    const { owner } = world
    for (const n of [1, 2, 3, 4]) enterLong(owner, turn(n))
    requireSlot(owner, turn(5), { pages: 4, isFirst: true })
    requireSlot(owner, turn(5), { pages: 19, isFirst: false })
    const put = { kind: 'rate', code: 'in_turn' }
    expect(() => requireSlot(owner, turn(5), { pages: 5, isFirst: true })).toThrow(
      expect.objectContaining(put),
    )
    expect(() => requireSlot(owner, turn(5), { pages: 20, isFirst: false })).toThrow(
      expect.objectContaining(put),
    )
  })

  test('are waited for by a large location before its first page, which reads its newest reviews meanwhile', async () => {
    fill(120)
    await world.sync()
    await world.owner.rows(BusinessLocation).update(world.location_id, { total_reviews: 5_000 })
    await world.asJob(async (ctx) => {
      for (const n of [1, 2, 3, 4]) enterLong(ctx, turn(n))
    })
    world.later(25 * 3_600_000)
    world.google.pages.splice(0)
    await world.sync()
    const [listing] = await world.owner.rows(ReviewListing).list()
    const inAMinute = new Date(world.bench.now.getTime() + 60_000).toISOString()
    expect([world.google.pages, listing?.due_at]).toEqual([[0], inAMinute])
    world.later(60_000)
    await world.owner.rows(BusinessLocation).update(world.location_id, { total_reviews: 5_000 })
    await world.sync()
    expect(world.google.pages).toEqual([0])
    const [status] = await world.owner.rows(SyncStatus).list()
    expect(status?.status).toBe('succeeded')
    await world.asJob(async (ctx) => leaveLong(ctx, turn(1)))
    world.later(60_000)
    await world.sync()
    expect(world.google.pages).toEqual([0, 0, 50, 100])
  })
})
