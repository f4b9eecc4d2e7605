import { resolve } from 'node:path'
import { ownerContext } from '../contexts/owner'
import { messageOf } from '../contracts/errors'
import type { ReadLogSample } from '../contracts/log-mapping'
import type { OwnerContext, PluginDeclaration, TableDeclaration } from '../contracts/plugin'
import { createStallWatch, type StallWatch } from '../contracts/stalls'
import { hitsTable, type Ingest, touchedTable } from '../contracts/traffic'
import { findDemo } from '../demo/create'
import { ensureDemo, type InstalledDemo } from '../demo/ensure-demo'
import { freeLeases } from '../jobs/lease'
import { startJobs } from '../jobs/scheduler'
import { startWorker, type Worker } from '../jobs/worker'
import { createOutbound } from '../outbound'
import { createReach, type Reach } from '../outbound/reach'
import { createFetchSigner, type FetchSigner } from '../outbound/signing/fetch-signer'
import { type Config, withPorts } from '../process/config'
import { type DataFolder, holderOf, lockDataFolder, socketPath } from '../process/data-folder'
import { drainMs, type RequestHandler } from '../process/listeners'
import { closingMs, createShutdown, type Shutdown } from '../process/shutdown'
import { StartError } from '../process/start-error'
import { version } from '../process/version'
import { createRegistry, type Registry } from '../registry/registry'
import type { ColumnsStore } from '../stores/columns/port'
import type { Documents } from '../stores/documents/port'
import { columnsTarget, openColumnStore, openDocuments } from '../stores/open'
import { tracedColumns, tracedDocuments } from '../stores/traced-stores'
import { madeUp } from '../tenancy/made-up'
import { createNotify } from '../tenancy/news/notify'
import { createWorkedOn } from '../tenancy/worked-on'
import { createTransfer } from '../transfer'
import { setPersonRights } from '../transfer/person'
import { readNote } from '../transfer/person/note'
import { buildPages } from '../web/framework/build-pages'
import { isTraced } from '../work/traces'
import { type AdminFetch, createAdmin, listenAdmin } from './admin'
import { runChecks } from './checks/checks'
import { withCore } from './core-plugins'
import { recordVersion, refuseDowngrade } from './data-version'
import { type FirstRun, firstRunOnce } from './first-run'
import { createGateway } from './gateway'
import { createIngestHost, flushHits, type IngestHost } from './ingest-host'
import { checkPlugins, createInstalledPlugins } from './installed-plugins'
import { migrate } from './migrate'
import { ingestPortOf, type Listeners, openListeners } from './ports'
import { reseal } from './reseal'
import type { ServeDeps } from './serve-deps'
import { createWorkMetrics } from './work-metrics'
import { createWorkerFront } from './worker-front'

export interface Product {
  /** The configuration with the real ports. */
  readonly config: Config
  readonly first: FirstRun | null
  /** The demo in the stores. It has its key only on the start that created it. */
  readonly demo: InstalledDemo | null
  /** The admin interface, in process. */
  readonly admin: AdminFetch
  /** Flushes and closes everything in reverse order, within `closingMs`. */
  stop(): Promise<void>
}

/** How long running requests of the gateway may take after its port is drained. Pages and tools need seconds on a busy machine. */
const runningMs = 3_000

/** Creates the product: folder, ports, stores, migrations, first start, gateway, ingest, jobs, command socket. */
export async function serve(
  plugins: readonly PluginDeclaration[],
  config: Config,
  deps: ServeDeps,
): Promise<Product> {
  const shutdown = createShutdown(deps.log, closingMs)
  try {
    return await assemble(plugins, config, deps, shutdown)
  } catch (error) {
    await shutdown.run()
    throw error
  }
}

