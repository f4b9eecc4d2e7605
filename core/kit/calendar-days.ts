import { dayMs } from '../contracts/time'

/** Returns the day that is `by` days later, or earlier if `by` is negative. */
export const shiftDay = (day: string, by: number): string =>
  new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10)

/** Returns the number of days from one day to a later one. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** Returns the Monday of the week that a day is in. */
export const mondayOf = (day: string): string => shiftDay(day, -((new Date(day).getUTCDay() + 6) % 7))
