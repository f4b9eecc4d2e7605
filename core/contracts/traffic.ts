import type { AgentRegistry } from './agent-registry'
import type { LogMapping } from './log-mapping'
import type { NewAgentsReport } from './new-agents'
import type { TableDeclaration } from './owner'
import type { Doubt } from './said'
import type { Stalls } from './stalls'
import type { TrafficCategory } from './traffic-category'

export { type TrafficCategory, trafficCategories } from './traffic-category'

/**
 * The check of an IP address: inside the operator's published ranges (`verified`), outside current ranges
 * (`spoofed`), or not checked (`unchecked`).
 */
export type Verdict = 'verified' | 'spoofed' | 'unchecked'

/** A site that the ingest counts. The feed `sites` lists them, and the ingest caches them on its disk. */
export interface IngestSite {
  readonly site_id: string
  readonly site_key: string
  /** SHA-256 (hex) of the forwarder token. */
  readonly forwarder_token_hash: string
  readonly domain: string
  readonly timezone: string
  readonly is_active: boolean
  readonly count_search_engines: boolean
  readonly respect_dnt: boolean
  /** How the JSON records of its log are read. Absent if Renown knows their format. */
  readonly log_mapping?: LogMapping | null | undefined
}
/** The answer of the feed `sites`. */
export interface SitesFeed {
  /** A registry of agents that is newer than the one of the release. */
  readonly agents?: AgentRegistry | undefined
  readonly sites: readonly IngestSite[]
}

/** The header fields of a signed request (RFC 9421), as the sender logged them. */
export interface SignatureHeaders {
  /** `Signature-Agent` */
  readonly agent: string
  /** `Signature-Input` */
  readonly input: string
  /** `Signature` */
  readonly signature: string
}

/** One request from an access log or a sender. The IP address is used by `verify` and then discarded. */
export interface Hit {
  /** Milliseconds since the epoch. */
  readonly ts: number
  /**
   * The record had no time, so `ts` is the time it was read. Two equal bodies of such records may be two
   * batches.
   */
  readonly undated?: true
  /** `ts` is the time of an envelope. Another delivery of the same line may have another one. */
  readonly enveloped?: true
  /**
   * The line or record as it was before an envelope was put around it. Present if `ts` is the time of arrival or of an
   * envelope. Only its digest is used, to tell the same line from another one with the same id.
   */
  readonly written?: unknown
  /** The time has no zone. It counts as UTC, which may be wrong. */
  readonly zoneless?: true
  readonly ip: string | null
  /** `ip` is null because the record has several addresses that may be the client's. */
  readonly ofMany?: true
  readonly method: string
  /** Path or absolute URL, as the sender wrote it. */
  readonly target: string
  readonly host?: string
  readonly ua: string
  readonly referer?: string
  readonly status?: number
  /** What the sender calls the id of this request. It may be none, so it never counts alone. */
  readonly id?: string
  /** Present only if all three fields are. */
  readonly signed?: SignatureHeaders
}

/** Why a line was not counted, with its number in the batch. */
export type BatchReason = { readonly line: number; readonly reason: string }
/**
 * How many lines of a batch had this outcome for this reason. `unchecked`, `dated`, `signed` and `repeated` lines were
 * counted.
 */
export interface ReasonCount {
  /**
   * `unchecked`: the line has no readable IP address, or a signature that proves nothing. `dated`: the line has no
   * time, so its arrival counts as its time. `signed`: its signature counts, but was not checked again.
   *
   * `repeated`: another line had its id at another time or path, and both were counted. `duplicate`: an equal line was
   * counted before. Neither line has a time of its own, so this one was not counted.
   */
  readonly outcome: 'ignored' | 'rejected' | 'unchecked' | 'dated' | 'signed' | 'repeated' | 'duplicate'
  readonly reason: string
  readonly lines: number
}
/**
 * The answer to a batch. `ignored` lines are valid but do not count. `duplicate` lines were counted before.
 */
export interface BatchAnswer {
  readonly accepted: number
  readonly ignored: number
  readonly rejected: number
  readonly duplicate: number
  /** The first 20 lines that were rejected or show a mistake in the sender's set-up. */
  readonly reasons: readonly BatchReason[]
  /**
   * The number of lines that did not count as expected, by reason. Absent if there are none, and for a
   * repeated batch.
   */
  readonly by_reason?: readonly ReasonCount[]
}

/** The answer to a part of an import, with the number of lines per agent. */
export interface ImportAnswer extends BatchAnswer {
  /** Lines by agent, counted now or earlier. */
  readonly agents: Readonly<Record<string, number>>
}

