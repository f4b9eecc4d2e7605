import { daysBetween, type IgnoredValue, type Period } from 'renown'
import type { PageContext } from 'renown/pages'
import { type Site, sitesOf, todayOf } from '../records/days'
import { type ComparedSums, comparedSums, noSums } from '../sums/comparedSums'
import { type CountedSince, countedSince, isCounted } from '../sums/countedSince'
import { periodsOf, readFilters } from '../sums/read-filters'
import type { Sums } from '../sums/shown-sums'
import type { TrafficFilters } from '../sums/traffic-filters'

/** A figure of the period and of the previous one. */
export interface Figure {
  readonly now: number
  /**
   * The sum over completed days, and over the same days of the previous period. An incomplete day is not
   * compared.
   */
  readonly whole: number
  /** Null if counting began later or no day is completed, so that there is nothing to compare. */
  readonly before: number | null
}

/** The figures of a workspace or of a filter. Null if daily rows do not support the filter. */
export type Figures = Readonly<
  Record<'crawled' | 'answers', Figure> &
    Record<'verified' | 'spoofed' | 'unchecked' | 'signed' | 'visits', Figure | null>
>

/** The sums of two periods, and which of them were counted completely. */
export interface Compared extends ComparedSums {
  /** Whether both periods were counted completely and the period has a completed day. */
  readonly areHitsCompared: boolean
  readonly areVisitsCompared: boolean
}

/** The data behind every page that shows AI traffic of a workspace. */
export interface ComparedTraffic {
  readonly asked: TrafficFilters
  readonly ignored: readonly IgnoredValue[]
  readonly all: readonly Site[]
  /** The selected site. Null for all sites together. */
  readonly chosen: Site | null
  readonly sites: readonly Site[]
  /** The latest and the earliest current day of the sites. */
  readonly today: string
  readonly earliest: string
  readonly period: Period
  readonly previous: Period
  readonly compared: Compared
  readonly since: CountedSince
  /** `no_site`: there is no site. `waiting`: nothing was ever reported. `counting`: 0 means 0. */
  readonly state: 'no_site' | 'waiting' | 'counting'
  readonly heard: { readonly last_log_at: string | null; readonly last_beacon_at: string | null }
}

const neverCounted: CountedSince = { hits: null, visits: null }
/** Maximum sites that are shown together. With more, one site is selected at first. */
const togetherMax = 20

/** Returns the sums for the address of a page. Default: 28 days of all sites. */
export async function comparedTraffic(ctx: PageContext, query: URLSearchParams): Promise<ComparedTraffic> {
  const all = await sitesOf(ctx, {})
  const shownSites = (site: string | null) => {
    const chosen = chosenSite(all, site)
    const sites = chosen ? [chosen] : all
    return { chosen, sites, ...todayOf(ctx, sites) }
  }
  const { asked, ignored } = readFilters(query, {
    siteIds: all.map(({ id }) => id),
    today: (site) => shownSites(site).latest,
  })
  const { chosen, sites, latest: today, earliest } = shownSites(asked.site)
  const { period, previous } = periodsOf(asked, today)
  const input = chosen ? { site_id: chosen.id } : {}
  const wanted = { input, asked, period, previous, earliest }
  const [sums, since] = await Promise.all([
    all.length === 0 ? noSums(period, previous) : comparedSums(ctx, wanted),
    all.length === 0 ? neverCounted : countedSince(ctx, input),
  ])
  const isAnyOver = daysBetween(period.date_from, earliest) > 0
  const compared: Compared = {
    ...sums,
    areHitsCompared: isAnyOver && isCounted(since.hits, previous),
    areVisitsCompared: isAnyOver && isCounted(since.visits, previous),
  }
  const heard = latestOf(sites)
  const isCounting = isHeard(heard) || since.hits !== null || since.visits !== null
  return {
    asked,
    ignored,
    all,
    chosen,
    sites,
    today,
    earliest,
    period,
    previous,
    compared,
    since,
    heard,
    state: all.length === 0 ? 'no_site' : isCounting ? 'counting' : 'waiting',
  }
}

function chosenSite(all: readonly Site[], asked: string | null): Site | null {
  const named = all.find(({ id }) => id === asked)
  if (named) return named
  const [only] = all
  if (all.length === 1 && only) return only
  if (all.length <= togetherMax) return null
  return [...all].sort((a, b) => ((a.last_log_at ?? '') > (b.last_log_at ?? '') ? -1 : 1))[0] ?? null
}

function latestOf(sites: readonly Site[]) {
  const latest = (name: 'last_log_at' | 'last_beacon_at') =>
    sites
      .map((site) => site[name] ?? '')
      .sort()
      .at(-1) || null
  return { last_log_at: latest('last_log_at'), last_beacon_at: latest('last_beacon_at') }
}

const isHeard = (heard: ReturnType<typeof latestOf>) =>
  heard.last_log_at !== null || heard.last_beacon_at !== null

/** Visits are not counted by crawler or purpose. */
export const keepsVisits = ({ agent, category }: TrafficFilters) => agent === null && category === null

/** Returns the figure of crawler hits. */
export const figureOf = (
  { now, whole, past, ...compared }: Compared,
  pick: (sums: Sums) => number,
): Figure => ({
  now: pick(now),
  whole: pick(whole),
  before: compared.areHitsCompared ? pick(past) : null,
})

/** Returns the figure of visits. */
export const visitsOf = (
  { now, whole, past, ...compared }: Compared,
  pick: (sums: Sums) => number,
): Figure => ({
  now: pick(now),
  whole: pick(whole),
  before: compared.areVisitsCompared ? pick(past) : null,
})

/** Returns the figures of two periods. */
export function figuresOf(compared: Compared, asked: TrafficFilters): Figures {
  const of = (pick: (sums: Sums) => number) => figureOf(compared, pick)
  const checked = (pick: (sums: Sums) => number) => (asked.page === null ? of(pick) : null)
  return {
    crawled: of(({ hits }) => hits),
    answers: of(({ byDay }) => [...byDay.values()].reduce((sum, day) => sum + day.ai_answers, 0)),
    verified: checked(({ verified }) => verified),
    spoofed: checked(({ spoofed }) => spoofed),
    signed: checked(({ signed }) => signed),
    unchecked: checked(({ hits, verified, spoofed }) => hits - verified - spoofed),
    visits: keepsVisits(asked) ? visitsOf(compared, ({ visits }) => visits) : null,
  }
}
