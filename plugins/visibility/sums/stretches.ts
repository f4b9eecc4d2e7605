import { mondayOf, type Period, shiftDay } from 'renown'

/** How long one point of a trend is. */
export type TrendUnit = 'day' | 'week' | 'month'

const daysOfDays = 14
const daysOfWeeks = 140

/** Returns the length of the points for a period of this many days: at most about 20 points. */
export const unitOf = (days: number): TrendUnit =>
  days <= daysOfDays ? 'day' : days <= daysOfWeeks ? 'week' : 'month'

/** The first days of all stretches of a period. Weeks begin on Monday. */
export function startsOf({ date_from, date_to }: Period, unit: TrendUnit): string[] {
  const starts: string[] = []
  for (let at = startOf(date_from, unit); at <= date_to; at = nextOf(at, unit)) starts.push(at)
  return starts
}

/** Returns the first day of the stretch that a day is in. */
export function startOf(day: string, unit: TrendUnit): string {
  if (unit === 'month') return `${day.slice(0, 7)}-01`
  if (unit === 'day') return day
  return mondayOf(day)
}

function nextOf(day: string, unit: TrendUnit): string {
  if (unit === 'month') return `${shiftDay(day, 32).slice(0, 7)}-01`
  return shiftDay(day, unit === 'day' ? 1 : 7)
}
