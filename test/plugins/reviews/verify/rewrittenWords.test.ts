import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Review } from '../../../../plugins/reviews/records/Review'
import { platformWorld } from '../support/platform-world'

let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld()
})
afterEach(() => world.bench.stop())

const texts = [
  'The staff was very friendly and we loved the food here',
  'Das Essen war leider kalt und der Service sehr langsam',
  '',
  'Mmm 🍰',
  'xqz vrt',
]
const edits = texts.flatMap((from) => texts.filter((to) => to !== from).map((to) => [from, to] as const))

test.each(edits)('a review that its author changes from "%s" to "%s" is no alarm', async (from, to) => {
  const at = world.bench.now.getTime()
  const review = { id: 'a', stars: 3, text: from, author: 'Ann', created: at, updated: at }
  world.google.reviews.set('a', review)
  await world.sync()
  world.later(3_600_000)
  Object.assign(review, { text: to, updated: world.bench.now.getTime() })
  await world.sync()
  const [row] = await world.owner.rows(Review).list({ limit: 1 })
  expect(row?.review_text ?? '').toBe(to)
  expect(await world.bench.command('review verify', {})).toMatchObject({ sound: true })
  // A language is that of the words that the row has.
  expect(row?.review_language ?? null).toBe(to === texts[0] ? 'en' : to === texts[1] ? 'de' : null)
})
