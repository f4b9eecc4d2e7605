import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { AgentKey } from '../../../core/auth/AgentKey'
import type { Cli } from '../../../core/cli/cli'
import { exportData } from '../../../core/cli/data/data-export'
import { importData } from '../../../core/cli/data/data-import'
import { openSource } from '../../../core/cli/import/import-source'
import type { Link } from '../../../core/cli/link'
import type { AnyEntity } from '../../../core/contracts/entity'
import { hitsTable, touchedTable } from '../../../core/contracts/traffic'
import { JobLease } from '../../../core/jobs/JobLease'
import { AppliedMigration } from '../../../core/stores/AppliedMigration'
import { openColumns } from '../../../core/stores/columns/client'
import type { ColumnsStore } from '../../../core/stores/columns/port'
import { openMongo } from '../../../core/stores/documents/mongo'
import type { Document, Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { createTransfer } from '../../../core/transfer'
import { transferRoutes } from '../../../core/transfer/routes'
import { chdbFolder, freshColumns, freshColumnsTarget } from '../../support/chdb'
import { startClickhouseFront } from '../../support/clickhouse-front'
import { asc, all as everything, moment, sample } from '../../support/conformance/tools'
import { mongoUri } from '../../support/mongo'
import { describeWith } from '../../support/needs'
import { quietLog as log } from '../../support/quiet-log'
import { Sample } from '../../support/sample-entity'

const now = () => new Date('2026-11-20T12:00:00.000Z')
const entities = [Sample, AgentKey, JobLease, AppliedMigration]
const tables = [hitsTable, touchedTable]
const root = mkdtempSync(join(tmpdir(), 'renown-transfer-'))
let files = 0
const fresh = (name = 'file') => join(root, `${files++}-${name}`)

/** One installation: its stores, and the command line before it. */
interface Place {
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly changed: string[]
  exported(): Promise<string>
  imported(file: string, merge?: boolean): Promise<{ answer: Record<string, unknown>; code: number }>
  backup(folder: string): Promise<unknown>
  rows(entity: AnyEntity): Promise<Document[]>
  close(): Promise<void>
}

async function place(
  documents: Documents,
  columnsOf: () => Promise<ColumnsStore> = freshColumns,
): Promise<Place> {
  await documents.ensure(entities)
  const columns = await columnsOf()
  await columns.ensure(tables)
  const changed: string[] = []
  const routes = transferRoutes(
    createTransfer({
      registry: {
        entities: new Map(entities.map((entity) => [entity.name, entity])),
        feeds: new Map([['sites', { summary: '', run: async () => ({}) }]]),
      },
      tables,
      documents,
      columns,
      owner: { changed: (feed) => changed.push(feed) },
      folder: fresh(),
      clock: { now },
    }),
  )
  const link = {
    post: async (path: string, body?: unknown) => {
      if (path === '/flush') return {}
      const request = new Request(`http://renown${path}`, {
        method: 'POST',
        body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body ?? {}),
      })
      const url = new URL(request.url)
      return JSON.parse(JSON.stringify(await routes[`POST ${url.pathname}`]?.(request, url)))
    },
  } as unknown as Link
  return {
    documents,
    columns,
    changed,
    exported: async () => {
      const file = fresh('export')
      await exportData(cliOf().cli, link, file)
      return file
    },
    imported: async (file, merge = false) => {
      const { cli, said } = cliOf()
      await importData(
        cli,
        link,
        openSource(file, () => Bun.stdin.stream()),
        merge,
      )
      return said()
    },
    backup: (folder) => link.post('/data/backup', { folder, keep: null }),
    rows: (entity) => documents.collection(entity).find({ where: everything, sort: [asc('id')] }),
    close: async () => {
      await documents.close()
      await columns.close()
    },
  }
}

function cliOf() {
  let out = ''
  let code = 0
  const terminal = {
    out: (text: string) => {
      out += text
    },
    err: () => undefined,
    outIsTerminal: false,
    errIsTerminal: false,
    columns: 80,
  }
  const exit = (wanted: number) => {
    code = wanted
  }
  const cli = { terminal, json: () => true, exit } as unknown as Cli
  return { cli, said: () => ({ answer: JSON.parse(out), code }) }
}

const sqlite = async (path = ':memory:') => place(await openSqlite({ path, now, log }))

