import { connect } from 'node:net'
import { agentKeys } from '../../core/auth/agent-keys'
import { people } from '../../core/auth/people/plugin'
import { ownerContext } from '../../core/contexts/owner'
import type { AnyEntity, NewRow, Row } from '../../core/contracts/entity'
import type { Dns, Model, Outbound, SafeFetch } from '../../core/contracts/outbound'
import type { PageCounter } from '../../core/contracts/page'
import type { Log, OwnerContext, PluginDeclaration } from '../../core/contracts/plugin'
import { readSettings } from '../../core/contracts/settings'
import type { Connections } from '../../core/contracts/upkeep'
import { oncePer } from '../../core/kit/once-per'
import type { Patience } from '../../core/mcp/long-answer'
import { createOutbound } from '../../core/outbound'
import { closedOutbound } from '../../core/outbound/closed'
import { createReach } from '../../core/outbound/reach'
import { createSecrets } from '../../core/outbound/secrets'
import type { FetchSigner } from '../../core/outbound/signing/fetch-signer'
import { withPorts } from '../../core/process/config'
import { createGateway, type Gateway } from '../../core/product/gateway'
import { gatewayPlugin as gatePlugin } from '../../core/product/gateway-plugin'
import { rights } from '../../core/product/rights-plugin'
import { Agency, tenancy, Workspace } from '../../core/product/tenancy-plugin'
import { asCore } from '../../core/registry/own-context'
import type { Registry } from '../../core/registry/registry'
import type { ColumnsStore } from '../../core/stores/columns/port'
import type { Documents } from '../../core/stores/documents/port'
import { createNotify } from '../../core/tenancy/news/notify'
import { buildPages } from '../../core/web/framework/build-pages'
import { putRow } from './any-state'
import { memoryStores } from './memory-stores'
import { part } from './part'
import { faultsLog } from './quiet-log'
import { sharedRegistry } from './shared-registry'

export interface GateOptions {
  readonly plugins?: readonly PluginDeclaration[]
  /** Settings by environment name. Limits are high unless named here. */
  readonly settings?: Readonly<Record<string, string>>
  readonly documents?: Documents
  readonly columns?: ColumnsStore
  readonly log?: Log
  /** What fetches the addresses that strangers name. */
  readonly safeFetch?: SafeFetch
  /** Publishes keys. Default: there are none. */
  readonly signer?: Pick<FetchSigner, 'directory'>
  /** Hears which feeds have changed. */
  readonly onChanged?: (feed: string) => void
  /** What is found in the DNS; nobody can be asked where it is left out. */
  readonly dns?: Dns
  /** What writes drafts; templates do where it is left out. */
  readonly model?: Model
  /** Reaches the services that the settings name, as the product does; nothing else where it is left out. */
  readonly reaches?: boolean
  /** What pages are told by the counter; it runs elsewhere where it is left out. */
  readonly counter?: PageCounter | null
  /** When a tool call counts as long. */
  readonly patience?: Patience
}

/** An agency with a home workspace, a second one, and its key. */
export interface Tenant {
  readonly agencyId: string
  readonly workspaceId: string
  readonly otherWorkspaceId: string
  readonly key: string
}

export interface AskOptions {
  readonly method?: string
  /** The bearer token; null sends none. The first tenant's where it is left out. */
  readonly key?: string | null
  readonly workspace?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string goes as it is. */
  readonly body?: unknown
  readonly address?: string
}

/** A gate on an in-memory store, with tenants to ask as. */
export interface Gate {
  readonly registry: Registry
  readonly documents: Documents
  readonly owner: OwnerContext
  readonly gateway: Gateway
  /** The tenant one asks as, another agency's, and the platform's own. */
  readonly tenant: Tenant
  readonly stranger: Tenant
  readonly platform: Tenant
  /** The time that the gate believes. Advance it to let windows pass, stop it to reach their last millisecond. */
  readonly clock: { now(): Date; advance(ms: number): void; stop(): void }
  ask(path: string, options?: AskOptions): Promise<Response>
  call(operation: string, body?: unknown, options?: AskOptions): Promise<Response>
  /** Puts a row into a workspace, in any state, as if it had a past. The first tenant's home where none is named. */
  put<E extends AnyEntity>(entity: E, row: NewRow<E>, workspaceId?: string): Promise<Row<E>>
  /** Puts a row of another plugin, by the name of its record type. Throws when no loaded plugin declares it. */
  putForeign(
    entity: string,
    row: Readonly<Record<string, unknown>>,
    workspaceId?: string,
  ): Promise<Row<AnyEntity>>
  /** A real port that answers, for requests that only a raw socket can make. */
  listen(): { readonly port: number; raw(request: string): Promise<string> }
  stop(): Promise<void>
}

