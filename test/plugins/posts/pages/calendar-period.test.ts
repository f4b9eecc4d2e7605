import { expect, test } from 'bun:test'
import { readRequest } from '../../../../core/web/framework/lists/read-request'
import { calendarDay, periodOf, postFilters } from '../../../../plugins/posts/pages/calendar-period'

test('a month has six weeks from Monday, with the days around it', () => {
  const { days, month, previous, next } = periodOf({ view: 'month', day: '2026-03-14' }, '2026-01-01')
  expect([days.length, days[0], days.at(-1)]).toEqual([42, '2026-02-23', '2026-04-05'])
  expect([month, previous, next]).toEqual(['2026-03', '2026-02-01', '2026-04-01'])
  expect(periodOf({ view: 'month', day: '2026-06-01' }, '2026-01-01').days[0]).toBe('2026-06-01')
})

test('a week begins on Monday, also for a Sunday', () => {
  for (const day of ['2026-03-09', '2026-03-15'])
    expect(periodOf({ view: 'week', day }, '2026-01-01')).toMatchObject({
      month: null,
      previous: '2026-03-02',
      next: '2026-03-16',
      days: expect.arrayContaining(['2026-03-09', '2026-03-15']),
    })
})

test('a list has the days of one month, however long it is', () => {
  const count = (day: string) => periodOf({ view: 'list', day }, '2026-01-01').days.length
  expect(['2026-02-10', '2028-02-10', '2026-04-30', '2026-12-31'].map(count)).toEqual([28, 29, 30, 31])
  expect(periodOf({ view: 'list', day: '2026-12-31' }, '2026-01-01').next).toBe('2027-01-01')
})

const read = (query: Record<string, string>) =>
  readRequest({ extensions: () => [] } as never, new URLSearchParams(query), {
    filters: postFilters,
  } as never)

test('values that do not fit are ignored, and named with what is accepted', async () => {
  const { asked, ignored } = await read({
    view: 'year',
    day: '2026-02-30',
    platform: 'x',
    location: 'l'.repeat(101),
  })
  expect(asked).toEqual({ view: '', day: '', location: '', platform: '' })
  expect(ignored.map(({ name }) => name)).toEqual(['location', 'platform', 'view', 'day'])
  expect((await read({ day: '9999-12-31' })).ignored).toHaveLength(1)
})

test('without a view and a day, the calendar shows the month of today', () => {
  expect(calendarDay({ view: '', day: '' }, '2026-03-14')).toEqual({ view: 'month', day: '2026-03-14' })
  expect(periodOf({ view: '', day: '' }, '2026-03-14').month).toBe('2026-03')
})
