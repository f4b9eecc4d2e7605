import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { type Gate, startGate, type Tenant } from '../../support/harness'
import { aNote, Note } from '../../support/notes-plugin'
import { counterPage, withPages } from '../../support/pages'
import { quietLog as log } from '../../support/quiet-log'
import { signedIn } from '../../support/signed-in'

const requests = 40
let folder: string
let documents: Documents
let gate: Gate
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renown-neighbours-'))
  documents = await openSqlite({ path: join(folder, 'documents.db'), now: () => new Date(), log })
  gate = await startGate({ plugins: [withPages(counterPage)], documents })
  for (const workspace_id of [gate.tenant.workspaceId, gate.stranger.workspaceId]) {
    const rows = Array.from({ length: 5_000 }, (_, n) => ({ ...aNote, title: `Note ${n}`, workspace_id }))
    await gate.owner.rows(Note).insertMany(rows)
  }
})
afterAll(async () => {
  await gate.stop()
  await documents.close()
  await rm(folder, { recursive: true })
})

const filter = encodeURIComponent('{"title":{"$contains":"nowhere to be found"}}')
const rpc = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'list_records', arguments: { entity: 'Note', limit: 20 } },
}
const accept = { accept: 'application/json, text/event-stream' }

/** Every way in that an agency has. */
async function doorsOf(tenant: Tenant): Promise<Record<string, () => Promise<Response>>> {
  const { agencyId, key } = tenant
  const { cookie } = await signedIn(gate, { agencyId, email: `neighbour@${agencyId.toLowerCase()}.example` })
  const page = { key: null, headers: { cookie } }
  return {
    filter: () => gate.ask(`/api/entities/Note?q=${filter}`, { key }),
    list: () => gate.ask('/api/entities/Note?limit=100', { key }),
    count: () => gate.call('countNotes', {}, { key }),
    mcp: () => gate.ask('/api/mcp', { method: 'POST', key, body: rpc, headers: accept }),
    page: () => gate.ask('/app/counter', page),
    data: () => gate.ask('/app/data/counter.json', page),
    stream: () => gate.ask('/app/events/ticks', page),
  }
}

test('an agency that comes by every door at once delays another by a few of its requests, and fails none', async () => {
  const loud = await doorsOf(gate.tenant)
  const quiet = await doorsOf(gate.stranger)
  for (const door of [...Object.values(loud), ...Object.values(quiet)]) await (await door()).body?.cancel()
  const ends: string[] = []
  const knock = async (whose: string, name: string, door: () => Promise<Response>) => {
    const answer = await door()
    if (name === 'stream') await answer.body?.cancel()
    else await answer.arrayBuffer()
    ends.push(`${whose} ${name} ${answer.status}`)
  }
  const all = Object.entries(loud).flatMap(([name, door]) =>
    Array.from({ length: requests }, () => knock('loud', name, door)),
  )
  all.push(...Object.entries(quiet).map(([name, door]) => knock('quiet', name, door)))
  await Promise.all(all)
  const own = ends.filter((end) => end.startsWith('quiet'))
  expect(own.sort()).toEqual(
    Object.keys(quiet)
      .map((name) => `quiet ${name} 200`)
      .sort(),
  )
  const last = ends.findLastIndex((end) => end.startsWith('quiet'))
  const servedBefore = ends.slice(0, last).filter((end) => end.startsWith('loud') && end.endsWith(' 200'))
  expect(servedBefore.length).toBeLessThan((requests * Object.keys(loud).length) / 2)
})
