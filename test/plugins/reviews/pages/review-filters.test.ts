import { expect, test } from 'bun:test'
import {
  type ReviewListFilters,
  ratings,
  readFilters,
  searchOf,
  sorts,
  states,
} from '../../../../plugins/reviews/pages/review-filters'

const read = (query: string) => readFilters(new URLSearchParams(query))

const nothing: ReviewListFilters = {
  needs: false,
  rating: '',
  source: '',
  location: '',
  language: '',
  theme: '',
  q: '',
  from: '',
  to: '',
  state: '',
  sort: 'newest',
  review: '',
  after: '',
  all: false,
  history: false,
}

test('an address without filters sets none', () => {
  expect(read('')).toEqual({ asked: nothing, ignored: [] })
  expect(read('rating=&q=%20&needs=0&all=true&history=')).toEqual({ asked: nothing, ignored: [] })
})

const everything: ReviewListFilters = {
  needs: true,
  rating: '5',
  source: 'google',
  location: 'loc_1',
  language: 'de',
  theme: 'bread',
  q: 'scones',
  from: '2026-03-01',
  to: '2026-03-31',
  state: 'flagged',
  sort: 'worst',
  review: 'rev_1',
  after: 'cursor',
  all: true,
  history: true,
}

test('every filter is read, and the address of the same filters holds all of them', () => {
  const whole = searchOf(everything, { all: true, history: true, review: 'rev_1', after: 'cursor' })
  expect(read(whole)).toEqual({ asked: everything, ignored: [] })
})

test.each([
  ['rating', '6', '1'],
  ['state', 'new', 'unread'],
  ['sort', 'best', 'oldest'],
  ['from', '2026-02-30', '2026-02-28'],
  ['to', 'today', '2026-02-28'],
  ['source', '9x', 'x9'],
  ['source', 'x'.repeat(41), 'x'.repeat(40)],
  ['language', 'd', 'de'],
  ['language', 'd'.repeat(36), 'd'.repeat(35)],
  ['location', 'x'.repeat(101), 'x'.repeat(100)],
  ['theme', 'x'.repeat(101), 'x'.repeat(100)],
  ['q', 'x'.repeat(101), 'x'.repeat(100)],
  ['review', 'x'.repeat(101), 'x'.repeat(100)],
  ['after', 'x'.repeat(201), 'x'.repeat(200)],
] as const)('%s may not be %j, which is left out and told, and may be %j', (name, wrong, right) => {
  const { asked, ignored } = read(`${name}=${wrong}`)
  expect(asked).toEqual(nothing)
  expect(ignored).toEqual([
    { name, value: wrong.slice(0, 100), accepted: expect.stringMatching(/^Use .*\.$/) },
  ])
  expect(read(`${name}=${right}`)).toEqual({ asked: { ...nothing, [name]: right }, ignored: [] })
})

test('another filter begins at the first page and shows no review; another review keeps both', () => {
  const asked = { ...nothing, q: 'x', review: 'rev_1', after: 'cursor', history: true, all: true }
  const parts = (changes?: object) => Object.fromEntries(new URLSearchParams(searchOf(asked, changes)))
  expect(parts({ rating: '5' })).toEqual({ q: 'x', rating: '5' })
  expect(parts({ q: 'y', review: 'rev_2' })).toEqual({ q: 'y', review: 'rev_2' })
  expect(parts({ review: 'rev_2' })).toEqual({ q: 'x', review: 'rev_2', after: 'cursor' })
  expect(parts({ history: true })).toEqual({ q: 'x', review: 'rev_1', after: 'cursor', history: '1' })
  expect(parts({ after: 'next' })).toEqual({ q: 'x', review: 'rev_1', after: 'next' })
  expect(parts()).toEqual({ q: 'x', review: 'rev_1', after: 'cursor' })
  expect(parts({ all: true })).toEqual({ q: 'x', all: '1' })
  expect(parts({ sort: 'newest', needs: true })).toEqual({ q: 'x', needs: '1' })
  expect(parts({ sort: 'worst' })).toEqual({ q: 'x', sort: 'worst' })
})

/** Each choice that the page shows, with its words. What one of them sends must be read. */
const choices = {
  sort: [
    ['newest', 'Newest first'],
    ['oldest', 'Oldest first'],
    ['worst', 'Worst rating first'],
  ],
  rating: [
    ['5', '5 stars'],
    ['4', '4 stars'],
    ['3', '3 stars'],
    ['2', '2 stars'],
    ['1', '1 star'],
    ['none', 'Without stars'],
  ],
  state: [
    ['unread', 'Unread'],
    ['flagged', 'Flagged'],
    ['drafted', 'With a draft'],
    ['answered', 'Answered'],
    ['failed', 'Automatic reply failed'],
  ],
} as const

test('every choice is named, in order, and read as it is sent', () => {
  expect<unknown>({ sort: sorts, rating: ratings, state: states }).toEqual(choices)
  for (const [name, pairs] of Object.entries(choices))
    for (const [value] of pairs)
      expect(read(`${name}=${value}`)).toEqual({ asked: { ...nothing, [name]: value }, ignored: [] })
})

test('what is wrong is told with every value that there is', () => {
  const accepted = (name: string) => read(`${name}=~`).ignored[0]?.accepted
  expect(accepted('state')).toBe('Use unread, flagged, drafted, answered, failed.')
  expect(accepted('rating')).toBe('Use 1 to 5, or none.')
  expect(accepted('sort')).toBe('Use newest, oldest or worst.')
  expect(read('sort=best&state=x&rating=0').ignored.map(({ name }) => name)).toEqual([
    'rating',
    'state',
    'sort',
  ])
})
