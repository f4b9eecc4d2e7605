import { expect, test } from 'bun:test'
import { whyUnanswered } from '../../../../plugins/reviews/due/whyUnanswered'

const dayMs = 24 * 3_600_000
const seenAt = new Date('2026-03-15T12:00:00.000Z')
const before = (ms: number) => new Date(seenAt.getTime() - ms).toISOString()
const given = {
  review: { star_rating: 5, review_text: 'Lovely scones', review_language: 'en' } as object,
  rules: { is_enabled: true, ratings: [4, 5], include_unrated: true, newest_days: 7 } as object | null,
  location: { is_active: true, auto_response_enabled: true },
}
const why = (review: object = {}, rules: object | null = {}, location: object = {}) =>
  whyUnanswered(
    { ...given.review, ...review } as Parameters<typeof whyUnanswered>[0],
    (rules && { ...given.rules, ...rules }) as Parameters<typeof whyUnanswered>[1],
    { ...given.location, ...location },
    seenAt,
  )

test.each<[string | null, object, (object | null)?, object?]>([
  [null, {}],
  ['replies_off', {}, null],
  ['replies_off', {}, { is_enabled: false }],
  ['location_off', {}, {}, { is_active: false }],
  ['location_off', {}, {}, { auto_response_enabled: false }],
  ['answered', { reply: { text: 'Thanks' } }],
  ['rating', { star_rating: 3 }],
  [null, { star_rating: 4 }],
  [null, { star_rating: null }],
  ['rating', { star_rating: null }, { include_unrated: false }],
  ['rating', { star_rating: null, recommends: true }, { include_unrated: false }],
  [null, { star_rating: null, recommends: true }],
  ['rating', { star_rating: null, recommends: false }],
  ['low_stars', { star_rating: null, recommends: false }, { ratings: [1] }],
  [null, { star_rating: null, recommends: false }, { ratings: [1], low_stars_allowed: true }],
  ['low_stars', { star_rating: 3 }, { ratings: [3] }],
  ['low_stars', { star_rating: 1 }, { ratings: [1], low_stars_allowed: false }],
  [null, { star_rating: 3 }, { ratings: [3], low_stars_allowed: true }],
  [null, { star_rating: 3, review_text: ' ' }, { ratings: [3] }],
  ['rating', { star_rating: null, recommends: true }, { ratings: [1] }],
  [null, { review_created_at: before(7 * dayMs) }],
  ['too_old', { review_created_at: before(7 * dayMs + 1) }],
  ['sensitive', { review_text: 'I got food poisoning and was in hospital' }],
])('%p: a review with %j, rules with %j, a location with %j', (reason, review, rules = {}, location = {}) => {
  expect<unknown>(why(review, rules, location)).toBe(reason)
})
