import type { Period, ReadContext } from 'renown'
import { type TrafficCategory, trafficCategories } from 'renown/traffic'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { daysWhere, type SiteInput } from '../records/days'

/** The counts of one page in daily rows. Days that do not list the page are missing. */
export interface PageDay {
  readonly date: string
  /**
   * A lower limit of the hits. It can be more than the sum of its purposes if the list of a purpose is full.
   */
  hits: number
  visits: number
  readonly by_category: Record<TrafficCategory, number>
}

interface PageQuery {
  readonly input: SiteInput
  readonly path: string
  /** Limits the counts to fetches with this purpose. */
  readonly category: string | null
}

/** Returns a page's counts from daily rows, summed over the sites and ordered by date. */
export async function pageDays(
  ctx: ReadContext,
  { input, path, category }: PageQuery,
  period: Pick<Period, 'date_from' | 'date_to'>,
): Promise<PageDay[]> {
  const wanted = trafficCategories.filter((name) => category === null || name === category)
  const read = (of: string, entry: 'value.hits' | 'value.visits') =>
    ctx.rows(AiTrafficDaily).groupEntries({
      where: daysWhere(input, period),
      of,
      entryIs: { entry: 'value.path', value: path },
      by: ['site_id', 'date', { as: 'path', entry: 'value.path' }],
      measures: [{ as: 'count', fn: 'sum', entry }],
    })
  const [top, visits, ...lists] = await Promise.all([
    category === null ? read('top_paths', 'value.hits') : [],
    category === null ? read('referral_paths', 'value.visits') : [],
    ...wanted.map((name) => read(`paths_by_category.${name}`, 'value.hits')),
  ])
  const ofSites = new Map<string, PageDay>()
  const dayOf = ({ site_id, date }: { readonly site_id?: unknown; readonly date?: unknown }) =>
    getOrAdd(ofSites, `${site_id} ${date}`, String(date))
  for (const [place, name] of wanted.entries())
    for (const row of lists[place] ?? []) {
      const day = dayOf(row)
      day.by_category[name] += Number(row.count)
      day.hits += Number(row.count)
    }
  // A site's day may list the page among all pages, by purpose, or both. The larger count is the better lower
  // limit.
  for (const row of top) {
    const day = dayOf(row)
    day.hits = Math.max(day.hits, Number(row.count))
  }
  for (const row of visits) dayOf(row).visits += Number(row.count)
  return addedUp(ofSites.values())
}

function addedUp(ofSites: Iterable<PageDay>): PageDay[] {
  const days = new Map<string, PageDay>()
  for (const { date, hits, visits, by_category } of ofSites) {
    const day = getOrAdd(days, date, date)
    day.hits += hits
    day.visits += visits
    for (const name of trafficCategories) day.by_category[name] += by_category[name]
  }
  return [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
}

function getOrAdd(days: Map<string, PageDay>, key: string, date: string): PageDay {
  const known = days.get(key)
  if (known) return known
  const by_category = { ai_answers: 0, search_index: 0, training: 0, other_ai: 0 }
  const day = { date, hits: 0, visits: 0, by_category }
  days.set(key, day)
  return day
}
