import { describe, expect, test } from 'bun:test'
import { periodsOf, readFilters, searchOf } from '../../../../plugins/visibility/pages/visibility-filters'

const today = '2026-03-15'
const read = (query: string) =>
  readFilters(new URLSearchParams(query), {
    trackers: [{ id: 'vtr_1', location_id: 'loc_1' }],
    engines: ['chatgpt', 'claude'],
    countries: ['DE', 'GB'],
    today,
  })

describe('the address of the page', () => {
  test('is 28 days of everything where it says nothing', () => {
    const { filters, ignored } = read('')
    expect([searchOf(filters), ignored]).toEqual(['', []])
    expect(periodsOf(filters, today).period).toEqual({ date_from: '2026-02-16', date_to: today, days: 28 })
  })

  test.each([
    'tracker=vtr_1&engine=claude&country=GB&days=90',
    'location=loc_1&from=2026-01-01&to=2026-01-31',
    'prompts=all',
  ])('says the same again: %s', (query) => {
    const { filters, ignored } = read(query)
    expect(ignored).toEqual([])
    expect(Object.fromEntries(new URLSearchParams(searchOf(filters)))).toEqual(
      Object.fromEntries(new URLSearchParams(query)),
    )
  })

  test('an own period ends today unless it names a day, and is compared with as many days before', () => {
    const { period, previous } = periodsOf(read('from=2026-03-06').filters, today)
    expect(period).toEqual({ date_from: '2026-03-06', date_to: today, days: 10 })
    expect(previous).toEqual({ date_from: '2026-02-24', date_to: '2026-03-05', days: 10 })
  })

  test.each([
    ['engine=ChatGPT', 'chatgpt or claude'],
    ['country=UK', 'DE or GB'],
    ['tracker=vtr_9', 'tracker of this workspace'],
    ['location=loc_9', 'location that has a tracker'],
    ['days=31', '7, 28, 90 or 365'],
    ['from=2026-02-30', 'Use a day from'],
    ['to=2026-03-16&from=2026-03-01', 'until 2026-03-15'],
    ['to=2026-03-10', 'together with from'],
    ['from=2026-03-12&to=2026-03-10', 'to 2026-03-10'],
    ['from=2020-01-01', 'from 2025-03-15'],
    ['days=7&from=2026-03-01', 'or from and to'],
    ['prompts=some', 'Use all'],
    ['engin=claude', 'no such filter'],
  ])('names a value that it ignores, and what it accepts: %s', (query, accepted) => {
    const { ignored } = read(query)
    expect(ignored).toHaveLength(1)
    expect(ignored[0]?.accepted).toContain(accepted)
  })
})
