import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TableDeclaration } from '../../../../core/contracts/plugin'
import type { ColumnsTarget } from '../../../../core/contracts/traffic'
import { openColumns } from '../../../../core/stores/columns/client'
import { type ColumnsStore, UnavailableError } from '../../../../core/stores/columns/port'
import { chdbFolder, freshColumnsTarget } from '../../../support/chdb'
import { startClickhouseFront } from '../../../support/clickhouse-front'
import { quietLog } from '../../../support/quiet-log'
import { soonMs } from '../../../support/wait-for'

const words: TableDeclaration = {
  name: 'words',
  columns: { id: 'UInt32', word: 'String', n: 'UInt64 DEFAULT 7', at: 'DateTime64(3)', day: 'Date' },
  engine: 'MergeTree',
  orderBy: ['id'],
}
const counted: TableDeclaration = {
  name: 'counted',
  columns: { id: 'UInt32', hits: 'UInt64' },
  engine: 'SummingMergeTree(hits)',
  orderBy: ['id'],
  settings: { non_replicated_deduplication_window: 100 },
}

const front = startClickhouseFront({ folder: chdbFolder(), user: 'ann', password: "p'w" })
afterAll(() => front.stop())

const { database } = freshColumnsTarget()
const served = (name: string, who = "ann:p'w") => {
  const url = new URL(front.url)
  const [user = '', password = ''] = who.split(':')
  url.username = user
  url.password = encodeURIComponent(password)
  url.pathname = `/${name}`
  return { url: url.toString() }
}
const targets: readonly (readonly [string, ColumnsTarget])[] = [
  ['chDB in process', freshColumnsTarget()],
  ['a server over HTTP', served(`${database} x\`y`)],
]

describe.each(targets)('columns on %s', (_name, target) => {
  let store: ColumnsStore
  beforeAll(async () => {
    store = await openColumns(target, { log: quietLog })
    await store.ensure([words, counted])
  })
  afterAll(() => store.close())

  test('tables are created once and gain the columns that declarations gained', async () => {
    await store.ensure([words])
    await store.ensure([{ ...words, columns: { ...words.columns, 'late `one`': "String DEFAULT 'was'" } }])
    await store.insert('words', ['id'], [[1]])
    expect(await store.query('SELECT n, "late `one`" AS late FROM words WHERE id = 1')).toEqual([
      { n: 7, late: 'was' },
    ])
  })

  test('rows expire as the declaration says, now, later and no more', async () => {
    const table = { ...counted, name: 'expiring', columns: { day: 'Date', id: 'UInt32', hits: 'UInt64' } }
    const expiry = async () =>
      (
        await store.query<{ engine: string }>(
          "SELECT engine_full AS engine FROM system.tables WHERE database = currentDatabase() AND name = 'expiring'",
        )
      )[0]?.engine.match(/ TTL (.+?)(?: SETTINGS|$)/)?.[1]
    await store.ensure([table])
    expect(await expiry()).toBeUndefined()
    await store.insert('expiring', ['day', 'id', 'hits'], [['2020-01-01', 1, 1]])
    await store.ensure([{ ...table, ttl: 'day + INTERVAL 400 DAY' }])
    await store.ensure([{ ...table, ttl: 'day + toIntervalDay(400)' }])
    expect(await expiry()).toBe('day + toIntervalDay(400)')
    await store.query('OPTIMIZE TABLE expiring FINAL')
    expect(await store.query('SELECT id FROM expiring')).toEqual([])
    await store.ensure([table])
    expect(await expiry()).toBeUndefined()
  })

  test('an insert with a deduplication token does not swallow the inserts after it', async () => {
    const insert = (token: string, hits: number) =>
      store.query(
        `INSERT INTO counted (id, hits) SETTINGS insert_deduplication_token = '${token}' SELECT 1, ${hits}`,
      )
    await insert('one', 1)
    await insert('one', 1)
    for (let row = 0; row < 10; row++) await store.insert('counted', ['id', 'hits'], [[2, 10 + row]])
    await insert('two', 1)
    expect(await store.query('SELECT id, sum(hits) AS hits FROM counted GROUP BY id ORDER BY id')).toEqual([
      { id: 1, hits: 2 },
      { id: 2, hits: 145 },
    ])
  })

  test('rows are removed by the values of a column, whatever these hold, and are gone at once', async () => {
    const texts = ["a'b", 'a\\', 'keep', "ä\\'", '']
    await store.insert(
      'words',
      ['id', 'word'],
      texts.map((word) => [77, word]),
    )
    const left = async () =>
      (await store.query('SELECT word FROM words WHERE id = 77 ORDER BY word')).map((row) => row.word)
    await store.remove('words', 'word', [])
    await store.remove('words', 'word', ['absent', "' OR 1 = 1 --"])
    expect(await left()).toHaveLength(5)
    await store.remove(
      'words',
      'word',
      texts.filter((word) => word !== 'keep'),
    )
    expect(await left()).toEqual(['keep'])
    await store.remove('words', 'word', ['keep'])
  })

  test('parameters come back as they went in, whatever they hold', async () => {
    const texts = [
      "a'b",
      'a\\b',
      "\\'",
      'tab\there',
      'line\nbreak\r',
      '✓ 😀 ß İ',
      '{x:String}',
      '',
      '\\N',
      'NULL',
      '\\t',
      '"',
      ';--',
      '%_',
    ]
    for (const text of texts) {
      const [row] = await store.query('SELECT {x:String} AS x, {a:Array(String)} AS a, {n:UInt32} AS n', {
        x: text,
        a: [text, 'z'],
        n: 3,
      })
      expect(row).toEqual({ x: text, a: [text, 'z'], n: 3 })
    }
    expect(
      await store.query('SELECT {x:Nullable(String)} AS x, {d:Date} AS d, {b:Bool} AS b', {
        x: null,
        d: '2026-02-28',
        b: true,
      }),
    ).toEqual([{ x: null, d: '2026-02-28', b: true }])
  })

  test('a long list of parameters is no longer than an address may be', async () => {
    const ids = Array.from({ length: 2000 }, (_, index) => `site_${index}_✓`)
    expect(await store.query('SELECT length({ids:Array(String)}) AS n', { ids })).toEqual([{ n: 2000 }])
  })

  test('a large insert arrives whole', async () => {
    const rows = Array.from({ length: 50_000 }, (_, id) => [
      id + 100,
      `wörd ${id} \\ ' "`,
      1,
      '2026-01-02T03:04:05.678Z',
      '2026-01-02',
    ])
    await store.insert('words', ['id', 'word', 'n', 'at', 'day'], rows)
    const [row] = await store.query(
      'SELECT count() AS rows, uniqExact(word) AS words, any(toUnixTimestamp64Milli(at)) AS at, any(day) AS day FROM words WHERE id >= 100',
    )
    expect(row).toEqual({
      rows: 50_000,
      words: 50_000,
      at: Date.parse('2026-01-02T03:04:05.678Z'),
      day: '2026-01-02',
    })
  })

  test('old rows of more than a hundred months are taken in one insert', async () => {
    const monthly = {
      ...counted,
      name: 'monthly',
      columns: { day: 'Date' },
      engine: 'MergeTree',
      orderBy: ['day'],
      partitionBy: 'toYYYYMM(day)',
    }
    await store.ensure([monthly])
    const days = Array.from({ length: 130 }, (_, n) => [
      `${2000 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}-01`,
    ])
    await store.insert('monthly', ['day'], days)
    expect(await store.query('SELECT count() AS n FROM monthly')).toEqual([{ n: 130 }])
  })

  test('counts are numbers', async () => {
    expect(await store.query('SELECT toUInt64(9007199254740991) AS n')).toEqual([{ n: 9007199254740991 }])
  })

  test('text hands on what ClickHouse printed', async () => {
    const sql = 'SELECT concat(\'{"a":"\', {x:String}, \'"}\') FORMAT TSVRaw'
    expect(await store.text(sql, { x: 'ü/y' })).toBe('{"a":"ü/y"}\n')
  })

  test('a mistake in a statement is an error with its code, and the store lives on', async () => {
    await expect(store.query('SELECT * FROM nowhere')).rejects.toMatchObject({ code: '60' })
    await expect(store.query('SELEKT 1')).rejects.toMatchObject({ code: '62' })
    await expect(store.insert('words', ['id', 'word'], [['no number', 'x']])).rejects.toThrow()
    await store.ping()
  })

  test('reads run beside one another and beside inserts', async () => {
    const work = Array.from({ length: 20 }, (_, n) =>
      n % 2
        ? store.query('SELECT {n:UInt32} AS n', { n })
        : store.insert('counted', ['id', 'hits'], [[1000 + n, 1]]),
    )
    expect((await Promise.all(work)).filter(Boolean)).toHaveLength(10)
  })
})

