import type { IgnoredValue, Period } from 'renown'
import type { TrafficCategory } from 'renown/traffic'
import type { CrawlsPerVisit } from '../records/crawlsPerVisit'
import type { CountedSince } from '../sums/countedSince'
import type { ListPart } from '../sums/list-part'
import type { PathLine } from '../sums/shownPaths'
import type { TrafficFilters } from '../sums/traffic-filters'
import type { ComparedTraffic, Figure, Figures } from './comparedTraffic'

/** The id and the names of a site. */
export interface SiteName {
  readonly id: string
  /** The stored form, in ASCII. */
  readonly domain: string
  /** The domain as `shownDomain` writes it. */
  readonly name: string
}

/** The data of the page. */
export interface TrafficData {
  readonly asked: TrafficFilters
  /** Values in the address that the figures do not use. */
  readonly ignored: readonly IgnoredValue[]
  readonly today: string
  /** Changes of the address that show the previous and the next period. Null if there is none. */
  readonly earlier: Partial<TrafficFilters> | null
  readonly later: Partial<TrafficFilters> | null
  readonly sites: readonly SiteName[]
  /** The selected site. Null for all sites together. */
  readonly site: SiteName | null
  readonly state: ComparedTraffic['state']
  /** Whether the person may create sites. Only owners may. */
  readonly may_create: boolean
  readonly last_log_at: string | null
  readonly last_beacon_at: string | null
  readonly period: Period
  readonly previous: Period
  readonly figures: Figures
  /** The first days of counting. Null if nothing was counted yet. */
  readonly since: CountedSince
  readonly days: readonly string[]
  /** Number of days at the end that are not over yet at every selected site. */
  readonly unfinished: number
  /** The time zone of the selected sites. Null if they have several. */
  readonly timezone: string | null
  readonly by_category: Readonly<Record<TrafficCategory, readonly number[]>>
  /** Hits per day of the previous period. Null if counting began later. */
  readonly before: readonly number[] | null
  /** Hits of a page that are not listed under any purpose. */
  readonly unknown_purpose: number
  readonly lists: Lists
  /**
   * The number of address lists by freshness, of the operators in the figures. Null if another process
   * fetches them.
   */
  readonly ranges: { readonly fresh: number; readonly stale: readonly string[] } | null
  /** Origin of the API. */
  readonly api_url: string
}

/** The lists. A list is null if daily rows do not support the filter for it. */
export interface Lists {
  readonly operators: ListPart<OperatorLine> | null
  readonly pages: ListPart<PathLine> | null
  readonly assistants: ListPart<AssistantLine> | null
  readonly landing: ListPart<LandingLine> | null
  readonly crawlers: ListPart<AgentLine> | null
}

/** A line of the list of referrers. */
export interface AssistantLine extends Figure {
  readonly host: string
  readonly operator: string | null
}

/** A page on which visits from assistants began. */
export interface LandingLine {
  readonly path: string
  readonly visits: number
}

/** A line of the list of operators: the pages that one crawled and the visits that it sent. */
export interface OperatorLine {
  readonly operator: string
  readonly crawled: Figure
  /** Hits from addresses that the operator publishes, or with its signature. */
  readonly verified: number
  readonly spoofed: number
  readonly sent: Figure
  readonly crawls_per_visit: CrawlsPerVisit
  /** Whether it has an assistant that is known to send visits. */
  readonly has_assistant: boolean
}

/** One crawler. */
export interface AgentLine {
  readonly agent: string
  readonly operator: string
  readonly category: TrafficCategory
  readonly hits: Figure
  readonly verified: number
  /** Verified hits with a valid signature. */
  readonly signed: number
  readonly spoofed: number
  readonly unchecked: number
}
