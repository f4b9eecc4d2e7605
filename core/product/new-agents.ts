import { newAgentSitesMax } from '../contracts/new-agents'
import type { Log, OwnerContext } from '../contracts/plugin'
import type { Ingest } from '../contracts/traffic'
import type { Registry } from '../registry/registry'

interface CollectDeps {
  readonly registry: Pick<Registry, 'feeds'>
  readonly owner: OwnerContext
  readonly ingest: Pick<Ingest, 'newAgents'>
  readonly log: Log
  readonly everyMs?: number
}

/** The feed that takes reports of unknown agents. */
const feedName = 'new-agents'
const minuteMs = 60_000

/** Passes what the ingest counted of unknown agents to the feed, every minute. A failed report is sent again. */
export function collectNewAgents({ registry, owner, ingest, log, everyMs = minuteMs }: CollectDeps) {
  let after = 0
  let running: Promise<void> = Promise.resolve()
  async function collect(): Promise<void> {
    const feed = registry.feeds.get(feedName)
    if (!feed) return
    try {
      for (;;) {
        const report = await ingest.newAgents(after)
        if (report.sites.length > 0) await feed.run(owner, report, 'own')
        after = report.next
        if (report.sites.length < newAgentSitesMax) return
      }
    } catch (error) {
      log.warn('the report of new agents could not be stored; it is sent again', { error: String(error) })
    }
  }
  const timer = setInterval(() => {
    running = running.then(collect)
  }, everyMs)
  timer.unref()
  return {
    collect,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