/** What the journal stores for one counted request. It has no IP address and no user agent. */
export interface CountedHit {
  readonly kind: 'crawl' | 'visit'
  readonly site_id: string
  /** The day in the site's time zone. */
  readonly date: string
  /** Name of the agent in the registry, or the assistant's host for a visit. */
  readonly agent: string
  readonly category: TrafficCategory | ''
  readonly operator: string
  readonly path: string
  readonly verdict: Verdict
  /** The host of the signer, if the signature decided the verdict. */
  readonly signer?: string | undefined
  /** What verified a signed request: its signature alone, or its address too. Absent if its address alone did. */
  readonly verified_by?: 'signature' | 'both' | undefined
  /** Milliseconds since the epoch, for the time of the site's last hit. */
  readonly ts: number
  /** HTTP status of the answer. Absent if the sender did not name it, and for visits. */
  readonly status?: number | undefined
}

/** The status of the published address list of one operator. */
export interface RangeListStatus {
  readonly url: string
  readonly operator: string
  readonly prefixes: number
  readonly sha256: string | null
  readonly last_ok_at: string | null
  readonly age_seconds: number | null
  readonly status: 'fresh' | 'stale' | 'unused' | 'never_fetched'
  readonly last_error: string | null
  /** Set while most hits of the operator come from other addresses, which were inside before. */
  readonly in_doubt?: Doubt
}

/**
 * How a process reaches ClickHouse: the URL of a server, or a folder and a database for chDB in this process.
 */
export type ColumnsTarget =
  | { readonly url: string; readonly cluster?: string }
  | { readonly path: string; readonly database?: string }

/** Returns the table with one server's own rows. On a cluster, the declared name reads all shards. */
export const ownTable = (table: string, cluster: string | undefined): string =>
  cluster ? `${table}_own` : table

/** Maximum number of ids per request to claim batches. */
export const claimsMax = 2_000
/**
 * Claims batches for a segment across all ingest processes. Returns the ids that another segment has claimed.
 * Idempotent per segment.
 */
export type ClaimBatches = (segment: string, ids: readonly string[]) => Promise<readonly string[]>
/** The answer of the feed `claims`. */
export interface ClaimsFeed {
  /** Ids of batches that another segment counts. */
  readonly taken: readonly string[]
}

/** Evidence that a site's script is installed. It does not count as visits and is kept only in memory. */
export interface SiteSignals {
  /** When a page of the site last fetched the script, RFC 3339. Browsers keep the script for a day. */
  readonly script_found_at: string | null
  /** The last test visits, with `?renown_check=<nonce>`, newest first. */
  readonly test_visits: readonly { readonly nonce: string; readonly path: string; readonly at: string }[]
  /**
   * Lines from the site's forwarder since the process started: counted, readable but not to be counted,
   * unreadable, counted before.
   */
  readonly lines: {
    readonly accepted: number
    readonly ignored: number
    readonly rejected: number
    readonly duplicate: number
    /** Why lines did not count as expected, most lines first. */
    readonly by_reason: readonly ReasonCount[]
  }
  /** Bodies of the forwarder that were refused as a whole since the process started, most bodies first. Absent if there are none. */
  readonly refused_bodies?: readonly { readonly reason: string; readonly bodies: number }[]
}

/** The status of an ingest, as `/readyz` returns it. */
export interface IngestState {
  readonly accepting: boolean
  /** Why the ingest refuses hits. */
  readonly reason: string | null
  /**
   * Why ClickHouse accepts no hits, and since when. The ingest still accepts hits and keeps them in the
   * journal.
   */
  readonly clickhouse: { readonly reason: string; readonly since: string } | null
  /**
   * Why the gateway cannot say which batches another ingest has counted. Hits wait in the journal, as they do
   * for ClickHouse.
   */
  readonly gateway: { readonly reason: string; readonly since: string } | null
  readonly waiting_segments: number
  readonly waiting_bytes: number
  readonly oldest_waiting_seconds: number | null
  /** Segments in `poison/` whose rows ClickHouse refused. They are not counted. */
  readonly set_aside_segments: number
  /** Copies of damaged segments in `poison/`. What can be read of them is counted. */
  readonly damaged_segments: number
  /** How often the event loop of the ingest was blocked since its start. */
  readonly stalls: Stalls
}

/** Returns the IP address at the other end of a request's socket. */
export type PeerOf = (request: Request) => string | null

/** Whether the ingest accepts hits, and how well it recognizes duplicates. */
export interface IngestHealth {
  readonly ok: boolean
  /** Why the ingest refuses hits. */
  readonly reason?: string
  /** Set if memory cannot hold the ids of 24 h, else null. */
  readonly dedupShortened?: {
    /** All repeats since this time are recognized, in milliseconds since the epoch. */
    readonly to: number
    /** The affected sites. Empty: all sites. */
    readonly sites: readonly string[]
  } | null
}

