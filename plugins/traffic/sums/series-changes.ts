import { shiftDay } from 'renown'

/** The hits of one series on one day. */
export interface SeriesDay {
  readonly date: string
  readonly hits: number
}

/** A change of a series of daily hits, as of its last day. */
export interface SeriesChange {
  readonly kind: 'stopped' | 'jumped'
  /** First day without hits, or the day of the jump. */
  readonly began: string
  /** Hits of a usual day before: the median of the days with hits, or of all days for a jump. */
  readonly usual: number
  /** Hits of the last day. */
  readonly hits: number
}

/** Days before a change with which it is compared. */
const comparedMax = 56
const comparedMin = 28
/** A series that can stop had hits on at least this many of the last 28 compared days. */
const presentMin = 14
const stoppedMin = 4
const pauseTimes = 3
/** The estimated probability of such a gap without a change. */
const gapProbability = 1e-5
const jumpMin = 50
const jumpTimes = 3

/** Number of days that must be read before the first day of a change. */
export const seriesDays = comparedMax + 34

/**
 * Returns the change of a series as of its last day, or null. Days must be sorted and complete, and must leave out days
 * on which the site was not counted.
 *
 * It stopped if it had no hits on at least four days, more than three times as long as its longest pause before. These
 * weekdays must almost always have had hits. It jumped if the last day has at least 50 hits and more than three times the
 * largest day before. Both compare with the eight weeks before. In simulated counts without a change, a crawler has fewer
 * than one false episode in 1,000 weeks.
 */
export function changeOf(days: readonly SeriesDay[]): SeriesChange | null {
  const last = days.at(-1)
  if (!last) return null
  return last.hits === 0 ? stopOf(days) : jumpOf(days, last)
}

function stopOf(days: readonly SeriesDay[]): SeriesChange | null {
  const end = days.findLastIndex(({ hits }) => hits > 0) + 1
  const gap = days.slice(end)
  const before = days.slice(Math.max(0, end - comparedMax), end)
  const [first] = gap
  if (!first || gap.length < stoppedMin || before.length < comparedMin) return null
  if (before.slice(-comparedMin).filter(({ hits }) => hits > 0).length < presentMin) return null
  if (gap.length <= pauseTimes * longestPause(before)) return null
  const probability = gap.reduce((product, { date }) => product * zeroShare(before, date), 1)
  if (probability > gapProbability) return null
  const usual = median(before.filter(({ hits }) => hits > 0).map(({ hits }) => hits))
  return { kind: 'stopped', began: first.date, usual, hits: 0 }
}

function jumpOf(days: readonly SeriesDay[], { date, hits }: SeriesDay): SeriesChange | null {
  const before = days.slice(-comparedMax - 1, -1).map((day) => day.hits)
  if (before.length < comparedMin || hits < jumpMin) return null
  const usual = median(before)
  return hits > jumpTimes * Math.max(...before) ? { kind: 'jumped', began: date, usual, hits } : null
}

function longestPause(days: readonly SeriesDay[]): number {
  let longest = 0
  let pause = 0
  for (const { hits } of days) {
    pause = hits === 0 ? pause + 1 : 0
    longest = Math.max(longest, pause)
  }
  return longest
}

/** The share of days without hits among the same weekdays, a little above what was seen. */
function zeroShare(days: readonly SeriesDay[], date: string): number {
  const weekday = weekdayOf(date)
  const same = days.filter((day) => weekdayOf(day.date) === weekday)
  return (same.filter(({ hits }) => hits === 0).length + 0.5) / (same.length + 1)
}

const weekdayOf = (date: string) => new Date(`${date}T00:00:00.000Z`).getUTCDay()

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/** Returns every day from the first to the last, with 0 where the counts name none. */
export function everyDay(counts: ReadonlyMap<string, number>, first: string, last: string): SeriesDay[] {
  const days: SeriesDay[] = []
  for (let date = first; date <= last; date = shiftDay(date, 1))
    days.push({ date, hits: counts.get(date) ?? 0 })
  return days
}
