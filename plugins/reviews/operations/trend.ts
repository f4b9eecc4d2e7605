import { field, mondayOf, type Period, shiftDay } from 'renown'
import * as v from 'valibot'
import { averageOf, type Counted, sum, within } from './tally'

export const intervals = ['day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

const count = (description: string) => field.integer(description, { min: 0 })

/** One interval of a period. */
export const point = v.object({
  date_from: field.day('First day of the interval'),
  date_to: field.day('Last day of the interval within the period'),
  reviews: count('Reviews'),
  rated: count('Those with stars'),
  average_rating: v.nullable(
    field.number('Average of the stars; null if there are none', { min: 1, max: 5 }),
  ),
  replied: count('Number of those with a reply'),
})

/**
 * Returns every interval of the period, including empty ones. Weeks start on Monday. The first and last
 * interval end with the period.
 */
export function trendOf(counted: Counted, { date_from, date_to }: Period, interval: Interval) {
  const points: v.InferOutput<typeof point>[] = []
  for (let first = date_from; first <= date_to; ) {
    const next = after(first, interval)
    const last = next > date_to ? date_to : shiftDay(next, -1)
    const { stars, replied } = within(counted, { date_from: first, date_to: last })
    points.push({
      date_from: first,
      date_to: last,
      reviews: sum(stars),
      rated: sum(stars.filter((row) => row.stars !== null)),
      average_rating: averageOf(stars),
      replied: sum(replied),
    })
    first = next
  }
  return points
}

/**
 * Returns the interval for a number of days: days for up to five weeks, weeks for up to half a year,
 * otherwise months.
 */
export const fitting = (days: number): Interval => (days <= 35 ? 'day' : days <= 183 ? 'week' : 'month')

/** Returns the first day of the next interval. */
function after(day: string, interval: Interval): string {
  if (interval === 'day') return shiftDay(day, 1)
  if (interval === 'month') return `${shiftDay(`${day.slice(0, 7)}-01`, 31).slice(0, 7)}-01`
  return shiftDay(mondayOf(day), 7)
}
