import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRefusal } from '../../../../../core/contracts/errors'
import { openSqlite, type SqliteDocuments } from '../../../../../core/stores/documents/sqlite'
import { openReader } from '../../../../../core/stores/documents/sqlite/connection'
import { createInterrupt, stopMessages } from '../../../../../core/stores/documents/sqlite/interrupt'
import { layoutOf } from '../../../../../core/stores/documents/sqlite/layout'
import { countSql, groupSql, selectSql } from '../../../../../core/stores/documents/sqlite/statements'
import { CancelledError, runWork, systemWork, TimedOutError, type Work } from '../../../../../core/work/scope'
import { sample } from '../../../../support/conformance/tools'
import { quietLog as log } from '../../../../support/quiet-log'
import { Sample } from '../../../../support/sample-entity'

const rowsCount = 20_000
const everywhere = { op: 'contains', field: 'title', value: 'nowhere to be found' } as const
let asked = 0
/** A filter that was never asked before, so that no kept answer has its rows. */
const newFilter = () => ({ ...everywhere, value: `${everywhere.value} ${++asked}` })
let folder: string
let documents: SqliteDocuments
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renown-reader-'))
  documents = await openSqlite({ path: join(folder, 'documents.db'), now: () => new Date(), log })
  await documents.ensure([Sample])
  await documents.collection(Sample).insertMany(Array.from({ length: rowsCount }, (_, n) => sample(n)))
})
afterAll(async () => {
  await documents.close()
  await rm(folder, { recursive: true })
})

const workOf = (tenant: string, more: Partial<Work> = {}): Work => ({
  ...systemWork,
  tenant,
  leftMs: () => 60_000,
  ...more,
})
const scan = (work: Work) => runWork(work, () => documents.collection(Sample).find({ where: newFilter() }))

describe('scans in SQLite', () => {
  test('of a tenant come before the sixty that another asked for earlier', async () => {
    // Starts the threads, which takes longer than a scan here.
    await Promise.all(['loud', 'quiet'].map((tenant) => scan(workOf(tenant))))
    const ends: string[] = []
    const all = Array.from({ length: 60 }, () => scan(workOf('loud')).then(() => ends.push('loud')))
    await Promise.all([...all, scan(workOf('quiet')).then(() => ends.push('quiet'))])
    expect(ends.indexOf('quiet')).toBeLessThan(40)
    expect(ends).toHaveLength(61)
  })

  test('end when the caller leaves, those that run and those that wait', async () => {
    const leaving = new AbortController()
    const work = workOf('loud', { signal: leaving.signal })
    const all = Array.from({ length: 30 }, () => scan(work).catch((error) => error))
    leaving.abort()
    for (const end of await Promise.all(all)) expect(end).toBeInstanceOf(CancelledError)
    expect(await scan(workOf('loud'))).toEqual([])
  })

  test('end when their time is up, whatever they read', async () => {
    const rows = documents.collection(Sample)
    const reads: Record<string, () => Promise<unknown>> = {
      find: () => rows.find({ where: newFilter() }),
      findJson: () => rows.findJson({ where: newFilter(), omit: [] }),
      count: () => rows.count(newFilter()),
      group: () => rows.group({ where: newFilter(), by: ['stage'], measures: [{ as: 'n', fn: 'count' }] }),
      examined: () => rows.examined({ where: newFilter() }, rowsCount),
    }
    for (const [name, read] of Object.entries(reads)) {
      const end = await runWork(workOf('late', { leftMs: () => 0 }), read).catch((error) => error)
      expect({ name, error: end }).toEqual({ name, error: new TimedOutError(true) })
    }
  })

  test('are refused with 429 beyond the places of their tenant', async () => {
    const leaving = new AbortController()
    const work = workOf('loud', { signal: leaving.signal })
    const all = Array.from({ length: 200 }, () => scan(work).catch((error) => error))
    leaving.abort()
    const ends = await Promise.all(all)
    const refused = ends.filter((end) => isRefusal(end) && end.code === 'quota_exceeded')
    expect(refused.length).toBeGreaterThan(100)
    expect(refused.length).toBeLessThan(150)
  })
})

describe('a scan that was asked before', () => {
  test('is answered without the reader until a row of the table is written, and not to a caller who left', async () => {
    const where = newFilter()
    const rows = documents.collection(Sample)
    const read = (work: Work) => runWork(work, () => rows.find({ where })).catch((error) => error)
    expect(await read(workOf('once'))).toEqual([])
    const noTime = workOf('once', { leftMs: () => 0 })
    expect(await read(noTime)).toEqual([])
    expect(await read(workOf('once', { signal: AbortSignal.abort() }))).toBeInstanceOf(CancelledError)
    const added = { ...sample(rowsCount), title: where.value }
    await rows.insert(added)
    expect(await read(noTime)).toEqual(new TimedOutError(true))
    expect(await read(workOf('once'))).toHaveLength(1)
    await rows.remove({ op: 'eq', field: 'id', value: added.id })
    expect(await read(workOf('once'))).toEqual([])
  })

  test('is asked again after another program wrote to the file', async () => {
    const rows = documents.collection(Sample)
    const gone = { ...sample(rowsCount + 1), title: newFilter().value }
    await rows.insert(gone)
    const where = { op: 'contains', field: 'title', value: gone.title } as const
    const read = () => runWork(workOf('outside'), () => rows.find({ where }))
    expect(await read()).toHaveLength(1)
    const outside = new Database(join(folder, 'documents.db'))
    outside.run('DELETE FROM "Sample" WHERE id = ?', [gone.id])
    outside.close()
    expect(await read()).toEqual([])
  })
})

describe('a statement that was told to stop', () => {
  const statements = {
    list: selectSql(layoutOf(Sample), 'doc', { where: everywhere }, true),
    count: countSql(layoutOf(Sample), everywhere),
    'count to a limit': countSql(layoutOf(Sample), everywhere, 5),
    group: groupSql(layoutOf(Sample), { where: everywhere, by: [], measures: [{ as: 'n', fn: 'count' }] }),
  }
  for (const [name, { sql, params }] of Object.entries(statements)) {
    test(`looks at no further row: ${name}`, () => {
      const cancelled = new Int32Array(1)
      const interrupt = createInterrupt(cancelled)
      let rows = 0
      const reader = openReader(join(folder, 'documents.db'), () => {
        if (++rows === 100) cancelled[0] = 7
        return interrupt.pass()
      })
      interrupt.begin(7, 60_000)
      expect(() => reader.rows(sql, params)).toThrow('renown: the scan was cancelled')
      expect(rows).toBe(100)
      interrupt.begin(8, 60_000)
      reader.rows(sql, params)
      expect(rows).toBeGreaterThanOrEqual(rowsCount)
      reader.close()
    })
  }
})

test('a scan whose thread had the processor for less than half of its time is stopped as one of a busy machine', () => {
  const thread = { ms: 0 }
  const interrupt = createInterrupt(new Int32Array(1), () => thread.ms)
  const stopAfter = (ms: number) => {
    interrupt.begin(1, 0)
    thread.ms += ms
    for (let row = 0; row < 1_000; row++) interrupt.pass()
  }
  expect(() => stopAfter(0)).toThrow(stopMessages.late)
  interrupt.begin(1, 0.000_001)
  expect(() => {
    for (let row = 0; row < 1_000; row++) interrupt.pass()
  }).toThrow(stopMessages.starved)
})
