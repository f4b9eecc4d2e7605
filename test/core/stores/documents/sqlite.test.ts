import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyEntity, Where } from 'renown'
import { hiddenFields } from '../../../../core/kit/fields'
import { indexesOf, narrowingFields } from '../../../../core/stores/documents/indexes'
import { ConflictError, UnavailableError } from '../../../../core/stores/documents/port'
import { openSqlite, type SqliteDocuments } from '../../../../core/stores/documents/sqlite'
import { openReader } from '../../../../core/stores/documents/sqlite/connection'
import { layoutOf } from '../../../../core/stores/documents/sqlite/layout'
import { explain } from '../../../../core/stores/documents/sqlite/lists'
import { selectSql } from '../../../../core/stores/documents/sqlite/statements'
import { all, asc, desc, eq, moment, sample } from '../../../support/conformance/tools'
import { documentsConformance } from '../../../support/documents-conformance'
import { quietLog as log } from '../../../support/quiet-log'
import { randomSource } from '../../../support/random-documents'
import { Sample } from '../../../support/sample-entity'
import { waitFor } from '../../../support/wait-for'

const now = () => new Date()
let folder: string
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renown-sqlite-'))
})
afterAll(() => rm(folder, { recursive: true }))
const open = (path = join(folder, `${files++}.db`)) => openSqlite({ path, now, log })

async function using<T>(work: (documents: SqliteDocuments, path: string) => Promise<T>): Promise<T> {
  const path = join(folder, `${files++}.db`)
  const documents = await open(path)
  await documents.ensure([Sample])
  try {
    return await work(documents, path)
  } finally {
    await documents.close()
  }
}

const thrown = (run: () => unknown): string => {
  try {
    run()
    return 'nothing'
  } catch (error) {
    return String(error)
  }
}

documentsConformance('SQLite in memory', async () => {
  const documents = await open(':memory:')
  return { documents, close: () => documents.close() }
})

documentsConformance('SQLite in a file', async () => {
  const documents = await open()
  return { documents, close: () => documents.close() }
})

