import { join } from 'node:path'
import {
  type ClaimBatches,
  type ColumnsTarget,
  createStallWatch,
  type Ingest,
  type IngestHealth,
  type Log,
  metricsText,
  Refusal,
  type SafeFetch,
  type Settings,
  type SitesFeed,
} from 'renown/contracts'
import { stateOf } from './control/state'
import { agentsOf, type Counter, createCounter } from './count/counter'
import { createDedup, restoreDedup } from './count/dedup'
import { createMetrics, type Metrics } from './count/metrics'
import { createNewAgents } from './count/new-agents'
import { signers as knownSigners, type Signer } from './data/signers'
import { createFlusher, type Flusher, type FlusherOptions } from './flush/flusher'
import { createClientAddress } from './http/client-address'
import { decodeText } from './http/decoding/decode-text'
import { problem, problemResponse } from './http/problem'
import { createRouter, type IngestRouter } from './http/router'
import { type Journal, JournalRefusal, openJournal } from './journal/journal'
import type { SegmentSizes } from './journal/segment-folder'
import { createAgentsInUse } from './judge/agent-index'
import { createRanges, type Ranges } from './judge/ranges'
import { createKeyring, type Keyring } from './judge/signature/keyring'
import { createSignatures } from './judge/signatures'
import { createDays } from './parse/days'
import { createPathBound } from './parse/path-bound'
import { createSignals } from './sites/signals'
import { createSites, type Sites, sha256 } from './sites/sites'

export { createRemoteIngest } from './control/remote'
export { readLogSample } from './sample/read-sample'

export interface IngestDeps {
  readonly settings: Settings
  readonly columns: ColumnsTarget
  /** Folder of the journal, the cached sites and the cached address lists. Only one process may use it. */
  readonly directory: string
  readonly sites: SitesFeed
  readonly now: () => Date
  readonly log: Log
  readonly fetch?: typeof fetch
  /** The gateway's public origin, which explains the error codes. */
  readonly apiUrl?: string
  /** Called after each segment that was stored in ClickHouse. */
  readonly onFlushed?: () => void
  /** Claims batches, if several processes count. */
  readonly claim?: ClaimBatches | undefined
  /** Whether other processes count too. Used if there is no `claim`. */
  readonly isOneOfMany?: boolean
  /** Creates the flusher. Tests replace it. */
  readonly flusher?: (options: FlusherOptions) => Flusher
  readonly ranges?: Ranges
  /** Fetches the keys of signers, only from the public internet. Without it, only a mirror has keys. */
  readonly safeFetch?: SafeFetch
  /** The signers whose keys are fetched. Default: those of the registry. */
  readonly signers?: readonly Signer[]
}

/** How long a start waits for the first address lists. Without them, hits are only unchecked. */
const rangesWaitMs = 3_000
/** How long a stop waits for ClickHouse. The rest stays in the journal for the next start. */
const drainMs = 2_500
const flusherStopMs = 1_500

/** An ingest in this process, which answers requests itself. */
export type LocalIngest = Ingest & Required<Pick<Ingest, 'fetch'>>

/** Creates the ingest: router, journal and flusher on one folder. Resolves when it accepts hits. */
export async function createIngest(deps: IngestDeps): Promise<LocalIngest> {
  const { settings, directory, now, log } = deps
  const { JOURNAL_BYTES_MAX: backlogBytesMax, DISK_FREE_BYTES_MIN: freeBytesMin } = settings
  const journal = await openJournal({ directory, now, log, backlogBytesMax, freeBytesMin })
  const dedup = createDedup(settings.DEDUP_MAX_BYTES, now)
  const paths = createPathBound(settings.PATHS_PER_DAY_MAX)
  await restoreDedup({ dedup, paths }, directory, now)
  const sites = createSites(directory, log)
  sites.set(deps.sites)
  const ranges = deps.ranges ?? rangesOf(deps)
  const { signers = knownSigners } = deps
  const keyring = keyringOf(deps, signers)
  const { agents, newAgents, useRegistry } = agentsFor(deps, ranges)
  await startLists(ranges, keyring)
  const signals = createSignals(now)
  const metrics = createMetrics()
  const shared = { journal, dayOf: createDays(), paths, signals, metrics, agents, newAgents, now, log }
  const isOneOfMany = deps.isOneOfMany ?? deps.claim !== undefined
  const { HITS_KEPT_DAYS: keptDays, INGEST_LINE_MAX: lineMax } = settings
  const signatures = createSignatures({ keyring, signers, now, onJudged: metrics.signature })
  const counter = createCounter({ ...shared, dedup, ranges, signatures, keptDays, lineMax, isOneOfMany })
  const clientAddress = createClientAddress(settings.TRUSTED_PROXIES)
  const docs = `${deps.apiUrl ?? (settings.RENOWN_URL || `http://localhost:${settings.PORT}`)}/docs`
  const flusher = (deps.flusher ?? createFlusher)({
    directory,
    target: deps.columns,
    now,
    log,
    claim: deps.claim,
    onFlushed(flushed) {
      metrics.flushed(flushed, now().getTime())
      deps.onFlushed?.()
    },
  })
  const watch = createStallWatch({ part: 'ingest', now, log })
  const sizes: SegmentSizes = new Map()
  const state = () => stateOf({ directory, journal, flusher, now, stalls: watch.read, sizes })
  const printMetrics = async () => {
    const dedupShortened = dedup.shortened() !== null
    const directories = keyring.status()
    const lists = ranges.status()
    const seen = { state: await state(), lists, directories, sites: sites.count(), dedupShortened }
    return metricsText([...metrics.read(seen), ...watch.metrics()])
  }
  const router = createRouter({
    ...shared,
    settings,
    sites,
    counter,
    clientAddress,
    docs,
    state,
    printMetrics: printMetrics,
  })

  watch.start()
  return {
    fetch: guarded(log, metrics, router),
    importBatch: (siteId, batchId, body) => importBatch({ sites, counter }, siteId, batchId, body),
    async setSites(feed) {
      useRegistry(feed)
      sites.set(feed)
    },
    registry: async () => agents.current.registry,
    newAgents: newAgents.report,
    signals: async (siteId) => signals.of(siteId),
    ranges: { status: async () => ranges.status(), refresh: () => ranges.refresh() },
    async flush() {
      await journal.rotate()
      await flusher.drain()
    },
    state,
    health: async () => ({ ...healthOf(journal), dedupShortened: dedup.shortened() }),
    async stop() {
      watch.stop()
      ranges.stop()
      keyring.stop()
      await journal.stop().catch(() => log.warn('A segment cannot be closed; the next start recovers it'))
      await Promise.all([sites.saved(), newAgents.stop()])
      await Promise.race([flusher.drain().catch(() => {}), pause(drainMs)])
      await Promise.race([flusher.stop(), pause(flusherStopMs)])
    },
  }
}

