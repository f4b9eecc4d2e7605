import { join } from 'node:path'
import { type Log, messageOf, readSettings, type Settings, type SitesFeed } from 'renown/contracts'
import { createResolver } from '../core/outbound/fetch/resolver'
import { createSafeFetch } from '../core/outbound/fetch/safe-fetch'
import { systemClock } from '../core/process/clock'
import { lockDataFolder } from '../core/process/data-folder'
import { drainMs, openListener } from '../core/process/listeners'
import { createLog } from '../core/process/log'
import { makeKeyFiles, withSettingFiles } from '../core/process/setting-files'
import { createShutdown, deadlineMs } from '../core/process/shutdown'
import { StartError } from '../core/process/start-error'
import { claimsAtGateway } from './count/claims'
import { pushNewAgents } from './count/push-new-agents'
import { createIngest } from './index'
import { cachedSites, pollSites } from './sites/sites'

/** Time for closing, after the port is drained. Hits not yet written to ClickHouse are in the journal. */
const stopMs = 4_500

const { now } = systemClock
const told = whenToldToStop()
try {
  // For the folder of the keys that it may make.
  process.umask(0o077)
  const made = makeKeyFiles(process.env)
  const settings = readSettings(withSettingFiles(process.env))
  const log = createLog(settings.LOG_LEVEL, (line) => process.stdout.write(`${line}\n`), now)
  process.on('unhandledRejection', (reason) => log.error('unhandled rejection', { error: String(reason) }))
  for (const file of made) log.info('a key was made', { file })
  await run(settings, log)
  process.exit(0)
} catch (error) {
  console.error(messageOf(error))
  process.exit(error instanceof StartError ? 3 : 1)
}

/**
 * Runs the ingest as a separate process until it is stopped. Needs a ClickHouse server, and the gateway for its
 * sites.
 */
async function run(settings: Settings, log: Log): Promise<void> {
  refuseWithout(
    settings,
    'CLICKHOUSE_URL',
    'an embedded ClickHouse can be used only by the processes that `bun start` starts',
  )
  refuseWithout(settings, 'RENOWN_URL', 'the gateway sends the list of sites')
  refuseWithout(
    settings,
    'RENOWN_INGEST_SECRET',
    'the gateway sends the list of sites only to a process with the secret',
  )
  process.umask(0o077)
  const shutdown = createShutdown(log, stopMs)
  try {
    const folder = lockDataFolder(settings.RENOWN_DATA_DIR, 'counting', now())
    shutdown.add('data folder', folder.release)
    const httpListener = openListener('INGEST_PORT', settings.HOST, settings.INGEST_PORT)
    shutdown.add('ingest port', () => httpListener.close(1_000))
    const directory = join(folder.path, 'ingest')
    const sites = watchSites(settings, log)
    shutdown.add('sites', sites.stop)
    // Without the list of sites every token would be refused, and some forwarders drop refused data. So the
    // ingest answers 503 until it has the list.
    const first = await Promise.race([cachedSites(directory).then((cached) => cached ?? sites.first), told])
    if (typeof first === 'string') return
    const { CLICKHOUSE_URL: clickhouse, CLICKHOUSE_CLUSTER: cluster } = settings
    const columns = cluster === '' ? { url: clickhouse } : { url: clickhouse, cluster }
    const ingest = await createIngest({
      settings,
      columns,
      directory,
      sites: first,
      now,
      log,
      claim: claimsOf(settings),
      safeFetch: createSafeFetch({ dns: createResolver({ servers: settings.DNS_SERVERS }), log }),
    })
    shutdown.add('counter', ingest.stop)
    const { RENOWN_URL: url, RENOWN_INGEST_SECRET: secret } = settings
    const pushing = pushNewAgents(ingest, { url, secret, fetch, log })
    shutdown.add('new agents', async () => pushing.stop())
    sites.watch(ingest.setSites)
    httpListener.open(ingest.fetch)
    log.info('ready', { ingest_url: `http://${settings.HOST}:${httpListener.port}` })
    log.info('stopping', { because: await told })
    // While the journal still takes hits, so that a balancer notices before anything is refused.
    await httpListener.close(1_000, drainMs)
  } finally {
    await shutdown.run()
  }
}

function refuseWithout(
  settings: Settings,
  name: 'CLICKHOUSE_URL' | 'RENOWN_URL' | 'RENOWN_INGEST_SECRET',
  why: string,
) {
  if (settings[name] === '') throw new StartError(`A separate ingest process needs ${name}: ${why}.`)
}

function claimsOf({ INGEST_CLAIMS: wanted, RENOWN_URL: url, RENOWN_INGEST_SECRET: secret }: Settings) {
  return wanted === 'on' ? claimsAtGateway({ url, secret, fetch }) : undefined
}

function watchSites(settings: Settings, log: Log) {
  const first = Promise.withResolvers<SitesFeed>()
  let latest: SitesFeed | undefined
  let listener: ((feed: SitesFeed) => void) | undefined
  const polling = pollSites({
    url: settings.RENOWN_URL,
    secret: settings.RENOWN_INGEST_SECRET,
    fetch,
    log,
    onFeed(feed) {
      latest = feed
      first.resolve(feed)
      listener?.(feed)
    },
  })
  return {
    first: first.promise,
    watch(next: (feed: SitesFeed) => void) {
      listener = next
      if (latest) next(latest)
    },
    stop: () => polling.stop(),
  }
}

/** Resolves on SIGTERM or SIGINT. Either may come twice. */
function whenToldToStop(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      resolve(signal)
      setTimeout(() => process.exit(1), deadlineMs).unref()
    })
  }
  return promise
}
