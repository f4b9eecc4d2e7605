import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { rowPages, rowsOf } from '../../../core/contexts/row-pages'
import type { ListQuery } from '../../../core/contracts/context'
import type { Where } from '../../../core/contracts/where'

type Row = { readonly id: string; readonly at: number; readonly open: boolean }

/** A list in memory that knows the filters which pages are read with. */
const meets = (row: Row, tree: Where): boolean => {
  if (tree.op === 'and') return tree.of.every((part) => meets(row, part))
  if (tree.op === 'or') return tree.of.some((part) => meets(row, part))
  if (tree.op !== 'eq' && tree.op !== 'gt' && tree.op !== 'gte') throw new Error(`unknown ${tree.op}`)
  const value = String(row[tree.field as keyof Row])
  const wanted = String(tree.value)
  if (tree.op === 'eq') return value === wanted
  return tree.op === 'gt' ? value > wanted : value >= wanted
}
const listOf =
  (rows: () => readonly Row[], asked: ListQuery[] = []) =>
  async (query: ListQuery) => {
    asked.push(query)
    const { where: tree, sort = [], limit } = query
    const compare = (a: Row, b: Row) => {
      for (const { field } of sort) {
        const x = a[field as keyof Row]
        const y = b[field as keyof Row]
        if (x !== y) return x < y ? -1 : 1
      }
      return 0
    }
    return rows()
      .filter((row) => !tree || meets(row, tree))
      .sort(compare)
      .slice(0, limit)
  }

const rowsArbitrary = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-z]{1,3}$/),
    at: fc.integer({ min: 0, max: 4 }),
    open: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 60 },
)

test('every row that matches comes once and in order, whatever the size of a page and the keys', async () => {
  await fc.assert(
    fc.asyncProperty(
      rowsArbitrary,
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom('id', ['id'], ['at', 'id']),
      async (rows, size, by) => {
        const query = { where: { op: 'eq', field: 'open', value: true }, by, size } as const
        const found = await Array.fromAsync(
          rowsOf(
            rowPages(
              listOf(() => rows),
              query,
            ),
          ),
        )
        const whole = await listOf(() => rows)({
          where: query.where,
          sort: [by].flat().map((field) => ({ field, direction: 'asc' }) as const),
        })
        expect(found).toEqual(whole)
      },
    ),
    { numRuns: 60 },
  )
})

test('rows that leave the filter while they are read hide no others', async () => {
  let rows: Row[] = Array.from({ length: 20 }, (_, n) => ({
    id: `r${String(n).padStart(2, '0')}`,
    at: n,
    open: true,
  }))
  const seen: string[] = []
  const where = { op: 'eq', field: 'open', value: true } as const
  for await (const { id } of rowsOf(
    rowPages(
      listOf(() => rows),
      { where, size: 3 },
    ),
  )) {
    seen.push(String(id))
    rows = rows.map((row) => (row.id === id ? { ...row, open: false } : row))
  }
  expect(seen).toEqual(rows.map(({ id }) => id))
})

test('no page is asked for after the signal, and the keys are among the chosen fields', async () => {
  const asked: (ListQuery & { readonly fields?: readonly string[] })[] = []
  const rows: Row[] = ['a', 'b', 'c'].map((id) => ({ id, at: 1, open: true }))
  const stop = new AbortController()
  const found: unknown[] = []
  const query = { size: 1, signal: stop.signal, fields: ['open'], by: ['at', 'id'] }
  for await (const row of rowsOf(
    rowPages(
      listOf(() => rows, asked),
      query,
    ),
    stop.signal,
  )) {
    found.push(row)
    stop.abort()
  }
  expect(found).toHaveLength(1)
  expect(asked.map(({ fields }) => fields)).toEqual([['open', 'at', 'id']])
})

test('a key without a value is an error, not an end', async () => {
  const rows = [{ id: 'a' }, { id: 'b' }] as Row[]
  const read = Array.fromAsync(
    rowPages(
      listOf(() => rows),
      { by: ['at', 'id'], size: 1 },
    ),
  )
  await expect(read).rejects.toThrow('Rows cannot be sorted by at, because a row has no value in it')
})

test.each([null, undefined])('a row whose key is %p stops the paging with an error', async (at) => {
  const pages = rowPages(async () => [{ id: 'a', at }], { by: ['at', 'id'], size: 1 })
  expect((await pages.next()).value).toEqual([{ id: 'a', at }])
  await expect(pages.next()).rejects.toThrow('Rows cannot be sorted by at, because a row has no value in it')
})

test('rows after an abort are not given any more', async () => {
  const stop = new AbortController()
  const rows = rowsOf(
    (async function* () {
      yield [1, 2, 3]
    })(),
    stop.signal,
  )
  expect((await rows.next()).value).toBe(1)
  stop.abort()
  expect(await rows.next()).toEqual({ done: true, value: undefined })
})

test('no page is empty, also where the rows fill the last one, and a page asks for no more than it holds', async () => {
  const rows = Array.from({ length: 4 }, (_, n) => ({ id: `r${n}`, at: n, open: true }))
  for (const [found, size] of [
    [rows, 2],
    [rows, 4],
    [[], 2],
  ] as const) {
    const asked: ListQuery[] = []
    const pages = await Array.fromAsync(
      rowPages(
        listOf(() => found, asked),
        { size },
      ),
    )
    expect(pages.map((page) => page.length)).toEqual(Array(found.length / size).fill(size))
    expect(asked).toHaveLength(found.length / size + 1)
    for (const query of asked)
      expect(query).toMatchObject({ sort: [{ field: 'id', direction: 'asc' }], limit: size })
  }
  const usual: ListQuery[] = []
  await Array.fromAsync(rowPages(listOf(() => rows, usual)))
  expect(usual.map(({ limit }) => limit)).toEqual([500])
})
