import { expect, test } from 'bun:test'
import { asReadReview } from '../../../../plugins/reviews/proof/as-read-review'

const whole = {
  source_id: 'r1',
  google_review_id: 'g1',
  reviewer_name: 'Ann',
  star_rating: 4,
  review_text: 'Lovely',
  review_language: 'en',
  review_created_at: '2026-01-01T00:00:00.000Z',
  review_updated_at: '2026-01-02T00:00:00.000Z',
}
const reply = { reply_text: 'Thank you', reply_created_at: '2026-01-03T00:00:00.000Z' }

test('a stored review is given as its platform returned it, with every field that it has', () => {
  const source_metadata = { recommendation_type: 'positive' }
  expect(asReadReview({ ...whole, ...reply, source_metadata })).toStrictEqual({
    ...whole,
    reply: { text: reply.reply_text, at: reply.reply_created_at },
    recommends: true,
  })
})

test('what a review lacks is left out, and only its stars may be null', () => {
  expect(asReadReview({ source_id: 'r1' })).toStrictEqual({ source_id: 'r1', star_rating: null })
  expect(asReadReview({ source_id: 'r1', reply_text: 'Thank you' })).toStrictEqual({
    source_id: 'r1',
    star_rating: null,
    reply: { text: 'Thank you' },
  })
})
