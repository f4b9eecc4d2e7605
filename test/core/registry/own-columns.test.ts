import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { definePlugin, type TableDeclaration } from 'renown'
import type { Columns } from '../../../core/contracts/plugin'
import { ownColumns } from '../../../core/registry/own-columns'
import { openColumns } from '../../../core/stores/columns/client'
import { chdbFolder, freshColumns } from '../../support/chdb'
import { startClickhouseFront } from '../../support/clickhouse-front'
import { quietLog } from '../../support/quiet-log'

const table = (name: string): TableDeclaration => ({
  name,
  columns: { a: 'String', n: 'UInt64' },
  engine: 'MergeTree',
  orderBy: ['a'],
})
const mine = table('mine')
const other = table('mine_too')
const theirs = table('theirs')
const plugin = definePlugin({ name: 'stranger', renown: '^1.0.0', tables: [mine, other] })

let all: Awaited<ReturnType<typeof freshColumns>>
let own: Columns
beforeAll(async () => {
  all = await freshColumns()
  await all.ensure([mine, other, theirs])
  await all.insert('mine', ['a', 'n'], [['x', 1]])
  await all.insert('theirs', ['a', 'n'], [['secret', 7]])
  own = ownColumns(plugin, all)
}, 90_000)
afterAll(() => all.close())

describe('a plugin reads by SQL', () => {
  test.each([
    ['SELECT a FROM mine', {}],
    ['WITH c AS (SELECT a FROM mine) SELECT a FROM c WHERE a IN c', {}],
    ['SELECT m.a FROM mine AS m LEFT JOIN mine_too AS t ON m.a = t.a WHERE m.n IN (SELECT n FROM mine)', {}],
    ['SELECT a FROM mine WHERE a IN {list:Array(String)} AND n = {n:UInt64} LIMIT 5', { list: ['x'], n: 1 }],
    ["SELECT 'x' AS a FROM numbers(1) UNION ALL SELECT a FROM mine WHERE 0", {}],
  ])('its own tables: %s', async (sql, params) => {
    expect(await own.query<{ a: string }>(sql, params)).toEqual([{ a: 'x' }])
  })

  test.each([
    ['SELECT a FROM theirs', 'the table theirs'],
    ['SELECT a FROM mine, theirs', 'the table theirs'],
    ['SELECT t.a FROM mine AS m JOIN theirs AS t ON 1 = 1', 'the table theirs'],
    ['SELECT (SELECT any(a) FROM theirs) AS a', 'the table theirs'],
    ['SELECT a FROM mine UNION ALL SELECT a FROM theirs', 'the table theirs'],
    ['WITH x AS (SELECT a FROM theirs) SELECT a FROM x', 'the table theirs'],
    ['WITH theirs AS (SELECT a FROM mine) SELECT a FROM theirs', 'the table theirs'],
    ['SELECT 1 FROM mine WHERE (a, n) IN theirs', 'the table theirs'],
    ['SELECT 1 FROM mine WHERE in((a, n), theirs)', 'the table theirs'],
    ['SELECT 1 FROM mine WHERE (a, n) NOT IN theirs', 'the table theirs'],
    ['SELECT 1 FROM mine WHERE (a, n) GLOBAL IN theirs', 'the table theirs'],
    ['/* mine */ SELECT a FROM/**/theirs -- mine', 'the table theirs'],
    ['SELECT name FROM system.tables', 'the table system.tables'],
    ['SELECT 1 FROM mine WHERE n IN system.numbers', 'the table system.numbers'],
    ["SELECT * FROM file('/etc/hostname', 'LineAsString')", 'file()'],
    ["SELECT * FROM merge('theirs')", 'merge()'],
    ["SELECT * FROM url('http://127.0.0.1:9', 'LineAsString')", 'url()'],
    ['SELECT * FROM view(SELECT 1)', 'view()'],
    ["SELECT file('/etc/hostname') AS a", 'file()'],
    ["SELECT dictGet('theirs', 'a', 1) AS a", 'dictGet()'],
    ["SELECT joinGet('theirs', 'a', 1) AS a", 'joinGet()'],
    ['SELECT a FROM mine; SELECT a FROM theirs', 'a semicolon in SQL'],
    ['SELECT a FROM `theirs`', 'a quoted name in SQL'],
    ['SELECT a FROM "theirs"', 'a quoted name in SQL'],
  ])('and nothing else: %s', async (sql, what) => {
    await expect(own.query(sql)).rejects.toThrow(`The plugin stranger cannot use ${what}`)
  })

  test.each([
    "SELECT a FROM mine INTO OUTFILE '/tmp/renown-none'",
    'SELECT a FROM mine FORMAT TSV',
    'DROP TABLE theirs',
    'DESCRIBE theirs',
    'EXPLAIN SELECT a FROM theirs',
    'INSERT INTO mine SELECT * FROM theirs',
    'SELECT a FROM mine) UNION ALL (SELECT a FROM theirs',
    'SELECT a FROM mine /* open',
  ])('by one SELECT alone: %s', async (sql) => {
    await expect(own.query(sql)).rejects.toThrow()
    expect(await all.query('SELECT count() AS n FROM mine')).toEqual([{ n: 1 }])
    expect(await all.query('SELECT count() AS n FROM theirs')).toEqual([{ n: 1 }])
  })

  test('nothing else by the name of a table in a parameter', async () => {
    const sql = 'SELECT a FROM {t:Identifier}'
    for (const t of ['mine', 'theirs'])
      await expect(own.query(sql, { t })).rejects.toThrow('a parameter of the type Identifier')
  })
})

