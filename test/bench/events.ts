import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { EventEntry } from '../../core/events/EventEntry'
import { createEventLog } from '../../core/events/event-log'
import { defineEvent } from '../../core/kit'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { measured } from '../support/cpu'
import { quietLog } from '../support/quiet-log'

const count = Number(process.env.RENOWN_BENCH_EVENTS ?? 2_000)
const workspaces = 20
const now = () => new Date()
const made = defineEvent({
  name: 'note.made',
  summary: 'A note was made.',
  data: v.strictObject({ n: v.number() }),
  example: { n: 1 },
})

/**
 * What recording an event costs on SQLite: one after another in one workspace, and in twenty workspaces at once, beside a
 * bare insert and commit of the same row in the same run.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-events-'))
  const store = await openSqlite({ path: join(folder, 'documents.sqlite'), now, log: quietLog })
  try {
    await store.ensure([EventEntry])
    const log = createEventLog({ documents: store, clock: { now } })
    const append = (n: number, workspace_id: string) =>
      log.append(made, { workspace_id, key: `${n}`, data: { n } })
    const floor = await measured(async () => bare(join(folder, 'bare.sqlite')))
    const alone = await measured(async () => {
      for (let n = 0; n < count; n++) await append(n, 'wsp_one')
    })
    const together = await measured(async () => {
      const each = Array.from({ length: workspaces }, async (_, place) => {
        for (let n = place; n < count; n += workspaces) await append(n, `wsp_${place}`)
      })
      await Promise.all(each)
    })
    const repeated = await measured(async () => {
      for (let n = 0; n < count; n++) await append(n, 'wsp_one')
    })
    const told = ({ cpuMs, wallMs }: typeof floor) =>
      `${((cpuMs * 1_000) / count).toFixed(0)} µs CPU, ${((wallMs * 1_000) / count).toFixed(0)} µs an event`
    console.log(`${count.toLocaleString('en')} events`)
    console.log(`bare insert and commit         ${told(floor)}`)
    console.log(`one workspace                  ${told(alone)}`)
    console.log(`${workspaces} workspaces at once          ${told(together)}`)
    console.log(`repeated, recorded already     ${told(repeated)}`)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One table with the indexes of the log, and a commit for each row. */
function bare(path: string): void {
  const db = new Database(path)
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA synchronous = FULL')
  db.run('CREATE TABLE events (id TEXT PRIMARY KEY, workspace TEXT, seq INTEGER, key TEXT, doc TEXT)')
  db.run('CREATE UNIQUE INDEX by_seq ON events (workspace, seq)')
  db.run('CREATE UNIQUE INDEX by_key ON events (workspace, key)')
  const insert = db.query('INSERT INTO events VALUES (?, ?, ?, ?, ?)')
  const doc = JSON.stringify({ type: 'note.made', data: { n: 1 }, created_date: now().toISOString() })
  for (let n = 0; n < count; n++) insert.run(`evt_${n}`, 'wsp_one', n, `note.made ${n}`, doc)
  db.close()
}
