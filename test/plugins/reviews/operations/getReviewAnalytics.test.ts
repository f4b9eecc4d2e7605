import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import { getReviewAnalytics } from '../../../../plugins/reviews/operations/getReviewAnalytics'
import { reviewBench, type Written } from '../support/bench'

type Bench = Awaited<ReturnType<typeof reviewBench>>
let held: Bench
beforeEach(async () => {
  held = await reviewBench()
})
afterEach(() => held.bench.stop())
const ask = (input: object = {}, where: object = {}) => held.run(getReviewAnalytics, { ...input }, where)

const march = (day: number, hour = 12) =>
  `2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`

/** Ten reviews in the seven days to 15 March, three in the seven before, and some that must not count. */
async function tenReviews() {
  const { review } = held
  for (const [day, stars] of [
    [9, 5],
    [10, 5],
    [10, 4],
    [12, 3],
    [15, 1],
  ] as const) {
    await review({ review_created_at: march(day), star_rating: stars })
  }
  const answered = { reply_text: 'Thank you', reply_created_at: march(14) }
  await review({
    review_created_at: march(13),
    star_rating: 5,
    sentiment: 'positive',
    key_topics: ['bread', 'queue'],
    ...answered,
  })
  await review({
    review_created_at: march(13),
    star_rating: 2,
    sentiment: 'negative',
    key_topics: ['queue', 'queue'],
    ...answered,
  })
  await review({ review_created_at: march(14), star_rating: null, source: 'facebook', sentiment: 'positive' })
  await review({ review_created_at: march(14), star_rating: null, source: 'facebook', sentiment: 'mixed' })
  await review({ review_created_at: march(14), source: 'facebook' })
  for (const stars of [4, 2, null]) await review({ review_created_at: march(5), star_rating: stars })
  await review({ review_created_at: march(13), star_rating: 1, removed_at_source_at: march(14) })
  await review({ review_created_at: march(13), star_rating: 1, workspace_id: 'wsp_2' })
  await review({ review_created_at: march(16, 1), star_rating: 1 })
  await review({ star_rating: 1 })
}

