import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../contracts/errors'
import type { OwnerContext } from '../contracts/plugin'
import type { ClaimBatches, ClaimsFeed, Ingest, SitesFeed } from '../contracts/traffic'
import type { Config } from '../process/config'
import { lockPart } from '../process/data-folder'
import type { Shutdown } from '../process/shutdown'
import { StartError } from '../process/start-error'
import type { Registry } from '../registry/registry'
import { columnsTarget } from '../stores/open'
import { collectNewAgents } from './new-agents'
import type { ServeDeps } from './serve-deps'

/** The ingest of this process, created when it is first needed and notified of every change to sites. */
export interface IngestHost {
  get(owner: OwnerContext): Promise<Ingest>
  sites(owner: OwnerContext): Promise<SitesFeed>
  /** Sends the sites, and resolves when the ingest knows them. Only logs if that fails: they are sent again every second. */
  tell(owner: OwnerContext): Promise<void>
  /** A feed's answer has changed. */
  changed(owner: OwnerContext, feed: string): void
}

interface IngestHostDeps {
  readonly registry: Registry
  readonly config: Config
  readonly folder: string
  readonly deps: ServeDeps
  readonly shutdown: Shutdown
}

/** The feed that the ingest's contract names. */
const sitesFeed = 'sites'
const claimsFeed = 'claims'
/** How often sites are read if other processes may write to the same documents. */
const tellEveryMs = 1_000

export function createIngestHost({ registry, config, folder, deps, shutdown }: IngestHostDeps): IngestHost {
  let making: Promise<Ingest> | null = null
  const isShared = config.MONGODB_URI !== ''
  const sites = async (owner: OwnerContext) => {
    const feed = registry.feeds.get(sitesFeed)
    return feed ? ((await feed.run(owner, undefined, 'own')) as SitesFeed) : { sites: [] }
  }
  const make = async (owner: OwnerContext) => {
    const createIngest = await deps.loadIngest()
    // With a supervisor, another process has the journal.
    if (!deps.supervisor || config.RENOWN_INGEST === 'off') {
      shutdown.add('journal lock', await lockPart(folder, 'ingest'))
    }
    const ingest = await createIngest({
      settings: config,
      columns: columnsTarget(config, folder),
      directory: join(folder, 'ingest'),
      sites: await sites(owner),
      now: deps.clock.now,
      log: deps.log,
      apiUrl: config.apiUrl,
      claim: claimOf(registry, config, owner),
      safeFetch: owner.outbound.safeFetch,
    }).catch((error: unknown) => {
      throw new StartError(`The ingest cannot start: ${messageOf(error)}`)
    })
    shutdown.add('counter', () => ingest.stop())
    // Sends the sites again, because one may have been created during the start.
    await ingest.setSites(await sites(owner))
    const collecting = collectNewAgents({ registry, owner, ingest, log: deps.log })
    shutdown.add('new agents', collecting.stop)
    if (isShared) {
      const timer = setInterval(() => tell(owner), tellEveryMs)
      shutdown.add('news of sites', () => clearInterval(timer))
    }
    return ingest
  }
  const tell = async (owner: OwnerContext) => {
    try {
      const [ingest, feed] = await Promise.all([making, sites(owner)])
      await ingest?.setSites(feed)
    } catch (error) {
      deps.log.warn('the list of sites could not be sent to the ingest', { error: String(error) })
    }
  }
  const get = (owner: OwnerContext) => {
    making ??= make(owner)
    return making
  }
  return {
    get,
    sites,
    tell,
    changed(owner, feed) {
      if (feed === sitesFeed && making) void tell(owner)
    },
  }
}

/**
 * Writes the journal of this installation to the column tables. An ingest that was turned off can have left hits in it.
 * Returns false if other machines can have accepted hits, which stay in the journals there.
 */
export async function flushHits(
  { RENOWN_INGEST, RENOWN_INGEST_SECRET: secret }: Pick<Config, 'RENOWN_INGEST' | 'RENOWN_INGEST_SECRET'>,
  folder: string,
  ingest: () => Promise<Pick<Ingest, 'flush'>>,
): Promise<boolean> {
  // With the secret, an ingest of its own can have the journal open.
  const isOwn = RENOWN_INGEST === 'on' || (secret === '' && existsSync(join(folder, 'ingest')))
  if (isOwn) await (await ingest()).flush()
  // Without the secret, no ingest on another machine can read the list of sites.
  return secret === ''
}

/** Returns the claim function, if there may be other ingest processes. */
function claimOf(registry: Registry, config: Config, owner: OwnerContext): ClaimBatches | undefined {
  const feed = registry.feeds.get(claimsFeed)
  if (!feed || config.INGEST_CLAIMS === 'off' || config.RENOWN_INGEST_SECRET === '') return
  return async (segment, ids) => ((await feed.run(owner, { segment, ids }, 'own')) as ClaimsFeed).taken
}
