import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { BusinessLocation } from '../../../core/product/tenancy-plugin'
import { getReputationSummary } from '../../../plugins/reviews/operations/getReputationSummary'
import { listReviewsNeedingResponse } from '../../../plugins/reviews/operations/listReviewsNeedingResponse'
import { reviewBench, type Written } from './support/bench'

const locations = ['loc_1', 'loc_2', 'loc_3']
const at = fc
  .integer({ min: 0, max: 69 })
  .map((n) => new Date(Date.parse('2026-01-05T12:00:00.000Z') + n * 86_400_000).toISOString())
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined })

const review = fc
  .record({
    location_id: fc.constantFrom(...locations),
    review_created_at: at,
    star_rating: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
    needs_response: fc.boolean(),
    priority: maybe(fc.constantFrom('urgent', 'high', 'medium', 'low')),
    reply_text: maybe(fc.constant('Thanks')),
    removed_at_source_at: fc.option(fc.constant('2026-03-14T00:00:00.000Z'), { nil: null, freq: 3 }),
  })
  .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Written)
const mention = fc.record({
  location_id: fc.constantFrom(...locations),
  posted_at: at,
  sentiment: fc.constantFrom('positive', 'negative'),
  is_archived: fc.boolean(),
  relevance: fc.constantFrom('relevant', 'irrelevant'),
})

const order = ['urgent', 'high', 'medium', 'low', undefined]
const byPressure = (a: Written, b: Written) =>
  order.indexOf(a.priority) - order.indexOf(b.priority) ||
  String(a.review_created_at).localeCompare(String(b.review_created_at))

test('summary and queue over any rows are those of a plain sum', async () => {
  const reviews = fc.array(review, { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(reviews, fc.array(mention, { maxLength: 10 }), async (written, posted) => {
      const held = await reviewBench()
      for (const id of locations) {
        const rest = { is_prospect: false, is_active: true, auto_response_enabled: false }
        await held.bench.owner
          .rows(BusinessLocation)
          .insert({ id, workspace_id: 'wsp_1', business_name: id, ...rest })
      }
      for (const row of written) await held.review(row)
      for (const row of posted) await held.mention(row)
      const summary = await held.run(getReputationSummary)
      const queue = await held.run(listReviewsNeedingResponse, { limit: 200 })
      await held.bench.stop()

      const present = written.filter((row) => row.removed_at_source_at === null)
      const waiting = present.filter((row) => row.needs_response && row.reply_text === undefined)
      const { date_from, date_to } = summary.period
      const inside = (instant: string | undefined) =>
        String(instant).slice(0, 10) >= date_from && String(instant).slice(0, 10) <= date_to
      const here = present.filter((row) => inside(row.review_created_at))

      expect([summary.waiting, queue.total]).toEqual([waiting.length, waiting.length])
      expect(summary.reviews.reviews).toBe(here.length)
      for (const { location_id, reviews, waiting: waits, score } of summary.locations) {
        const mine = here.filter((row) => row.location_id === location_id)
        expect(reviews).toBe(mine.length)
        expect(waits).toBe(waiting.filter((row) => row.location_id === location_id).length)
        const rated = mine.filter((row) => row.star_rating !== null)
        const good = rated.filter((row) => (row.star_rating ?? 0) >= 4).length
        expect(score.value === null).toBe(rated.length === 0)
        expect((score.value ?? 0) / 100).toBeLessThanOrEqual(rated.length === 0 ? 0 : good / rated.length)
      }
      const counted = posted.filter((row) => !row.is_archived && row.relevance === 'relevant')
      expect(summary.mentions.total).toBe(counted.filter((row) => inside(row.posted_at)).length)

      const wanted = [...waiting].sort(byPressure).map((row) => [row.priority, row.review_created_at])
      expect(queue.reviews.map((row) => [row.priority, row.review_created_at])).toEqual(wanted)
    }),
    { numRuns: process.env.RENOWN_LONG ? 300 : 25 },
  )
}, 120_000)