/** 1,203 samples with a value of every kind, a key, a lease and a migration; hits and touched days. */
async function fill({ documents, columns }: Place): Promise<void> {
  const stamp = moment(0)
  const own = { workspace_id: 'agc_1', created_date: stamp, updated_date: stamp }
  const samples = Array.from({ length: 1_203 }, (_, n) => sample(n, n % 3 === 0 ? everyKind(n) : {}))
  await documents.collection(Sample).insertMany(samples)
  await documents.collection(AgentKey).insert({
    ...own,
    id: 'agc_1',
    key_hash: 'ab'.repeat(32),
    last4: 'abcd',
    is_active: true,
    minted_at: stamp,
  })
  await documents
    .collection(JobLease)
    .insert({ ...own, id: 'seal', fence: 1, until: stamp, next_at: stamp, looked_at: stamp, failures: 0 })
  await documents.collection(AppliedMigration).insert(migration('traffic:1'))
  const hits = Array.from({ length: 1_203 }, (_, n) => hit(`/p'ü${n}`, n + 1))
  // Two versions of one key, summed in the file.
  await columns.insert(hitsTable.name, Object.keys(hitsTable.columns), [...hits, hit("/p'ü0", 1)])
  await columns.insert(touchedTable.name, Object.keys(touchedTable.columns), [
    ['sit_1', '2026-11-20', 'crawl', '2026-11-20T11:22:33.444Z', '2026-11-20T11:22:35.001Z'],
  ])
}

const hit = (path: string, hits: number) =>
  ['crawl', 'sit_1', '2026-11-20', 'GPTBot', 'training', 'OpenAI', path, hits, 1, 0] as const

const migration = (id: string) => ({
  id,
  workspace_id: id,
  created_date: moment(0),
  updated_date: moment(0),
  plugin: 'traffic',
  version: 1,
  summary: 'Something',
  applied_at: moment(0),
  product_version: '1.0.0',
})

const everyKind = (n: number) => ({
  kind: null,
  score: -0.1 - n,
  rank: 2 ** 53 - 1,
  is_open: n % 2 === 0,
  seen_at: moment(n),
  due: '2026-02-28',
  title: 'Straße\u2028"\\ 🎉\nline',
  tags: ['a', ''],
  numbers: [0, 1e-7],
  author: { handle: 'h', followers: null, at: moment(1) },
  people: [{ name: 'x', met_at: moment(2) }],
  raw: { $where: 'x', 'a.b': [1, { c: null }] },
  secret: 's',
  unique_key: `u${n}`,
})

const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')
/** Without the header, which says which stores it came from, and whatever the order of keys. */
const content = (file: string) =>
  lines(file)
    .slice(1)
    .map((line) => JSON.parse(line))
const written = (text: string | Uint8Array, name?: string) => {
  const file = fresh(name)
  writeFileSync(file, text)
  return file
}

let source: Place
let made: string
beforeAll(async () => {
  source = await sqlite()
  await fill(source)
  made = await source.exported()
}, 90_000)
afterAll(async () => {
  await source.close()
  rmSync(root, { recursive: true, force: true })
})

async function target(work: (place: Place) => Promise<void>, open = sqlite): Promise<void> {
  const made = await open()
  await made.documents.collection(AppliedMigration).insert(migration('traffic:1'))
  await work(made).finally(made.close)
}

describe('an export', () => {
  test('holds every row of every type and table but the leases, and is the owner’s alone', () => {
    const end = { Sample: 1_203, AgentKey: 1, AppliedMigration: 1, traffic_hits: 1_203, traffic_touched: 1 }
    expect(JSON.parse(lines(made).at(-1) ?? '')).toEqual({ end: true, counts: end })
    expect(lines(made)).toHaveLength(2 + 1_203 + 1 + 1 + 1_203 + 1)
    expect(statSync(made).mode & 0o777).toBe(0o600)
    expect(existsSync(`${made}.part`)).toBe(false)
  })

  test('never writes over a file', async () => {
    const { cli } = cliOf()
    await expect(exportData(cli, {} as Link, made)).rejects.toThrow('already')
  })
})

