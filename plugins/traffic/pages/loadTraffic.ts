import { type PageContext, type Period, type TrafficCategory, trafficCategories } from 'renown'
import type { Site } from '../records/days'
import { operatorOf } from '../records/operators'
import { shownDomain } from '../sites/shown-domain'
import type { Asked, IgnoredFilter } from '../sums/asked'
import { shifted } from '../sums/askedPeriod'
import type { CountedSince } from '../sums/countedSince'
import type { Sums } from '../sums/shown-sums'
import { landingLines, type PathLine, pathLines } from '../sums/shownPaths'
import {
  type Compared,
  type ComparedTraffic,
  comparedTraffic,
  type Figure,
  type Figures,
  figureOf,
  figuresOf,
  keepsVisits,
  visitsOf,
} from './comparedTraffic'

/** A site as the page names it. */
export interface SiteName {
  readonly id: string
  /** As it is stored, in ASCII. */
  readonly domain: string
  /** The domain in its own letters where they cannot be mistaken for others, otherwise as it is stored. */
  readonly name: string
}

/** The data of the page. */
export interface TrafficData {
  readonly asked: Asked
  /** Values of the address that the figures below do not use. */
  readonly ignored: readonly IgnoredFilter[]
  readonly today: string
  /** Changes of the address that show the same span earlier and later; null where it is the first or the last. */
  readonly earlier: Partial<Asked> | null
  readonly later: Partial<Asked> | null
  readonly sites: readonly SiteName[]
  /** The site that is shown; null: all of them together. */
  readonly site: SiteName | null
  readonly state: ComparedTraffic['state']
  readonly last_log_at: string | null
  readonly last_beacon_at: string | null
  readonly period: Period
  readonly previous: Period
  readonly figures: Figures
  /** First whole days of counting follow these; null where nothing was counted yet. */
  readonly since: CountedSince
  readonly days: readonly string[]
  /** This many days at the end are not over yet at every shown site. */
  readonly unfinished: number
  /** The zone in which the days of the shown sites begin; null where they have several. */
  readonly timezone: string | null
  readonly by_category: Readonly<Record<TrafficCategory, readonly number[]>>
  /** Hits of the period before by day; null where counting began later. */
  readonly before: readonly number[] | null
  /** Hits of a page whose purpose no daily row kept. */
  readonly unknown_purpose: number
  /** This and the lists below are null while a filter is on that daily rows do not keep them by. */
  readonly operators: readonly OperatorLine[] | null
  readonly agents: readonly AgentLine[] | null
  readonly paths: readonly PathLine[] | null
  readonly assistants:
    | readonly (Figure & { readonly host: string; readonly operator: string | null })[]
    | null
  readonly landing: readonly { readonly path: string; readonly visits: number }[]
  /** Address lists of the operators that were met, and how fresh they are; null where another process keeps them. */
  readonly lists: { readonly fresh: number; readonly stale: readonly string[] } | null
}

/** "OpenAI crawled this many pages and sent this many people." */
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

/** Reads the data of the page: two periods of daily rows, and the sites. */
export async function loadTraffic(ctx: PageContext, query: URLSearchParams): Promise<TrafficData> {
  const read = await comparedTraffic(ctx, query)
  const { all, chosen, sites, compared, since, asked, ignored, today, earliest, period, previous } = read
  const { now, before } = compared
  const shown = { input: chosen ? { site_id: chosen.id } : {}, asked, period, isEmpty: compared.isEmpty }
  const byDay = [...now.byDay.values()].map(sumOf)
  const zones = [...new Set(sites.map(({ timezone }) => timezone))]
  return {
    ...{ asked, ignored, today, period, previous, since },
    earlier: shifted(asked, -1, today),
    later: asked.to === null ? null : shifted(asked, 1, today),
    sites: all.map(siteName),
    site: chosen && siteName(chosen),
    state: read.state,
    ...read.heard,
    figures: figuresOf(compared, asked),
    days: [...now.byDay.keys()],
    unfinished: [...now.byDay.keys()].filter((day) => day >= earliest).length,
    timezone: zones.length === 1 ? (zones[0] ?? null) : null,
    by_category: categorySeries(now),
    before: compared.areHitsCompared ? [...before.byDay.values()].map(sumOf) : null,
    unknown_purpose: now.hits - byDay.reduce((sum, hits) => sum + hits, 0),
    operators: asked.page === null ? operatorLines(compared) : null,
    agents: asked.page === null ? agentLines(compared) : null,
    paths: await pathLines(ctx, shown),
    assistants: keepsVisits(asked) && asked.page === null ? assistantLines(compared) : null,
    landing: (await landingLines(ctx, shown)).slice(0, linesMax),
    lists: await listsOf(ctx),
  }
}

const siteName = ({ id, domain }: Site): SiteName => ({ id, domain, name: shownDomain(domain) })

const sumOf = (counts: Readonly<Record<TrafficCategory, number>>) =>
  trafficCategories.reduce((sum, category) => sum + counts[category], 0)

const assistantLines = (compared: Compared) =>
  [...compared.now.hosts.keys()]
    .map((host) => ({
      ...{ host, operator: operatorOf(host) },
      ...visitsOf(compared, ({ hosts }) => hosts.get(host) ?? 0),
    }))
    .sort((a, b) => b.now - a.now || (a.host < b.host ? -1 : 1))
    .slice(0, linesMax)

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
      sent: visitsOf(compared, ({ operators }) => operators.get(operator)?.visits ?? 0),
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
