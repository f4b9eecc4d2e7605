import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { homeContentSchema, homeNewsSchema } from '../../../../core/contracts/home'
import type { PageContext } from '../../../../core/contracts/page'
import type { HomeCardContent } from '../../../../core/doors/pages'
import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import { reviewsCard } from '../../../../plugins/reviews/cards/home'
import { getReviewAnalytics } from '../../../../plugins/reviews/operations/getReviewAnalytics'
import { countWaiting } from '../../../../plugins/reviews/pages/loadReviews'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { reviewBench } from '../support/bench'

type Bench = Awaited<ReturnType<typeof reviewBench>>
let held: Bench
beforeEach(async () => {
  held = await reviewBench()
})
afterEach(() => held.bench.stop())

const day = (date: string) => `2026-${date}T12:00:00.000Z`
const context = (workspace = 'wsp_1', role = 'owner') =>
  ({ ...held.bench.read(workspace), person: { role }, system: held.bench.owner }) as unknown as PageContext
const said = async (workspace?: string, role?: string) => {
  const loaded = await reviewsCard.load(context(workspace, role))
  return (loaded === null ? [] : [loaded].flat()) as readonly HomeCardContent[]
}
const called = async (title: string) => (await said()).find((one) => one.title === title)

async function someReviews() {
  const { review } = held
  const reply = { reply_text: 'Thank you', reply_created_at: day('03-14') }
  await review({ review_created_at: day('03-10'), star_rating: 5, ...reply })
  await review({ review_created_at: day('03-12'), star_rating: 4, needs_response: true })
  await review({ review_created_at: day('03-14'), star_rating: 1, needs_response: true })
  // The 28 days before.
  await review({ review_created_at: day('02-10'), star_rating: 3, needs_response: true })
  await review({ review_created_at: day('02-11'), star_rating: 3, ...reply })
  await review({ review_created_at: day('03-13'), star_rating: 1, workspace_id: 'wsp_2' })
  await review({ review_created_at: day('03-13'), star_rating: 1, removed_at_source_at: day('03-14') })
}

describe('the figures of reviews on the home page', () => {
  test('are those of the review overview', async () => {
    await someReviews()
    const analytics = await held.run(getReviewAnalytics, { days: 28 })
    const [rating, waiting, rate] = await said()
    const { average_rating, response_rate } = analytics.totals
    expect(rating?.figure).toBe(average_rating?.toFixed(2))
    expect(rating?.figure).toBe('3.33')
    expect(rating?.change).toEqual({ text: 'no change shown', tone: 'plain' })
    expect(rating?.href).toBe('/app/reviews/overview?days=28')
    expect(rating?.period).toBe('16 Feb to 15 Mar 2026')
    expect(waiting?.figure).toBe(String(await countWaiting(context())))
    expect(waiting?.figure).toBe('3')
    expect(rate?.figure).toBe(`${Math.round((response_rate.rate ?? 0) * 100)} %`)
    expect(rate?.figure).toBe('33 %')
    expect(rate?.change).toEqual({ text: 'no change shown', tone: 'plain' })
    expect(rating?.series?.values).toHaveLength(28)
    expect(rating?.series?.values.filter((value) => value !== null)).toEqual([5, 4, 1])
    for (const one of await said()) expect(v.safeParse(homeContentSchema, one).issues).toBeUndefined()
  })

  test('are not compared where older reviews may be missing, or where one period has none', async () => {
    await someReviews()
    const place = {
      business_name: 'Bakery',
      is_prospect: false,
      is_active: true,
      auto_response_enabled: false,
    }
    await held.bench.owner.rows(BusinessLocation).insert({ id: 'loc_1', workspace_id: 'wsp_1', ...place })
    expect((await called('Rating'))?.change).toEqual({ text: 'not comparable', tone: 'plain' })
    expect((await called('Reply rate'))?.change).toEqual({ text: 'not comparable', tone: 'plain' })
    held.bench.now = new Date('2026-02-20T12:00:00.000Z')
    await held.bench.owner.rows(BusinessLocation).update('loc_1', { last_full_review_sync_at: day('03-14') })
    expect((await called('Rating'))?.change?.text).toBe('not comparable')
  })

  test('say “–” and no 0 where nothing is rated', async () => {
    await held.review({ review_created_at: day('01-10'), star_rating: 4 })
    expect((await called('Rating'))?.figure).toBe('–')
    expect((await called('Reply rate'))?.figure).toBe('–')
    expect((await called('Rating'))?.change).toBeUndefined()
  })

  test('are one step before there is a review: connect, for owners, and words once it is read', async () => {
    await held.review({ workspace_id: 'wsp_2' })
    expect(await said()).toMatchObject([
      { state: 'todo', title: 'Connect your reviews', href: '/app/settings/connections' },
    ])
    expect(await said('wsp_1', 'member')).toEqual([])
    const listing = { id: 'rls_1', workspace_id: 'wsp_1', location_id: 'loc_1', due_at: day('03-16') }
    await held.bench.owner.rows(ReviewListing).insert(listing)
    expect(await said()).toMatchObject([{ state: 'info', text: expect.stringContaining('a review yet') }])
  })
})

describe('the news of reviews', () => {
  const news = async (workspace?: string) =>
    v.parse(homeNewsSchema, await reviewsCard.news?.(context(workspace), day('03-13')))

  test('counts what Renown read since then, and the bad ones, in the own workspace', async () => {
    const fresh = { created_date: day('03-14') }
    // Written before the last look, and read after it.
    await held.review({ review_created_at: day('03-12'), star_rating: 5, ...fresh })
    await held.review({ review_created_at: day('03-14'), star_rating: 3, ...fresh })
    await held.review({ review_created_at: day('03-14'), star_rating: null, ...fresh })
    expect(await news()).toMatchObject([{ text: '3 new reviews' }])
    await held.review({ review_created_at: day('03-14'), star_rating: 2, ...fresh })
    expect(await news()).toMatchObject([
      { text: '4 new reviews, 1 below 3 stars', href: '/app/reviews?order=worst&from=2026-03-13' },
    ])
    expect(await news('wsp_2')).toEqual([])
  })

  test('counts neither a backlog that was read for the first time nor what was known', async () => {
    await held.review({ review_created_at: day('01-12'), star_rating: 1, created_date: day('03-14') })
    await held.review({ review_created_at: day('03-12'), star_rating: 1, created_date: day('03-12') })
    await held.review({
      review_created_at: day('03-14'),
      created_date: day('03-14'),
      star_rating: 1,
      removed_at_source_at: day('03-14'),
    })
    expect(await news()).toEqual([])
  })
})
