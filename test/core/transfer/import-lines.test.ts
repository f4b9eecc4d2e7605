import { expect, test } from 'bun:test'
import { UnavailableError } from '../../../core/stores/documents/port'
import type { Part, Row } from '../../../core/transfer/format'
import { importLines } from '../../../core/transfer/import-lines'

const away = () => new UnavailableError('MongoDB cannot be reached')
const patience = { forMs: 5_000, pauseMs: 5 }
const lines = ['a', 'b', 'c', 'd'].map((id) => JSON.stringify({ in: 'Note', row: { id } })).join('\n')

/** A store of rows whose inserts and reads fail as told, in order. `stores` is how many rows a failed insert stores all the same. */
function failingPart(faults: readonly { readonly step: 'insert' | 'existing'; readonly stores?: number }[]) {
  const rows = new Set<string>()
  const left = [...faults]
  const fault = (step: 'insert' | 'existing') => (left[0]?.step === step ? left.shift() : undefined)
  const idOf = (row: Row) => String(row.id)
  const part: Part = {
    name: 'Note',
    isEmpty: async () => rows.size === 0,
    page: async () => ({ rows: [], after: null }),
    check: (row) => ({ row: row as Row }),
    existing: async (asked) => {
      if (fault('existing')) throw away()
      return new Set(asked.flatMap((row, place) => (rows.has(idOf(row)) ? [place] : [])))
    },
    insert: async (asked) => {
      const failed = fault('insert')
      if (failed) {
        for (const row of asked.slice(0, failed.stores ?? 0)) rows.add(idOf(row))
        throw away()
      }
      const taken = asked.flatMap((row, index) => (rows.has(idOf(row)) ? [{ index, reason: 'taken' }] : []))
      for (const row of asked) rows.add(idOf(row))
      return taken
    },
  }
  return {
    rows,
    take: (isMerge = false) => importLines(new Map([['Note', part]]), lines, 1, isMerge, patience),
  }
}

test.each([
  ['before anything is stored', [{ step: 'insert' as const }]],
  ['after a part is stored', [{ step: 'insert' as const, stores: 2 }]],
  ['after all is stored', [{ step: 'insert' as const, stores: 4 }]],
  [
    'twice, and while it looks',
    [
      { step: 'insert' as const, stores: 1 },
      { step: 'existing' as const },
      { step: 'insert' as const, stores: 1 },
    ],
  ],
])('an import goes on when its store was away %s; each row is there once', async (_, faults) => {
  const { rows, take } = failingPart(faults)
  expect(await take()).toEqual({ inserted: 4, skipped: 0, conflicts: [], counts: { Note: 4 } })
  expect([...rows].sort()).toEqual(['a', 'b', 'c', 'd'])
})

test('an import with --merge whose store was away while it looked skips what stood before', async () => {
  const { rows, take } = failingPart([{ step: 'existing' }])
  rows.add('b')
  expect(await take(true)).toMatchObject({ inserted: 3, skipped: 1, conflicts: [] })
})

test('an import ends if the fault is not that of a store that is away', async () => {
  const part = {
    name: 'Note',
    check: (row: Row) => ({ row }),
    insert: () => Promise.reject(new TypeError('a bug')),
  }
  const parts = new Map([['Note', part as unknown as Part]])
  await expect(importLines(parts, lines, 1, false, patience)).rejects.toThrow('a bug')
})

test.each([1, 1_001])(
  'the faults of a part name the lines of the whole file, which begins at %p',
  async (first) => {
    const check = (row: unknown) =>
      (row as Row).id === 'taken' ? { row: row as Row } : { reason: 'it has no such field' }
    const part = {
      name: 'Note',
      check,
      existing: async () => new Set<number>(),
      insert: async () => [{ index: 0, reason: 'taken' }],
    }
    const parts = new Map([['Note', part as unknown as Part]])
    const lineOf = (id: string) => JSON.stringify({ in: 'Note', row: { id } })
    const bad = ['', lineOf('taken'), lineOf('bad'), 'no line'].join('\n')
    const refused = await importLines(parts, bad, first, false, patience).catch((error) => error)
    expect(refused.details.errors.map(({ message }: { message: string }) => message.split(':')[0])).toEqual([
      `line ${first + 2}`,
      `line ${first + 3}`,
    ])
    const { conflicts } = await importLines(parts, `\n${lineOf('taken')}`, first, false, patience)
    expect(conflicts).toEqual([{ line: first + 1, reason: 'taken' }])
  },
)
