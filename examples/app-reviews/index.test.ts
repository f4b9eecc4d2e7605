import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Gate, startGate, testPlugin } from 'renown/testing'
import appReviews, { AppReview } from './index'

testPlugin(appReviews)

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [appReviews] })
})
afterAll(() => gate.stop())

const review = (shop_id: string, written_at: string, reply_text?: string) =>
  gate.put(AppReview, {
    location_id: 'loc_1',
    shop: 'app_store',
    shop_id,
    rating: 4,
    text: 'Works',
    written_at,
    is_overdue: false,
    ...(reply_text === undefined ? {} : { reply_text }),
  })

test('a week without an answer makes a review overdue, and the summary says so', async () => {
  const now = gate.clock.now().getTime()
  const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString()
  await review('a', daysAgo(8))
  await review('b', daysAgo(8), 'Thank you')
  await review('c', daysAgo(6))
  await appReviews.jobs?.flagOverdue?.run(gate.owner, AbortSignal.timeout(5_000))

  const answer = await gate.call('getAppReviewSummary')
  expect(await answer.json()).toMatchObject({ total: 3, overdue: 1, answered_share: { k: 1, n: 3 } })

  const overdue = await gate.ask(`/api/entities/AppReview?q=${encodeURIComponent('{"is_overdue":true}')}`)
  expect(await overdue.json()).toMatchObject([{ shop_id: 'a' }])
})