const generous = {
  SECRETS_KEY: `test:${'k'.repeat(42)}A`,
  LIMIT_READS_PER_MINUTE: '1000000',
  LIMIT_OPERATIONS_PER_MINUTE: '1000000',
  LIMIT_DRAFTS_PER_MINUTE: '1000000',
  LIMIT_PAGES_PER_MINUTE: '1000000',
  LIMIT_AGENCY_PAGES_PER_MINUTE: '1000000',
  LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: '1000000',
  LIMIT_REGISTRATIONS_PER_HOUR: '1000000',
  LIMIT_AUTHORIZATIONS_PER_15_MINUTES: '1000000',
  LIMIT_TOKENS_PER_MINUTE: '1000000',
  LIMIT_APP_DOCUMENTS_PER_MINUTE: '1000000',
  LIMIT_INBOUND_PER_MINUTE: '1000000',
  LIMIT_PUBLIC_PER_MINUTE: '1000000',
  REQUEST_CPU_MS_PER_SECOND: '0',
}

/** Core's own plugins are marked as such, whether or not a test imports the list of them. */
const markedIfOurs = (plugin: PluginDeclaration): PluginDeclaration =>
  ['inbox', 'jobs', 'proposals'].includes(plugin.name) ? asCore(plugin) : plugin

/** Gates of the same plugins share the built pages, which never change. */
const bundleOf = oncePer(buildPages)

const documentsOf = (registry: Registry) =>
  [...registry.entities.values()].filter(({ store }) => store === 'documents')
const openStore = memoryStores(documentsOf)

/** Starts a gate with these plugins beside core's own, on stores in memory. */
export async function startGate(options: GateOptions = {}): Promise<Gate> {
  const registry = sharedRegistry([
    ...new Set([
      asCore(gatePlugin),
      asCore(tenancy),
      asCore(people),
      asCore(rights),
      ...(options.plugins ?? []).map(markedIfOurs),
    ]),
  ])
  const clock = createTestClock()
  const { log = faultsLog, safeFetch } = options
  const documents = options.documents ?? (await openStore(registry, { now: clock.now, log }))
  const columns = options.columns ?? noColumns
  if (options.documents) await documents.ensure(documentsOf(registry))
  if (options.columns) await columns.ensure([...registry.tables.values()])
  const config = withPorts(
    readSettings({ ...generous, ...options.settings }, Object.fromEntries(registry.settings)),
    3000,
    3001,
  )
  const secrets = createSecrets({ keys: config.SECRETS_KEY, folder: null })
  const { dns, model, counter = null } = options
  const reach = () =>
    createOutbound({
      reach: createReach(clock.now),
      settings: config,
      providers: registry.providers,
      documents,
      clock,
      log,
      folder: '',
      notify: createNotify({ documents, clock }),
      publish: (type, event) => owner.publish(type, event),
    })
  const outbound = {
    ...(options.reaches ? reach() : withStored(reach().connections)),
    secrets,
    ...(dns ? { dns } : {}),
    ...(model ? { model } : {}),
    ...(safeFetch ? { safeFetch } : {}),
  }
  const owner = ownerContext({
    registry,
    documents,
    columns,
    clock,
    log,
    outbound,
    settings: config,
    apiUrl: config.apiUrl,
    readLogSample: async (...of) => (await import('../../ingest/sample/read-sample')).readLogSample(...of),
    onChanged: options.onChanged ?? (() => {}),
  })
  const bundle = await bundleOf(registry)
  const gateway = createGateway({
    registry,
    documents,
    columns,
    config,
    clock,
    log,
    owner,
    bundle,
    counter,
    ...(safeFetch ? { safeFetch } : {}),
    ...(options.signer ? { signer: options.signer } : {}),
    ...(options.patience ? { patience: options.patience } : {}),
  })
  const tenant = await createTenant(owner, documents, clock, false)
  const stranger = await createTenant(owner, documents, clock, false)
  const platform = await createTenant(owner, documents, clock, true)
  const servers: Bun.Server<undefined>[] = []
  const ask: Gate['ask'] = (path, asked = {}) =>
    gateway.fetch(requestOf(path, asked, tenant.key), () => asked.address ?? '203.0.113.7')
  return {
    registry,
    documents,
    owner,
    gateway,
    tenant,
    stranger,
    platform,
    clock,
    ask,
    call: (operation, body = {}, asked = {}) =>
      ask(`/api/functions/${operation}`, { method: 'POST', body, ...asked }),
    put: (entity, row, workspaceId = tenant.workspaceId) =>
      putRow(owner, entity, { ...row, workspace_id: workspaceId }),
    putForeign(name, row, workspaceId = tenant.workspaceId) {
      const entity = registry.entities.get(name)
      if (!entity) throw new Error(`No loaded plugin declares ${name}`)
      return putRow(owner, entity, { ...row, workspace_id: workspaceId })
    },
    listen() {
      const server = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: (request, self) => gateway.fetch(request, () => self.requestIP(request)?.address ?? null),
      })
      servers.push(server)
      const port = server.port ?? 0
      return { port, raw: (text) => rawRequest(port, text) }
    },
    async stop() {
      for (const server of servers) await server.stop(true)
      if (!options.documents) await documents.close()
    },
  }
}