describe('SQLite', () => {
  test('a find on a declared index never scans or sorts, nor does its next page', () =>
    using(async (documents, path) => {
      const rows = documents.collection(Sample)
      await rows.insertMany(Array.from({ length: 300 }, (_, n) => sample(n, { score: n % 9, stage: 'new' })))
      const reader = openReader(path)
      const plan = (where: Where, sort = [desc('created_date')], more = {}) =>
        explain(reader, selectSql(layoutOf(Sample), 'doc', { where, sort, limit: 50, ...more }))
      const inside = (...of: Where[]): Where => ({ op: 'and', of: [eq('workspace_id', 'wks_1'), ...of] })
      const after = { values: [moment(200)], id: 'smp_0200' }
      const plans = [
        plan(inside()),
        plan(inside({ op: 'ne', field: 'is_archived', value: true })),
        plan(inside(eq('stage', 'new'))),
        plan(inside(eq('location_id', 'loc_1'))),
        plan(inside(eq('location_id', 'loc_1'), eq('stage', 'new'))),
        plan(inside(), [desc('score')]),
        plan(inside(), [{ ...asc('score'), nulls: 'last' }]),
        plan(inside(), [{ ...asc('score'), nulls: 'last' }], { after: { values: [3], id: 'smp_0200' } }),
        plan(inside({ op: 'gt', field: 'score', value: 3 }), [asc('score')]),
        plan(inside(eq('stage', 'new'), { op: 'gte', field: 'created_date', value: moment(5) })),
        plan(eq('id', 'smp_0001')),
        plan(inside(eq('unique_key', 'k')), [asc('id')]),
        plan(inside(eq('stage', 'new')), [desc('created_date')], { after }),
      ]
      for (const steps of plans) {
        expect(steps.join('; ')).toMatch(/SEARCH .* USING /)
        expect(steps.join('; ')).not.toMatch(/SCAN |TEMP B-TREE/)
      }
      expect(plan(eq('title', 'x')).join('; ')).toMatch(/SCAN /)
      reader.close()
    }))

  test('what no index answers is read beside the event loop', () =>
    using(async (documents) => {
      const rows = documents.collection(Sample)
      await rows.insertMany(Array.from({ length: 500 }, (_, n) => sample(n, { title: 'x' })))
      const order: string[] = []
      const slow = rows
        .find({ where: { op: 'contains', field: 'title', value: 'y' } })
        .then(() => order.push('scan'))
      const quick = rows.find({ where: eq('id', 'smp_0001') }).then(() => order.push('find'))
      const omit = hiddenFields(Sample)
      const inside: Where = { op: 'and', of: [eq('workspace_id', 'wks_1'), eq('stage', 'new')] }
      const list = rows.findJson({ where: inside, limit: 50, omit }).then(() => order.push('list'))
      await Promise.all([slow, quick, list])
      expect(order).toEqual(['find', 'list', 'scan'])
    }))

  test('a field that becomes hidden leaves the text that callers are sent, and comes back when it may', () =>
    using(async (documents, path) => {
      await documents.collection(Sample).insert(sample(1, { title: 'private', kind: 'k', secret: 's' }))
      const stored = () => {
        const reader = openReader(path)
        const [row] = reader.rows('SELECT doc, rest FROM "Sample"')
        reader.close()
        return row as [string, string]
      }
      expect(stored()[0]).toContain('private')
      const closed: AnyEntity = { ...Sample, hidden: ['secret', 'attempts', 'title'] }
      await documents.ensure([closed])
      expect(stored()[0]).not.toContain('private')
      const rows = documents.collection(closed)
      expect(await rows.get('smp_0001')).toEqual(sample(1, { title: 'private', kind: 'k', secret: 's' }))
      const page = await rows.findJson({ where: all, limit: 9, omit: hiddenFields(closed) })
      expect(new TextDecoder().decode(page.body as Uint8Array)).not.toContain('private')
      const fewer: AnyEntity = { ...Sample, fields: { ...Sample.fields } }
      const { kind: _, ...rest } = Sample.fields
      const undeclared: AnyEntity = { ...fewer, fields: rest, indexes: [] }
      await documents.ensure([undeclared])
      expect(stored()[0]).toContain('private')
      expect(stored()[0]).not.toContain('"kind"')
    }))

  test('an index or field that a declaration gains is filled from the rows that are there', () =>
    using(async (documents) => {
      const bare: AnyEntity = {
        ...Sample,
        name: 'Grown',
        sortable: ['created_date'],
        indexes: [],
        searchable: [],
      }
      await documents.ensure([bare])
      const rows = Array.from({ length: 1200 }, (_, n) => sample(n, { title: `t${n % 10}` }))
      await documents.collection(bare).insertMany(rows)
      const grown: AnyEntity = { ...bare, sortable: ['created_date', 'title'], indexes: [{ on: ['title'] }] }
      await documents.ensure([grown])
      const collection = documents.collection(grown)
      const where: Where = { op: 'and', of: [eq('workspace_id', 'wks_1'), eq('title', 't3')] }
      expect(await collection.count(where)).toBe(120)
      expect(await collection.examined({ where }, 10)).toBe(0)
      expect((await collection.find({ where: all, sort: [desc('title')], limit: 1 }))[0]?.title).toBe('t9')
    }))

  test('no column can be made to say anything else than its document', () =>
    using(async (documents, path) => {
      const rows = documents.collection(Sample)
      await rows.insertMany([sample(1, { score: 3, author: { handle: 'a', followers: 2 } }), sample(2)])
      const other = new Database(path)
      const { columns } = layoutOf(Sample)
      for (const column of columns) {
        const change = () => other.run(`UPDATE "Sample" SET "${column}" = 'forged' WHERE id = 'smp_0001'`)
        expect([column, thrown(change)]).toEqual([
          column,
          expect.stringContaining(`CHECK constraint failed: Sample.${column} repeats the document`),
        ])
      }
      other.close()
      expect(columns.length).toBeGreaterThan(8)
      expect((await rows.get('smp_0001'))?.score).toBe(3)
    }))

  test('every number that JavaScript knows can be stored, and its column cannot be changed', () =>
    using(async (documents, path) => {
      const numbers = [
        4.25,
        2 ** 53 + 2,
        265_988_149_032_095_170,
        -6089257377392025000,
        1e21,
        5e-324,
        1.7976931348623157e308,
        -0,
      ]
      const random = randomSource(7)
      const double = new DataView(new ArrayBuffer(8))
      while (numbers.length < 3_000) {
        double.setUint32(0, random.below(2 ** 32))
        double.setUint32(4, random.below(2 ** 32))
        const value = double.getFloat64(0)
        if (Number.isFinite(value)) numbers.push(value)
      }
      const rows = documents.collection(Sample)
      const all = numbers.map((score, at) => sample(at, { score }))
      expect((await rows.insertMany(all)).failures).toEqual([])
      const other = new Database(path)
      for (const change of ['score + 1', 'score * 1.000001', '-score', 'CAST(score AS TEXT)', 'NULL']) {
        const forge = () => other.run(`UPDATE "Sample" SET score = ${change} WHERE id = '${all[0]?.id}'`)
        expect([change, thrown(forge)]).toEqual([change, expect.stringContaining('repeats the document')])
      }
      other.close()
    }))

  test('columns that a file of an earlier version holds otherwise are made from the documents again', async () => {
    const path = join(folder, `${files++}.db`)
    const first = await open(path)
    await first.ensure([Sample])
    await first.collection(Sample).insertMany([sample(1, { score: 3 }), sample(2, { score: 4 })])
    await first.close()
    const old = new Database(path)
    const names = layoutOf(Sample).columns.map((name) => `"${name}"`)
    old.run(`CREATE TABLE bare (${[...names, '"doc"', '"rest"'].join(', ')})`)
    old.run('INSERT INTO bare SELECT * FROM "Sample"')
    old.run('DROP TABLE "Sample"')
    old.run('ALTER TABLE bare RENAME TO "Sample"')
    old.run(`UPDATE "Sample" SET score = 99 WHERE id = 'smp_0001'`)
    old.run(`UPDATE renown_layouts SET fingerprint = 'earlier'`)
    old.close()
    const second = await open(path)
    await second.ensure([Sample])
    const sums = await second
      .collection(Sample)
      .group({ by: [], measures: [{ fn: 'sum', field: 'score', as: 'sum' }] })
    expect(sums).toEqual([{ sum: 7 }])
    await second.close()
  })

  test('a text that is no Unicode is stored with U+FFFD, in its column as in the document', () =>
    using(async (documents) => {
      const rows = documents.collection(Sample)
      await rows.insert(sample(1, { kind: 'lone \ud800', unique_key: '\udfff' }))
      const [found] = await rows.find({ where: eq('unique_key', '\ufffd') })
      expect([found?.kind, found?.unique_key]).toEqual(['lone \ufffd', '\ufffd'])
    }))

  test('an index that is declared no more is gone; one that rows stand against is refused and changes nothing', () =>
    using(async (documents) => {
      const free: AnyEntity = { ...Sample, indexes: [] }
      await documents.ensure([free])
      const rows = documents.collection(free)
      await rows.insertMany([sample(1, { unique_key: 'k' }), sample(2, { unique_key: 'k' })])
      expect(await rows.count(all)).toBe(2)
      await expect(documents.ensure([Sample])).rejects.toThrow('UNIQUE')
      await rows.updateOne(eq('id', 'smp_0002'), { set: { unique_key: 'other' } })
      await documents.ensure([Sample])
      const again = documents.collection(Sample).insert(sample(3, { unique_key: 'k' }))
      await expect(again).rejects.toBeInstanceOf(ConflictError)
    }))

  test('a write that fails undoes itself and nothing of its neighbours', () =>
    using(async (documents) => {
      const rows = documents.collection(Sample)
      const outcomes = await Promise.allSettled([
        rows.insert(sample(1)),
        rows.insert(sample(1)),
        rows.updateMany(all, { inc: { rank: 1 }, set: { kind: 'x' } }),
        rows.insert(sample(2)),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
      ])
      const failed = await rows.updateMany(all, { set: { kind: 'x', 'id.below': 1 } }).catch((error) => error)
      expect(failed).toBeInstanceOf(TypeError)
      expect(await rows.count({ op: 'exists', field: 'kind', value: true })).toBe(1)
      expect(await rows.insert(sample(2)).catch((error) => error)).toBeInstanceOf(ConflictError)
    }))

  test('sweeps rows whose time is up, which counts as a write', () =>
    using(async (documents) => {
      const rows = documents.collection(Sample)
      const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
      await rows.insertMany([
        sample(1, { expires_at: ago(4000) }),
        sample(2, { expires_at: ago(3000) }),
        sample(3, { expires_at: null }),
        sample(4),
      ])
      const version = rows.version?.()
      expect(await documents.sweep()).toBe(1)
      expect(rows.version?.()).not.toBe(version)
      expect((await rows.find({ where: all, sort: [asc('id')] })).map(({ id }) => id)).toEqual([
        'smp_0002',
        'smp_0003',
        'smp_0004',
      ])
    }))

  test('is backed up while it works, checks itself, and opens again with everything', () =>
    using(async (documents, path) => {
      await documents.collection(Sample).insertMany(Array.from({ length: 50 }, (_, n) => sample(n)))
      expect(await documents.faults()).toEqual([])
      await documents.backup(`${path}.copy`)
      for (const file of [`${path}.copy`, path]) {
        const other = await open(file)
        await other.ensure([Sample])
        expect(await other.collection(Sample).count(all)).toBe(50)
        await other.close()
      }
    }))

  test('brings its log into the file while it works', () =>
    using(async (documents, path) => {
      const before = statSync(path).size
      await documents.collection(Sample).insertMany(Array.from({ length: 1500 }, (_, n) => sample(n)))
      const rows = documents.collection(Sample)
      await Promise.all(Array.from({ length: 450 }, (_, n) => rows.insert(sample(2000 + n))))
      await waitFor(() => statSync(path).size > before + 200_000, { what: 'a checkpoint' })
    }))

  test('says that it is unavailable once it is closed', async () => {
    const documents = await open()
    await documents.ensure([Sample])
    const rows = documents.collection(Sample)
    await rows.insert(sample(1))
    await Promise.all([documents.close(), documents.close()])
    for (const outcome of await Promise.allSettled([
      rows.get('smp_0001'),
      rows.insert(sample(2)),
      rows.count(all),
    ])) {
      expect(outcome.status === 'rejected' ? outcome.reason : outcome).toBeInstanceOf(UnavailableError)
    }
    expect(documents.ping()).rejects.toBeInstanceOf(UnavailableError)
    expect(() => documents.collection(Sample)).toThrow(UnavailableError)
  })
})

test('indexes are clamped, end in the order of lists, and say what narrows', () => {
  const keys = indexesOf(Sample).map(({ keys }) =>
    keys.map(({ field, direction }) => (direction === 'desc' ? `-${field}` : field)).join(),
  )
  const tail = '-created_date,-id,is_archived,removed_at'
  expect(keys).toEqual([
    `workspace_id,${tail}`,
    `workspace_id,location_id,${tail}`,
    `workspace_id,stage,${tail}`,
    'workspace_id,-score,-id,is_archived,removed_at',
    `workspace_id,location_id,stage,${tail}`,
    'workspace_id,unique_key',
    'workspace_id,kind,rank',
    'expires_at',
  ])
  expect(narrowingFields(Sample)).toEqual([
    'created_date',
    'location_id',
    'stage',
    'score',
    'unique_key',
    'kind',
    'expires_at',
  ])
})
