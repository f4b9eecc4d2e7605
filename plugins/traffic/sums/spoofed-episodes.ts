import { daysBetween, shiftDay } from 'renown'

/** Minimum spoofed hits of a jump, however few the days before had. */
export const jumpMin = 50
/** A jump has more than this many times the hits of a usual day. */
const jumpTimes = 3
/** The hits of a usual day are the median of this many days before it. */
const comparedDays = 28
/** Minimum counted days before a day. With fewer, it is never a jump. */
const comparedMin = 7
/** Jumps of one site with at most this many days between them belong to one episode. */
const quietDays = 7
/** Maximum days before its last jump at which an episode can begin. */
const followedDays = 56
/** Number of days that must be read before the first day that can be reported. */
export const neededDays = comparedDays + followedDays

/** The spoofed hits of one site on one day. */
export interface SpoofedDay {
  readonly site_id: string
  readonly date: string
  readonly spoofed_hits: number
}

/** One or more days on which far more hits than usual claimed to be AI crawlers. */
export interface SpoofedEpisode extends SpoofedDay {
  /** The first day of the episode. `date` and `spoofed_hits` belong to its last day. */
  readonly began: string
  /** Median hits of the days before it began. */
  readonly usual: number
}

/**
 * Returns the episode of each site that has a jump on a day since `since`. A jump has at least 50 spoofed
 * hits, and more than three times the median of the 28 days before it. Days before a site was first counted
 * are left out. A day with fewer than seven counted days before it is never a jump.
 */
export function episodesOf(
  days: readonly SpoofedDay[],
  firstDays: ReadonlyMap<string, string>,
  since: string,
): SpoofedEpisode[] {
  const bySite = Map.groupBy(days, ({ site_id }) => site_id)
  return [...bySite].flatMap(([site_id, own]) => {
    const first = firstDays.get(site_id)
    const episode = first === undefined ? null : episodeOf(own, first, since)
    return episode && episode.date >= since ? [episode] : []
  })
}

/** Returns the last episode of a site. */
function episodeOf(own: readonly SpoofedDay[], first: string, since: string): SpoofedEpisode | null {
  const hits = new Map(own.map(({ date, spoofed_hits }) => [date, spoofed_hits]))
  const from = shiftDay(since, -followedDays)
  const jumps = own
    .filter(({ date, spoofed_hits }) => date >= from && spoofed_hits >= jumpMin)
    .map((day) => ({ ...day, usual: usualBefore(day.date, hits, first) }))
    .filter(({ spoofed_hits, usual }) => usual !== null && spoofed_hits > jumpTimes * usual)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
  return jumps.reduce<SpoofedEpisode | null>((episode, { usual, ...day }) => {
    const goesOn = episode !== null && daysBetween(episode.date, day.date) <= quietDays
    return goesOn ? { ...episode, ...day } : { ...day, began: day.date, usual: usual ?? 0 }
  }, null)
}

/** Returns the median of the counted days before a day. Null if there are too few. */
function usualBefore(date: string, hits: ReadonlyMap<string, number>, first: string): number | null {
  const many = Math.min(comparedDays, daysBetween(first, date))
  if (many < comparedMin) return null
  const sorted = Array.from({ length: many }, (_, at) => hits.get(shiftDay(date, -1 - at)) ?? 0).toSorted(
    (a, b) => a - b,
  )
  const middle = Math.floor(many / 2)
  const upper = sorted[middle] ?? 0
  return many % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
