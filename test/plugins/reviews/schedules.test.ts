import { expect, test } from 'bun:test'
import reviews from '../../../plugins/reviews/index'

test('each job of reviews has its pace, each queue its places', () => {
  const jobs = Object.entries(reviews.jobs ?? {}).map(([name, { everyMs }]) => [name, everyMs / 1_000])
  expect(jobs).toEqual([
    ['findLocations', 300],
    ['dueReviews', 60],
    ['dueInsights', 21_600],
  ])
  const queues = Object.entries(reviews.queues ?? {}).map(([name, one]) => [
    name,
    one.atOnce,
    one.attemptsMax,
  ])
  expect(queues).toEqual([
    ['sync-reviews', 8, undefined],
    ['send-reply', 4, 1_000],
    ['send-person-reply', 4, 1_000],
    ['analyse-review', 2, 4],
    ['draw-insights', undefined, 3],
  ])
})
