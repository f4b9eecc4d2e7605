import { expect, test } from 'bun:test'
import { calendarHref, periodOf, readCalendarFilters } from '../../../../plugins/posts/pages/calendar-period'

test('a month has six weeks from Monday, with the days around it', () => {
  const { days, month, previous, next } = periodOf({ view: 'month', day: '2026-03-14' })
  expect([days.length, days[0], days.at(-1)]).toEqual([42, '2026-02-23', '2026-04-05'])
  expect([month, previous, next]).toEqual(['2026-03', '2026-02-01', '2026-04-01'])
  expect(periodOf({ view: 'month', day: '2026-06-01' }).days[0]).toBe('2026-06-01')
})

test('a week begins on Monday, also for a Sunday', () => {
  for (const day of ['2026-03-09', '2026-03-15'])
    expect(periodOf({ view: 'week', day })).toMatchObject({
      month: null,
      previous: '2026-03-02',
      next: '2026-03-16',
      days: expect.arrayContaining(['2026-03-09', '2026-03-15']),
    })
})

test('a list has the days of one month, however long it is', () => {
  const count = (day: string) => periodOf({ view: 'list', day }).days.length
  expect(['2026-02-10', '2028-02-10', '2026-04-30', '2026-12-31'].map(count)).toEqual([28, 29, 30, 31])
  expect(periodOf({ view: 'list', day: '2026-12-31' }).next).toBe('2027-01-01')
})

test('values that do not fit are ignored, and named with what is accepted', () => {
  const { asked, ignored } = readCalendarFilters(
    new URLSearchParams({ view: 'year', day: '2026-02-30', platform: 'x', location: 'l'.repeat(101) }),
    '2026-03-14',
    ['gbp', 'feed'],
  )
  expect(asked).toEqual({ view: 'month', day: '2026-03-14', location: '', platform: '' })
  expect(ignored.map(({ name }) => name)).toEqual(['view', 'day', 'location', 'platform'])
  const far = readCalendarFilters(new URLSearchParams({ day: '9999-12-31' }), '2026-03-14', [])
  expect([far.asked.day, far.ignored.length]).toEqual(['2026-03-14', 1])
})

test('an address keeps what is asked, and changes one value', () => {
  const asked = { view: 'week', day: '2026-03-14', location: 'loc_1', platform: '' } as const
  expect(calendarHref(asked)).toBe('/app/posts?view=week&day=2026-03-14&location=loc_1')
  expect(calendarHref(asked, { view: 'month', location: '' })).toBe('/app/posts?day=2026-03-14')
})
