import { type Ingest, type Log, newAgentSitesMax } from 'renown/contracts'

export interface PushOptions {
  /** The gateway's origin. */
  readonly url: string
  readonly secret: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly log: Log
  readonly everyMs?: number
}

const timeoutMs = 10_000
const minuteMs = 60_000

/** Sends the gateway what this ingest counted of unknown agents, every minute. A failed report is sent again. */
export function pushNewAgents(ingest: Pick<Ingest, 'newAgents'>, options: PushOptions): { stop(): void } {
  const { url, secret, log, everyMs = minuteMs } = options
  let after = 0
  let running = false

  async function pushAll(): Promise<void> {
    for (;;) {
      const report = await ingest.newAgents(after)
      if (report.sites.length === 0) return
      const response = await options.fetch(`${url}/internal/new-agents`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(report),
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`status ${response.status}`)
      after = report.next
      if (report.sites.length < newAgentSitesMax) return
    }
  }
  async function turn(): Promise<void> {
    if (running) return
    running = true
    try {
      await pushAll()
    } catch (error) {
      log.warn('The report of new agents could not be sent; it is sent again', {
        reason: String(error).slice(0, 200),
      })
    } finally {
      running = false
    }
  }
  const timer = setInterval(() => void turn(), everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
