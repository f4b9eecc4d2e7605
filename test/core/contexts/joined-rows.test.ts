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
  const page = await joinedRows(one, query, { ...one, by: 'parent_id' } as never)
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
