import { isDay, shiftDay } from 'renown'
import type { ListChoice, ListFilters } from 'renown/pages'
import { postTarget } from '../contract'
import { postPlatforms } from '../records/content'
import { locationChoices } from './location-choices'

/** How the calendar is shown. */
export const views = ['month', 'week', 'list'] as const
/** A view of the calendar. */
export type CalendarView = (typeof views)[number]

/** The shown days, and the addresses before and after. */
export interface CalendarPeriod {
  /** `YYYY-MM` of the month, for days outside. Null in a week. */
  readonly month: string | null
  readonly days: readonly string[]
  readonly previous: string
  readonly next: string
}

/** The filters of the list of posts. */
export const postFilters = {
  location: { kind: 'record', label: 'Location', called: 'location', options: locationChoices },
  platform: {
    kind: 'choice',
    label: 'Target',
    options: (ctx) => {
      const labels = new Map(ctx.extensions(postTarget).map((one) => [one.platform, one.label]))
      return postPlatforms.map((platform) => [platform, labels.get(platform) ?? platform] as const)
    },
  },
  view: {
    kind: 'link',
    isPosition: true,
    accepts: (text) => views.some((one) => one === text),
    accepted: () => `Use ${views.join(', ')}.`,
  },
  day: {
    kind: 'link',
    isPosition: true,
    accepts: isCalendarDay,
    accepted: () => 'Use a day such as 2026-03-14.',
  },
} as const satisfies ListFilters

/** The values of the filters. Empty: not set. */
export type CalendarFilters = ListChoice<typeof postFilters>

/** Days that the calendar can show, so that every day around them is a date too. */
function isCalendarDay(text: string): boolean {
  return isDay(text) && text >= '2000-02-01' && text <= '2199-11-30'
}

type Day = Pick<CalendarFilters, 'view' | 'day'>

/** Returns the view and the day that the address asks for. */
export const calendarDay = ({ view, day }: Day, today: string) => ({
  view: views.find((one) => one === view) ?? 'month',
  day: day || today,
})

/** Returns the days of a view. Weeks begin on Monday, and a month has six of them. */
export function periodOf(asked: Day, today: string): CalendarPeriod {
  const { view, day } = calendarDay(asked, today)
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
