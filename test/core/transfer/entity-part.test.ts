import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyEntity } from '../../../core/contracts/entity'
import { where } from '../../../core/contracts/where'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { entityPart } from '../../../core/transfer/entity-part'
import { aNote, Note } from '../../support/notes-plugin'
import { quietLog } from '../../support/quiet-log'

const now = '2026-11-28T12:00:00.000Z'
const row = (id: string, more: object = {}) => ({
  ...aNote,
  id,
  workspace_id: 'wsp_1',
  created_date: now,
  updated_date: now,
  ...more,
})
let documents: Documents
beforeAll(async () => {
  documents = await openSqlite({ path: ':memory:', now: () => new Date(now), log: quietLog })
  await documents.ensure([Note])
  for (const id of ['n2', 'n5', 'n1', 'n4', 'n3']) await documents.collection(Note).insert(row(id))
})
afterAll(() => documents.close())
const partOf = (...among: Parameters<typeof entityPart>[2][]) =>
  entityPart(Note, documents.collection<AnyEntity>(Note), ...among)

/** The ids of each page, as one page leads to the next. */
async function pagesOf(limit: number, part = partOf()): Promise<string[]> {
  const pages: string[] = []
  let after: readonly unknown[] | null = null
  do {
    const page: Awaited<ReturnType<typeof part.page>> = await part.page(after as never, limit)
    pages.push(page.rows.map(({ id }) => String(id)).join(' '))
    after = page.after
  } while (after !== null)
  return pages
}

test('pages hold every row once, by id, and the last one leads nowhere', async () => {
  expect(await pagesOf(1)).toEqual(['n1', 'n2', 'n3', 'n4', 'n5', ''])
  expect(await pagesOf(2)).toEqual(['n1 n2', 'n3 n4', 'n5'])
  expect(await pagesOf(3)).toEqual(['n1 n2 n3', 'n4 n5'])
  expect(await pagesOf(5)).toEqual(['n1 n2 n3 n4 n5', ''])
  expect(await pagesOf(6)).toEqual(['n1 n2 n3 n4 n5'])
  expect(await pagesOf(2, partOf(where.in('id', ['n2', 'n4', 'n5'])))).toEqual(['n2 n4', 'n5'])
})

test('a part is empty where none of its rows is there', async () => {
  expect(await partOf().isEmpty()).toBe(false)
  expect(await partOf(where.eq('id', 'n3')).isEmpty()).toBe(false)
  expect(await partOf(where.eq('id', 'none')).isEmpty()).toBe(true)
})

test('rows that are there already are told by their place, also one that is named twice', async () => {
  const rows = ['n9', 'n1', 'n8', 'n5', 'n1'].map((id) => row(id))
  expect([...(await partOf().existing(rows))]).toEqual([1, 3, 4])
  expect([...(await partOf().existing([]))]).toEqual([])
})

test('a row that cannot be kept is refused with its field, and one that is there says so by its place', async () => {
  const part = partOf()
  expect(part.check(row('n6'))).toEqual({ row: row('n6') })
  expect(part.check(row('n6', { colour: 'red' }))).toEqual({
    reason: 'Note.colour: the record type has no such field',
  })
  expect(part.check(row('n6', { title: 5 }))).toEqual({ reason: expect.stringMatching(/^Note\.title: ./) })
  expect(await part.insert([row('n6'), row('n1'), row('n7')])).toEqual([
    { index: 1, reason: expect.any(String) },
  ])
  expect(await pagesOf(9)).toEqual(['n1 n2 n3 n4 n5 n6 n7'])
})