describe('opening columns', () => {
  test('a server that is down is UnavailableError, at once', async () => {
    const gone = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const url = `http://127.0.0.1:${gone.port}/x`
    await gone.stop(true)
    const started = performance.now()
    await expect(openColumns({ url }, { log: quietLog })).rejects.toBeInstanceOf(UnavailableError)
    // Opening must not wait for the time limit of a request.
    expect(performance.now() - started).toBeLessThan(soonMs)
  })

  test('a wrong password is said in a sentence that does not hold it', async () => {
    const error = await openColumns(served('default', 'ann:wr0ng'), { log: quietLog }).catch((e: Error) => e)
    expect((error as Error).message).toMatch(/rejected the user name or the password of CLICKHOUSE_URL/)
    expect((error as Error).message).not.toMatch(/wr0ng/)
  })

  test('a folder held by another process is explained', async () => {
    const script = `
      const { openColumns } = await import(${JSON.stringify(`${import.meta.dir}/../../../../core/stores/columns/client.ts`)})
      const log = { debug() {}, info() {}, warn() {}, error() {} }
      const said = await openColumns({ path: ${JSON.stringify(chdbFolder())} }, { log }).then(() => 'opened', (e) => e.message)
      process.stdout.write(said)
      process.exit(0)`
    const child = Bun.spawnSync(['bun', '-e', script])
    expect(child.stdout.toString()).toMatch(new RegExp(`Another process uses it \\(pid ${process.pid}\\)`))
  })

  test('a store that is closed says so', async () => {
    const store = await openColumns(freshColumnsTarget(), { log: quietLog })
    await store.close()
    await store.close()
    await expect(store.query('SELECT 1')).rejects.toThrow(/closed/)
  })
})
