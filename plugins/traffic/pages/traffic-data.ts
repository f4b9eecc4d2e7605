import type { Period, TrafficCategory } from 'renown'
import type { CrawlsPerVisit } from '../records/crawlsPerVisit'
import type { Asked, IgnoredFilter } from '../sums/asked'
import type { CountedSince } from '../sums/countedSince'
import type { ListPart } from '../sums/list-part'
import type { PathLine } from '../sums/shownPaths'
import type { ComparedTraffic, Figure, Figures } from './comparedTraffic'

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
  /** Only owners create sites. */
  readonly may_create: boolean
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
  readonly lists: Lists
  /** Address lists of the operators that were met, and how fresh they are; null where another process keeps them. */
  readonly ranges: { readonly fresh: number; readonly stale: readonly string[] } | null
  /** Origin of the API. */
  readonly api_url: string
}

/** The lists. Each is null with a filter that daily rows do not keep it by. */
export interface Lists {
  readonly operators: ListPart<OperatorLine> | null
  readonly pages: ListPart<PathLine> | null
  readonly assistants: ListPart<AssistantLine> | null
  readonly landing: ListPart<LandingLine> | null
  readonly crawlers: ListPart<AgentLine> | null
}

/** Where people came from. */
export interface AssistantLine extends Figure {
  readonly host: string
  readonly operator: string | null
}

/** A page on which visits from assistants began. */
export interface LandingLine {
  readonly path: string
  readonly visits: number
}

/** "OpenAI crawled this many pages and sent this many people." */
export interface OperatorLine {
  readonly operator: string
  readonly crawled: Figure
  /** Hits whose address the operator publishes. */
  readonly verified: number
  readonly spoofed: number
  readonly sent: Figure
  readonly crawls_per_visit: CrawlsPerVisit
  /** It has an assistant that is known to send visits. */
  readonly has_assistant: boolean
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
