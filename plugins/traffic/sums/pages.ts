import { type TrafficCategory, trafficCategories } from 'renown/traffic'
import type { Day } from '../records/days'

/** The fields of a daily row that the sum uses. */
export type PagesDay = Pick<Day, 'site_id' | 'top_paths' | 'paths_by_category'>

/** Maximum length of a daily row's lists. A list of this length may be incomplete. */
const listMax = { all: 25, category: 12 } as const

export interface PageTally {
  readonly site_id: string
  readonly path: string
  /** A lower limit: hits on days that list the path. */
  hits: number
  /** The highest possible number of hits on days whose full lists do not contain the page. */
  hidden: number
  days: number
  readonly byCategory: Record<TrafficCategory, number>
}

/**
 * Sums the path lists of daily rows by site and path. A path that is not on a full list may have as many hits
 * as the list's last entry.
 */
export function pagesOf(days: readonly PagesDay[], category: TrafficCategory | undefined): PageTally[] {
  const tally = newPages(category)
  tally.add(days)
  return tally.sorted()
}

/** Like `pagesOf`, for rows that arrive in parts. */
export function newPages(category: TrafficCategory | undefined) {
  const pages = new Map<string, PageTally>()
  const hiddenBySite = new Map<string, number>()
  return {
    add(days: readonly PagesDay[]) {
      for (const day of days) addDay(pages, hiddenBySite, day, category)
    },
    sorted(): PageTally[] {
      const hiddenOf = ({ site_id }: PageTally) => hiddenBySite.get(site_id) ?? 0
      return [...pages.values()]
        .map((page) => ({ ...page, hidden: page.hidden + hiddenOf(page) }))
        .sort(byHits)
    },
  }
}

function addDay(
  pages: Map<string, PageTally>,
  hiddenBySite: Map<string, number>,
  day: PagesDay,
  category: TrafficCategory | undefined,
) {
  const listed = listedOf(day, category)
  const last = lastPlace(day, category)
  hiddenBySite.set(day.site_id, (hiddenBySite.get(day.site_id) ?? 0) + last)
  for (const [path, counts] of listed) {
    const page = pageIn(pages, day.site_id, path)
    page.hits += counts.hits
    page.hidden -= counts.exact ? last : Math.min(last, counts.hits)
    page.days += 1
    for (const name of trafficCategories) page.byCategory[name] += counts.byCategory[name] ?? 0
  }
}

interface Listed {
  hits: number
  /** Whether the count comes from the requested list itself, not from a sum of the lists by category. */
  exact: boolean
  readonly byCategory: Partial<Record<TrafficCategory, number>>
}

function listedOf(day: PagesDay, category: TrafficCategory | undefined) {
  const listed = new Map<string, Listed>()
  for (const name of trafficCategories) {
    if (category !== undefined && name !== category) continue
    for (const { path, hits } of day.paths_by_category[name] ?? []) {
      const entry = listed.get(path) ?? { hits: 0, exact: category !== undefined, byCategory: {} }
      entry.hits += hits
      entry.byCategory[name] = hits
      listed.set(path, entry)
    }
  }
  if (category !== undefined) return listed
  for (const { path, hits } of day.top_paths) {
    listed.set(path, { hits, exact: true, byCategory: listed.get(path)?.byCategory ?? {} })
  }
  return listed
}

function lastPlace(day: PagesDay, category: TrafficCategory | undefined): number {
  const list = category === undefined ? day.top_paths : (day.paths_by_category[category] ?? [])
  const max = category === undefined ? listMax.all : listMax.category
  return list.length >= max ? (list.at(-1)?.hits ?? 0) : 0
}

function pageIn(pages: Map<string, PageTally>, site_id: string, path: string): PageTally {
  const key = `${site_id} ${path}`
  const known = pages.get(key)
  if (known) return known
  const byCategory = { ai_answers: 0, search_index: 0, training: 0, other_ai: 0 }
  const made = { site_id, path, hits: 0, hidden: 0, days: 0, byCategory }
  pages.set(key, made)
  return made
}

/** Sorts by hits, then by path and site. */
export const byHits = (a: PageName, b: PageName): number =>
  b.hits - a.hits || compare(a.path, b.path) || compare(a.site_id, b.site_id)

type PageName = Pick<PageTally, 'site_id' | 'path' | 'hits'>

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
