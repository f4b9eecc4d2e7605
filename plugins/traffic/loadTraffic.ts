import { type PageContext, type Period, shiftDay, type TrafficCategory, trafficCategories } from 'renown'
import type { Asked } from './asked'
import { askedOf, periodsOf, shifted } from './askedPeriod'
import { type Site, sitesOf, todayOf } from './days'
import { operatorOf } from './operators'
import { addDay, newSums, type Sums } from './shown-sums'
import { landingLines, type PathLine, pathLines } from './shownPaths'
import { type DayCounts, summedDays } from './summedDays'

/** A figure of the period and of the one before. */
export interface Figure {
  readonly now: number
  /** Of the days that are over, and the same days of the period before: a part of a day is compared with nothing. */
  readonly whole: number
  readonly before: number
}

/** Where the page gets its figures from. */
export interface TrafficData {
  readonly asked: Asked
  readonly today: string
  /** Changes of the address that show the same span earlier and later; null where it is the last. */
  readonly earlier: Partial<Asked>
  readonly later: Partial<Asked> | null
  readonly sites: readonly { readonly id: string; readonly domain: string }[]
  /** The site that is shown; null: all of them together. */
  readonly site: { readonly id: string; readonly domain: string } | null
  /** `no_site`: nothing to count on; `waiting`: nothing was ever heard; `counting`: 0 means 0. */
  readonly state: 'no_site' | 'waiting' | 'counting'
  readonly last_log_at: string | null
  readonly last_beacon_at: string | null
  readonly period: Period
  readonly previous: Period
  readonly figures: Readonly<
    Record<'crawled' | 'answers' | 'verified' | 'spoofed' | 'unchecked' | 'visits', Figure>
  >
  readonly days: readonly string[]
  /** So many days at the end are not over yet at every site that is shown. */
  readonly unfinished: number
  /** The zone in which the days of the shown sites begin; null where they have several. */
  readonly timezone: string | null
  readonly by_category: Readonly<Record<TrafficCategory, readonly number[]>>
  readonly before: readonly number[]
  readonly operators: readonly OperatorLine[]
  readonly agents: readonly AgentLine[]
  /** Null while a filter is on that daily rows do not keep paths by. */
  readonly paths: readonly PathLine[] | null
  readonly assistants: readonly (Figure & { readonly host: string; readonly operator: string | null })[]
  readonly landing: readonly { readonly path: string; readonly visits: number }[]
  /** Address lists of the operators that were met, and how fresh they are; null where another process keeps them. */
  readonly lists: { readonly fresh: number; readonly stale: readonly string[] } | null
}

/** "OpenAI crawled so many pages and sent so many people." */
export interface OperatorLine {
  readonly operator: string
  readonly crawled: Figure
  readonly spoofed: number
  readonly sent: Figure
}

/** One crawler. */
export interface AgentLine {
  readonly agent: string
  readonly operator: string
  readonly category: TrafficCategory
  readonly hits: Figure
  readonly verified: number
  readonly spoofed: number
  readonly unchecked: number
}

const linesMax = 12
/** Beyond so many sites a single one is shown first: all together would be more than a look. */
const togetherMax = 20