/** Stored accounts need no network, so a gate that reaches nothing finds them too. */
const withStored = ({ get, list }: Connections): Outbound => ({
  ...closedOutbound,
  connections: { ...closedOutbound.connections, get, list },
})

function requestOf(path: string, { method = 'GET', key, workspace, headers, body }: AskOptions, own: string) {
  const all = new Headers(headers)
  if (key !== null && !all.has('authorization')) all.set('authorization', `Bearer ${key ?? own}`)
  if (workspace !== undefined) all.set('x-workspace-id', workspace)
  if (body !== undefined && !all.has('content-type')) all.set('content-type', 'application/json')
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return new Request(`http://localhost:3000${path}`, {
    method,
    headers: all,
    ...(text === undefined ? {} : { body: text }),
  })
}

async function createTenant(
  owner: OwnerContext,
  documents: Documents,
  clock: { now(): Date },
  isPlatform: boolean,
): Promise<Tenant> {
  const agencyId = owner.newId(Agency)
  await owner.rows(Agency).insert({
    id: agencyId,
    workspace_id: agencyId,
    name: isPlatform ? 'Platform' : 'Agency',
    is_platform: isPlatform,
    is_active: true,
  })
  const workspace = async (isHome: boolean) => {
    const id = owner.newId(Workspace)
    await owner.rows(Workspace).insert({
      id,
      workspace_id: id,
      name: isHome ? 'Home' : 'Second',
      agency_id: agencyId,
      is_home: isHome,
      timezone: 'UTC',
      locale: 'en',
      plan: 'standard',
      locations_count: 0,
      active_locations_count: 0,
      is_active: true,
    })
    return id
  }
  const workspaceId = await workspace(true)
  const otherWorkspaceId = await workspace(false)
  const { token } = await agentKeys({ documents, clock }).mint(agencyId)
  return { agencyId, workspaceId, otherWorkspaceId, key: token }
}

/** Real time plus what was added. Once stopped, only what is added. */
function createTestClock() {
  let ahead = 0
  let stoppedAt: number | undefined
  return {
    now: () => new Date((stoppedAt ?? Date.now()) + ahead),
    advance(ms: number) {
      ahead += ms
    },
    stop() {
      stoppedAt ??= Date.now()
    },
  }
}

/** Writes these bytes to a port and answers all that came back. */
function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')))
    socket.setTimeout(45_000, () => socket.destroy(new Error('no answer within 45 s')))
    socket.on('data', (part) => {
      answer += part.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

const noColumns: ColumnsStore = {
  kind: 'chdb',
  // Whether anything was counted can be asked of it: nothing was.
  query: async (sql) => {
    if (sql.includes('EXPLAIN AST ')) return part([{ explain: 'SelectWithUnionQuery' }])
    if (sql.startsWith('SELECT 1 FROM ')) return []
    throw new Error('This gate was started without columns')
  },
  text: () => Promise.reject(new Error('This gate was started without columns')),
  insert: () => Promise.reject(new Error('This gate was started without columns')),
  remove: async () => {},
  removeWhere: async () => {},
  replace: async () => {},
  ensure: async () => {},
  declared: () => undefined,
  written: () => undefined,
  own: (table) => table,
  snapshot: () => Promise.reject(new Error('This gate was started without columns')),
  ping: async () => {},
  close: async () => {},
}
