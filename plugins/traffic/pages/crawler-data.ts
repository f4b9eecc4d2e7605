import type { Period } from 'renown'

/** A site in the choice of the page. */
export interface CrawlerSite {
  readonly id: string
  readonly name: string
}

/** The hits of a crawler on one day. */
export interface CrawlerDay {
  readonly date: string
  hits: number
  verified: number
  spoofed: number
}

export interface CrawlerData {
  readonly agent: string
  readonly operator: string
  readonly category: string
  readonly docs: string | null
  readonly sites: readonly CrawlerSite[]
  readonly site: CrawlerSite | null
  readonly period: Period
  /** The first day on which it was ever counted, and the last. */
  readonly first: string
  readonly last: string
  readonly days: readonly CrawlerDay[]
  readonly totals: Omit<CrawlerDay, 'date'> & {
    readonly with_status: number
    readonly client_errors: number
    readonly server_errors: number
    readonly disallowed: number
  }
  readonly pages: readonly { readonly path: string; readonly hits: number }[]
  readonly errors: readonly { readonly path: string; readonly status: number; readonly hits: number }[]
  readonly disallowed: readonly {
    readonly path: string
    readonly rule: string
    readonly hits: number
    readonly verified: number
  }[]
  /** Hits of all crawlers on days whose robots.txt is known. 0 if nothing was judged. */
  readonly judged: number
  /** What the robots.txt says now. Null for several sites, or if it could not be read. */
  readonly access: {
    readonly group: 'named' | 'all' | 'none'
    readonly closed: 'all' | 'some' | 'none'
  } | null
  readonly access_fault: string | null
  /** Pages of the sitemap that it fetched. Null if the site has no sitemap, or for several sites. */
  readonly coverage: {
    readonly pages: number
    readonly fetched: number
    readonly missing: readonly string[]
  } | null
}
