import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyEntity } from '../../core/contracts/entity'
import { withCore } from '../../core/product/core-plugins'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { Workspace } from '../../core/tenancy/Workspace'
import { builtin } from '../../plugins'
import { BrandTracker } from '../../plugins/leads/records/BrandTracker'
import { Lead } from '../../plugins/leads/records/Lead'
import { Review } from '../../plugins/reviews/records/Review'
import { AiTrafficSite } from '../../plugins/traffic/records/AiTrafficSite'
import { type ProductFacts, type RunningProduct, startProduct } from './product'
import { quietLog as log } from './quiet-log'
import { sharedRegistry } from './shared-registry'
import { passTime } from './wait-for'

type Document = Readonly<Record<string, unknown>> & { readonly id: string }

/** How many rows of a record type each client has. */
const rowsEach: readonly (readonly [AnyEntity, number])[] = [
  [BusinessLocation, 1],
  [Review, 60],
  [Lead, 10],
  [BrandTracker, 1],
  [AiTrafficSite, 1],
]

/** Limits that no load of a test reaches, and no requests to other machines. */
const env = {
  RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
  LOG_LEVEL: 'error',
  LIMIT_READS_PER_MINUTE: '1000000',
  LIMIT_OPERATIONS_PER_MINUTE: '1000000',
  REQUEST_CPU_MS_PER_SECOND: '0',
}