describe('getReviewAnalytics', () => {
  test('gives no difference of averages where older reviews may be missing', async () => {
    await tenReviews()
    const week = { days: 7 }
    expect(await ask(week)).toMatchObject({ read_in_whole: true })
    expect((await ask(week)).change.average_rating).toBeNumber()
    const rows = held.bench.owner.rows(BusinessLocation)
    const rest = {
      business_name: 'Bakery',
      is_prospect: false,
      is_active: true,
      auto_response_enabled: false,
    }
    await rows.insert({ id: 'loc_1', workspace_id: 'wsp_1', ...rest })
    const partly = await ask(week)
    expect(partly).toMatchObject({ read_in_whole: false, change: { average_rating: null } })
    await rows.update('loc_1', { last_full_review_sync_at: march(14) })
    expect(await ask(week)).toMatchObject({ read_in_whole: true })
  })

  test('adds up what was worked out by hand', async () => {
    await tenReviews()
    const answer = await ask({ days: 7 })
    expect(answer.period).toEqual({ date_from: '2026-03-09', date_to: '2026-03-15', days: 7 })
    expect(answer.totals).toEqual({
      reviews: 10,
      rated: 7,
      // (5 + 5 + 4 + 3 + 1 + 5 + 2) / 7
      average_rating: 3.5714,
      replied: 2,
      response_rate: {
        definition: 'reviews.response_rate@1',
        k: 2,
        n: 10,
        rate: 0.2,
        ci95: [0.056682, 0.509838],
      },
      positive_share: {
        definition: 'reviews.positive_share@1',
        k: 4,
        n: 7,
        rate: 0.571429,
        ci95: [0.250458, 0.84178],
      },
      negative_share: {
        definition: 'reviews.negative_share@1',
        k: 2,
        n: 7,
        rate: 0.285714,
        ci95: [0.082219, 0.641066],
      },
      positive_sentiment: {
        definition: 'reviews.positive_sentiment_share@1',
        k: 2,
        n: 4,
        rate: 0.5,
        ci95: [0.150039, 0.849961],
      },
    })
    expect(answer.previous).toMatchObject({ reviews: 3, rated: 2, average_rating: 3, replied: 0 })
    expect(answer.change).toEqual({ reviews: 7, average_rating: 0.5714 })
    expect(answer.by_rating.map((row) => [row.stars, row.reviews, row.previous_reviews])).toEqual([
      [5, 3, 0],
      [4, 1, 1],
      [3, 1, 0],
      [2, 1, 1],
      [1, 1, 0],
      [null, 3, 1],
    ])
    expect(answer.by_sentiment.map((row) => [row.sentiment, row.reviews])).toEqual([
      ['positive', 2],
      ['neutral', 0],
      ['mixed', 1],
      ['negative', 1],
      [null, 6],
    ])
    expect(answer.by_source).toEqual([
      { source: 'google', reviews: 7, rated: 7, average_rating: 3.5714 },
      { source: 'facebook', reviews: 3, rated: 0, average_rating: null },
    ])
    expect(answer.topics).toEqual({
      sample: 10,
      top: [
        { topic: 'queue', reviews: 2, negative: 1 },
        { topic: 'bread', reviews: 1, negative: 0 },
      ],
    })
    expect(answer.trend.interval).toBe('day')
    expect(
      answer.trend.points.map((point) => [point.date_from, point.reviews, point.rated, point.average_rating]),
    ).toEqual([
      ['2026-03-09', 1, 1, 5],
      ['2026-03-10', 2, 2, 4.5],
      ['2026-03-11', 0, 0, null],
      ['2026-03-12', 1, 1, 3],
      ['2026-03-13', 2, 2, 3.5],
      ['2026-03-14', 3, 0, null],
      ['2026-03-15', 1, 1, 1],
    ])
  })

  test('averages stars over the reviews that have them, never counting those without as nought', async () => {
    for (const star_rating of [5, 4, null, null, null]) {
      await held.review({ review_created_at: march(12), star_rating })
    }
    await held.review({ review_created_at: march(12), source: 'facebook' })
    const { totals, by_source } = await ask({ days: 7 })
    expect(totals).toMatchObject({ reviews: 6, rated: 2, average_rating: 4.5 })
    expect([totals.positive_share.n, totals.negative_share.n]).toEqual([2, 2])
    expect(by_source.map((row) => row.average_rating)).toEqual([4.5, null])
  })

  test('narrows to a location and to a platform', async () => {
    await tenReviews()
    await held.review({ review_created_at: march(12), star_rating: 5, location_id: 'loc_2' })
    expect((await ask({ days: 7, location_id: 'loc_2' })).totals.reviews).toBe(1)
    expect((await ask({ days: 7, source: 'facebook' })).totals).toMatchObject({
      reviews: 3,
      rated: 0,
      average_rating: null,
    })
    expect((await ask({ days: 7 }, { workspace: 'wsp_2' })).totals.reviews).toBe(1)
  })

  test('takes days from the workspace’s zone', async () => {
    await held.review({ review_created_at: march(14, 20), star_rating: 5 })
    const inTokyo = await ask({ days: 1 }, { timezone: 'Asia/Tokyo' })
    expect(inTokyo).toMatchObject({ timezone: 'Asia/Tokyo', totals: { reviews: 1 } })
    expect(inTokyo.trend.points.map((point) => point.date_from)).toEqual(['2026-03-15'])
    expect((await ask({ days: 1 })).totals.reviews).toBe(0)
  })

  test('cuts weeks and months at both ends of the period', async () => {
    const weeks = await ask({ date_from: '2026-02-04', date_to: '2026-02-17', interval: 'week' })
    expect(weeks.trend.points.map((point) => [point.date_from, point.date_to])).toEqual([
      ['2026-02-04', '2026-02-08'],
      ['2026-02-09', '2026-02-15'],
      ['2026-02-16', '2026-02-17'],
    ])
    const months = await ask({ date_from: '2025-12-31', date_to: '2026-03-01', interval: 'month' })
    expect(months.trend.points.map((point) => [point.date_from, point.date_to])).toEqual([
      ['2025-12-31', '2025-12-31'],
      ['2026-01-01', '2026-01-31'],
      ['2026-02-01', '2026-02-28'],
      ['2026-03-01', '2026-03-01'],
    ])
  })

  test('answers noughts and rates without a value where there is nothing', async () => {
    const { totals, change, topics } = await ask()
    expect(totals).toMatchObject({
      reviews: 0,
      average_rating: null,
      response_rate: { n: 0, rate: null, ci95: null },
    })
    expect([change, topics]).toEqual([
      { reviews: 0, average_rating: null },
      { sample: 0, top: [] },
    ])
  })

  test.each([{ days: 0 }, { days: 367 }, { source: 'yelp' }, { interval: 'year' }, { q: {} }])(
    'refuses %j',
    async (input) => {
      await expect(ask(input)).rejects.toThrow()
    },
  )

  test('says the same as a plain sum over any rows', async () => {
    const day = fc
      .integer({ min: 0, max: 27 })
      .map((n) => new Date(Date.parse('2026-02-17T12:00:00.000Z') + n * 86_400_000).toISOString())
    const row = fc.record<Written>({
      review_created_at: day,
      star_rating: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
      source: fc.constantFrom('google', 'facebook'),
      sentiment: fc.constantFrom('positive', 'neutral', 'negative', 'mixed'),
      location_id: fc.constantFrom('loc_1', 'loc_2'),
      removed_at_source_at: fc.option(fc.constant('2026-03-14T00:00:00.000Z'), { nil: null, freq: 4 }),
    })
    const rows = fc.array(fc.tuple(row, fc.boolean()), { maxLength: 25 })
    const runs = process.env.RENOWN_LONG ? 300 : 25
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 28 }), async (written, days) => {
        const fresh = await reviewBench()
        for (const [one, replied] of written)
          await fresh.review({ ...one, ...(replied ? { reply_text: 'Thanks' } : {}) })
        const answer = await fresh.run(getReviewAnalytics, { days })
        await fresh.bench.stop()
        const { date_from, date_to } = answer.period
        const here = written.filter(([one]) => {
          const written_on = String(one.review_created_at).slice(0, 10)
          return one.removed_at_source_at === null && written_on >= date_from && written_on <= date_to
        })
        const stars = here.flatMap(([one]) => (one.star_rating == null ? [] : [one.star_rating]))
        expect(answer.totals.reviews).toBe(here.length)
        expect(answer.totals.rated).toBe(stars.length)
        expect(answer.totals.replied).toBe(here.filter(([, replied]) => replied).length)
        const average = stars.length === 0 ? null : stars.reduce((sum, n) => sum + n, 0) / stars.length
        expect(
          average === null
            ? answer.totals.average_rating
            : Math.abs((answer.totals.average_rating ?? 0) - average) < 1e-4,
        ).toBe(average === null ? null : true)
        expect(answer.totals.positive_share.k).toBe(stars.filter((n) => n >= 4).length)
        for (const list of [answer.by_rating, answer.by_sentiment, answer.by_source, answer.trend.points]) {
          expect((list as { reviews: number }[]).reduce((sum, { reviews }) => sum + reviews, 0)).toBe(
            here.length,
          )
        }
      }),
      { numRuns: runs },
    )
  }, 120_000)
})
