import type { SqlValue } from '../../../query/to-sqlite'
import { createFairQueue } from '../../../work/fair-queue'
import { offLoop } from '../../../work/loop-turns'
import { currentWork, systemWork, type Work } from '../../../work/scope'
import { type PoolLoad, UnavailableError } from '../port'
import type { Connection } from './connection'
import { type RawPage, readPage } from './page'
import { type ReaderThread, type ReadRequest, startThread } from './reader-thread'

/** Runs slow reads outside the event loop. Each ends with its work scope. */
export interface Reader {
  rows(sql: string, params: readonly SqlValue[]): Promise<unknown[][]>
  page(sql: string, params: readonly SqlValue[], limit: number | undefined): Promise<RawPage>
  checkpoint(): Promise<void>
  check(): Promise<string[]>
  backup(to: string): Promise<void>
  load(): readonly PoolLoad[]
  /** Writes the file again without what removed rows left in it. Nobody else may write in the meantime. */
  purge(): Promise<void>
  close(): Promise<void>
}

/** Simultaneous scans of one tenant. More threads than cores would not help. */
const perTenant = Math.max(1, Math.floor(navigator.hardwareConcurrency / 2))
/** Two more tenants can scan next to one that uses its whole share. */
const threadsMax = perTenant + 2
/** Maximum waiting scans of one tenant. */
const waitingMax = 64

/**
 * Creates read-only threads for one file. Each starts when it is first needed. Tenants share their time
 * fairly.
 */
export function createReader(path: string): Reader {
  const queue = createFairQueue({ name: 'scans', slots: threadsMax, perTenant, waitingMax })
  const threads = new Set<ReaderThread>()
  let closed = false

  const freeThread = (): ReaderThread => {
    for (const thread of threads) if (!thread.isBusy) return thread
    const made: ReaderThread = startThread(path, () => threads.delete(made))
    threads.add(made)
    return made
  }
  const ask = async <T>(question: ReadRequest, work: Work): Promise<T> => {
    const answer = async () => {
      if (closed) throw new UnavailableError('The database is closed')
      return freeThread().ask(question, work)
    }
    return (await offLoop(queue, work, answer)) as T
  }
  return {
    rows: (sql, params) => ask({ kind: 'rows', sql, params }, currentWork()),
    page: (sql, params, limit) => ask({ kind: 'page', sql, params, limit }, currentWork()),
    checkpoint: async () => void (await ask({ kind: 'checkpoint' }, systemWork)),
    check: async () => (await ask<[string][]>({ kind: 'check' }, systemWork)).map(([line]) => line),
    backup: async (to) => void (await ask({ kind: 'backup', to }, systemWork)),
    load: () => [{ pool: 'scans', ...queue.load(), slots: threadsMax }],
    purge: async () => void (await ask({ kind: 'purge' }, systemWork)),
    close: async () => {
      if (closed) return
      closed = true
      await Promise.all([...threads].map((thread) => thread.close()))
    },
  }
}

/** Creates a reader in this thread, for an in-memory database. */
export function createLocalReader(connection: Connection): Reader {
  return {
    rows: async (sql, params) => connection.rows(sql, params),
    page: async (sql, params, limit) => readPage(connection, sql, params, limit),
    checkpoint: async () => undefined,
    check: async () => connection.rows('PRAGMA integrity_check(20)').map(([line]) => String(line)),
    backup: async (to) => void connection.rows('VACUUM INTO ?', [to]),
    load: () => [],
    purge: async () => void connection.rows('VACUUM'),
    close: async () => undefined,
  }
}
