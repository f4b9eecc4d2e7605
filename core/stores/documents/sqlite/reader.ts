import type { SqlValue } from '../../../query/to-sqlite'
import { UnavailableError } from '../port'
import type { Connection } from './connection'
import { type RawPage, readPage } from './page'

type Asked =
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'rows'; readonly sql: string; readonly params: readonly SqlValue[] }
  | {
      readonly kind: 'page'
      readonly sql: string
      readonly params: readonly SqlValue[]
      readonly limit: number | undefined
    }
  | { readonly kind: 'checkpoint' | 'check' | 'close' }
  | { readonly kind: 'backup'; readonly to: string }
export type Question = Asked & { readonly id: number }
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }

/** Reads that may take long, away from the event loop. */
export interface Reader {
  rows(sql: string, params: readonly SqlValue[]): Promise<unknown[][]>
  page(sql: string, params: readonly SqlValue[], limit: number | undefined): Promise<RawPage>
  checkpoint(): Promise<void>
  check(): Promise<string[]>
  backup(to: string): Promise<void>
  close(): Promise<void>
}

/** A read-only Worker on the same file, started by the first question. */
export function createReader(path: string): Reader {
  let worker: Worker | undefined
  let lastId = 0
  let closed = false
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()

  const ask = <T>(asked: Asked): Promise<T> => {
    if (closed) return Promise.reject(new UnavailableError('The database is closed'))
    worker ??= start()
    return post(worker, asked) as Promise<T>
  }
  const post = (to: Worker, asked: Asked) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      to.ref()
      to.postMessage({ ...asked, id })
    })
  const settle = (from: Worker, answer: Answer) => {
    const asker = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) from.unref()
    if ('error' in answer) asker?.reject(new Error(answer.error))
    else asker?.resolve(answer.value)
  }
  const start = () => {
    const made = new Worker(new URL('./reader-worker.ts', import.meta.url).href)
    made.onmessage = ({ data }: MessageEvent<Answer>) => settle(made, data)
    made.onerror = ({ message }) => {
      for (const { reject } of waiting.values()) reject(new UnavailableError(`The reader failed: ${message}`))
      waiting.clear()
      if (worker === made) worker = undefined
    }
    post(made, { kind: 'open', path }).catch(() => undefined)
    return made
  }
  return {
    rows: (sql, params) => ask({ kind: 'rows', sql, params }),
    page: (sql, params, limit) => ask({ kind: 'page', sql, params, limit }),
    checkpoint: async () => void (await ask({ kind: 'checkpoint' })),
    check: async () => (await ask<[string][]>({ kind: 'check' })).map(([line]) => line),
    backup: async (to) => void (await ask({ kind: 'backup', to })),
    close: async () => {
      const last = worker
      if (last && !closed) await ask({ kind: 'close' })
      closed = true
      last?.terminate()
    },
  }
}

/** The same in this thread: what an in-memory database has. */
export function createLocalReader(connection: Connection): Reader {
  return {
    rows: async (sql, params) => connection.rows(sql, params),
    page: async (sql, params, limit) => readPage(connection, sql, params, limit),
    checkpoint: async () => undefined,
    check: async () => connection.rows('PRAGMA integrity_check(20)').map(([line]) => String(line)),
    backup: async (to) => void connection.rows('VACUUM INTO ?', [to]),
    close: async () => undefined,
  }
}
