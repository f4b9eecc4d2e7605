import { randomBytes } from 'node:crypto'
import type { ReviewedLocation, SourceTask } from 'renown/reviews'
import type { Extension, ExtensionPoint } from '../../core/contracts/extension'
import type { SafeFetch } from '../../core/contracts/outbound'
import type { OwnerContext, PluginDeclaration } from '../../core/contracts/plugin'
import { readSettings } from '../../core/contracts/settings'
import { createAskService } from '../../core/outbound/ask-service'
import { Connection } from '../../core/outbound/Connection'
import { createConnections, tokenSecretField } from '../../core/outbound/connections'
import { createCorrect, createSpend } from '../../core/outbound/limits/allowance'
import { createSecrets } from '../../core/outbound/secrets'
import { corePlugins } from '../../core/product/core-plugins'
import { createRegistry } from '../../core/registry/registry'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { builtin } from '../../plugins'
import { standInFetch } from './stand-in-fetch'
import { type Workbench, workbench } from './workbench'

/** What a conformance suite needs to load a plugin beside a stand-in of its platform. */
export interface PlatformSetup {
  readonly plugin: PluginDeclaration
  /** Further plugins that it needs, beside those in the box. */
  readonly with?: readonly PluginDeclaration[]
  /** Settings by environment name. Let addresses name hosts that only the stand-in answers. */
  readonly settings?: Readonly<Record<string, string>>
  /** The account that it reads with. */
  readonly connection?: {
    readonly provider: string
    readonly account_id: string
    readonly refresh_token?: string
    readonly access_token?: string
  }
  /** Requests that are not for data, such as those for tokens. The suite never changes their answers. */
  isSetup?(request: Request): boolean
  /** Answers requests for addresses that strangers gave. Without it, each of them throws. */
  readonly safeFetch?: SafeFetch
  /** Whether the stand-in also answers requests for addresses that strangers gave. */
  readonly isSafelyFetched?: true
}

/** What a conformance suite needs to drive an implementation of an extension point. */
export interface SourceSetup extends PlatformSetup {
  /** Name of the implementation. */
  readonly name: string
  /** Fields of a location that the implementation reads. */
  readonly location: Readonly<Record<string, unknown>>
}

/** Changes the answer to the nth request for data, counted from one. */
export type Meddler = (honest: Response, nth: number, request: Request) => Response | Promise<Response>

/** A workspace with a network that only the stand-in answers. */
export interface PlatformWorld {
  readonly bench: Workbench
  readonly ctx: OwnerContext
  readonly workspace_id: string
  /** Id of the connection of the setup; empty where it names none. */
  readonly connectionId: string
  /** Requests for data since the last `meddle`. */
  readonly asked: { count: number }
  /** Changes all answers from now on; null leaves them as they are. */
  meddle(meddler: Meddler | null): void
  stop(): Promise<void>
}

/** An implementation with a location to read, and a network that only the stand-in answers. */
export interface SourceWorld<T> extends PlatformWorld {
  readonly extension: T
  readonly location: ReviewedLocation
  /** A job's task that keeps what it saves. */
  task(attempt?: number, saved?: SourceTask['saved'], signal?: AbortSignal): SourceTask
}

/** Builds the world of a suite about an extension point. Call `stop` at the end. */
export async function sourceWorld<T extends Extension>(
  point: ExtensionPoint<T>,
  setup: SourceSetup,
  fetchFrom: (request: Request) => Promise<Response>,
): Promise<SourceWorld<T>> {
  const { plugin, name } = setup
  const world = await platformWorld(setup, fetchFrom)
  const location = await world.ctx.rows(BusinessLocation).insert({
    workspace_id: world.workspace_id,
    business_name: 'Acme',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
    ...setup.location,
  })
  const extension = world.ctx.extensions(point).find((one) => one.name === name)
  if (!extension) throw new Error(`The plugin ${plugin.name} provides no ${point.id} named ${name}`)
  return {
    ...world,
    extension,
    location,
    task(attempt = 1, saved = {}, signal = new AbortController().signal) {
      const task = {
        attempt,
        signal,
        saved,
        async save(state: SourceTask['saved']) {
          task.saved = state
        },
      }
      return task
    },
  }
}

/** Builds a workspace with the plugin, whose requests the stand-in answers. Call `stop` at the end. */
export async function platformWorld(
  setup: PlatformSetup,
  fetchFrom: (request: Request) => Promise<Response>,
): Promise<PlatformWorld> {
  const { plugin, settings = {}, isSetup = () => false } = setup
  const asked = { count: 0 }
  const held: { meddler: Meddler | null } = { meddler: null }
  const clock = { now: () => bench.now }
  const secrets = createSecrets({ keys: [`k1:${randomBytes(32).toString('base64url')}`], folder: null })
  const fetch = async (url: string, init: RequestInit) => {
    const request = new Request(url, init)
    init.signal?.throwIfAborted()
    if (isSetup(request)) return fetchFrom(request)
    const nth = ++asked.count
    const honest = await fetchFrom(new Request(request))
    return held.meddler ? held.meddler(honest, nth, request) : honest
  }
  const ask = createAskService({ now: clock.now, fetch })
  const all = new Set([...corePlugins, ...builtin, ...(setup.with ?? []), plugin])
  const registry = createRegistry([...all])
  const values = readSettings(settings, Object.fromEntries(registry.settings))
  const bench: Workbench = await workbench(
    [...all],
    (documents) => ({
      ask,
      secrets,
      spend: createSpend({ documents, clock }),
      correct: createCorrect({ documents, clock }),
      ...(setup.safeFetch ? { safeFetch: setup.safeFetch } : {}),
      ...(setup.isSafelyFetched ? { safeFetch: standInFetch(fetch) } : {}),
      connections: createConnections({
        documents,
        clock,
        secrets,
        ask,
        notify: async () => {},
        publish: async () => {},
        providers: registry.providers,
        settings: values,
      }),
    }),
    { settings },
  )
  const { owner } = bench
  const { workspace_id = '' } = await bench.command('agency create', { name: 'Acme' })
  const connectionId = setup.connection ? await connect(bench, secrets, workspace_id, setup.connection) : ''
  return {
    bench,
    ctx: owner,
    workspace_id,
    connectionId,
    asked,
    meddle(meddler) {
      held.meddler = meddler
      asked.count = 0
    },
    stop: () => bench.stop(),
  }
}

async function connect(
  { owner }: Workbench,
  secrets: ReturnType<typeof createSecrets>,
  workspace_id: string,
  { provider, account_id, refresh_token, access_token }: NonNullable<PlatformSetup['connection']>,
): Promise<string> {
  const rows = owner.rows(Connection)
  const row = await rows.insert({ workspace_id, provider, account_id, state: 'connected' })
  await rows.update(row.id, {
    ...(refresh_token
      ? { refresh_token: secrets.seal(refresh_token, tokenSecretField(row, 'refresh_token')) }
      : {}),
    ...(access_token
      ? { access_token: secrets.seal(access_token, tokenSecretField(row, 'access_token')) }
      : {}),
  })
  return row.id
}

/** Faults of a network and of a service that pass by themselves. */
export const passingFaults: Readonly<Record<string, Meddler>> = {
  'status 429': () => new Response('{}', { status: 429 }),
  'status 500': () => new Response('{}', { status: 500 }),
  'status 502 with HTML': () => new Response('<html>Bad Gateway</html>', { status: 502 }),
  'status 503': () => new Response('', { status: 503 }),
  'a connection that breaks': () => {
    throw new TypeError('The connection was closed')
  },
}
