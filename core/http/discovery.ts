import * as v from 'valibot'
import { examinedMax } from '../contexts/breadth'
import { echoed } from '../contracts/echoed'
import { Refusal } from '../contracts/errors'
import { type Metric, metricsText, metricsType } from '../contracts/metrics'
import type { OwnerContext } from '../contracts/plugin'
import type { StallWatch } from '../contracts/stalls'
import { faultsOf } from '../kit/faults'
import type { Reach } from '../outbound/reach'
import type { FetchSigner } from '../outbound/signing/fetch-signer'
import type { Config } from '../process/config'
import { equalSecrets } from '../process/crypto'
import { filterBounds } from '../query/filter'
import { listBounds } from '../query/parse'
import type { Registry } from '../registry/registry'
import { surfaceOf } from '../registry/surface'
import { bodyBytesMax, readObject } from '../requests/body'
import { headerText } from '../requests/headers'
import { policiesOf } from '../requests/limit-table'
import type { RequestState } from '../requests/request'
import type { ColumnsStore } from '../stores/columns/port'
import type { Documents } from '../stores/documents/port'
import { runWork, systemWork } from '../work/scope'
import { pageOf, send, sendFixed } from './answer'
import { createHealth } from './health'
import { type GatewayMetrics, type StreamLoad, streamMetrics } from './metrics'
import { createPublicFiles } from './public-files'

export interface DiscoveryDeps {
  readonly registry: Registry
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly config: Config
  readonly owner: OwnerContext
  readonly metrics: GatewayMetrics
  readonly stalls?: StallWatch
  /** Publishes the keys that sign Renown's requests. */
  readonly signer?: Pick<FetchSigner, 'directory'>
  /** Returns how many live streams are open. */
  readonly streams: () => StreamLoad
  /** Knows which services do not answer. */
  readonly reach?: Pick<Reach, 'failing'>
  /** The work of the installation as numbers. Default: none. */
  readonly workMetrics?: { read(): Promise<readonly Metric[]> }
}

/**
 * Addresses that describe the product: surface, OpenAPI, the reference page, health, and the feeds of other
 * processes.
 */
export function createDiscovery(deps: DiscoveryDeps) {
  const { registry, documents, columns, config, owner, metrics, streams, stalls, signer } = deps
  const failing = deps.reach?.failing ?? (() => [])
  const surface = surfaceOf(registry)
  const surfacePage = pageOf(bytesOf(JSON.stringify({ ...surface, limits: limitsOf(config) })))
  const health = createHealth({ documents, columns, now: owner.now, streams, failing })
  return {
    surface: (request: Request) => sendFixed(request, surfacePage),
    ...createPublicFiles({ registry, config }),
    /** The public keys of this installation, only on its main address. */
    signingKeys(state: RequestState): Response {
      const directory = state.host?.kind === 'main' ? signer?.directory() : null
      if (!directory) throw new Refusal('not_found', 'This address publishes no keys.')
      return new Response(directory.body, { headers: directory.headers })
    },
    health,
    async metrics(request: Request) {
      const wanted = config.METRICS_TOKEN
      if (wanted !== '' && !equalSecrets(bearerOf(request) ?? '', wanted)) {
        throw new Refusal('unauthenticated', 'Send METRICS_TOKEN as a bearer token.')
      }
      const parts = [
        metrics.read(),
        streamMetrics(streams()),
        stalls?.metrics() ?? [],
        await health.metrics(),
        (await deps.workMetrics?.read()) ?? [],
      ]
      return new Response(metricsText(parts.flat()), {
        headers: { 'content-type': metricsType, 'cache-control': 'no-store' },
      })
    },
    async feed(request: Request, name: string) {
      const feed = registry.feeds.get(name)
      const secret = config.RENOWN_INGEST_SECRET
      if (secret === '') throw new Refusal('not_found', 'There is nothing at this address.')
      const token = bearerOf(request)
      if (token === undefined || !equalSecrets(token, secret)) {
        throw new Refusal('unauthenticated', 'The ingest secret is required.')
      }
      if (!feed || (feed.takes !== undefined) !== (request.method === 'POST')) {
        throw new Refusal('not_found', `There is no feed ${echoed(name)} for ${request.method}.`)
      }
      const run = (input: unknown) => runWork(systemWork, () => feed.run(owner, input, 'remote'))
      if (!feed.takes) return send(request, pageOf(JSON.stringify(await run(undefined))))
      const given = v.safeParse(feed.takes as v.GenericSchema, await readObject(request))
      if (!given.success) {
        throw new Refusal('invalid_field', `The request to the feed ${name} is invalid.`, {
          errors: faultsOf(given.issues),
        })
      }
      return Response.json(await run(given.output), { headers: { 'cache-control': 'no-store' } })
    },
  }
}

/** The limits that the surface publishes. */
const limitsOf = (config: Config) => ({
  rates: Object.values(policiesOf(config)).map(({ name, quota, windowSeconds }) => ({
    name,
    quota,
    window_seconds: windowSeconds,
  })),
  list: {
    limit_default: listBounds.limitDefault,
    limit_max: listBounds.limitMax,
    skip_max: listBounds.skipMax,
  },
  filter: { ...filterBounds, examined_rows_max: examinedMax },
  body_bytes_max: bodyBytesMax,
})

const bearerOf = (request: Request) =>
  /^bearer +(\S+)$/i.exec(headerText(request.headers, 'authorization'))?.[1]

const bytesOf = (text: string) => new TextEncoder().encode(text)
