import { dayIn, dayStart, hourMs, localTime, minuteMs, shiftDay } from '../../../kit'

const wakeMinutes = 8 * 60

/** When a snoozed entry is shown again. */
export const snoozes = ['tomorrow', 'monday'] as const
export type Snooze = (typeof snoozes)[number]

/** Returns 08:00 of the next day, or of the next Monday, in a time zone. */
export function snoozedUntil(snooze: Snooze, timezone: string, now: Date): string {
  const today = dayIn(timezone, now)
  const weekday = new Date(today).getUTCDay()
  const days = snooze === 'tomorrow' ? 1 : ((7 - weekday) % 7) + 1
  return morningOf(timezone, shiftDay(today, days))
}

/** Returns 08:00 of a day, also if the clocks changed that night. */
function morningOf(timezone: string, day: string): string {
  const guess = Date.parse(dayStart(timezone, day)) + 8 * hourMs
  const off = localTime(timezone, new Date(guess)).minute - wakeMinutes
  return new Date(guess - off * minuteMs).toISOString()
}
