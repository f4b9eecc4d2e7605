import type { ClaimBatches, ColumnsTarget, ImportAnswer, Ingest, Log, SitesFeed } from 'renown/contracts'
import { createFlusher, type Flushed, type Flusher, type FlusherOptions } from '../flush/flusher'
import type { IngestReport } from './control'
import { type AskIngest, createControlClient } from './control-client'

export interface RemoteIngestDeps {
  readonly columns: ColumnsTarget
  /** Folder of the journal, which the ingest writes and this process empties. */
  readonly directory: string
  readonly sites: SitesFeed
  readonly now: () => Date
  readonly log: Log
  readonly claim?: ClaimBatches | undefined
  /** Path of the socket of the ingest's process. */
  readonly socket: string
  /** Aborts waiting for the ingest. */
  readonly stopping: AbortSignal
  /** Resolves when the ingest's process has ended, because the product stops. */
  readonly ended: Promise<unknown>
  readonly flusher?: (options: FlusherOptions) => Flusher
}

const startMs = 60_000
const newsEveryMs = 1_000
/** Maximum flushed segments that are reported after a long absence of the ingest. The newest are kept. */
const flushedMax = 1_000
const endedMs = 2_000
const drainMs = 2_500
const flusherStopMs = 1_500

/**
 * An ingest in another process, which accepts hits and writes the journal. This process owns the store, so the
 * flusher runs here. Resolves when the other process accepts hits.
 */
export async function createRemoteIngest(deps: RemoteIngestDeps): Promise<Ingest> {
  const { directory, columns, now, log, claim, socket, stopping } = deps
  const ask = createControlClient({ socket, stopping })
  const flushed: Flushed[] = []
  const flusher = (deps.flusher ?? createFlusher)({
    directory,
    target: columns,
    now,
    log,
    claim,
    onFlushed(segment) {
      flushed.push(segment)
      if (flushed.length > flushedMax) flushed.shift()
    },
  })
  const report = createNews({ ask, flusher, flushed, log, sites: deps.sites })
  try {
    await report.send(startMs)
    await ask('GET /up', { patienceMs: startMs })
  } catch (error) {
    await flusher.stop()
    throw error
  }
  const reporting = setInterval(() => void report.send().catch(() => {}), newsEveryMs)
  return {
    importBatch: (siteId, batchId, body) =>
      ask<ImportAnswer>(
        `POST /import?site=${encodeURIComponent(siteId)}&batch=${encodeURIComponent(batchId)}`,
        { body: body as Uint8Array<ArrayBuffer> },
      ),
    setSites: report.setSites,
    registry: () => ask('GET /registry'),
    newAgents: (after) => ask(`GET /new-agents?after=${after}`),
    signals: (siteId) => ask(`GET /signals?site=${encodeURIComponent(siteId)}`),
    ranges: { status: () => ask('GET /ranges'), refresh: () => ask('POST /ranges/refresh') },
    async flush() {
      await ask('POST /rotate')
      await flusher.drain()
    },
    state: () => ask('GET /state'),
    health: () => ask('GET /health'),
    async stop() {
      clearInterval(reporting)
      // The ingest closes its last segment when it ends. Segments that it leaves open are closed at its next
      // start.
      await Promise.race([deps.ended, pause(endedMs)])
      await Promise.race([flusher.drain().catch(() => {}), pause(drainMs)])
      await Promise.race([flusher.stop(), pause(flusherStopMs)])
    },
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

interface NewsDeps {
  readonly ask: AskIngest
  readonly flusher: Flusher
  readonly flushed: Flushed[]
  readonly log: Log
  readonly sites: SitesFeed
}

/** Reports the sites and the flusher to the ingest process. A new run of it gets the sites again. */
function createNews({ ask, flusher, flushed, log, sites }: NewsDeps) {
  let latest = sites
  /** The run of the ingest, and the sites that it received. */
  let reported: { readonly instance: string; readonly sites: SitesFeed } | undefined
  let sending: Promise<void> = Promise.resolve()
  let isAway = false

  async function sendOne(patienceMs: number): Promise<void> {
    const feed = latest
    const count = flushed.length
    const fault = flusher.trouble()
    const report: IngestReport = {
      sites: reported?.sites === feed ? undefined : feed,
      flushed,
      fault: fault && { of: fault.of, reason: fault.reason },
    }
    const { instance } = await ask<{ instance: string }>('POST /news', {
      body: JSON.stringify(report),
      patienceMs,
    })
    flushed.splice(0, count)
    if (report.sites) reported = { instance, sites: feed }
    if (reported?.instance === instance) return
    reported = undefined
    return sendOne(patienceMs)
  }

  async function sendNow(patienceMs: number): Promise<void> {
    try {
      await sendOne(patienceMs)
      if (isAway) log.info('The ingest answers again')
      isAway = false
    } catch (error) {
      if (!isAway) log.warn('The ingest does not answer', { reason: String(error) })
      isAway = true
      throw error
    }
  }

  /** Sends one report after another, so that an older one never arrives last. */
  function send(patienceMs = newsEveryMs): Promise<void> {
    const sent = sending.then(() => sendNow(patienceMs))
    sending = sent.catch(() => {})
    return sent
  }
  return {
    send,
    setSites(feed: SitesFeed): Promise<void> {
      // The same sites may still be on their way.
      if (Bun.deepEquals(feed, latest)) return sending
      latest = feed
      return send()
    },
  }
}
