import { expect, test } from 'bun:test'
import { tablePart } from '../../../core/transfer/table-part'

const table = {
  name: 'days',
  engine: 'ReplacingMergeTree(rev)',
  orderBy: ['day'],
  columns: {
    day: 'Date',
    hits: 'UInt64',
    errors: 'Nullable(String) CODEC(ZSTD(3))',
    signed: 'UInt64 DEFAULT 0',
  },
} as const
const inserted: unknown[][] = []
const columns = { insert: async (_: string, __: unknown, rows: unknown[][]) => void inserted.push(...rows) }
const part = tablePart(table, columns as never)

test('a row of an older release lacks columns that were added since, and gets what they hold without a value', async () => {
  const rows = [
    { day: '2026-11-20', hits: 7 },
    { day: '2026-11-21', hits: '8', errors: null, signed: 3 },
  ]
  const checked = rows.map((row) => part.check(row))
  expect(checked).toEqual(rows.map((row) => ({ row })))
  await part.insert(rows)
  expect(inserted).toEqual([
    ['2026-11-20', 7, null, 0],
    ['2026-11-21', '8', null, 3],
  ])
})

test.each([
  [{ day: '2026-11-20' }, 'days.hits: is missing'],
  [{ day: '2026-11-20', hits: null }, 'days.hits: expected text or a number'],
  [{ day: '2026-11-20', hits: 1, errors: {} }, 'days.errors: expected text or a number'],
  [{ day: '2026-11-20', hits: 1, other: 1 }, 'days.other: there is no such column'],
])('%j is refused', (row, reason) => {
  expect(part.check(row)).toEqual({ reason })
})