describe('an import', () => {
  const packed: Record<string, () => string> = {
    plain: () => made,
    gzip: () => written(gzipSync(readFileSync(made))),
    zstd: () => written(zstdCompressSync(readFileSync(made))),
  }
  for (const [name, file] of Object.entries(packed)) {
    test(`of a ${name} file makes the same rows, and tells the feeds`, () =>
      target(async (there) => {
        const { answer, code } = await there.imported(file())
        // The migration stood already.
        expect({ code, ...answer }).toMatchObject({ code: 0, inserted: 2_408, skipped: 1, conflicts: 0 })
        expect(await there.rows(Sample)).toEqual(await source.rows(Sample))
        expect(content(await there.exported())).toEqual(content(made))
        expect(there.changed).toEqual(['sites'])
      }))
  }

  test('is refused by stores that hold rows; --merge skips what stands, sums left alone', () =>
    target(async (there) => {
      await there.imported(made)
      await expect(there.imported(made)).rejects.toThrow(
        'not empty. They have rows of Sample, AgentKey, traffic_hits',
      )
      const { answer } = await there.imported(made, true)
      expect(answer).toMatchObject({ inserted: 0, skipped: 2_409, conflicts: 0 })
      expect(content(await there.exported())).toEqual(content(made))
    }))

  test('that was cut off says so, and goes on with --merge', () =>
    target(async (there) => {
      const cut = written(`${lines(made).slice(0, 1_800).join('\n')}\n`)
      await expect(there.imported(cut)).rejects.toThrow('ends after line 1800 without its end record')
      await there.imported(made, true)
      expect(content(await there.exported())).toEqual(content(made))
    }))

  test('that lost a line is told from a whole one', () =>
    target(async (there) => {
      const short = written(lines(made).toSpliced(7, 1).join('\n'))
      await expect(there.imported(short)).rejects.toThrow('Sample: 1202 lines, 1203 by the end record')
    }))

  test('names the line and the field that cannot stand, and takes nothing of its chunk', () =>
    target(async (there) => {
      const all = lines(made)
      all[4] = '{"in":"Sample","row":{"id":"smp_x","stage":"nowhere"}}'
      all[5] = JSON.stringify({ in: 'Sample', row: { ...sample(4), colour: 'red' } })
      all[6] = '{"in":"Nobody","row":{}}'
      all[8] = 'not JSON'
      const refused = await there.imported(written(all.join('\n'))).catch((error) => error)
      expect(refused.details.errors.map(({ message }: { message: string }) => message)).toEqual([
        expect.stringMatching(/^line 5: Sample\./),
        'line 6: Sample.colour: the record type has no such field',
        'line 7: there is no record type or table Nobody',
        expect.stringMatching(/^line 9: expected \{/),
      ])
      expect(await there.rows(Sample)).toEqual([])
    }))

  test('reports rows that a unique index keeps out', () =>
    target(async (there) => {
      await there.documents.collection(Sample).insert(sample(99_999, { unique_key: 'u3' }))
      // A row that stands already is skipped, and does not shift the numbers of the lines after it.
      await there.documents.collection(Sample).insert(sample(1))
      const { answer, code } = await there.imported(made, true)
      expect(code).toBe(1)
      expect(answer).toMatchObject({ conflicts: 1, skipped: 2 })
      expect(answer.reasons).toEqual([{ line: 5, reason: expect.stringContaining('unique_key') }])
    }))

  test('refuses another format, other migrations, types that nobody declares, and what is no export', () =>
    target(async (there) => {
      const header = JSON.parse(lines(made)[0] ?? '')
      const headed = (more: object) => written(`${JSON.stringify({ ...header, ...more })}\n`)
      await expect(there.imported(headed({ renown_export: 9 }))).rejects.toThrow('format 9')
      await expect(there.imported(headed({ parts: ['Nobody'] }))).rejects.toThrow('PLUGINS')
      await expect(there.imported(headed({ migrations: [] }))).rejects.toThrow('export it again')
      await expect(there.imported(headed({ migrations: ['traffic:1', 'traffic:2'] }))).rejects.toThrow(
        'start the newer one',
      )
      await expect(there.imported(written('127.0.0.1 - - GET /\n'))).rejects.toThrow(
        'not the start of an export',
      )
      await expect(there.imported(written(''))).rejects.toThrow('empty')
    }))
})

test('hits and touched days go to a ClickHouse server and come back, and are not doubled', async () => {
  const front = startClickhouseFront({ folder: chdbFolder() })
  const server = async () => {
    const url = `${front.url}/${freshColumnsTarget().database}`
    return place(await openSqlite({ path: ':memory:', now, log }), () => openColumns({ url }, { log }))
  }
  await target(async (there) => {
    await there.imported(made)
    await there.imported(made, true)
    expect(content(await there.exported())).toEqual(content(made))
  }, server).finally(() => front.stop())
})

const uri = mongoUri()
describeWith('MongoDB')('between SQLite and MongoDB', () => {
  const mongo = async () => place(await openMongo({ uri: uri ?? '', now, log }))

  test('everything goes there and comes back the same; a backup points to mongodump', () =>
    target(async (there) => {
      await there.imported(made)
      const back = await there.exported()
      expect(content(back)).toEqual(content(made))
      await target(async (again) => {
        await again.imported(back)
        expect(await again.rows(Sample)).toEqual(await source.rows(Sample))
      })
      await expect(there.backup(fresh())).rejects.toThrow('mongodump')
    }, mongo))
})
