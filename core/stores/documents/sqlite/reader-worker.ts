import { Database } from 'bun:sqlite'
import { type Connection, openReader } from './connection'
import { readPage } from './page'
import type { Answer, Question } from './reader'

declare const self: Worker

let reader: Connection | undefined
let path = ''

self.onmessage = ({ data }: MessageEvent<Question>) => {
  const { id } = data
  try {
    const value = answer(data)
    const transfer = data.kind === 'page' ? [(value as { body: Uint8Array<ArrayBuffer> }).body.buffer] : []
    self.postMessage({ id, value } satisfies Answer, transfer)
  } catch (error) {
    self.postMessage({ id, error: (error as Error).message } satisfies Answer)
  }
}

function answer(question: Question): unknown {
  switch (question.kind) {
    case 'open':
      path = question.path
      reader = openReader(path)
      return null
    case 'rows':
      return connected().rows(question.sql, question.params)
    case 'page':
      return readPage(connected(), question.sql, question.params, question.limit)
    case 'checkpoint':
      return onWritable('PRAGMA wal_checkpoint(PASSIVE)')
    case 'check':
      return connected().rows('PRAGMA integrity_check(20)')
    case 'backup':
      return onWritable('VACUUM INTO ?', question.to)
    case 'close':
      reader?.close()
      reader = undefined
      return null
  }
}

function connected(): Connection {
  if (!reader) throw new Error('The database is closed')
  return reader
}

/** Checkpoints and copies need a connection that may write; they change no row. */
function onWritable(sql: string, ...params: string[]): unknown {
  const db = new Database(path, { readwrite: true })
  try {
    return db.query(sql).values(...params)
  } finally {
    db.close()
  }
}
