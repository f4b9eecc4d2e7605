import { afterEach, beforeEach, expect, test } from 'bun:test'
import { ReviewListing } from '../../../plugins/reviews/records/ReviewListing'
import { dueReviews } from '../../../plugins/reviews/sync/dueReviews'
import { platformWorld } from './support/platform-world'

const dayMs = 86_400_000
let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld()
  for (const id of ['a', 'b']) {
    const at = world.bench.now.getTime()
    const said = { stars: 5, text: 'Lovely cake', author: 'Ann Lee', created: at, updated: at }
    world.google.reviews.set(id, { id, ...said })
  }
  await world.sync()
  // The clock is a year ahead for one reading.
  world.later(365 * dayMs)
  await world.sync()
  world.later(-365 * dayMs)
})
afterEach(() => world.bench.stop())

test('A clock that was a year ahead does not stop readings for a year', async () => {
  await dueReviews.run(world.owner, new AbortController().signal)
  const { deduplicated } = await world.bench.owner.enqueue('sync-reviews', {
    workspace_id: world.workspace_id,
    key: world.location_id,
    payload: { location_id: world.location_id },
  })
  expect(deduplicated).toBe(true)
})

test('A clock that was a year ahead does not stop whole readings for a year', async () => {
  await world.sync()
  const [listing] = await world.owner.rows(ReviewListing).list()
  expect(listing?.last_full_at).toBe(world.bench.now.toISOString())
})
