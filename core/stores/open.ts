import { join } from 'node:path'
import { messageOf } from '../contracts/errors'
import type { Log } from '../contracts/plugin'
import type { ColumnsTarget } from '../contracts/traffic'
import type { Config } from '../process/config'
import { StartError } from '../process/start-error'
import { openColumns } from './columns/client'
import { type Documents, UnavailableError } from './documents/port'
import { openSqlite } from './documents/sqlite'

interface Deps {
  readonly log: Log
  readonly now: () => Date
  /** Whether to wait for a server that is down. Commands do not wait. */
  readonly isPatient: boolean
  /** Ends the wait for a server. */
  readonly signal?: AbortSignal
}

/** Opens documents in MongoDB if a URI is set, otherwise in SQLite under the data folder. */
export function openDocuments(config: Config, folder: string, deps: Deps): Promise<Documents> {
  const { MONGODB_URI: uri } = config
  const { log, now } = deps
  if (uri === '') {
    return settle(
      'The documents',
      () => openSqlite({ path: join(folder, 'documents.sqlite'), now, log }),
      deps,
    )
  }
  // Its driver takes a quarter of a second to load, which a start without MongoDB need not spend.
  const open = async () => (await import('./documents/mongo')).openMongo({ uri, now, log, isProbed: true })
  return settle('MongoDB', open, deps, '. Look at MONGODB_URI.')
}

/** Returns where columns are stored: a server's URL, or the folder of the embedded engine. */
export function columnsTarget(config: Config, folder: string): ColumnsTarget {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: cluster } = config
  if (url === '') return { path: join(folder, 'columns') }
  return cluster === '' ? { url } : { url, cluster }
}

/** Opens columns in ClickHouse if a URL is set, otherwise in chDB under the data folder. */
export function openColumnStore(target: ColumnsTarget, deps: Deps) {
  const open = () => openColumns(target, deps)
  if ('url' in target) return settle('ClickHouse', open, deps, '. Look at CLICKHOUSE_URL.')
  return settle('The columns', open, deps)
}

/** Opens a store. If its server is down, or another process still uses it, logs a message and waits. Any other problem ends the start. */
async function settle<T>(what: string, open: () => Promise<T>, deps: Deps, mend = ''): Promise<T> {
  const { log, signal, isPatient } = deps
  const lockedUntil = performance.now() + lockedMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await open()
    } catch (error) {
      if (signal?.aborted) throw error
      const reason = messageOf(error)
      const isLocked = isPatient && isHeldElsewhere(error) && performance.now() < lockedUntil
      if (!isUnavailable(error) && !isLocked) {
        const held = isHeldElsewhere(error)
        throw new StartError(`${what} cannot be opened: ${reason}${mend}`, { held })
      }
      if (!isPatient) throw new StartError(reason)
      const seconds = isLocked ? 1 : Math.min(2 ** (attempt - 1), 30)
      log.warn(`${what} cannot be reached; trying again in ${seconds} s`, { reason, attempt })
      await pause(seconds * 1000, signal)
    }
  }
}

/** How long a start waits for an embedded store that another process still uses. A part of an earlier start ends within 5 s. */
const lockedMs = 20_000

/** Whether another process uses an embedded store: SQLite by its code, chDB by the words of `explainChdb`. */
const isHeldElsewhere = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const isBusy = typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code)
  return isBusy || /cannot be opened\. Another process uses it/.test(String(message))
}

const isUnavailable = (error: unknown) =>
  error instanceof UnavailableError || (error instanceof Error && error.name === 'UnavailableError')

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const stopped = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(new StartError('Stopped while waiting for a store.')), {
      once: true,
    }),
  )
  await Promise.race([Bun.sleep(ms), stopped])
}
