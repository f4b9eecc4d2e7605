import { expect, test } from 'bun:test'
import type { PageContext } from '../../../../core/contracts/page'
import { readRequest } from '../../../../core/web/framework/lists/read-request'
import { reviewSource } from '../../../../plugins/reviews/contract'
import { reviewFilters, wrongFilters } from '../../../../plugins/reviews/pages/review-filters'
import { reviewsPage } from '../../../../plugins/reviews/pages/reviews-page'

const sources = [{ source: 'google', label: 'Google', order: 1 }]
const ctx = {
  system: { extensions: (point: unknown) => (point === reviewSource ? sources : []) },
} as unknown as PageContext
const list = { filters: reviewFilters, check: wrongFilters, beside: { param: 'review' } }
const read = async (query: string) => {
  const given = list as unknown as Parameters<typeof readRequest>[2]
  return readRequest(ctx, new URLSearchParams(query), given)
}
const nothing = Object.fromEntries(Object.keys(reviewFilters).map((name) => [name, '']))

test('an address without filters sets none', async () => {
  expect(reviewsPage.path).toBe('/app/reviews')
  for (const query of ['', 'rating=&q=%20&needs='])
    expect(await read(query)).toMatchObject({ asked: nothing, ignored: [], chosen: '' })
})

test.each([
  ['needs', '0', '1'],
  ['rating', '6', '1'],
  ['rating', '0', 'none'],
  ['state', 'new', 'unread'],
  ['order', 'best', 'oldest'],
  ['order', 'newest', 'worst'],
  ['from', '2026-02-30', '2026-02-28'],
  ['to', 'today', '2026-02-28'],
  ['source', '9x', 'google'],
  ['language', 'd', 'de'],
  ['language', 'd'.repeat(36), 'd'.repeat(35)],
  ['location', 'x'.repeat(101), 'x'.repeat(100)],
  ['theme', 'x'.repeat(101), 'x'.repeat(100)],
  ['q', 'x'.repeat(101), 'x'.repeat(100)],
] as const)('%s may not be %j, which is left out and told, and may be %j', async (name, wrong, right) => {
  const { asked, ignored } = await read(`${name}=${wrong}`)
  expect(asked).toEqual(nothing)
  expect(ignored).toEqual([
    { name, value: wrong.slice(0, 100), accepted: expect.stringMatching(/^Use .*\.$/) },
  ])
  expect(await read(`${name}=${right}`)).toMatchObject({ asked: { ...nothing, [name]: right }, ignored: [] })
})

test('every choice is named, in order', () => {
  expect(reviewFilters.rating.options).toEqual([
    ['5', '5 stars'],
    ['4', '4 stars'],
    ['3', '3 stars'],
    ['2', '2 stars'],
    ['1', '1 star'],
    ['none', 'Without stars'],
  ])
  expect(reviewFilters.order).toMatchObject({
    none: 'Newest first',
    options: [
      ['oldest', 'Oldest first'],
      ['worst', 'Worst rating first'],
    ],
  })
})
