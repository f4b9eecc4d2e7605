import { dayMs } from '../contracts/time'

/** Returns the day that is `by` days later, or earlier if `by` is negative. */
export const shiftDay = (day: string, by: number): string =>
  new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10)
