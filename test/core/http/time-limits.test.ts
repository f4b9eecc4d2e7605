import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { TimedOutError } from '../../../core/work/scope'
import { type Gate, startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'
import { quietLog as log } from '../../support/quiet-log'

const broad = `q=${encodeURIComponent('{"title":{"$contains":"nowhere to be found"}}')}`
let folder: string
let documents: Documents
let gate: Gate
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renown-limits-'))
  documents = await openSqlite({ path: join(folder, 'documents.db'), now: () => new Date(), log })
  gate = await startGate({ plugins: [notes], documents })
  for (const workspace_id of [gate.tenant.workspaceId, gate.stranger.workspaceId]) {
    const rows = Array.from({ length: 10_000 }, (_, n) => ({ ...aNote, title: `Note ${n}`, workspace_id }))
    await gate.owner.rows(Note).insertMany(rows)
  }
})
afterAll(async () => {
  await gate.stop()
  await documents.close()
  await rm(folder, { recursive: true })
})

describe('reads of two agencies', () => {
  test('share the scans: sixty broad filters of one do not come before one of the other', async () => {
    const ends: string[] = []
    const read = async (whose: string, key: string) => {
      const response = await gate.ask(`/api/entities/Note?${broad}`, { key })
      ends.push(`${whose} ${response.status}`)
    }
    // Starts the threads, which takes longer than a scan here.
    await Promise.all([read('loud', gate.tenant.key), read('quiet', gate.stranger.key)])
    ends.length = 0
    const loud = Array.from({ length: 60 }, () => read('loud', gate.tenant.key))
    await Promise.all([...loud, read('quiet', gate.stranger.key)])
    expect(ends.indexOf('quiet 200')).toBeGreaterThanOrEqual(0)
    expect(ends.indexOf('quiet 200')).toBeLessThan(40)
  })

  test('end with the caller: nothing is read for somebody who left', async () => {
    const leaving = new AbortController()
    const asked = Array.from({ length: 30 }, () =>
      gate.gateway.fetch(
        new Request(`http://localhost:3000/api/entities/Note?${broad}`, {
          headers: { authorization: `Bearer ${gate.tenant.key}` },
          signal: leaving.signal,
        }),
        () => '203.0.113.7',
      ),
    )
    leaving.abort()
    for (const response of await Promise.all(asked)) expect(response.status).toBe(503)
    expect((await gate.ask('/api/entities/Note?limit=1')).status).toBe(200)
  })
})

describe('a read that takes too long', () => {
  const slow = (error: Error, examined: number): Documents => ({
    ...documents,
    collection: (entity) => {
      const real = documents.collection(entity)
      if (entity.name !== 'Note') return real
      return {
        ...real,
        examined: async () => examined,
        findJson: () => Promise.reject(error),
        count: () => Promise.reject(error),
      }
    },
  })
  const asked = async (error: Error, path: string, body?: object, examined = 10_001) => {
    const slowGate = await startGate({ plugins: [notes], documents: slow(error, examined) })
    const response = body ? await slowGate.call(path, body) : await slowGate.ask(path)
    const { code, detail, hint } = (await response.json()) as Record<string, string>
    return { status: response.status, retry: response.headers.get('retry-after'), code, detail, hint }
  }

  test('by a filter is filter_too_broad and names what narrows it, as a list and as a count', async () => {
    const list = await asked(new TimedOutError(true), `/api/entities/Note?${broad}`)
    expect(list).toMatchObject({ status: 422, code: 'filter_too_broad' })
    expect(list.detail).toContain('Narrow it by id, created_date, stage, slug')
    const count = await asked(new TimedOutError(true), 'countRecords', { entity: 'Note' })
    expect(count).toMatchObject({ status: 422, code: 'filter_too_broad' })
  })

  test('by a filter of few rows is the fault of the store, as a list and as a count', async () => {
    const late = new TimedOutError(true)
    const list = await asked(late, '/api/entities/Note', undefined, 10_000)
    expect(list).toMatchObject({ status: 503, code: 'timed_out', retry: '5' })
    const count = await asked(late, 'countRecords', { entity: 'Note' }, 10_000)
    expect(count).toMatchObject({ status: 503, code: 'timed_out', retry: '5' })
  })

  test('by an operation, or while others are read, is timed_out with Retry-After', async () => {
    const reading = await asked(new TimedOutError(true), 'countNotes', {})
    expect(reading).toMatchObject({ status: 503, code: 'timed_out', retry: '5' })
    expect(reading.hint).toContain('narrower filter')
    const waiting = await asked(new TimedOutError(false), `/api/entities/Note?${broad}`)
    expect(waiting).toMatchObject({ status: 503, code: 'timed_out', retry: '5' })
    expect(waiting.detail).toContain('Renown is busy')
    expect(waiting.hint).toContain('fewer requests')
  })
})
