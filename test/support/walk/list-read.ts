import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentKey } from '../../../core/auth/AgentKey'
import { openSqlite } from '../../../core/stores/documents/sqlite/index'
import { startGate } from '../harness'
import { aNote, Note, notes } from '../notes-plugin'
import { quietLog as log } from '../quiet-log'

/** Prints the files that one list read enters, in order, after it was asked before. */
const walk = globalThis as { walked?: string[] }
const folder = mkdtempSync(join(tmpdir(), 'renown-walk-'))
const documents = await openSqlite({ path: join(folder, 'documents.sqlite'), now: () => new Date(), log })
const gate = await startGate({ plugins: [notes], documents })
for (let n = 0; n < 20; n++) await gate.put(Note, { ...aNote, title: `note ${n}` })
const read = (n: number) =>
  gate.ask(`/api/entities/Note?q=${encodeURIComponent(`{"stage":"new"}`)}&limit=${n}`)
const keys = documents.collection(AgentKey)
// The first use of a key is noted beside the request.
for (let uses = 0; uses < 500 && !(await keys.get(gate.tenant.agencyId))?.last_used_at; uses++)
  await (await read(10)).text()
await (await read(10)).text()
walk.walked = []
const response = await read(Number(process.argv[2] ?? 10))
await response.text()
const { walked } = walk
delete walk.walked
console.log(JSON.stringify({ status: response.status, walked }))
await gate.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