/** An installation with many clients that runs, and what users ask it. */
export interface BusyInstallation {
  readonly product: RunningProduct
  /** What the first start said, with its secrets. */
  readonly first: ProductFacts
  /** An id of each record type that the installation has rows of, by the prefix of its ids. */
  readonly ids: ReadonlyMap<string, string>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts the product with the demo and so many clients. Each client has copies of the rows of one of the demo's businesses. */
export async function startBusy(clients: number): Promise<BusyInstallation> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-busy-'))
  const dataDir = join(folder, 'data')
  const made = await startProduct({ env, words: ['--demo'], dataDir, startMs: 180_000 })
  const first = made.facts
  await made.stop()
  const ids = await addClients(dataDir, first.agency_id, clients)
  const product = await startProduct({ env, dataDir, startMs: 180_000 })
  return {
    product,
    first,
    ids,
    async [Symbol.asyncDispose]() {
      await product[Symbol.asyncDispose]()
      await made[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function addClients(dataDir: string, agencyId: string, clients: number) {
  const documents = await openSqlite({
    path: join(dataDir, 'documents.sqlite'),
    now: () => new Date(),
    log,
  })
  const registry = sharedRegistry(withCore(builtin))
  await documents.ensure([...registry.entities.values()].filter(({ store }) => store === 'documents'))
  const ids = new Map<string, string>()
  const rowsOf = async (entity: AnyEntity, limit: number) =>
    (await documents
      .collection(entity)
      .find({ where: { op: 'and', of: [] }, limit })) as unknown as readonly Document[]
  try {
    for (const entity of registry.entities.values()) {
      if (entity.store !== 'documents') continue
      const [any] = await rowsOf(entity, 1)
      if (any && !ids.has(entity.idPrefix)) ids.set(entity.idPrefix, any.id)
    }
    const patterns = await Promise.all(
      rowsEach.map(async ([entity, count]) => ({ entity, rows: await rowsOf(entity, count) })),
    )
    const [home] = await rowsOf(Workspace, 1)
    for (let from = 0; from < clients; from += 25) {
      const numbers = Array.from({ length: Math.min(25, clients - from) }, (_, place) => from + place)
      const workspaces = numbers.map((number) => ({
        ...home,
        id: idOf('wsp', number, 0),
        name: `Client ${number}`,
        agency_id: agencyId,
        is_home: false,
        is_demo: false,
      }))
      await documents.collection(Workspace).insertMany(workspaces as never)
      for (const { entity, rows } of patterns) {
        const copies = numbers.flatMap((number) =>
          rows.map((row, place) => copyOf(entity, row, number, place)),
        )
        const { failures } = await documents.collection(entity).insertMany(copies as never)
        if (failures[0]) throw failures[0].error
      }
    }
    const [review] = patterns.find(({ entity }) => entity === Review)?.rows ?? []
    for (let place = 1_000; review && place < scannedReviews; place += 500) {
      const copies = Array.from({ length: 500 }, (_, next) => ({
        ...copyOf(Review, review, 0, place + next),
        source_id: `scanned ${place + next}`,
      }))
      await documents.collection(Review).insertMany(copies as never)
    }
    ids.set('wsp', idOf('wsp', 0, 0))
    for (const [entity] of rowsEach) ids.set(entity.idPrefix, idOf(entity.idPrefix, 0, 0))
    ids.set('agc', agencyId)
  } finally {
    await documents.close()
  }
  return ids
}

/** Reviews of the first client, which has more than all others: users scan them. */
const scannedReviews = 4_000

const idOf = (prefix: string, number: number, place: number) =>
  `${prefix}_${`${number}`.padStart(13, '0')}${`${place}`.padStart(13, '0')}`

function copyOf(entity: AnyEntity, row: Document, number: number, place: number): Document {
  return {
    ...row,
    id: idOf(entity.idPrefix, number, place),
    workspace_id: idOf('wsp', number, 0),
    ...('location_id' in row ? { location_id: idOf('loc', number, 0) } : {}),
    ...('site_key' in row ? { site_key: `key${number}`, domain: `client-${number}.example` } : {}),
    ...('mention_id' in row ? { mention_id: `men_${number}_${place}` } : {}),
    ...('is_demo' in row ? { is_demo: false } : {}),
  }
}

/** What users ask at the same time, each so often at once. */
const crowd = { scan: 24, list: 8, mcp: 8, comparison: 2, sync: 4 } as const

/** The requests of users that were answered so far, and those that wait. */
export interface Crowd {
  answered(): number
  waiting(): number
  readonly statuses: ReadonlyMap<string, number>
  end(): Promise<void>
}

/** Lets users ask all that is slow, again and again, until it is ended. It ends by itself after a while. */
export function startCrowd({ product, first, ids }: BusyInstallation, forMs: number): Crowd {
  const statuses = new Map<string, number>()
  const until = performance.now() + forMs
  const state = { isOver: false, answered: 0, waiting: 0 }
  const origin = product.facts.api_url
  const headers = { authorization: `Bearer ${first.agent_key}` }
  const json = {
    ...headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  let turn = 0
  const post = (path: string, body: unknown) =>
    fetch(`${origin}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) })
  const scanned = { ...headers, 'x-workspace-id': ids.get('wsp') ?? '' }
  const asks: Readonly<Record<keyof typeof crowd, () => Promise<Response>>> = {
    scan: () =>
      fetch(
        `${origin}/api/entities/Review?q=${encodeURIComponent(
          JSON.stringify({ review_text: { $contains: `nowhere to be found ${turn++}` } }),
        )}`,
        { headers: scanned },
      ),
    list: () => fetch(`${origin}/api/entities/Review?limit=1000`, { headers: scanned }),
    mcp: () =>
      post('/api/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_records', arguments: { entity: 'Review', limit: 100 } },
      }),
    comparison: () => post('/api/functions/compareWorkspaces', {}),
    sync: () => post('/api/functions/getActiveSyncs', {}),
  }
  const knock = async (name: keyof typeof crowd) => {
    while (!state.isOver && performance.now() < until) {
      state.waiting++
      const status = await asks[name]()
        .then(async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        })
        .catch(() => 0)
      state.waiting--
      state.answered++
      const key = `${name} ${status}`
      statuses.set(key, (statuses.get(key) ?? 0) + 1)
      if (status !== 200) await passTime(100)
    }
  }
  const all = Object.entries(crowd).flatMap(([name, count]) =>
    Array.from({ length: count }, () => knock(name as keyof typeof crowd)),
  )
  return {
    answered: () => state.answered,
    waiting: () => state.waiting,
    statuses,
    async end() {
      state.isOver = true
      await Promise.all(all)
    },
  }
}
