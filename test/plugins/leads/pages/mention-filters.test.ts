import { describe, expect, test } from 'bun:test'
import { isFiltered, positionQuery, readRequest } from '../../../../core/web/framework/lists/read-request'
import { type MentionFilters, mentionFilters } from '../../../../plugins/leads/pages/mention-filters'

const list = { filters: mentionFilters, beside: { param: 'mention' } } as never
const read = async (query: string) => {
  const { at, ...rest } = await readRequest({} as never, new URLSearchParams(query), list)
  expect(at).toBe(1)
  return rest
}
const unset: MentionFilters = {
  q: '',
  state: '',
  relevance: '',
  tracker: '',
  location: '',
  source: '',
  sentiment: '',
  unread: '',
  lead: '',
  days: '',
}
const nothing = { asked: unset, ignored: [], after: '', isWhole: false, chosen: '', sort: '' }
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
  test('name every choice, in order, and read it as it is sent', async () => {
    const { state, relevance, sentiment, days, source } = mentionFilters
    expect<unknown>({
      state: state.options,
      relevance: relevance.options,
      sentiment: sentiment.options,
      days: days.options,
    }).toEqual(choices)
    const all = Object.entries({ ...choices, source: source.options })
    for (const [name, pairs] of all)
      for (const [value, words] of pairs) {
        expect(await read(`${name}=${value}`)).toEqual({ ...nothing, asked: { ...unset, [name]: value } })
        expect(words).toMatch(/^[A-Z]/)
      }
    expect(new Set(source.options.map(([, words]) => words)).size).toBe(14)
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
  ])('tell that %s is not %j, and leave it out', async (name, value, accepted) => {
    const ignored = [{ name, value: value.slice(0, 100), accepted }]
    expect(await read(`${name}=${value}`)).toEqual({ ...nothing, ignored })
    if (value.length > 100) expect((await read(`${name}=${value.slice(1)}`)).ignored).toEqual([])
  })

  test('are set by anything but the shown mention, the page and the search through all', () => {
    expect(isFiltered(list, unset)).toBe(false)
    for (const name of Object.keys(unset)) expect(isFiltered(list, { ...unset, [name]: '1' })).toBe(true)
  })

  test('are all in the address, as they are read', async () => {
    const asked = { ...unset, state: 'saved', q: 'a b' }
    const query = positionQuery({ asked, isWhole: true, param: 'mention', chosen: 'men_1', after: 'x' })
    expect(query).toBe('q=a+b&state=saved&all=1&mention=men_1&after=x')
    expect(await read(query)).toEqual({
      asked,
      ignored: [],
      after: 'x',
      isWhole: true,
      chosen: 'men_1',
      sort: '',
    })
    expect(positionQuery({ asked: unset })).toBe('')
  })
})
