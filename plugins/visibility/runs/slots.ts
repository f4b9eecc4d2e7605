import { dayIn, dayMs, dayStart, localTime, shiftDay } from 'renown'

/** One prompt, one engine and one country of a tracker. Each round asks every cell once. */
export interface Cell {
  readonly prompt_id: string
  readonly engine: string
  readonly country: string
}

/** The data that determines the cells of a tracker. */
export interface Asking {
  readonly id: string
  readonly engines: readonly string[]
  readonly countries?: readonly string[] | undefined
}

/**
 * Returns the cells of a tracker: each prompt for each engine, in the countries of the prompt or else of the
 * tracker.
 */
export const cellsOf = (
  { engines, countries = [] }: Asking,
  prompts: readonly { readonly id: string; readonly country: string }[],
): Cell[] =>
  prompts.flatMap(({ id: prompt_id, country }) =>
    (countries.length > 0 ? countries : [country]).flatMap((place) =>
      engines.map((engine) => ({ prompt_id, engine, country: place })),
    ),
  )

export const keyOf = ({ prompt_id, engine, country }: Cell): string => `${prompt_id} ${engine} ${country}`

const minutesOfDay = 1_440

/**
 * Returns the minute of the local day at which a cell is asked. Cells are spread over the day, differently
 * each day.
 */
export function minuteOf(tracker_id: string, cell: Cell, day: string): number {
  let hash = 0x811c9dc5
  for (const character of `${tracker_id} ${keyOf(cell)} ${day}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % minutesOfDay
}

/** Whether a tracker asks on this day. The first day is the day of its creation. */
export function isRoundDay(
  tracker: {
    readonly created_date: string
    readonly run_frequency_hours: number
    readonly sure_until?: string | undefined
  },
  timezone: string,
  day: string,
): boolean {
  if (tracker.sure_until !== undefined && day < tracker.sure_until) return false
  const everyDays = Math.max(1, Math.round(tracker.run_frequency_hours / 24))
  const first = dayIn(timezone, new Date(tracker.created_date))
  const since = Math.round((Date.parse(day) - Date.parse(first)) / dayMs)
  return since >= 0 && since % everyDays === 0
}

/**
 * Returns when the next of these cells is due: later today, or on the tracker's next day. Never more than a
 * day ahead, so that changes of the tracker apply soon.
 */
export function nextDue(
  tracker: Parameters<typeof isRoundDay>[0] & { readonly id: string },
  timezone: string,
  now: Date,
  waiting: readonly Cell[],
): string {
  const { day } = localTime(timezone, now)
  const first = Math.min(...waiting.map((cell) => minuteOf(tracker.id, cell, day)))
  const today = Date.parse(dayStart(timezone, day)) + first * 60_000
  if (isRoundDay(tracker, timezone, day) && Number.isFinite(first)) {
    return new Date(Math.max(today, now.getTime() + 60_000)).toISOString()
  }
  return dayStart(timezone, shiftDay(day, 1))
}
