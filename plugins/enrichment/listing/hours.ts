/** The days of a week, from Monday. */
export const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
/** A day of the week. */
export type Day = (typeof days)[number]

/** A period of opening. If `closes` is before `opens`, it is on the next day. */
export interface Period {
  readonly opens: string
  readonly closes: string
}

/** Opening hours by day. An empty day is closed, and a missing day is unknown. */
export type Hours = Partial<Record<Day, Period[]>>

const perDay = 4

/** Returns a time as `HH:MM`, with `24:00` for the end of the day, or null if it is invalid. */
export function timeOf(hours: unknown, minutes: unknown = 0): string | null {
  const hour = Number(hours)
  const minute = Number(minutes)
  if (!Number.isInteger(hour) || !Number.isInteger(minute) || hour < 0 || minute < 0 || minute > 59)
    return null
  if (hour > 24 || (hour === 24 && minute > 0)) return null
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** Reads a time in text: `9:00`, `09.00`, `09:00:00`, `9am`. */
export function timeIn(text: string): string | null {
  const [, hour = '', minute = '0', half = ''] =
    /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?(?:[.,]\d+)?\s*([ap]m)?(?:Z|[+-]\d{2}:?\d{2})?$/i.exec(
      text.trim(),
    ) ?? []
  if (hour === '') return null
  const late = half.toLowerCase() === 'pm' && Number(hour) < 12 ? 12 : 0
  const midnight = half.toLowerCase() === 'am' && Number(hour) === 12 ? -12 : 0
  return timeOf(Number(hour) + late + midnight, Number(minute))
}

/** Returns the day that a text names: `Mo`, `Monday`, `https://schema.org/Monday`, `MONDAY`. */
export function dayOf(text: string): Day | null {
  const word = text.trim().split(/[/#]/).at(-1)?.toLowerCase() ?? ''
  return days.find((day) => word.length >= 2 && (day === word || day.slice(0, word.length) === word)) ?? null
}

/** Returns the days from one to another, also across the end of the week. */
export function daysBetween(from: Day, to: Day): Day[] {
  const first = days.indexOf(from)
  const last = days.indexOf(to)
  const count = ((last - first + 7) % 7) + 1
  return Array.from({ length: count }, (_, n) => days[(first + n) % 7] as Day)
}

/** Returns an end time, with midnight as the end of the same day. */
export const endOfDay = <T extends string | null>(time: T): T | '24:00' => (time === '00:00' ? '24:00' : time)

/** Adds a period to days, without duplicates. */
export function addPeriod(
  hours: Hours,
  on: readonly Day[],
  opens: string | null,
  closes: string | null,
): void {
  if (opens === null || closes === null) return
  for (const day of on) {
    hours[day] ??= []
    const periods = hours[day]
    // Pages mark a closed day in this way.
    if (opens === '00:00' && closes === '00:00') continue
    const period = { opens, closes: endOfDay(closes) }
    const isThere = periods.some((one) => one.opens === opens && one.closes === period.closes)
    if (!isThere && periods.length < perDay) periods.push(period)
  }
}

/**
 * Reads texts such as `Mo-Fr 09:00-17:00` or `Sa,Su 10:00-12:00,14:00-18:00`, as they appear in structured
 * data.
 */
export function hoursIn(texts: readonly string[]): Hours {
  const hours: Hours = {}
  for (const text of texts.slice(0, 20)) {
    const [said = '', ...times] = text.slice(0, 200).trim().split(/\s+/)
    const on = said.split(',').flatMap((part) => {
      const [from, to] = part.split(/[-–]/).map(dayOf)
      if (!from) return []
      return to === undefined ? [from] : to === null ? [] : daysBetween(from, to)
    })
    for (const span of times.join('').split(',')) {
      const [opens = '', closes = ''] = span.split(/[-–]/)
      addPeriod(hours, on, timeIn(opens), timeIn(closes))
    }
  }
  return hours
}

/** Returns the hours in the order of the week, or undefined if no day is known. */
export function orderedHours(hours: Hours): Hours | undefined {
  const told = days.filter((day) => hours[day] !== undefined)
  if (told.length === 0) return undefined
  const byOpening = (a: Period, b: Period) => a.opens.localeCompare(b.opens)
  return Object.fromEntries(told.map((day) => [day, (hours[day] ?? []).toSorted(byOpening)]))
}

/** Marks days without hours as closed, if the listing has hours at all. */
export function closedElsewhere(hours: Hours): Hours {
  const isTold = days.some((day) => (hours[day]?.length ?? 0) > 0)
  return isTold ? Object.fromEntries(days.map((day) => [day, hours[day] ?? []])) : {}
}
