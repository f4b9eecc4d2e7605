import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { reviewSource, starsOf } from '../../../plugins/reviews/contract'

const nothing = () => null
const source = {
  name: 'guild',
  label: 'The Guild',
  source: 'guild',
  order: 1,
  evidence: 'counted',
  listing: 'own',
  reads: nothing,
  open: nothing,
  hidesReplies: nothing,
}
const isAccepted = (changes: object) => v.safeParse(reviewSource.contract, { ...source, ...changes }).success

test('a source of reviews is accepted as it is declared', () => {
  expect(isAccepted({})).toBe(true)
  for (const evidence of ['counted', 'paged', 'none']) expect(isAccepted({ evidence })).toBe(true)
  for (const listing of ['own', 'imported', undefined]) expect(isAccepted({ listing })).toBe(true)
  expect(isAccepted({ hidesReplies: undefined, source: `a${'b'.repeat(39)}` })).toBe(true)
  expect(reviewSource.nameOf(source as never)).toBe('guild')
})

test.each([
  ...Object.keys(source)
    .filter((name) => !['listing', 'hidesReplies'].includes(name))
    .map((name) => ({ [name]: undefined })),
  ...Object.keys(source)
    .map((name) => ({ [name]: name === 'order' ? 'first' : 7 }))
    .filter(({ order }) => order !== 7),
  ...['Guild', '1guild', '', 'gu ild', `a${'b'.repeat(40)}`].map((other) => ({ source: other })),
  { evidence: 'some' },
  { listing: 'other' },
])('a source is refused that is otherwise: %j', (changes) => expect(isAccepted(changes)).toBe(false))

test.each([
  [1, 1],
  [5, 5],
  [0, null],
  [6, null],
  [4.5, null],
  [null, null],
  [undefined, null],
])('a rating of %p is %p stars', (rating, stars) => expect(starsOf(rating)).toBe(stars))
