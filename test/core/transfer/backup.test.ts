import { afterAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hitsTable, touchedTable } from '../../../core/contracts/traffic'
import { openColumns } from '../../../core/stores/columns/client'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { type BackupDeps, backup } from '../../../core/transfer/backup'
import { checkInProcess } from '../../../core/transfer/check-process'
import { chdbFolder } from '../../support/chdb'
import { sample } from '../../support/conformance/tools'
import { quietLog as log } from '../../support/quiet-log'
import { Sample } from '../../support/sample-entity'

const root = mkdtempSync(join(tmpdir(), 'renown-backup-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let places = 0
let seconds = 0
const clock = { now: () => new Date(Date.parse('2026-11-29T07:00:00Z') + 1_000 * seconds) }

/** A data folder with rows in both stores, a journal and keys. */
async function installation(more: Partial<BackupDeps> = {}) {
  const folder = join(root, `data-${places}`)
  const parent = join(root, `backups-${places++}`)
  mkdirSync(join(folder, 'ingest', 'segments'), { recursive: true })
  mkdirSync(join(folder, 'ingest', 'done'))
  writeFileSync(join(folder, 'ingest', 'segments', 'a.seg'), 'closed')
  writeFileSync(join(folder, 'ingest', 'segments', 'b.open'), 'open')
  writeFileSync(join(folder, 'ingest', 'sites.json'), '{}')
  writeFileSync(join(folder, 'ingest', 'ingest.lock'), '')
  writeFileSync(join(folder, 'secrets.key'), 'own:key', { mode: 0o600 })
  const documents = await openSqlite({ path: join(folder, 'documents.sqlite'), now: clock.now, log })
  await documents.ensure([Sample])
  await documents.collection(Sample).insertMany([sample(1), sample(2), sample(3)])
  const columns = await openColumns({ path: chdbFolder() }, { log })
  await columns.ensure([hitsTable, touchedTable])
  await columns.query('TRUNCATE TABLE traffic_hits')
  await columns.insert(
    'traffic_hits',
    ['kind', 'site_id', 'date', 'path', 'hits'],
    [['crawl', 's', '2026-11-28', '/a', 3]],
  )
  const deps: BackupDeps = {
    documents,
    columns,
    tables: [hitsTable, touchedTable],
    folder,
    clock,
    migrations: async () => ['reviews:1'],
    ...more,
  }
  const close = async () => {
    await documents.close()
    await columns.close()
  }
  return { deps, folder, parent, documents, close }
}

const inside = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

describe('a backup', () => {
  test('has all rows of one moment, the journal and the keys, for its owner only', async () => {
    const { deps, parent, documents, close } = await installation()
    const made = await backup(deps, parent, null)
    await documents.collection(Sample).insert(sample(9))
    expect(made).toMatchObject({
      folder: join(parent, 'renown-2026-11-29T07-00-00Z'),
      rows: { Sample: 3, traffic_hits: 1, traffic_touched: 0 },
      faults: [],
      removed: [],
      elsewhere: [],
    })
    expect(
      inside(made.folder)
        .filter((name) => !name.startsWith('columns/'))
        .sort(),
    ).toEqual([
      'backup.json',
      'backups.json',
      'documents.sqlite',
      'ingest/segments/a.seg',
      'ingest/segments/b.open',
      'ingest/sites.json',
      'secrets.key',
    ])
    expect(JSON.parse(readFileSync(join(made.folder, 'backup.json'), 'utf8'))).toMatchObject({
      renown_backup: 1,
      made_at: '2026-11-29T07:00:00.000Z',
      columns: 'chdb',
      migrations: ['reviews:1'],
    })
    for (const name of inside(made.folder))
      expect([name, statSync(join(made.folder, name)).mode & 0o077]).toEqual([name, 0])
    expect(made.bytes).toBeGreaterThan(1_000)
    expect(readdirSync(parent)).toEqual(['renown-2026-11-29T07-00-00Z'])
    expect(readdirSync(join(chdbFolder(), 'shadow')).filter((name) => name.startsWith('renown'))).toEqual([])
    await close()
  })

  test('deletes older ones when the new one was checked, and nothing else', async () => {
    const { deps, parent, close } = await installation({ check: async () => ({ rows: {}, faults: [] }) })
    const own = [
      'notes.txt',
      'renown-2020-01-01T00-00-00Z',
      'renown-elsewhere',
      'renown-2020-01-02T00-00-00Z.partial',
    ]
    for (const name of own) mkdirSync(join(parent, name), { recursive: true })
    const folders: string[] = []
    for (let n = 0; n < 4; n++) {
      seconds = n + 1
      const { folder, removed } = await backup(deps, parent, 2)
      folders.push(folder)
      expect(removed).toEqual(n < 2 ? [] : [folders[n - 2] ?? ''])
    }
    // A folder without backup.json is none of ours. What an interrupted backup left is removed.
    const kept = [...folders.slice(-2).map((folder) => folder.slice(parent.length + 1)), ...own.slice(0, 3)]
    expect(readdirSync(parent).sort()).toEqual(kept.sort())
    await close()
  })

  test('that cannot be read is not kept, and older ones are', async () => {
    const { deps, parent, close } = await installation()
    seconds = 10
    const good = await backup(deps, parent, 1)
    seconds = 11
    const check = async (folder: string) => {
      const path = join(folder, 'documents.sqlite')
      const bytes = readFileSync(path)
      bytes.fill(0x5a, 4_096, 4_096 * 3)
      writeFileSync(path, bytes)
      return checkInProcess(folder)
    }
    await expect(backup({ ...deps, check }, parent, 1)).rejects.toThrow('cannot be read')
    expect(readdirSync(parent)).toEqual([good.folder.slice(parent.length + 1)])
    await close()
  })

  test('into a full disk, a taken name or the data folder itself says so and leaves nothing', async () => {
    const { deps, folder, parent, close } = await installation()
    seconds = 20
    await expect(backup(deps, join(folder, 'backups'), null)).rejects.toThrow('inside the data folder')
    expect(existsSync(join(folder, 'backups'))).toBe(false)
    writeFileSync(parent, 'a file')
    await expect(backup(deps, parent, null)).rejects.toThrow('cannot take a backup')
    rmSync(parent)
    const full = { ...deps.documents, backup: () => Promise.reject(new Error('database or disk is full')) }
    await expect(backup({ ...deps, documents: full }, parent, null)).rejects.toThrow('disk is full')
    expect(readdirSync(parent)).toEqual([])
    await close()
  })

  test('is made once at a time', async () => {
    const { deps, parent, close } = await installation({ check: async () => ({ rows: {}, faults: [] }) })
    seconds = 30
    const [first, second] = await Promise.allSettled([backup(deps, parent, null), backup(deps, parent, null)])
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
    expect((second as PromiseRejectedResult).reason.message).toContain('already')
    await close()
  })
})

describe('the check of a backup', () => {
  test('finds a damaged part of the columns', async () => {
    const { deps, parent, close } = await installation({ check: async () => ({ rows: {}, faults: [] }) })
    seconds = 40
    const { folder } = await backup(deps, parent, null)
    expect((await checkInProcess(folder)).faults).toEqual([])
    const part = inside(folder).find((name) => name.endsWith('/data.bin')) ?? ''
    const bytes = readFileSync(join(folder, part))
    bytes.fill(0x5a, Math.floor(bytes.length / 2))
    writeFileSync(join(folder, part), bytes)
    expect((await checkInProcess(folder)).faults.join()).toContain('columns: ')
    await close()
  })

  test('says that nothing is there', async () => {
    const { faults } = await checkInProcess(join(root, 'nowhere'))
    expect(faults.join()).toContain('documents.sqlite')
  })
})
