import type { IgnoredValue } from 'renown'
import { type PageContext, shownDomain } from 'renown/pages'
import { type TrafficCategory, trafficCategories } from 'renown/traffic'
import type { Site } from '../records/days'
import { shifted } from '../sums/read-filters'
import type { Sums } from '../sums/shown-sums'
import type { TrafficFilters } from '../sums/traffic-filters'
import { comparedTraffic, figuresOf } from './comparedTraffic'
import type { Lists, SiteName, TrafficData } from './traffic-data'
import { listsOf } from './traffic-lists'

/** Reads the data of the page: two periods of daily rows, and the sites. */
export async function loadTraffic(ctx: PageContext, query: URLSearchParams): Promise<TrafficData> {
  const read = await comparedTraffic(ctx, query)
  const { all, chosen, sites, compared, since, asked, ignored, today, earliest, period, previous } = read
  const { now, before } = compared
  const shown = { input: chosen ? { site_id: chosen.id } : {}, asked, period, isEmpty: compared.isEmpty }
  const lists = await listsOf(ctx, compared, shown)
  const byDay = [...now.byDay.values()].map(sumOf)
  const zones = [...new Set(sites.map(({ timezone }) => timezone))]
  return {
    asked,
    today,
    period,
    previous,
    since,
    lists,
    api_url: ctx.apiUrl,
    ignored: [...ignored, ...missingPart(asked, lists)],
    earlier: shifted(asked, -1, today),
    later: asked.to === null ? null : shifted(asked, 1, today),
    sites: all.map(siteName),
    site: chosen && siteName(chosen),
    state: read.state,
    may_create: ctx.person.role === 'owner',
    ...read.heard,
    figures: figuresOf(compared, asked),
    days: [...now.byDay.keys()],
    unfinished: [...now.byDay.keys()].filter((day) => day >= earliest).length,
    timezone: zones.length === 1 ? (zones[0] ?? null) : null,
    by_category: categorySeries(now),
    before: compared.areHitsCompared ? [...before.byDay.values()].map(sumOf) : null,
    unknown_purpose: now.hits - byDay.reduce((sum, hits) => sum + hits, 0),
    ranges: await rangesOf(ctx),
  }
}

const siteName = ({ id, domain }: Site): SiteName => ({ id, domain, name: shownDomain(domain) })

const sumOf = (counts: Readonly<Record<TrafficCategory, number>>) =>
  trafficCategories.reduce((sum, category) => sum + counts[category], 0)

const categorySeries = ({ byDay }: Sums): TrafficData['by_category'] =>
  Object.fromEntries(
    trafficCategories.map((category) => [category, [...byDay.values()].map((day) => day[category])]),
  ) as unknown as TrafficData['by_category']

/** Reports that the list does not have the requested part. */
function missingPart({ list, at }: TrafficFilters, lists: Lists): IgnoredValue[] {
  const part = list === null ? null : lists[list]
  if (!part || at <= part.parts) return []
  const accepted = part.parts === 1 ? 'This list has one part.' : `This list has parts 1 to ${part.parts}.`
  return [{ name: 'at', value: String(at), accepted }]
}

async function rangesOf({ counter }: PageContext): Promise<TrafficData['ranges']> {
  if (!counter) return null
  const used = (await counter.ranges()).filter(({ status }) => status !== 'unused')
  const stale = used.filter(({ status }) => status !== 'fresh').map(({ operator }) => operator)
  return { fresh: used.length - stale.length, stale: [...new Set(stale)].sort() }
}
