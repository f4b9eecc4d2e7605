import { describe, expect, test } from 'bun:test'
import {
  averageOf,
  type Counted,
  countReviews,
  figuresOf,
  sum,
  within,
  writtenIn,
} from '../../../../plugins/reviews/operations/tally'
import { fitting, trendOf } from '../../../../plugins/reviews/operations/trend'
import { visibleReviews } from '../../../../plugins/reviews/operations/visible'

const stars = (day: string, value: number | null, n: number) => ({
  day,
  source: 'google',
  location_id: '',
  stars: value,
  n,
})
const feeling = (day: string, sentiment: string | null, n: number) => ({ day, sentiment, n })
const replied = (day: string, n: number) => ({ day, location_id: '', n })
const counted: Counted = {
  stars: [
    stars('2026-01-30', 5, 4),
    stars('2026-01-31', 4, 1),
    stars('2026-02-01', 3, 2),
    stars('2026-02-02', 2, 1),
    stars('2026-02-03', 1, 2),
    stars('2026-02-03', null, 5),
  ],
  sentiments: [
    feeling('2026-01-30', 'positive', 3),
    feeling('2026-02-01', 'mixed', 1),
    feeling('2026-02-03', null, 9),
  ],
  replied: [replied('2026-01-31', 2), replied('2026-02-03', 1)],
}

describe('figures over reviews', () => {
  test('share the rated ones and those whose feeling was told, not all', () => {
    const figures = figuresOf(counted)
    expect(figures).toMatchObject({ reviews: 15, rated: 10, average_rating: 3.4, replied: 3 })
    const parts = ({ n, k }: { n: number; k: number }) => [k, n]
    expect(parts(figures.response_rate as never)).toEqual([3, 15])
    expect(parts(figures.positive_share as never)).toEqual([5, 10])
    expect(parts(figures.negative_share as never)).toEqual([3, 10])
    expect(parts(figures.positive_sentiment as never)).toEqual([3, 4])
    expect(figuresOf({ stars: [], sentiments: [], replied: [] })).toMatchObject({
      reviews: 0,
      rated: 0,
      average_rating: null,
    })
  })

  test('average the stars to four places', () => {
    expect(averageOf([])).toBeNull()
    expect(averageOf([{ stars: null, n: 3 }])).toBeNull()
    expect(
      averageOf([
        { stars: 5, n: 2 },
        { stars: 4, n: 1 },
        { stars: null, n: 9 },
      ]),
    ).toBe(4.6667)
    expect(sum([{ n: 2 }, { n: 3 }])).toBe(5)
    expect(sum([])).toBe(0)
  })

  test('of a period hold both of its days and nothing beyond', () => {
    const cut = within(counted, { date_from: '2026-01-31', date_to: '2026-02-02' })
    expect(cut.stars.map(({ day }) => day)).toEqual(['2026-01-31', '2026-02-01', '2026-02-02'])
    expect(cut.sentiments).toEqual([feeling('2026-02-01', 'mixed', 1)])
    expect(cut.replied).toEqual([replied('2026-01-31', 2)])
  })

  test('are exactly those of the days of the period, in the time zone', () => {
    expect(writtenIn({ date_from: '2026-01-01', date_to: '2026-01-31' }, 'Asia/Tokyo')).toEqual([
      { op: 'gte', field: 'review_created_at', value: '2025-12-31T15:00:00.000Z' },
      { op: 'lt', field: 'review_created_at', value: '2026-01-31T15:00:00.000Z' },
    ])
  })

  test('are counted for each location where that is asked, and for each day otherwise', async () => {
    const asked: unknown[] = []
    const ctx = (keys: object, day?: string) =>
      ({
        workspace: { timezone: 'Asia/Tokyo' },
        rows: () => ({
          daySums: async ({ by, byDay, within }: { by: unknown; byDay: unknown; within: unknown }) => {
            asked.push([by, byDay, within])
            const values = { star_rating: [{ value: 5, n: 2 }], sentiment: [{ value: null, n: 2 }] }
            return [{ keys: { source: 'google', ...keys }, day, n: 2, values, set: { reply_text: 1 } }]
          },
        }),
      }) as never
    const span = { from: '2026-01-01', to: '2026-01-01' }
    const within = { date_from: '2026-01-01', date_to: '2026-01-01', timezone: 'Asia/Tokyo' }
    const apart = await countReviews(ctx({ location_id: 'loc_1' }), {}, { ...span, by: 'location' })
    expect(asked.splice(0)).toEqual([[['source', 'location_id'], false, within]])
    expect([apart.stars[0]?.location_id, apart.replied[0]?.location_id]).toEqual(['loc_1', 'loc_1'])
    const together = await countReviews(ctx({}, '2026-01-01'), {}, span)
    expect(asked).toEqual([[['source'], true, within]])
    expect(together.stars).toEqual([{ day: '2026-01-01', source: 'google', location_id: '', stars: 5, n: 2 }])
    expect(together.replied).toEqual([{ day: '2026-01-01', location_id: '', n: 1 }])
  })

  test('are about reviews that their source still shows', () => {
    const present = { op: 'eq', field: 'removed_at_source_at', value: null }
    expect<unknown>(visibleReviews({})).toEqual({ op: 'and', of: [present] })
    expect<unknown>(visibleReviews({ location_id: 'l', source: 's' }, { op: 'and', of: [] })).toEqual({
      op: 'and',
      of: [
        present,
        { op: 'eq', field: 'location_id', value: 'l' },
        { op: 'eq', field: 'source', value: 's' },
        { op: 'and', of: [] },
      ],
    })
  })
})

