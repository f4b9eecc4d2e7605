import { describe, expect, test } from 'bun:test'
import {
  isFiltered,
  type MentionFilters,
  periods,
  readFilters,
  relevances,
  searchOf,
  sentiments,
  sources,
  states,
} from '../../../../plugins/leads/pages/mention-filters'

const read = (query: string) => readFilters(new URLSearchParams(query))
const nothing: MentionFilters = {
  state: '',
  relevance: '',
  sentiment: '',
  source: '',
  days: '',
  unread: '',
  lead: '',
  all: '',
  location: '',
  tracker: '',
  q: '',
  mention: '',
  after: '',
}
/** Each choice of the page with its words. What one of them sends must be read. */
const choices = {
  state: [
    ['saved', 'Saved'],
    ['replied', 'Answered'],
    ['dismissed', 'Dismissed'],
    ['removed', 'Deleted'],
    ['any', 'Any state'],
  ],
  relevance: [
    ['relevant', 'Relevant'],
    ['maybe', 'Maybe relevant'],
    ['irrelevant', 'Not relevant'],
    ['any', 'Any relevance'],
  ],
  sentiment: [
    ['positive', 'Positive'],
    ['neutral', 'Neutral'],
    ['negative', 'Negative'],
    ['mixed', 'Mixed'],
  ],
  days: [
    ['1', 'Last 24 hours'],
    ['7', 'Last 7 days'],
    ['30', 'Last 30 days'],
    ['90', 'Last 90 days'],
  ],
} as const

describe('the filters of mentions', () => {
  test('name every choice, in order, and read it as it is sent', () => {
    expect<unknown>({ state: states, relevance: relevances, sentiment: sentiments, days: periods }).toEqual(
      choices,
    )
    const all = Object.entries({ ...choices, source: sources })
    for (const [name, pairs] of all)
      for (const [value, words] of pairs) {
        expect(read(`${name}=${value}`)).toEqual({ asked: { ...nothing, [name]: value }, ignored: [] })
        expect(words).toMatch(/^[A-Z]/)
      }
    expect(new Set(sources.map(([, words]) => words)).size).toBe(14)
  })

  test.each([
    ['state', 'new', 'Use saved, replied, dismissed, removed, any.'],
    ['relevance', 'high', 'Use relevant, maybe, irrelevant, any.'],
    ['sentiment', 'any', 'Use positive, neutral, negative, mixed.'],
    ['days', '365', 'Use 1, 7, 30, 90.'],
    ['unread', '0', 'Use 1.'],
    ['lead', 'yes', 'Use 1.'],
    ['all', 'true', 'Use 1.'],
    ['location', 'x'.repeat(101), 'Use the id of a location.'],
    ['tracker', 'x'.repeat(101), 'Use the id of a tracker.'],
    ['q', 'x'.repeat(101), 'Use at most 100 characters.'],
    ['mention', 'x'.repeat(101), 'Use the id of a mention.'],
    ['after', 'x'.repeat(201), 'Use the link below the list.'],
  ])('tell that %s is not %j, and leave it out', (name, value, accepted) => {
    const ignored = [{ name, value: value.slice(0, 100), accepted }]
    expect(read(`${name}=${value}`)).toEqual({ asked: nothing, ignored })
    if (value.length > 100) {
      const shorter = value.slice(1)
      expect(read(`${name}=${shorter}`)).toEqual({ asked: { ...nothing, [name]: shorter }, ignored: [] })
    }
  })

  test('are set by anything but the shown mention, the page and the search through all', () => {
    expect(isFiltered(nothing)).toBe(false)
    for (const name of Object.keys(nothing))
      expect([name, isFiltered({ ...nothing, [name]: '1' })]).toEqual([
        name,
        !['mention', 'after', 'all'].includes(name),
      ])
  })

  test('are all in the address, and another one begins at the first page and shows no mention', () => {
    const names = Object.keys(nothing) as (keyof MentionFilters)[]
    const asked = { ...nothing, state: 'saved', mention: 'men_1', after: 'x', q: 'a b', all: '1' }
    expect(read(searchOf(asked)).asked).toEqual(asked)
    expect(searchOf(asked, { mention: 'men_2' })).toBe('state=saved&all=1&q=a+b&mention=men_2&after=x')
    expect(searchOf(asked, { mention: '', after: 'y' })).toBe('state=saved&all=1&q=a+b&after=y')
    for (const name of names.filter((one) => !['mention', 'after'].includes(one)))
      expect(new URLSearchParams(searchOf(asked, { [name]: '1' })).has('after')).toBe(false)
    expect(searchOf(nothing)).toBe('')
  })
})
