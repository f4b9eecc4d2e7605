import { shiftDay } from '../../../kit/calendar-days'
import { dayIn } from '../../../kit/periods'
import { BoundedMap } from '../read-cache'

/** Returns the month of a day, such as `2026-11`. */
export const monthOf = (day: string): string => day.slice(0, 7)

/** Returns the months from one to another, both included. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = first; month <= last; month = monthOf(shiftDay(`${month}-01`, 31))) months.push(month)
  return months
}

/** Returns the first and the last day of a month. */
export const daysOfMonth = (month: string): { readonly date_from: string; readonly date_to: string } => {
  const date_from = `${month}-01`
  return { date_from, date_to: shiftDay(`${monthOf(shiftDay(date_from, 31))}-01`, -1) }
}

const markDays = new BoundedMap<string, readonly string[]>(20_000)

/** Returns the local days that a day of UTC is in. */
export function localDays(day: string, timezone: string): readonly string[] {
  const key = `${timezone} ${day}`
  const known = markDays.get(key)
  if (known) return known
  const ends = ['00:00:00.000', '23:59:59.999'].map((time) => dayIn(timezone, new Date(`${day}T${time}Z`)))
  const found: string[] = []
  for (let one = ends[0] ?? day; one <= (ends[1] ?? day); one = shiftDay(one, 1)) found.push(one)
  markDays.set(key, found)
  return found
}

/** Returns the days that a day of UTC can be in, in any time zone. */
export const daysAround = (day: string): readonly string[] => [shiftDay(day, -1), day, shiftDay(day, 1)]

/** Days of a month, and the workspaces in which some of them changed. */
export interface Stretch {
  readonly date_from: string
  readonly date_to: string
  readonly workspaces: readonly string[]
}

/** Days between two changed days that are read with them, because one read of five days is cheaper than two. */
const gapMax = 3

/** Joins changed days of the same month that are close to each other. */
export function stretchesOf(
  changed: readonly { readonly workspace: string; readonly day: string }[],
): Stretch[] {
  const found: { date_from: string; date_to: string; workspaces: Set<string> }[] = []
  for (const { workspace, day } of changed.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    const last = found.at(-1)
    if (last && monthOf(last.date_to) === monthOf(day) && day <= shiftDay(last.date_to, gapMax)) {
      last.date_to = day
      last.workspaces.add(workspace)
    } else found.push({ date_from: day, date_to: day, workspaces: new Set([workspace]) })
  }
  return found.map(({ workspaces, ...days }) => ({ ...days, workspaces: [...workspaces] }))
}

/** Returns the days from one to another, both included. */
export function daysFrom({ date_from, date_to }: Pick<Stretch, 'date_from' | 'date_to'>): string[] {
  const days: string[] = []
  for (let day = date_from; day <= date_to; day = shiftDay(day, 1)) days.push(day)
  return days
}
