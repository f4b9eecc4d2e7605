import { expect, test } from 'bun:test'
import { Review } from '../../../plugins/reviews/records/Review'

test('rows removed at their source are left out of lists and counts whatever the filter says', () => {
  expect(Review.exceptSet).toEqual(['removed_at_source_at'])
})

test('the extras of a platform are passed through and never filtered on', () => {
  expect(Review.opaque).toEqual(['source_metadata'])
})
