import { chmodSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Ingest, readSettings, type Settings, type SitesFeed } from 'renown/contracts'
import { lineWriter } from '../core/cli/print/line-writer'
import { systemTerminal } from '../core/cli/print/terminal'
import { createResolver } from '../core/outbound/fetch/resolver'
import { createSafeFetch } from '../core/outbound/fetch/safe-fetch'
import { systemClock } from '../core/process/clock'
import { lockPart, makeSocketFolder, socketPath } from '../core/process/data-folder'
import { drainMs, openListener } from '../core/process/listeners'
import { createLog } from '../core/process/log'
import { withSettingFiles } from '../core/process/setting-files'
import { createShutdown } from '../core/process/shutdown'
import { joinSupervisor } from '../core/supervise/part'
import { createControl, type IngestReport } from './control/control'
import { createRemoteFlusher } from './flush/remote-flusher'
import { createIngest } from './index'
import { cachedSites } from './sites/sites'

/**
 * The ingest's process of `bun start`. It accepts hits and writes the journal, independently of the gateway's
 * process.
 */
const stopMs = 4_500
const supervisor = joinSupervisor()
const { now } = systemClock
try {
  await run(readSettings(withSettingFiles(process.env)))
  process.exit(0)
} catch (error) {
  process.exit(supervisor.stopping.aborted ? 0 : supervisor.failed(error))
}

async function run(settings: Settings): Promise<void> {
  process.umask(0o077)
  const log = createLog(settings.LOG_LEVEL, lineWriter(systemTerminal()), now)
  process.on('unhandledRejection', (reason) => log.error('unhandled rejection', { error: String(reason) }))
  const shutdown = createShutdown(log, stopMs)
  try {
    const folder = resolve(settings.RENOWN_DATA_DIR)
    shutdown.add('journal lock', await lockPart(folder, 'ingest'))
    const listener = openListener('INGEST_PORT', settings.HOST, settings.INGEST_PORT)
    shutdown.add('ingest port', () => listener.close(1_000))
    supervisor.listening(listener.port)
    const directory = join(folder, 'ingest')
    const made = Promise.withResolvers<Ingest>()
    // If the start fails, nobody may be waiting for this promise.
    made.promise.catch(() => {})
    const remoteFlusher = createRemoteFlusher(now)
    const socket = socketPath(folder, 'ingest.sock')
    makeSocketFolder(socket)
    const sites = listenForNews({
      socket,
      made: made.promise,
      told: remoteFlusher,
      log,
    })
    shutdown.add('control socket', sites.stop)
    const first = await Promise.race([
      cachedSites(directory).then((cached) => cached ?? sites.first),
      supervisor.stopped,
    ])
    if (typeof first === 'string') return
    const ingest = await createIngest({
      settings,
      directory,
      sites: first,
      now,
      log,
      flusher: remoteFlusher.create,
      safeFetch: createSafeFetch({ dns: createResolver({ servers: settings.DNS_SERVERS }), log }),
      // The flusher runs in the gateway's process, which has the store.
      columns: { path: join(folder, 'columns') },
      apiUrl:
        settings.RENOWN_URL || `http://localhost:${settings.PORT || (await supervisor.portOf('gateway'))}`,
      isOneOfMany: settings.INGEST_CLAIMS === 'on' && settings.RENOWN_INGEST_SECRET !== '',
    })
    shutdown.add('ingest', ingest.stop)
    made.resolve(ingest)
    listener.open(ingest.fetch)
    supervisor.ready()
    await supervisor.stopped
    await listener.close(1_000, drainMs)
  } finally {
    await shutdown.run()
  }
}

interface NewsListener {
  readonly socket: string
  readonly made: Promise<Ingest>
  readonly told: ReturnType<typeof createRemoteFlusher>
  readonly log: ReturnType<typeof createLog>
}

/** Listens for the gateway's process. The sites may arrive before the ingest exists. */
function listenForNews({ socket, made, told: remoteFlusher, log }: NewsListener) {
  const first = Promise.withResolvers<SitesFeed>()
  let latest: SitesFeed | undefined
  let ingest: Ingest | undefined
  void made.then(async (ready) => {
    ingest = ready
    if (latest) await ready.setSites(latest)
  })
  const onNews = async (news: IngestReport) => {
    remoteFlusher.report(news)
    if (!news.sites) return
    latest = news.sites
    first.resolve(latest)
    await ingest?.setSites(latest)
  }
  const control = createControl({
    instance: `${process.pid}-${now().getTime()}`,
    ingest: made,
    onReport: onNews,
    log,
  })
  rmSync(socket, { force: true })
  const server = Bun.serve({
    unix: socket,
    maxRequestBodySize: 128 * 2 ** 20,
    fetch(request, self) {
      // Disables the idle timeout, because fetching every address list takes longer.
      self.timeout(request, 0)
      return control(request)
    },
  })
  chmodSync(socket, 0o600)
  return {
    first: first.promise,
    async stop() {
      await server.stop(true)
      rmSync(socket, { force: true })
    },
  }
}
