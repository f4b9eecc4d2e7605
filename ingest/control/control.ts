import { type Ingest, isRefusal, type Log, messageOf, type SitesFeed } from 'renown/contracts'
import * as v from 'valibot'
import type { FlushReport } from '../flush/remote-flusher'
import { feedSchema } from '../sites/sites'

/** What the gateway process reports to the ingest process, at least once a second. */
export interface IngestReport extends FlushReport {
  /** The sites. Absent if this ingest has them already. */
  readonly sites?: SitesFeed | undefined
}

export interface ControlDeps {
  /** Identifies one run of the ingest. */
  readonly instance: string
  /** Resolves once hits are accepted. */
  readonly ingest: Promise<Ingest>
  readonly onReport: (news: IngestReport) => Promise<void>
  readonly log: Log
}

const flushed = v.object({ hits: v.number(), elsewhere: v.number(), segment: v.string(), ms: v.number() })
const fault = v.object({ of: v.picklist(['clickhouse', 'gateway']), reason: v.string() })
const newsSchema = v.object({
  sites: v.optional(feedSchema),
  flushed: v.array(flushed),
  fault: v.nullable(fault),
})

/** Answers requests of the gateway process to the ingest process, over their socket. */
export function createControl({ instance, ingest, onReport: onNews, log }: ControlDeps) {
  const routes: Record<string, (request: Request, url: URL) => Promise<unknown>> = {
    'POST /news': async (request) => {
      await onNews(v.parse(newsSchema, await request.json()))
      return { instance }
    },
    'GET /up': async () => ingest.then(() => ({ instance })),
    'GET /signals': async (_, url) => (await ingest).signals(url.searchParams.get('site') ?? ''),
    'GET /ranges': async () => (await ingest).ranges.status(),
    'POST /ranges/refresh': async () => (await ingest).ranges.refresh(),
    'GET /registry': async () => (await ingest).registry(),
    'GET /new-agents': async (_, url) => (await ingest).newAgents(Number(url.searchParams.get('after')) || 0),
    'GET /state': async () => (await ingest).state(),
    'GET /health': async () => (await ingest).health(),
    'POST /rotate': async () => (await ingest).flush().then(() => ({})),
    'POST /import': async (request, url) => {
      const [site = '', batch = ''] = [url.searchParams.get('site'), url.searchParams.get('batch')].map(
        String,
      )
      return (await ingest).importBatch(site, batch, await request.bytes())
    },
  }
  return async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const route = routes[`${request.method} ${url.pathname}`]
    if (!route) return Response.json({ message: `no such address: ${url.pathname}` }, { status: 404 })
    try {
      return Response.json(await route(request, url))
    } catch (error) {
      if (isRefusal(error)) {
        const { code, message, details } = error
        return Response.json({ refusal: { code, message, details } }, { status: error.status })
      }
      const message = messageOf(error)
      log.error('The ingest failed to answer a request of the gateway', {
        path: url.pathname,
        error: message,
      })
      return Response.json({ message }, { status: 500 })
    }
  }
}
