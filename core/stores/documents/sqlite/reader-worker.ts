import { Database } from 'bun:sqlite'
import { setPriority } from 'node:os'
import { type Connection, openReader } from './connection'
import { createInterrupt, type Interrupt } from './interrupt'
import { readPage } from './page'
import type { Message, ReadAnswer, ReadRequest } from './reader-thread'

declare const self: Worker

// On few cores, the event loop has priority. Only on Linux, because elsewhere this would change the priority
// of the whole process.
if (process.platform === 'linux') setPriority(0, 5)

interface Opened {
  readonly path: string
  readonly connection: Connection
  readonly interrupt: Interrupt
}

let opened: Opened | undefined

self.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'open') return open(data.path, data.cancelled)
  if (data.kind === 'close') {
    opened?.connection.close()
    opened = undefined
    return self.postMessage('closed' satisfies ReadAnswer)
  }
  const { id, question, forMs } = data
  try {
    opened?.interrupt.begin(id, forMs)
    const value = answer(question)
    const transfer =
      question.kind === 'page' ? [(value as { body: Uint8Array<ArrayBuffer> }).body.buffer] : []
    self.postMessage({ id, value } satisfies ReadAnswer, transfer)
  } catch (error) {
    self.postMessage({ id, error: (error as Error).message } satisfies ReadAnswer)
  }
}

function open(path: string, cancelled: Int32Array) {
  const interrupt = createInterrupt(cancelled)
  opened = { path, interrupt, connection: openReader(path, interrupt.pass) }
}

function answer(question: ReadRequest): unknown {
  const { connection, path } = known()
  switch (question.kind) {
    case 'rows':
      return connection.rows(question.sql, question.params)
    case 'page':
      return readPage(connection, question.sql, question.params, question.limit)
    case 'checkpoint':
      return onWritable(path, 'PRAGMA wal_checkpoint(PASSIVE)')
    case 'check':
      return connection.rows('PRAGMA integrity_check(20)')
    case 'purge':
      return purge(path)
    case 'backup':
      return onWritable(path, 'VACUUM INTO ?', question.to)
  }
}

function known(): Opened {
  if (!opened) throw new Error('The database is closed')
  return opened
}

/**
 * Writes the database again, so that no page has a part of an old row. The write-ahead log is copied into the file and cut off,
 * because it has old pages too. A reader can delay the cut, so it is tried for a while.
 */
function purge(path: string): void {
  const db = new Database(path, { readwrite: true })
  try {
    db.run('PRAGMA busy_timeout = 20000')
    db.run('VACUUM')
    const [[isBusy] = []] = db.query('PRAGMA wal_checkpoint(TRUNCATE)').values()
    if (isBusy === 1) throw new Error('The database is being read, so its log could not be cut off')
  } finally {
    db.close()
  }
}

/** Runs checkpoints and copies, which need a connection that may write. They change no row. */
function onWritable(path: string, sql: string, ...params: string[]): unknown {
  const db = new Database(path, { readwrite: true })
  try {
    return db.query(sql).values(...params)
  } finally {
    db.close()
  }
}