async function assemble(
  plugins: readonly PluginDeclaration[],
  settings: Config,
  deps: ServeDeps,
  shutdown: Shutdown,
): Promise<Product> {
  const { clock, log, listen = true } = deps
  const registry = registryOf(plugins)
  const folder = await takeFolder(settings.RENOWN_DATA_DIR, deps)
  shutdown.add('data folder', folder.release)
  const doors = listen ? openListeners(settings, deps.supervisor, shutdown) : null
  const config = doors
    ? withPorts(settings, doors.api.port, await ingestPortOf(doors, settings, deps))
    : settings
  const stores = await openStores(registry, config, folder, deps, shutdown)
  await checkPlugins({ registry, ...stores, now: clock.now }, deps.allowsMissingPlugins ?? false)
  const ingestHost = createIngestHost({ registry, config, folder: folder.path, deps, shutdown })
  const work: { worker?: Worker } = {}
  const reach = createReach(clock.now)
  const signer = createFetchSigner({
    origin: config.RENOWN_URL,
    secrets: config.SECRETS_KEY,
    folder: stores.documents.kind === 'sqlite' ? folder.path : null,
    now: clock.now,
  })
  const owner = ownerContext({
    registry,
    ...stores,
    clock,
    log,
    apiUrl: config.apiUrl,
    ingestUrl: config.ingestUrl,
    outbound: createOutbound({
      reach,
      settings: config,
      providers: registry.providers,
      documents: stores.documents,
      clock,
      log,
      folder: folder.path,
      signer,
      notify: createNotify({ documents: stores.documents, clock }),
      publish: (type, event) => owner.publish(type, event),
    }),
    settings: config,
    onEnqueued: () => work.worker?.wake(),
    onChanged: (feed) => ingestHost.changed(owner, feed),
    flushHits: () => flushHits(config, folder.path, () => ingestHost.get(owner)),
    ...logReader(deps),
  })
  // Previous holders of leases have ended, because this process holds the lock of the folder.
  if (stores.documents.kind === 'sqlite') await freeLeases(stores.documents)
  await migrate({ registry, documents: stores.documents, owner, clock, log })
  await recordVersion({ registry, documents: stores.documents, clock })
  const rights = setPersonRights({
    registry,
    ...stores,
    owner,
    clock,
    folder: folder.path,
  })
  await rights.applyNote(readNote(folder.path))
  const called = config.RENOWN_ROLE === 'worker' ? 'worker' : 'gateway'
  const stalls = createStallWatch({ part: 'gateway', called, now: clock.now, log })
  const parts: Parts = {
    registry,
    config,
    folder,
    ...stores,
    owner,
    counter: ingestHost,
    work,
    stalls,
    signer,
    reach,
    deps,
  }
  const admin = adminOf(parts)
  const opened = doors ? await openToTheWorld(parts, doors, admin, shutdown) : null
  const { first = null, demo = null } = opened ?? {}
  return { config, first, demo, admin, stop: () => shutdown.run() }
}

/** Loads the reader of log samples when it is first needed. */
const logReader = ({ loadLogReader: load }: ServeDeps) =>
  load ? { readLogSample: async (...of: Parameters<ReadLogSample>) => (await load())(...of) } : {}

function registryOf(plugins: readonly PluginDeclaration[]): Registry {
  try {
    return createRegistry(withCore(plugins))
  } catch (error) {
    throw new StartError(messageOf(error))
  }
}

/** Locks the data folder. Waits if a command uses it. */
async function takeFolder(directory: string, deps: ServeDeps): Promise<DataFolder> {
  const { clock, log, listen = true, signal, supervisor } = deps
  if (supervisor) return heldBySupervisor(directory)
  for (let said = false; ; said = true) {
    try {
      return lockDataFolder(directory, listen ? 'serving' : commandDoing, clock.now())
    } catch (error) {
      const isCommand = holderOf(directory)?.doing === commandDoing
      if (!listen || !isCommand || signal?.aborted) throw error
      if (!said)
        log.warn('waiting for a command that uses the data folder', { pid: holderOf(directory)?.pid })
      await Bun.sleep(200)
    }
  }
}

const commandDoing = 'running a command'

const heldBySupervisor = (directory: string): DataFolder => ({
  path: resolve(directory),
  socket: socketPath(directory),
  release() {},
})

