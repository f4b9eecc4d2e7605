import { calendarBefore, type PeriodWish } from '../kit/periods'

/** The first and the last day of a period. */
export interface Days {
  readonly date_from: string
  readonly date_to: string
}

/** Returns the days that a period is compared with: the same part of the previous week, month or year, or else a year ago. */
export function comparedDays(wish: PeriodWish, { date_from, date_to }: Days, today: string): Days {
  const named = wish.period === undefined ? null : calendarBefore(wish.period, today)
  return named ?? { date_from: yearBefore(date_from), date_to: yearBefore(date_to) }
}

/** The same day a year before; February 29th becomes the 28th. */
function yearBefore(day: string): string {
  const year = String(Number(day.slice(0, 4)) - 1).padStart(4, '0')
  const same = `${year}${day.slice(4)}`
  return day.endsWith('-02-29') ? `${year}-02-28` : same
}
