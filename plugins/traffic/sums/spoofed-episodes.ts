import { daysBetween, shiftDay } from 'renown'

/** Fewer hits on a day than this are no jump, however quiet the days before were. */
export const jumpMin = 50
/** A jump has more than this many times the hits of a usual day. */
const jumpTimes = 3
/** A usual day is the median of so many days before it. */
const comparedDays = 28
/** With fewer days than this before it, nothing can be said about a day. */
const comparedMin = 7
/** Jumps of one site with at most this many days between them are one episode. */
const quietDays = 7
/** How far back an episode is followed. */
const followedDays = 56
/** Days that are needed before the first day that may be reported. */
export const neededDays = comparedDays + followedDays

/** Spoofed hits of a site on a day. */
export interface SpoofedDay {
  readonly site_id: string
  readonly date: string
  readonly spoofed_hits: number
}

/** One or more days on which far more hits than usual used the names of crawlers. */
export interface SpoofedEpisode extends SpoofedDay {
  /** The first day of the episode. `date` and `spoofed_hits` are of its last. */
  readonly began: string
  /** Median hits of the days before it began. */
  readonly usual: number
}

/**
 * Returns the episode of each site that has a jump on a day since `since`. A jump has at least 50 spoofed hits, and more than three
 * times the median of the 28 days before it. Days before a site was first counted do not count as quiet: with fewer than seven
 * counted days before it, a day is never a jump.
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

/** The last episode of a site. */
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

/** The median of the counted days before a day; null where they are too few. */
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
