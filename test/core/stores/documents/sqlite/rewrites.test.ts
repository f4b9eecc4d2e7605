import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineEntity, text } from 'renown'
import * as v from 'valibot'
import { openSqlite } from '../../../../../core/stores/documents/sqlite'
import { quietLog } from '../../../../support/quiet-log'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'renown-rewrite-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const entity = (sortable: readonly ('title' | 'body' | 'created_date')[]) =>
  defineEntity({
    name: 'Note',
    summary: 'A note',
    idPrefix: 'not',
    store: 'documents',
    scope: { by: 'location', field: 'location_id' },
    reads: ['list'],
    fields: { location_id: v.string(), title: text(2_000), body: text(2_000) },
    sortable,
    defaultSort: 'created_date',
  })
const before = entity(['created_date'])
const after = entity(['created_date', 'title', 'body'])
const rows = 60_000
const mib = 2 ** 20

const path = () => join(folder, 'notes.db')
/** What the store has on the disk: the file and its write-ahead log. */
const bytes = () =>
  ['', '-wal'].reduce((sum, end) => {
    const found = statSync(path() + end, { throwIfNoEntry: false })
    return sum + (found?.size ?? 0)
  }, 0)

type Line = [message: string, fields: Record<string, unknown>]
async function upgrade(freeBytes?: () => number): Promise<Line[]> {
  const lines: Line[] = []
  const log = { ...quietLog, info: (message: string, fields = {}) => void lines.push([message, fields]) }
  const documents = await openSqlite({
    path: path(),
    now: () => new Date(),
    log,
    ...(freeBytes ? { freeBytes } : {}),
  })
  try {
    await documents.ensure([after])
  } finally {
    await documents.close()
  }
  return lines
}

async function fill(count: number) {
  const documents = await openSqlite({ path: path(), now: () => new Date(), log: quietLog })
  await documents.ensure([before])
  const at = '2026-03-15T12:00:00.000Z'
  for (let done = 0; done < count; done += 5_000)
    await documents.collection(before).insertMany(
      Array.from({ length: Math.min(5_000, count - done) }, (_, n) => ({
        id: `not_${done + n}`,
        workspace_id: 'wsp_1',
        location_id: 'loc_1',
        created_date: at,
        updated_date: at,
        created_by_id: 'u',
        title: `title ${done + n}`,
        body: 'words of a note '.repeat(6),
      })),
    )
  await documents.close()
}

test('an upgrade says what space it needs before it rewrites, needs no more, and reports its progress', async () => {
  await fill(rows)
  const size = bytes()
  const [first, ...others] = await upgrade()
  expect(first?.[0]).toBe('Rewriting the documents for this version')
  expect(first?.[1]).toMatchObject({ tables: ['Note'], free_mib: expect.any(Number) })
  const needed = Number(first?.[1].needed_mib) * mib
  expect(bytes() - size).toBeGreaterThan(0)
  expect(bytes() - size).toBeLessThanOrEqual(needed)
  expect(others).toEqual([['Rewriting the documents', { table: 'Note', rows: 50_000, of: rows }]])
  expect(await upgrade()).toEqual([])
})

test('an upgrade without the space changes nothing, and says what to do', async () => {
  await fill(1_000)
  const stored = () => {
    const database = new Database(path(), { readonly: true })
    const found = database.query('SELECT count(*) AS n, sum(length(doc)) AS b FROM Note').get()
    const schema = database.query("SELECT sql FROM sqlite_master WHERE name = 'Note'").get()
    database.close()
    return [found, schema]
  }
  const was = stored()
  await expect(upgrade(() => 1_000)).rejects.toThrow(
    /needs up to \d+ MiB more, and the disk has 0 MiB free\. Nothing was changed\. Free that space/,
  )
  expect(stored()).toEqual(was)
  expect((await upgrade(() => 9_000 * mib))[0]?.[1]).toMatchObject({ tables: ['Note'], free_mib: 9_000 })
  expect(stored()[0]).toEqual(was[0])
})

test('a new store and one that stays as it is need no space and say nothing', async () => {
  const nothingFree = () => 0
  expect(await upgrade(nothingFree)).toEqual([])
  expect(await upgrade(nothingFree)).toEqual([])
})