interface Parts {
  readonly registry: Registry
  readonly config: Config
  readonly folder: DataFolder
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly owner: OwnerContext
  readonly counter: IngestHost
  /** The queues' worker, once the product serves. */
  readonly work: { worker?: Worker }
  readonly stalls: StallWatch
  readonly reach: Reach
  /** Signs requests to websites. */
  readonly signer: FetchSigner
  readonly deps: ServeDeps
}

async function openStores(
  registry: Registry,
  config: Config,
  folder: DataFolder,
  { clock, log, signal, listen = true }: ServeDeps,
  shutdown: Shutdown,
) {
  const tools = { log, now: clock.now, isPatient: listen, ...(signal ? { signal } : {}) }
  const documents = await openDocuments(config, folder.path, tools)
  shutdown.add('documents', () => documents.close())
  const columns = await openColumnStore(columnsTarget(config, folder.path), tools)
  shutdown.add('columns', () => columns.close())
  await refuseDowngrade({ registry, documents, clock })
  await documents.ensure([...registry.entities.values()].filter(({ store }) => store === 'documents'))
  await columns.ensure(tablesOf(registry, config))
  return isTraced()
    ? { documents: tracedDocuments(documents), columns: tracedColumns(columns) }
    : { documents, columns }
}

/** Returns the ingest's own tables, and those that plugins declare. */
function tablesOf(registry: Registry, config: Config): TableDeclaration[] {
  const own: readonly TableDeclaration[] = [keptHits(config), touchedTable]
  return [...new Map([...own.map((table) => [table.name, table] as const), ...registry.tables]).values()]
}

/** The table of summed hits, with its expiry. */
const keptHits = ({ HITS_KEPT_DAYS: days }: Config): TableDeclaration =>
  days === 0 ? hitsTable : { ...hitsTable, ttl: `date + toIntervalDay(${days})` }

/**
 * Opens the ports and runs the first start. The first start comes after everything that can fail, because its
 * secrets are shown only once. A worker has neither pages nor a first start, and a gateway of its own has no jobs.
 */
async function openToTheWorld(parts: Parts, doors: Listeners, admin: AdminFetch, shutdown: Shutdown) {
  const { config, owner, counter: ingestHost, folder, stalls } = parts
  const role = config.RENOWN_ROLE
  const ingest = config.RENOWN_INGEST === 'on' ? await ingestHost.get(owner) : null
  const front =
    role === 'worker'
      ? createWorkerFront({ ...parts, workMetrics: workMetricsOf(parts) })
      : await gatewayFront(parts, ingest)
  const socket = listenAdmin(folder.socket, admin)
  shutdown.add('command socket', () => socket.stop())
  const found = role === 'worker' ? null : await firstStart(parts)
  // The first run may have made a site. Its token must be known before anybody gets it.
  if (ingest) await ingestHost.tell(owner)
  const ends = role === 'gateway' ? [] : startBackground(parts, shutdown)
  stalls.start()
  shutdown.add('stall watch', stalls.stop)
  if (ingest?.fetch) doors.ingest?.open(ingest.fetch)
  doors.api.open(front)
  shutdown.add('open ports', () => {
    // Work in the background ends while the ports drain, so that a stop takes no longer for both.
    for (const end of ends) void end()
    return Promise.all([doors.api.close(runningMs, drainMs), doors.ingest?.close(1_000, drainMs)])
  })
  return found
}

const workMetricsOf = ({ documents, folder, deps }: Parts) =>
  createWorkMetrics({ documents, now: deps.clock.now, folder: folder.path })

/** Answers requests for pages and the API. */
async function gatewayFront(parts: Parts, ingest: Ingest | null): Promise<RequestHandler> {
  const { registry, documents, columns, config, owner, stalls, signer, reach, deps } = parts
  const gateway = createGateway({
    registry,
    documents,
    columns,
    config,
    clock: deps.clock,
    log: deps.log,
    owner,
    bundle: await buildPages(registry),
    stalls,
    signer,
    reach,
    workMetrics: workMetricsOf(parts),
    counter: ingest && {
      signals: ingest.signals,
      ranges: ingest.ranges.status,
      refreshRanges: ingest.ranges.refresh,
      flush: ingest.flush,
    },
  })
  return (request, peer) => gateway.fetch(request, () => peer(request))
}

