import { expect, test } from 'bun:test'
import type { ReviewSource } from '../../../../plugins/reviews/contract'
import { platformOf } from '../../../../plugins/reviews/sources/source-of'

const source = (changes: Partial<ReviewSource>) =>
  ({
    name: 'one',
    source: 'guild',
    label: 'The Guild',
    order: 1,
    evidence: 'counted',
    ...changes,
  }) as ReviewSource
const about = (platform: string, sources: readonly ReviewSource[]) =>
  platformOf({ extensions: () => sources as never }, platform)

test('a platform is named as its sources declare, and by its own name without one', () => {
  expect(about('guild', [source({})]).label).toBe('The Guild')
  expect(about('guild', []).label).toBe('Guild')
  expect(about('guild', [source({ source: 'other' })]).label).toBe('Guild')
})

test('a platform has its own list where one of its sources says so, whatever it is called', () => {
  expect(about('guild', [source({})]).hasOwnListing).toBe(false)
  const both = [source({ listing: 'imported' }), source({ name: 'two', listing: 'own' })]
  expect(about('guild', both).hasOwnListing).toBe(true)
  expect(about('google', both).hasOwnListing).toBe(false)
})
