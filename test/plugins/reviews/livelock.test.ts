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

/** The same with a fifth of both, where the full counts are not asked for. */
const isFull = process.env.RENOWN_LONG === '1'
const { size, perMinute, steady } = isFull
  ? { size: 5_000, perMinute: 300, steady: 275 }
  : { size: 1_000, perMinute: 60, steady: 47 }

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
      // A minute after the review came, while pages are still read.
      expect(at - start).toBeLessThan(2 * minute)
      expect(at - start).toBeLessThan(lastPage)
    }
  }, 600_000)
})

/** When the pages of a location were asked for, in milliseconds since the start. */
const pagesOf = (google: string) =>
  pages()
    .filter(({ path }) => path.startsWith(`${google}/`))
    .map(({ at }) => at)

describe('Locations of one client', () => {
  test('take turns: neither a small one nor a new one waits for the end of the large ones', async () => {
    // Eight large ones and a small one, more than a process reads at once. The last one is added while they are read.
    world = await pacedWorld({ sizes: [...Array(8).fill(600), 60, 60], later: 1 })
    worker = world.start()
    await world.until(() => world.time.elapsed() >= 10_000, minute)
    const added = world.time.elapsed()
    await readLocationAtOnce(world.owner, { location_id: await world.add('10') })
    await world.until(isRead, 5 * minute)
    expect([await stored(), refused().length]).toEqual([8 * 600 + 120, 0])
    const ends = Array.from({ length: 8 }, (_, n) => pagesOf(String(n + 1)).at(-1) ?? 0)
    const large = Math.max(...ends)
    expect(pagesOf('9').at(-1)).toBeLessThan(large / 2)
    const [first = Number.POSITIVE_INFINITY] = pagesOf('10')
    expect(first - added).toBeLessThan(15_000)
  }, 300_000)

  test('share the limit with a second process', async () => {
    world = await pacedWorld({ sizes: [600, 600, 600, 600] })
    const workers = [world.start(), world.start()]
    await world.until(isRead, 5 * minute)
    await workers[1]?.stop()
    worker = workers[0]
    expect([await stored(), refused().length]).toEqual([2_400, 0])
  }, 300_000)
})
