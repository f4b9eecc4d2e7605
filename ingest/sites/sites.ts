import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  agentRegistrySchema,
  type IngestSite,
  type Log,
  logMappingSchema,
  type SitesFeed,
} from 'renown/contracts'
import * as v from 'valibot'

/** The sites that the ingest counts, by each name that a sender may use. */
export interface Sites {
  set(feed: SitesFeed): void
  byId(siteId: string): IngestSite | undefined
  byKey(siteKey: string): IngestSite | undefined
  /** Returns the site of a bearer token. Looks up its hash, so the secret itself is never compared. */
  byToken(token: string): IngestSite | undefined
  count(): number
  /** Resolves when the last list is on the disk. */
  saved(): Promise<void>
}

/** The list of sites, from a gateway or from the disk. */
export const feedSchema = v.object({
  // A gateway of another version may send a registry that this process cannot read. The sites count all the same.
  agents: v.optional(v.fallback(v.optional(agentRegistrySchema), undefined)),
  sites: v.array(
    v.object({
      site_id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/)),
      site_key: v.string(),
      forwarder_token_hash: v.string(),
      domain: v.string(),
      timezone: v.string(),
      is_active: v.boolean(),
      count_search_engines: v.boolean(),
      respect_dnt: v.boolean(),
      log_mapping: v.optional(v.nullable(logMappingSchema)),
    }),
  ),
})

/**
 * Keeps the list in memory and, with mode 0600, in `<directory>/sites.json`, so that a restart does not need the
 * gateway.
 */
export function createSites(directory: string, log: Log): Sites {
  let byId = new Map<string, IngestSite>()
  let byKey = new Map<string, IngestSite>()
  let byHash = new Map<string, IngestSite>()
  let saving: Promise<void> = Promise.resolve()
  let saved = ''
  /**
   * Caches tokens that were found by their hash, which costs a microsecond. Unknown tokens are not cached.
   */
  let byKnown = new Map<string, IngestSite>()

  return {
    set(feed) {
      byKnown = new Map()
      byId = new Map(feed.sites.map((site) => [site.site_id, site]))
      byKey = new Map(feed.sites.map((site) => [site.site_key, site]))
      byHash = new Map(feed.sites.map((site) => [site.forwarder_token_hash, site]))
      const text = JSON.stringify({ sites: feed.sites, agents: feed.agents })
      if (text === saved) return
      saved = text
      saving = saving.then(() => save(directory, text)).catch(() => log.warn('The sites cannot be cached'))
    },
    byId: (siteId) => byId.get(siteId),
    byKey: (siteKey) => byKey.get(siteKey),
    byToken(token) {
      const known = byKnown.get(token)
      if (known) return known
      const site = byHash.get(sha256(token))
      if (site) byKnown.set(token, site)
      return site
    },
    count: () => byId.size,
    saved: () => saving,
  }
}

/** Reads the list of an earlier run, or returns null. */
export async function cachedSites(directory: string): Promise<SitesFeed | null> {
  const text = await readFile(join(directory, 'sites.json'), 'utf8').catch(() => null)
  return text === null ? null : parseFeed(text)
}

export interface PollOptions {
  /** The gateway's origin. */
  readonly url: string
  readonly secret: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly onFeed: (feed: SitesFeed) => void
  readonly log: Log
  readonly everyMs?: number
}

/**
 * Requests the sites from the gateway every second. An unchanged answer costs a 304. Keeps the last good
 * list.
 */
export function pollSites(options: PollOptions): { stop(): void } {
  const { url, secret, onFeed, log, everyMs = 1_000 } = options
  let etag = ''
  let failing = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopping = new AbortController()

  async function ask() {
    const headers: Record<string, string> = { authorization: `Bearer ${secret}` }
    if (etag) headers['if-none-match'] = etag
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(10_000)])
    const response = await options.fetch(`${url}/internal/sites`, { headers, signal })
    const text = await response.text()
    if (response.status === 304) return
    if (!response.ok) throw new Error(`status ${response.status}`)
    const feed = parseFeed(text)
    if (!feed) throw new Error('not a list of sites')
    etag = response.headers.get('etag') ?? ''
    onFeed(feed)
  }

  async function turn() {
    try {
      await ask()
      if (failing) log.info('The gateway answers again; the sites are current')
      failing = false
    } catch (error) {
      if (!failing && !stopping.signal.aborted) {
        log.warn('The sites cannot be fetched; the last snapshot is used', { reason: reasonOf(error) })
      }
      failing = true
    }
    if (!stopping.signal.aborted) timer = setTimeout(turn, everyMs)
  }
  void turn()
  return {
    stop() {
      stopping.abort()
      clearTimeout(timer)
    },
  }
}

/** Returns the SHA-256 of a text, as lower case hex. */
export const sha256 = (text: string): string => Bun.CryptoHasher.hash('sha256', text, 'hex')

function parseFeed(text: string): SitesFeed | null {
  try {
    return v.parse(feedSchema, JSON.parse(text))
  } catch {
    return null
  }
}

async function save(directory: string, text: string) {
  const path = join(directory, 'sites.json')
  await writeFile(`${path}.new`, text, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message.slice(0, 200) : 'unknown')
