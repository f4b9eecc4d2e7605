import { afterEach, beforeEach, expect, test } from 'bun:test'
import { dayMs, everything, hourMs } from 'renown'
import { EventEntry } from '../../../../core/events/EventEntry'
import { Review } from '../../../../plugins/reviews/records/Review'
import { publishedEvents } from '../../../support/published-events'
import { dying } from '../support/dying'
import { platformWorld } from '../support/platform-world'

let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld()
})
afterEach(() => world.bench.stop())

const write = (id: string, stars: 1 | 2 | 3 | 4 | 5, agoMs = 0) => {
  const at = world.bench.now.getTime() - agoMs
  world.google.reviews.set(id, { id, stars, text: `text ${id}`, author: 'Ann', created: at, updated: at })
}
const events = () => publishedEvents(world.owner, 'review.')
const types = async () => (await events()).map(({ type }) => type).toSorted()

test('a new review is one event, a bad one two, and an old one none', async () => {
  write('good', 5)
  write('bad', 2)
  write('old', 1, 31 * dayMs)
  await world.sync()
  world.later(hourMs)
  await world.sync()
  expect(await types()).toEqual(['review.low_rating', 'review.received', 'review.received'])
  const [bad] = (await world.owner.rows(Review).list()).filter(({ source_id }) => source_id === 'bad')
  const [low] = await publishedEvents(world.owner, 'review.low')
  expect(low?.data).toEqual({ review_id: bad?.id, source: 'google', star_rating: 2 })
})

test('a review whose event was lost with its process is published by the next sync', async () => {
  write('one', 5)
  await world.sync()
  await world.owner.rows(EventEntry).removeWhere(everything)
  world.later(hourMs)
  await world.sync()
  expect(await types()).toEqual(['review.received'])
  await world.owner.rows(EventEntry).removeWhere(everything)
  world.later(2 * dayMs)
  await world.sync()
  expect(await types()).toEqual([])
})

test('a removal is one event at whatever write its process dies, and a later one is another', async () => {
  const deaths = Array.from({ length: 9 }, (_, writes) => writes)
  const writeAll = () => {
    write('stays', 5)
    for (const writes of deaths) write(`r${writes}`, 5)
  }
  const removed = async () =>
    (await world.owner.rows(Review).list())
      .filter(({ removed_at_source_at }) => typeof removed_at_source_at === 'string')
      .map(({ id }) => id)
  const events = async () =>
    (await publishedEvents(world.owner, 'review.removed')).map(({ data }) => String(data.review_id))
  const removeAll = async () => {
    let died = 0
    for (const writes of deaths) {
      world.google.reviews.delete(`r${writes}`)
      world.later(25 * hourMs)
      await world.sync(dying(writes)).catch(() => died++)
      for (let tries = 0; (await removed()).length <= writes && tries < 3; tries++) {
        world.later(25 * hourMs)
        await world.sync()
      }
    }
    expect(died).toBeGreaterThan(5)
  }
  writeAll()
  await world.sync()
  await removeAll()
  expect(await removed()).toHaveLength(deaths.length)
  expect((await events()).toSorted()).toEqual((await removed()).toSorted())

  writeAll()
  world.later(25 * hourMs)
  await world.sync()
  expect(await removed()).toEqual([])
  await removeAll()
  expect(await events()).toHaveLength(2 * deaths.length)
})
