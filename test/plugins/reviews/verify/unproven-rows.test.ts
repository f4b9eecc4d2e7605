import { expect, test } from 'bun:test'
import { unprovenFigures } from '../../../../plugins/reviews/verify/unproven-rows'

test('the figures of a location are held against each platform that said some', () => {
  const location = (average_rating?: number, total_reviews?: number) =>
    ({ average_rating, total_reviews }) as never
  const [average, total] = ['average_rating', 'total_reviews'].map(
    (name) => `${name} of the location: the platform never reported it`,
  )
  expect(unprovenFigures(location(4.5, 9), [])).toEqual([])
  expect(unprovenFigures(location(4.5, 9), [undefined, {}])).toEqual([])
  expect(unprovenFigures(location(4.5, 9), [{ average: 4.5, total: 9 }])).toEqual([])
  expect<unknown>(unprovenFigures(location(4.5, 9), [{ average: 4.5 }])).toEqual([total])
  expect<unknown>(unprovenFigures(location(4.5, 9), [{ total: 9 }])).toEqual([average])
  expect<unknown>(unprovenFigures(location(), [{ total: 9 }, {}, { average: 4 }])).toEqual([total, average])
})