test('a plugin writes and removes rows of its own tables alone', async () => {
  for (const name of ['theirs', 'traffic_hits']) {
    await expect(own.insert(name, ['a', 'n'], [['x', 1]])).rejects.toThrow(`the table ${name}`)
    await expect(own.remove(name, 'a', ['secret'])).rejects.toThrow(`the table ${name}`)
  }
  await own.insert('mine_too', ['a', 'n'], [['y', 2]])
  expect(await own.query('SELECT a FROM mine_too')).toEqual([{ a: 'y' }])
  await own.remove('mine_too', 'a', ['y'])
  expect(await own.query('SELECT a FROM mine_too')).toEqual([])
  expect(await all.query('SELECT a FROM theirs')).toEqual([{ a: 'secret' }])
})

test('a query is parsed once, and again for each plugin', async () => {
  const asked: string[] = []
  const counting: Columns = {
    ...all,
    query: (sql, params) => {
      asked.push(sql)
      return all.query(sql, params)
    },
  }
  const sql = 'SELECT a FROM mine WHERE n = {n:UInt64}'
  const narrow = ownColumns(plugin, counting)
  for (const n of [1, 2, 3]) await narrow.query(sql, { n })
  expect(asked.filter((text) => text.includes('EXPLAIN AST'))).toHaveLength(1)
  const empty = ownColumns(definePlugin({ name: 'other', renown: '^1.0.0' }), counting)
  await expect(empty.query(sql, { n: 1 })).rejects.toThrow('The plugin other cannot use the table mine')
})

test('a server is asked the same way as the embedded engine', async () => {
  const front = startClickhouseFront({ folder: chdbFolder() })
  const server = await openColumns({ url: `${front.url}/own_columns` }, { log: quietLog })
  try {
    await server.ensure([mine, theirs])
    const narrow = ownColumns(plugin, server)
    expect(await narrow.query('SELECT a FROM mine WHERE n = {n:UInt64} -- all', { n: 1 })).toEqual([])
    await expect(narrow.query('SELECT a FROM theirs')).rejects.toThrow('cannot use the table theirs')
  } finally {
    await server.close()
    front.stop()
  }
})

test('a query that ClickHouse does not explain is not run', async () => {
  const silent: Columns = { ...all, query: async () => [] }
  await expect(ownColumns(plugin, silent).query('SELECT a FROM mine')).rejects.toThrow('was not run')
})
