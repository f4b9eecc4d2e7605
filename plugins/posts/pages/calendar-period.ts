import { type IgnoredValue, isDay, shiftDay } from 'renown'

/** How the calendar is shown. */
export const views = ['month', 'week', 'list'] as const
/** A view of the calendar. */
export type CalendarView = (typeof views)[number]

/** What the address asks the calendar for. Empty: not set. */
export interface CalendarFilters {
  readonly view: CalendarView
  /** A day in the shown month or week. */
  readonly day: string
  readonly location: string
  readonly platform: string
}

/** The shown days, and the addresses before and after. */
export interface CalendarPeriod {
  /** `YYYY-MM` of the month, for days outside. Null in a week. */
  readonly month: string | null
  readonly days: readonly string[]
  readonly previous: string
  readonly next: string
}

const textMax = 100

/** Reads what the address asks for. Returns invalid values separately. */
export function readCalendarFilters(query: URLSearchParams, today: string, platforms: readonly string[]) {
  const ignored: IgnoredValue[] = []
  const read = (name: string, accepts: (text: string) => boolean, accepted: string) => {
    const value = (query.get(name) ?? '').trim()
    if (value === '' || accepts(value)) return value
    ignored.push({ name, value: value.slice(0, textMax), accepted })
    return ''
  }
  const view = read('view', (text) => views.some((one) => one === text), `Use ${views.join(', ')}.`)
  const asked: CalendarFilters = {
    view: views.find((one) => one === view) ?? 'month',
    day: read('day', isCalendarDay, 'Use a day such as 2026-03-14.') || today,
    location: read('location', (text) => text.length <= textMax, 'Use the id of a location.'),
    platform: read('platform', (text) => platforms.includes(text), `Use ${platforms.join(', ')}.`),
  }
  return { asked, ignored }
}

/** Days that the calendar can show, so that every day around them is a date too. */
const isCalendarDay = (text: string) => isDay(text) && text >= '2000-02-01' && text <= '2199-11-30'

/** Returns the address of the calendar with some values changed. */
export function calendarHref(asked: CalendarFilters, changes: Partial<CalendarFilters> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...asked, ...changes })) {
    if (value !== '' && !(name === 'view' && value === 'month')) query.set(name, value)
  }
  return `/app/posts?${query}`
}

/** Returns the days of a view. Weeks begin on Monday, and a month has six of them. */
export function periodOf({ view, day }: Pick<CalendarFilters, 'view' | 'day'>): CalendarPeriod {
  if (view === 'week') {
    const monday = mondayOf(day)
    return {
      month: null,
      days: daysFrom(monday, 7),
      previous: shiftDay(monday, -7),
      next: shiftDay(monday, 7),
    }
  }
  const month = day.slice(0, 7)
  const first = `${month}-01`
  const previous = `${shiftDay(first, -1).slice(0, 7)}-01`
  const next = `${shiftDay(first, 31).slice(0, 7)}-01`
  const days = view === 'month' ? daysFrom(mondayOf(first), 42) : daysOf(first, next)
  return { month, days, previous, next }
}

const mondayOf = (day: string): string => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return shiftDay(day, -((weekday + 6) % 7))
}

const daysFrom = (first: string, count: number) => Array.from({ length: count }, (_, n) => shiftDay(first, n))
const daysOf = (first: string, end: string) => daysFrom(first, 31).filter((day) => day < end)