/** The known agents, and the counts of unknown ones. */
function agentsFor({ directory, now, log, sites }: IngestDeps, ranges: Ranges) {
  const agents = createAgentsInUse(ranges)
  const newAgents = createNewAgents({ directory, now, log })
  agents.use(sites.agents)
  newAgents.forgetKnown(agents.current)
  const useRegistry = (feed: SitesFeed) => {
    if (agents.use(feed.agents)) newAgents.forgetKnown(agents.current)
  }
  return { agents, newAgents, useRegistry }
}

const rangesOf = ({ settings, directory, now, log, fetch: fetcher = fetch }: IngestDeps): Ranges =>
  createRanges({
    directory: join(directory, 'ranges'),
    mirror: settings.RENOWN_RANGES_MIRROR,
    fetch: fetcher,
    now,
    log,
  })

const keyringOf = (deps: IngestDeps, signers: readonly Signer[]): Keyring =>
  createKeyring({
    directory: join(deps.directory, 'keys'),
    hosts: signers.map(({ host }) => host),
    safeFetch: deps.safeFetch ?? null,
    mirror: deps.settings.RENOWN_RANGES_MIRROR,
    fetch: deps.fetch ?? fetch,
    now: deps.now,
    log: deps.log,
  })

async function startLists(ranges: Ranges, keyring: Keyring): Promise<void> {
  const started = Promise.all([ranges.start(), keyring.start()])
  if (ranges.status().some(({ status }) => status === 'fresh')) return
  await Promise.race([started, pause(rangesWaitMs)])
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

/** Returns the health. While ClickHouse is down, hits are accepted and wait in the journal. */
function healthOf(journal: Journal): IngestHealth {
  const reason = journal.refusal()
  return reason ? { ok: false, reason } : { ok: true }
}

async function importBatch(
  { sites, counter }: { sites: Sites; counter: Counter },
  siteId: string,
  batchId: string,
  body: Uint8Array,
) {
  const site = sites.byId(siteId)
  if (!site) throw new Refusal('not_found', 'The ingest has no site with this id.')
  try {
    const counted = await counter.count({
      site,
      isRecent: false,
      datesArrivals: false,
      linesMax: Number.POSITIVE_INFINITY,
      text: await decodeText(body),
      id: sha256(`${siteId}\nimport\n${batchId}`).slice(0, 32),
      bodySecret: '',
    })
    if (!counted) throw new Refusal('payload_too_large', 'The chunk has too many lines.')
    return { ...counted.answer, agents: agentsOf(counted) }
  } catch (error) {
    if (!(error instanceof JournalRefusal)) throw error
    throw new Refusal('unavailable', `Hits cannot be accepted now: ${error.message}.`, {
      retryAfterSeconds: 5,
    })
  }
}

const ours = problem('internal', 'Something failed in Renown.')

/** Answers an internal error without its text, because the text could quote a request. */
function guarded(log: Log, metrics: Metrics, router: IngestRouter): IngestRouter {
  const answered = (response: Response) => {
    metrics.answered(response.status)
    return response
  }
  const failed = (error: unknown) => {
    log.error('The ingest failed to answer a request', {
      error: error instanceof Error ? error.name : 'unknown',
    })
    return answered(problemResponse(ours, { docs: '/docs', instance: '/', requestId: '' }))
  }
  return (request, peer) => {
    try {
      const answer = router(request, peer)
      return answer instanceof Promise ? answer.then(answered, failed) : answered(answer)
    } catch (error) {
      return failed(error)
    }
  }
}
