import { daysBetween, type Period, type ReadContext, shiftDay } from 'renown'
import { frozenCount as count, cutText, frozenRate } from 'renown/reports'
import * as v from 'valibot'
import { getAiTrafficSummary } from '../operations/getAiTrafficSummary'
import { getTopCrawledPages } from '../operations/getTopCrawledPages'
import { sitesOf, todayOf } from '../records/days'
import { isCounted } from '../sums/countedSince'

const day = v.nullable(v.string())
const totals = v.object({
  crawler_hits: count,
  verified_hits: count,
  spoofed_hits: count,
  unchecked_hits: count,
  unique_agents: count,
  referral_visits: count,
  /** Absent in reports of earlier versions. */
  signed_hits: v.optional(count),
})

/** The schema of the frozen data about the AI traffic of a period. */
export const trafficData = v.object({
  sites: count,
  /** Whether the last day of the period is over at every site. */
  is_complete: v.boolean(),
  /** First day with counts, the latest of the sites. Null if nothing was ever counted. */
  counted_since: v.object({ hits: day, visits: day }),
  /** Whether the counts of the period are known, and whether the previous period was counted completely. */
  is_known: v.object({ hits: v.boolean(), visits: v.boolean() }),
  is_compared: v.object({ hits: v.boolean(), visits: v.boolean() }),
  totals,
  previous: totals,
  verified_share: frozenRate,
  spoofed_share: frozenRate,
  answers_share: frozenRate,
  /** The part of the period that is in `trend`, without days before counting began. */
  trend: v.array(
    v.object({ from: v.string(), crawler_hits: v.nullable(count), referral_visits: v.nullable(count) }),
  ),
  by_operator: v.array(
    v.object({
      operator: v.string(),
      crawled: count,
      verified: count,
      spoofed: count,
      sent: count,
    }),
  ),
  more_operators: count,
  pages: v.array(v.object({ domain: v.string(), path: v.string(), hits: count, hits_at_most: count })),
  more_pages: count,
  floors: v.array(v.string()),
})

/** The frozen data about the AI traffic of a period. */
export type TrafficData = v.InferOutput<typeof trafficData>

const operatorsMax = 15
const pagesMax = 15
/** Longer periods are shown by week. */
const daysMax = 62

/** Reads the traffic of the sites of a location. Null if it has no site, or if no site has begun the period. */
export async function readTraffic(
  reads: ReadContext,
  location_id: string,
  asked: { readonly period: Period; readonly previous: Period },
): Promise<TrafficData | null> {
  const sites = await sitesOf(reads, { location_id })
  const { latest } = todayOf(reads, sites)
  if (sites.length === 0 || asked.period.date_from > latest) return null
  // The day of the workspace may not have begun in the time zones of the sites.
  const { date_from } = asked.period
  const [date_to = latest] = [asked.period.date_to, latest].toSorted()
  const before = { date_from: asked.previous.date_from, date_to: asked.previous.date_to }
  const now = await getAiTrafficSummary.run(reads, { location_id, date_from, date_to })
  const earlier = await getAiTrafficSummary.run(reads, { location_id, ...before })
  const found = await getTopCrawledPages.run(reads, { location_id, date_from, date_to, limit: pagesMax })
  const since = now.counted_since
  const isKnown = (first: string | null) => first !== null && first <= date_to
  const isCompared = (first: string | null) =>
    now.complete && date_to === asked.period.date_to && isCounted(first, before)
  const isKnownOf = { hits: isKnown(since.hits), visits: isKnown(since.visits) }
  return {
    sites: now.sites,
    is_complete: now.complete,
    counted_since: since,
    is_known: isKnownOf,
    is_compared: { hits: isCompared(since.hits), visits: isCompared(since.visits) },
    totals: now.totals,
    previous: earlier.totals,
    verified_share: now.verified_share,
    spoofed_share: now.spoofed_share,
    answers_share: now.answers_share,
    trend: trendOf(now, since),
    by_operator: now.by_operator
      .slice(0, operatorsMax)
      .map(({ operator, crawled, verified, spoofed, sent }) => ({
        operator: cutText(operator),
        crawled,
        verified,
        spoofed,
        sent,
      })),
    more_operators: Math.max(0, now.by_operator.length - operatorsMax),
    pages: found.pages.map(({ domain, path, hits, hits_at_most }) => ({
      domain: cutText(domain),
      path: cutText(path),
      hits,
      hits_at_most,
    })),
    more_pages: Math.max(0, found.total_pages - found.pages.length),
    floors: now.floors,
  }
}

type Summary = Awaited<ReturnType<typeof getAiTrafficSummary.run>>

/** Returns the counts by day, or by seven days. A day before counting began is unknown. */
function trendOf({ period, daily }: Summary, since: TrafficData['counted_since']): TrafficData['trend'] {
  const size = period.days > daysMax ? 7 : 1
  const byDate = new Map(daily.map((one) => [one.date, one]))
  const starts = Math.ceil(period.days / size)
  return Array.from({ length: starts }, (_, place) => {
    const from = shiftDay(period.date_from, place * size)
    const length = Math.min(size, daysBetween(from, period.date_to) + 1)
    const days = Array.from({ length }, (_, n) => shiftDay(from, n))
    const sum = (name: 'crawler_hits' | 'referral_visits', first: string | null) =>
      first === null || from < first
        ? null
        : days.reduce((total, date) => total + (byDate.get(date)?.[name] ?? 0), 0)
    return {
      from,
      crawler_hits: sum('crawler_hits', since.hits),
      referral_visits: sum('referral_visits', since.visits),
    }
  })
}