/** Reads what the page shows: two periods of daily rows, and who counts them. */
export async function loadTraffic(ctx: PageContext, query: URLSearchParams): Promise<TrafficData> {
  const all = await sitesOf(ctx, {})
  const chosen = chosenSite(all, query.get('site'))
  const sites = chosen ? [chosen] : all
  const { latest: today, earliest } = todayOf(ctx, sites)
  const asked = askedOf(query, today)
  const { period, previous } = periodsOf(asked, today)
  const input = chosen ? { site_id: chosen.id } : {}
  const { days, earlier } =
    all.length === 0 ? { days: [], earlier: [] } : await summedDays(ctx, input, previous, period)
  const shown = { input, asked, period, isEmpty: days.length === 0 }
  const now = sumsOf(days, asked, period)
  const wholeDay = (day: DayCounts) => day.date < earliest
  const whole = days.every(wholeDay) ? now : sumsOf(days.filter(wholeDay), asked, period)
  const then = sumsOf(
    earlier.filter(({ date }) => shiftDay(date, period.days) < earliest),
    asked,
    previous,
  )
  const compared = { now, whole, then }
  const zones = [...new Set(sites.map(({ timezone }) => timezone))]
  const heard = latestOf(sites)
  return {
    ...{ asked, today, period, previous },
    earlier: shifted(asked, -1, today),
    later: asked.to === null ? null : shifted(asked, 1, today),
    sites: all.map(shownSite),
    site: chosen && shownSite(chosen),
    state:
      all.length === 0
        ? 'no_site'
        : isHeard(heard) || days.length > 0 || earlier.length > 0
          ? 'counting'
          : 'waiting',
    ...heard,
    figures: figuresOf(compared),
    days: [...now.byDay.keys()],
    unfinished: [...now.byDay.keys()].filter((day) => day >= earliest).length,
    timezone: zones.length === 1 ? (zones[0] ?? null) : null,
    by_category: categorySeries(now),
    before: [...sumsOf(earlier, asked, previous).byDay.values()].map(sumOf),
    operators: operatorLines(compared),
    agents: agentLines(compared),
    paths: await pathLines(ctx, shown),
    assistants: [...now.hosts]
      .map(([host, visits]) => ({
        ...{ host, operator: operatorOf(host), now: visits },
        ...{ whole: whole.hosts.get(host) ?? 0, before: then.hosts.get(host) ?? 0 },
      }))
      .sort((a, b) => b.now - a.now || (a.host < b.host ? -1 : 1))
      .slice(0, linesMax),
    landing: (await landingLines(ctx, shown)).slice(0, linesMax),
    lists: await listsOf(ctx),
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

const shownSite = ({ id, domain }: Site) => ({ id, domain })

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

function sumsOf(days: readonly DayCounts[], asked: Asked, period: Period): Sums {
  const sums = newSums(period)
  for (const day of days) addDay(sums, day, asked)
  return sums
}

const sumOf = (counts: Readonly<Record<TrafficCategory, number>>) =>
  trafficCategories.reduce((sum, category) => sum + counts[category], 0)

interface Compared {
  readonly now: Sums
  /** Without the days that are not over. */
  readonly whole: Sums
  /** The same days of the period before. */
  readonly then: Sums
}

const figureOf = ({ now, whole, then }: Compared, pick: (sums: Sums) => number): Figure => ({
  ...{ now: pick(now), whole: pick(whole), before: pick(then) },
})

function figuresOf(compared: Compared): TrafficData['figures'] {
  const of = (pick: (sums: Sums) => number) => figureOf(compared, pick)
  return {
    crawled: of(({ hits }) => hits),
    answers: of(({ byDay }) => [...byDay.values()].reduce((sum, day) => sum + day.ai_answers, 0)),
    verified: of(({ verified }) => verified),
    spoofed: of(({ spoofed }) => spoofed),
    unchecked: of(({ hits, verified, spoofed }) => hits - verified - spoofed),
    visits: of(({ hosts }) => [...hosts.values()].reduce((sum, visits) => sum + visits, 0)),
  }
}

const categorySeries = ({ byDay }: Sums): TrafficData['by_category'] =>
  Object.fromEntries(
    trafficCategories.map((category) => [category, [...byDay.values()].map((day) => day[category])]),
  ) as unknown as TrafficData['by_category']

function operatorLines(compared: Compared): OperatorLine[] {
  return [...compared.now.operators]
    .map(([operator, { spoofed }]) => ({
      operator,
      crawled: figureOf(compared, ({ operators }) => {
        const line = operators.get(operator)
        return line ? line.hits - line.spoofed : 0
      }),
      spoofed,
      sent: figureOf(compared, ({ operators }) => operators.get(operator)?.visits ?? 0),
    }))
    .sort(
      (a, b) =>
        b.crawled.now - a.crawled.now || b.sent.now - a.sent.now || (a.operator < b.operator ? -1 : 1),
    )
    .slice(0, linesMax)
}

const agentLines = (compared: Compared): AgentLine[] =>
  [...compared.now.agents]
    .map(([agent, { operator, category, hits, verified, spoofed }]) => ({
      ...{ agent, operator, category, verified, spoofed, unchecked: hits - verified - spoofed },
      hits: figureOf(compared, ({ agents }) => agents.get(agent)?.hits ?? 0),
    }))
    .sort((a, b) => b.hits.now - a.hits.now || (a.agent < b.agent ? -1 : 1))
    .slice(0, 50)

async function listsOf({ counter }: PageContext): Promise<TrafficData['lists']> {
  if (!counter) return null
  const used = (await counter.ranges()).filter(({ status }) => status !== 'unused')
  const stale = used.filter(({ status }) => status !== 'fresh').map(({ operator }) => operator)
  return { fresh: used.length - stale.length, stale: [...new Set(stale)].sort() }
}
