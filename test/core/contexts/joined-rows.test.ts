import { expect, test } from 'bun:test'
import { joinedRows } from '../../../core/contexts/joined-rows'
import { everything, type Where, where } from '../../../core/contracts/where'
import { Note } from '../../support/notes-plugin'

const clamp = where.eq('workspace_id', 'wsp_1')
const asked = where.eq('stage', 'new')

/** Joins notes with notes in a store that answers with one row, and notes what it was asked. */
async function join(query: { where?: Where; sort?: never }) {
  const calls: unknown[] = []
  const view = {
    check: (checked: unknown) => void calls.push(checked),
    shown: (row: object) => ({ ...row, isShown: true }),
  }
  const rows = [
    { row: { id: 'a' }, joined: { id: 'b' } },
    { row: { id: 'c' }, joined: null },
  ]
  const reader = {
    findJoined: async (...given: unknown[]) => {
      calls.push(...given)
      return { rows, total: 7 }
    },
  }
  const one = { target: Note, clamp, reader, rows: {}, view } as never as Parameters<typeof joinedRows>[0]
  const page = await joinedRows(one, query, { ...one, by: 'parent_id' })
  return { calls, page: page as unknown }
}

test('a join is limited to the rows of both sides that the caller may read', async () => {
  const { calls, page } = await join({ where: asked })
  expect(calls).toEqual([
    { where: asked, fields: ['parent_id'] },
    { where: where.and(clamp, asked), sort: expect.any(Array) },
    { entity: Note, by: 'parent_id', where: clamp },
  ])
  expect(page).toEqual({
    rows: [
      { row: { id: 'a', isShown: true }, joined: { id: 'b', isShown: true } },
      { row: { id: 'c', isShown: true }, joined: null },
    ],
    total: 7,
  })
})

test('a join without a condition is of everything that the caller may read, in the asked order', async () => {
  const sort = [{ field: 'title', direction: 'asc' }] as never
  expect((await join({ sort })).calls[1]).toEqual({ where: where.and(clamp, everything), sort })
})

test('a store without joins reads both sides, each row of the other side once', async () => {
  const calls: unknown[] = []
  const read = async (listed: readonly object[], known: readonly object[] = [{ id: 'b', title: 'B' }]) => {
    calls.length = 0
    const side = (rows: readonly object[]) => ({
      list: async (query: unknown) => {
        calls.push(query)
        return rows
      },
      count: async (condition: unknown) => {
        calls.push(condition)
        return 9
      },
    })
    const one = { target: Note, clamp, reader: {}, view: {} }
    const rows = side(listed)
    const others = side(known)
    return (await joinedRows({ ...one, rows } as never, { where: asked, limit: 4 }, {
      ...one,
      rows: others,
      by: 'parent_id',
    } as never)) as unknown
  }
  const a = { parent_id: 'b' }
  const c = { parent_id: 'b' }
  const d = { parent_id: 'gone' }
  const e = { parent_id: null }
  expect(await read([a, c, d, e])).toEqual({
    rows: [
      { row: a, joined: expect.objectContaining({ id: 'b', title: 'B' }) },
      { row: c, joined: expect.objectContaining({ id: 'b' }) },
      { row: d, joined: null },
      { row: e, joined: null },
    ],
    total: 9,
  })
  expect(calls).toEqual([
    { where: asked, limit: 4 },
    asked,
    { where: where.in('id', ['b', 'gone']), limit: 2 },
  ])
  expect(await read([e])).toEqual({ rows: [{ row: e, joined: null }], total: 9 })
  expect(calls).toHaveLength(2)
})