describe('a trend', () => {
  const period = { date_from: '2026-01-30', date_to: '2026-02-03', days: 5 }
  const stretches = (interval: 'day' | 'week' | 'month', span = period) =>
    trendOf(counted, span, interval).map((point) => [point.date_from, point.date_to, point.reviews])

  test('has a point for every stretch, both ends cut to the period', () => {
    expect(stretches('day')).toEqual([
      ['2026-01-30', '2026-01-30', 4],
      ['2026-01-31', '2026-01-31', 1],
      ['2026-02-01', '2026-02-01', 2],
      ['2026-02-02', '2026-02-02', 1],
      ['2026-02-03', '2026-02-03', 7],
    ])
    // The 2nd of February 2026 is a Monday.
    expect(stretches('week')).toEqual([
      ['2026-01-30', '2026-02-01', 7],
      ['2026-02-02', '2026-02-03', 8],
    ])
    expect(stretches('week', { date_from: '2026-02-02', date_to: '2026-02-16', days: 15 })).toEqual([
      ['2026-02-02', '2026-02-08', 8],
      ['2026-02-09', '2026-02-15', 0],
      ['2026-02-16', '2026-02-16', 0],
    ])
    expect(stretches('month')).toEqual([
      ['2026-01-30', '2026-01-31', 5],
      ['2026-02-01', '2026-02-03', 10],
    ])
    expect(
      stretches('month', { date_from: '2025-12-31', date_to: '2026-03-01', days: 61 }).map(([from]) => from),
    ).toEqual(['2025-12-31', '2026-01-01', '2026-02-01', '2026-03-01'])
  })

  test('has the figures of each stretch', () => {
    expect(trendOf(counted, period, 'week')[1]).toEqual({
      date_from: '2026-02-02',
      date_to: '2026-02-03',
      reviews: 8,
      rated: 3,
      average_rating: 1.3333,
      replied: 1,
    })
  })

  test('is drawn by days up to five weeks, by weeks up to half a year, else by months', () => {
    expect([1, 35, 36, 183, 184].map(fitting)).toEqual(['day', 'day', 'week', 'week', 'month'])
  })
})