/** The ingest as the gateway uses it, in the same process or in another one. */
export interface Ingest {
  /**
   * Answers a request to the ingest's port. Absent if the ingest runs in another process. `peer` returns the
   * socket's other end. Proxies are resolved inside.
   */
  fetch?(request: Request, peer: PeerOf): Response | Promise<Response>
  /**
   * Imports old log lines with the usual parsers, without a lower limit on time. `batchId` makes a part
   * idempotent.
   */
  importBatch(siteId: string, batchId: string, body: Uint8Array): Promise<ImportAnswer>
  /** Replaces the list of sites. Resolves when the ingest uses it for hits. */
  setSites(feed: SitesFeed): Promise<void>
  /** Returns the registry of agents that it uses. */
  registry(): Promise<AgentRegistry>
  /** Returns the unknown agents of sites that changed after change number `after`, once their counts are on disk. */
  newAgents(after: number): Promise<NewAgentsReport>
  /** Returns what the install page shows about a site's script. */
  signals(siteId: string): Promise<SiteSignals>
  ranges: { status(): Promise<RangeListStatus[]>; refresh(): Promise<RangeListStatus[]> }
  /** Resolves when everything in the journal is stored in ClickHouse. */
  flush(): Promise<void>
  health(): Promise<IngestHealth>
  /** Returns what waits for ClickHouse and why. */
  state(): Promise<IngestState>
  stop(): Promise<void>
}

/**
 * The table of summed hits, the only one that the flusher counts in. A block has the rows of a segment and
 * its receipt. Kinds: `crawl` (agent, category, operator, path), `visit` (agent = assistant's host, path),
 * `status`, `signed` (agent, category, operator = `signedOperator`) and `receipt` (site_id '~', path = segment name,
 * hits = 1). A receipt above 1 proves that a segment was counted twice.
 *
 * Rows of the kind `status` count the crawls with a known HTTP status again. Errors have the status as category, such
 * as `404`, and their path. All others have the category `ok` and no path. Rows of the kind `signed` count those
 * again whose signature decided their verdict. They are rows and not columns, because the engine of an existing table
 * sums only the columns that it was created with.
 */
export const hitsTable = {
  name: 'traffic_hits',
  columns: {
    kind: 'LowCardinality(String)',
    site_id: 'LowCardinality(String)',
    date: 'Date',
    agent: 'LowCardinality(String)',
    category: 'LowCardinality(String)',
    operator: 'LowCardinality(String)',
    path: 'String CODEC(ZSTD(1))',
    hits: 'UInt64 CODEC(T64, ZSTD(1))',
    verified: 'UInt64 CODEC(T64, ZSTD(1))',
    spoofed: 'UInt64 CODEC(T64, ZSTD(1))',
  },
  engine: 'SummingMergeTree((hits, verified, spoofed))',
  people: ['path'],
  orderBy: ['site_id', 'date', 'kind', 'agent', 'category', 'operator', 'path'],
  partitionBy: 'toYYYYMM(date)',
  within: { column: 'site_id', entity: 'AiTrafficSite' },
  settings: {
    non_replicated_deduplication_window: 10000,
    fsync_after_insert: 1,
    fsync_part_directory: 1,
    // A day of a site has a few hundred rows. The default of 8,192 would make each read of a day much larger.
    index_granularity: 1024,
  },
} as const satisfies TableDeclaration

/**
 * The days that a segment touched, written after its hits and before the segment is finished. Idempotent. The
 * sealing job reads the rows that were added since its last run.
 */
export const touchedTable = {
  name: 'traffic_touched',
  columns: {
    site_id: 'LowCardinality(String)',
    date: 'Date',
    source: 'LowCardinality(String)',
    last_hit_at: 'DateTime64(3)',
    touched_at: 'DateTime64(3) DEFAULT now64(3)',
  },
  engine: 'ReplacingMergeTree(touched_at)',
  people: [],
  orderBy: ['site_id', 'date', 'source'],
  within: { column: 'site_id', entity: 'AiTrafficSite' },
  ttl: 'toDateTime(touched_at) + INTERVAL 400 DAY',
  settings: { fsync_after_insert: 1, fsync_part_directory: 1 },
} as const satisfies TableDeclaration

/** The category of rows of the kind `status` for answers below 400. */
export const okStatus = 'ok'
/** Returns the column `operator` of a row of the kind `signed`: what verified the hits, and the signer's host. */
export const signedOperator = (by: 'signature' | 'both' | 'false', signer: string): string =>
  `${by} ${signer}`

/** The path for hits beyond a site's limit of distinct paths. They count, but not under their own path. */
export const otherPath = '~other'
/** The path for static assets. They count, but not under their own path. */
export const assetPath = '~asset'
