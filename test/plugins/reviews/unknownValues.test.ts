import { afterEach, describe, expect, test } from 'bun:test'
import { Review } from '../../../plugins/reviews/records/Review'
import { type Cut, cutReviews, leftOutWorld } from './support/left-out-world'

const hour = 3_600_000
const day = 24 * hour
let world: Awaited<ReturnType<typeof leftOutWorld>>
afterEach(() => world.bench.stop())

/** A location with reviews that its owner answered a month ago, as the first syncs read it. */
async function answered(count: number, platform: 'google' | 'facebook' = 'google', rules: object = {}) {
  world = await leftOutWorld(platform)
  const fixed = { delay_min_minutes: 30, delay_max_minutes: 30, include_unrated: true }
  await world.rules({ ...fixed, ...rules })
  const at = world.bench.now.getTime() - 30 * day
  const reply = { text: 'Thank you', at: at + hour, state: 'APPROVED' }
  for (let n = 0; n < count; n++) {
    const instants = { created: at + n * 1_000, updated: at + n * 1_000 }
    world.write('222', `old${n}`, { ...instants, reply: { ...reply } })
  }
  await world.hours(2)
}
const sent = () => [...world.google.replies, ...world.facebook.replies].map(({ review }) => review)
const rowOf = async (id: string) => (await world.rowsOf('222')).find(({ source_id }) => source_id === id)

describe('A review without text, while the platform leaves the texts of known reviews out', () => {
  test.each([
    ['google', 'comment'],
    ['facebook', 'review_text'],
  ] as const)('waits, because it may be a complaint (%s)', async (platform, field) => {
    await answered(5, platform)
    world.cut('222', cutReviews(field))
    world.write('222', 'ill', { text: 'My child got food poisoning here and was in hospital' })
    world.write('222', 'stars', { text: '' })
    await world.hours(26)
    expect(sent()).toEqual([])
    expect(await world.doubtOf('222')).toMatchObject({ about: 'texts' })
    world.cut('222', null)
    await world.hours(20)
    expect(sent()).toEqual([])
    await world.hours(10)
    expect([sent(), await world.doubtOf('222')]).toEqual([['stars'], null])
    expect(await rowOf('ill')).toMatchObject({
      auto_response_status: 'skipped',
      auto_response_reason: 'sensitive',
    })
  })

  test('is answered at once where the platform returns the text of one of them', async () => {
    await answered(5)
    world.write('222', 'stars', { text: '' })
    await world.hours(2)
    expect([sent(), await world.doubtOf('222')]).toEqual([['stars'], null])
  })
})

describe('A rating that Google does not specify', () => {
  const name = (review: object) => ({ ...review, starRating: 'STAR_RATING_UNSPECIFIED' })
  const unspecified: Cut = (answer) => {
    const page = answer as { readonly reviews?: readonly object[] }
    return page.reviews === undefined ? name(page) : { ...page, reviews: page.reviews.map(name) }
  }
  const cases = [true, false].flatMap((include_unrated) =>
    [5, 1].flatMap((stars) =>
      ['look', 'reading'].map((from) => [stars, `first ${from}`, include_unrated] as const),
    ),
  )

  test.each(cases)(
    'of %i stars since the %s waits (unrated reviews: %p)',
    async (stars, from, include_unrated) => {
      await answered(3, 'google', { include_unrated })
      world.write('222', 'new', { stars })
      if (from === 'first look') await world.sync()
      world.cut('222', unspecified)
      await world.hours(3)
      if (from === 'first reading') expect(sent()).toEqual([])
      world.cut('222', null)
      await world.hours(26)
      expect(sent()).toEqual(stars === 5 ? ['new'] : [])
      expect(await rowOf('new')).toMatchObject({
        star_rating: stars,
        auto_response_status: stars === 5 ? 'sent' : 'skipped',
      })
    },
  )

  test('for three days is not answered, and says why', async () => {
    await answered(3)
    world.write('222', 'new')
    world.cut('222', unspecified)
    await world.hours(80)
    expect([sent(), (await rowOf('new'))?.auto_response_reason]).toEqual([[], 'rating'])
  })
})

test('a reply that another source returned neither proves nor contradicts anything about the platform', async () => {
  await answered(0)
  world.write('222', 'new')
  const { workspace_id, location_id } = world
  await world.owner.rows(Review).insert({
    workspace_id,
    location_id,
    source: 'google',
    source_id: 'from another source',
    star_rating: 5,
    review_text: 'Good',
    reply_text: 'Thank you',
    needs_response: false,
    is_read: false,
    is_flagged: false,
    synced_at: world.bench.now.toISOString(),
  })
  await world.hours(4)
  expect([sent(), await world.doubtOf('222')]).toEqual([['new'], null])
})

test('a sync that logged figures and failed before it stored them is no alarm after a reply', async () => {
  await answered(3)
  world.write('222', 'new')
  await world.sync()
  let lists = 0
  world.cut('222', (answer) => {
    if (!('reviews' in (answer as object))) return answer
    return lists++ === 0 ? { totalReviewCount: 0 } : {}
  })
  await world.sync()
  expect(lists).toBeGreaterThan(1)
  const isSound = async () => (await world.bench.command('review verify', {})).sound
  expect(String(await isSound())).toBe('true')
  world.later(hour)
  await world.sendDue()
  expect([sent(), String(await isSound())]).toEqual([['new'], 'true'])
  world.cut('222', null)
  await world.hours(1)
  expect(String(await isSound())).toBe('true')
})
