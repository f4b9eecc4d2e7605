import { afterEach, describe, expect, test } from 'bun:test'
import { where } from '../../../core/contracts/where'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { Review } from '../../../plugins/reviews/records/Review'
import { readLocationAtOnce } from '../../../plugins/reviews/sync/readAtOnce'
import { pacedWorld } from './support/paced-world'

const minute = 60_000
let world: Awaited<ReturnType<typeof pacedWorld>>
let worker: ReturnType<typeof world.start> | undefined
afterEach(async () => {
  await worker?.stop()
  await world.bench.stop()
})

const stored = () => world.owner.rows(Review).count()
const isRead = async () =>
  (await world.owner.rows(SyncStatus).count(where.in('status', ['succeeded', 'partial']))) ===
  world.locations.length
const pages = () =>
  world.google.calls.filter(({ method, path }) => method === 'GET' && path.endsWith('/reviews'))
const refused = () => world.google.calls.filter(({ status }) => status === 429)

/** The same with fewer of both, where the full counts are not asked for. */
const isFull = process.env.RENOWN_LONG === '1'
const { size, perMinute, steady } = isFull
  ? { size: 5_000, perMinute: 300, steady: 275 }
  : { size: 600, perMinute: 60, steady: 47 }

describe(`Six locations of ${size} reviews at ${perMinute} calls a minute`, () => {
  test('are read in the time that the limit takes, while replies go out', async () => {
    world = await pacedWorld({ sizes: Array(6).fill(size), perMinute })
    worker = world.start()
    await world.until(isRead, 7 * minute)
    expect(await stored()).toBe(6 * size)
    const pagesInAll = (6 * size) / 50
    expect([refused().length, pages().length]).toEqual([0, pagesInAll])
    // What is granted each minute without the burst. The last locations may wait for a place as long as a job that was put off waits.
    expect(world.time.elapsed()).toBeLessThan((world.google.calls.length / steady) * minute + 15_000)
    const answered = [...world.google.replies.values()]
    expect(answered).toHaveLength(18)
    const lastPage = pages().at(-1)?.at ?? 0
    const start = world.time.now().getTime() - world.time.elapsed()
    for (const at of answered) {
      // A minute after the review came, and the time for the known reply that is requested before each one.
      expect(at - start).toBeLessThan(2.25 * minute)
      expect(at - start).toBeLessThan(lastPage)
    }
  }, 600_000)
})

/** The pages that were asked for, in order, by the location at Google. */
const pageOrder = () => pages().map(({ path }) => path.split('/')[0] ?? '')
const large = ['1', '2', '3', '4', '5', '6', '7', '8']
const pagesEach = 600 / 50
const pagesOfLarge = (order: readonly string[]) => order.filter((google) => large.includes(google)).length
const areAllBegun = () => large.every((google) => pageOrder().includes(google))

describe('Locations of one client', () => {
  test('take turns: neither a small one nor a new one waits for the end of the large ones', async () => {
    // Eight large ones are as many as a process reads at once. The small ones come when all eight are being read.
    world = await pacedWorld({ sizes: [...large.map(() => 600), 60, 60], later: 2 })
    worker = world.start()
    await world.until(areAllBegun, minute)
    await readLocationAtOnce(world.owner, { location_id: await world.add('9') })
    // Four of them have read their first pages and wait for the other four.
    await world.until(() => pageOrder().includes('9'), minute)
    const before = pageOrder().length
    await readLocationAtOnce(world.owner, { location_id: await world.add('10') })
    await world.until(isRead, 5 * minute)
    expect([await stored(), refused().length]).toEqual([8 * 600 + 120, 0])
    const order = pageOrder()
    expect(pagesOfLarge(order)).toBe(8 * pagesEach)
    // Five first pages of each large one, and what is on its way. The rest comes later.
    expect(pagesOfLarge(order.slice(0, order.lastIndexOf('9')))).toBeLessThan((8 * pagesEach * 2) / 3)
    expect(order.indexOf('10')).toBeLessThan(before + 8)
  }, 300_000)

  test('share the limit with a second process', async () => {
    world = await pacedWorld({ sizes: Array(4).fill(isFull ? 600 : 150) })
    const workers = [world.start(), world.start()]
    await world.until(isRead, 5 * minute)
    await workers[1]?.stop()
    worker = workers[0]
    expect([await stored(), refused().length]).toEqual([isFull ? 2_400 : 600, 0])
  }, 300_000)
})