/** Creates what an installation begins with, and the demo if it is wanted. */
async function firstStart({ registry, documents, owner, deps }: Parts) {
  const { siteDomain = madeUp.domain, demo: wanted = false, clock } = deps
  const first = await firstRunOnce({ owner, clock, documents, siteDomain })
  const demo = await ensureDemo({
    owner,
    plugins: [...registry.plugins.values()],
    wanted,
    ...(deps.onDemoProgress && { tell: deps.onDemoProgress }),
  })
  return { first, demo }
}

/** Starts tasks and queues. Returns what ends them. */
function startBackground(parts: Parts, shutdown: Shutdown): (() => Promise<void>)[] {
  const { registry, documents, owner } = parts
  const { clock, log } = parts.deps
  const jobs = startJobs({ registry, documents, owner, clock, log })
  const endJobs = once(jobs.stop)
  shutdown.add('jobs', endJobs)
  const { isWorkedOn } = createWorkedOn(documents)
  const worker = startWorker({ queues: registry.queues, documents, owner, clock, log, isWorkedOn })
  parts.work.worker = worker
  const endQueues = once(worker.stop)
  shutdown.add('queues', endQueues)
  return [endJobs, endQueues]
}

/** Stops something once, however often it is asked to. */
function once(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined
  return () => {
    stopping ??= stop()
    return stopping
  }
}

/** How long the status waits for the documents. */
const statusMs = 700

/** What the status says of the documents. A store that is away never holds it up. */
async function storeFacts(owner: OwnerContext) {
  const late = Bun.sleep(statusMs).then(() => 'late' as const)
  const demo = await Promise.race([findDemo(owner), late]).catch(() => 'away' as const)
  const isKnown = demo !== 'late' && demo !== 'away'
  return { documents_answer: isKnown, demo_data: isKnown ? demo !== null : null }
}

function adminOf(parts: Parts): AdminFetch {
  const {
    registry,
    config,
    folder,
    documents,
    columns,
    owner,
    counter: ingestHost,
    stalls,
    signer,
    deps,
  } = parts
  const started = deps.clock.now()
  const ingest = () => ingestHost.get(owner)
  return createAdmin({
    commands: registry.commands,
    registry,
    owner,
    signer,
    reseal: () => reseal({ registry, documents, secrets: owner.outbound.secrets, clock: deps.clock }),
    log: deps.log,
    ingest,
    ...(deps.loadCommandLine ? { loadCommandLine: deps.loadCommandLine } : {}),
    sites: () => ingestHost.sites(owner),
    status: async () => ({
      version,
      pid: deps.supervisor?.pid ?? process.pid,
      started_at: started.toISOString(),
      api_url: config.apiUrl,
      ingest_url: config.ingestUrl,
      data_dir: folder.path,
      documents: documents.kind,
      columns: columns.kind,
      ...(await storeFacts(owner)),
    }),
    checks: () => {
      const providers = [...registry.plugins.values()].filter(({ provides = [] }) =>
        provides.some(({ point }) => point === 'reviews.source'),
      )
      const sourceSettings = new Set(
        providers.flatMap(({ settings }) => Object.keys(settings?.declared ?? {})),
      )
      return runChecks({
        documents,
        columns,
        ingest,
        owner,
        folder: folder.path,
        now: deps.clock.now,
        outbound: owner.outbound,
        pluginSettings: Object.fromEntries(
          Object.entries(config).filter(([name]) => sourceSettings.has(name)),
        ),
        restarts: deps.supervisor?.restarts ?? (() => ({})),
        stalls: stalls.read,
      })
    },
    plugins: createInstalledPlugins({ registry, documents, columns, now: deps.clock.now }),
    transfer: createTransfer({
      registry,
      tables: tablesOf(registry, config),
      documents,
      columns,
      owner,
      clock: deps.clock,
      folder: folder.path,
    }),
  })
}
