import { expect, test } from 'bun:test'
import { eventQuery } from '../../../core/http/event-query'

test.each<[string, object]>([
  ['', {}],
  ['?after=evt_1&location_id=loc_1', { after: 'evt_1', location_id: 'loc_1' }],
  ['?types=a,b', { types: ['a', 'b'] }],
  ['?types=', { types: [''] }],
  ['?limit=20', { limit: 20 }],
  ['?limit=-3', { limit: -3 }],
  ['?limit=123456789', { limit: 123_456_789 }],
  ['?limit=1234567890', { limit: '1234567890' }],
  ['?limit=', { limit: '' }],
  ['?limit=1.5', { limit: '1.5' }],
  ['?limit=x1', { limit: 'x1' }],
  ['?limit=1x', { limit: '1x' }],
])('%j is read as %j', (search, input) => {
  expect(eventQuery(search)).toEqual({ after: 'oldest', ...input })
})

test('a name that does not exist is refused', () => {
  expect(() => eventQuery('?type=a')).toThrow(expect.objectContaining({ code: 'unknown_parameter' }))
})
