import type { Config } from '../config'
import { Refusal } from '../contracts/errors'
import type { OwnerContext } from '../contracts/plugin'
import { equalSecrets } from '../crypto'
import { filterBounds } from '../query/filter'
import { listBounds } from '../query/parse'
import { type Registry, surfaceOf } from '../registry'
import type { ColumnsStore } from '../stores/columns/port'
import type { Documents } from '../stores/documents/port'
import { bodyBytesMax } from './body'
import { docsPage, docsPolicy } from './docs-page'
import { answer, examinedMax } from './entities'
import { policiesOf } from './limits'
import { openapiOf } from './openapi'

export interface DiscoveryDeps {
  readonly registry: Registry
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly config: Config
  readonly owner: OwnerContext
}

/** What tells about the product: surface, OpenAPI, the reference page, health, and the feeds of sister processes. */
export function createDiscovery({ registry, documents, columns, config, owner }: DiscoveryDeps) {
  const surface = surfaceOf(registry)
  const limits = {
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
  }
  const surfaceText = bytesOf(JSON.stringify({ ...surface, limits }))
  const openapi = bytesOf(JSON.stringify(openapiOf(registry, config.apiUrl)))
  const page = bytesOf(docsPage({ surface, policies: policiesOf(config), apiUrl: config.apiUrl }))
  return {
    surface: (request: Request) => answer(request, surfaceText, {}),
    openapi: (request: Request) => shared(answer(request, openapi, { 'access-control-allow-origin': '*' })),
    docs(request: Request) {
      const response = shared(answer(request, page, {}))
      if (response.status === 200) response.headers.set('content-type', 'text/html; charset=utf-8')
      for (const [name, value] of Object.entries(docsPolicy)) response.headers.set(name, value)
      return response
    },
    async health() {
      await Promise.all([documents.ping(), columns.ping()])
      return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } })
    },
    async feed(request: Request, name: string) {
      const feed = registry.feeds.get(name)
      const secret = config.RENOWN_INGEST_SECRET
      if (secret === '') throw new Refusal('not_found', 'There is nothing at this address.')
      const token = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
      if (token === undefined || !equalSecrets(token, secret)) {
        throw new Refusal('unauthenticated', 'The ingest secret is required.')
      }
      if (!feed) throw new Refusal('not_found', `There is no feed ${name.slice(0, 80)}.`)
      return answer(request, JSON.stringify(await feed.run(owner)), {})
    },
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Public and the same for everybody. */
function shared(response: Response): Response {
  response.headers.set('cache-control', 'public, max-age=60')
  response.headers.delete('vary')
  return response
}
