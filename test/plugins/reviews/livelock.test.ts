import { afterEach, describe, expect, test } from 'bun:test'
import { where } from '../../../core/contracts/where'
import { SyncStatus } from '../../../core/tenancy/SyncStatus'
import { Review } from '../../../plugins/reviews/Review'
import { pacedWorld } from './support/paced-world'

const minute = 60_000
let world: Awaited<ReturnType<typeof pacedWorld>>
let worker: ReturnType<typeof world.start> | undefined
afterEach(async () => {
  await worker?.stop()
  await world.bench.stop()
})

const stored = (location_id?: string) =>
  world.owner.rows(Review).count(location_id === undefined ? undefined : where.eq('location_id', location_id))
const isRead = async () =>
  (await world.owner.rows(SyncStatus).count(where.in('status', ['succeeded', 'partial']))) ===
  world.locations.length
const pages = () =>
  world.google.calls.filter(({ method, path }) => method === 'GET' && path.endsWith('/reviews'))
const refused = () => world.google.calls.filter(({ status }) => status === 429)

describe('Six locations of 5,000 reviews at 300 calls a minute', () => {
  test('are read in the time that the limit takes, while replies go out', async () => {
    world = await pacedWorld({ sizes: Array(6).fill(5_000) })
    worker = world.start()
    await world.until(isRead, 7 * minute)
    expect(await stored()).toBe(30_000)
    expect([refused().length, pages().length]).toEqual([0, 600])
    // 275 calls a minute, among them two for each of the 18 replies.
    expect(world.time.elapsed()).toBeLessThan((636 / 275) * minute + 5_000)
    const answered = [...world.google.replies.values()]
    expect(answered).toHaveLength(18)
    const lastPage = pages().at(-1)?.at ?? 0
    const due = world.time.now().getTime() - world.time.elapsed() + minute
    for (const at of answered) {
      expect(at - due).toBeLessThan(45_000)
      expect(at - due + minute).toBeLessThan(lastPage)
    }
  }, 120_000)
})
