import { expect, test } from 'bun:test'
import type { Where } from 'renown'
import * as v from 'valibot'
import { layoutOf } from '../../../../core/stores/documents/sqlite/layout'
import { countSql } from '../../../../core/stores/documents/sqlite/statements'
import { type BoardFilters, boardFilters } from '../../../../plugins/leads/board/board-filters'
import { leadsWhere } from '../../../../plugins/leads/board/list-leads'
import { unseenWhere } from '../../../../plugins/leads/board/load-board'
import { listLeadsWithMentions } from '../../../../plugins/leads/operations/listLeadsWithMentions'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { part } from '../../../support/part'

const now = () => new Date('2026-03-15T12:00:00Z')
const readsRows = (where: Where) => countSql(layoutOf(Lead), where).sql.includes('FROM "Lead" ')

async function whereOf(input: object): Promise<Where> {
  let asked: Where | undefined
  const joined = async (_: unknown, query: { readonly where: Where }) => {
    asked = query.where
    return { rows: [], total: 0 }
  }
  await listLeadsWithMentions.run(part({ now, joined }), v.parse(listLeadsWithMentions.input, input))
  return asked ?? { op: 'and', of: [] }
}

test('the total of a list of leads is counted without reading leads, for each filter but `days`', async () => {
  for (const input of [
    {},
    { stage: 'new' },
    { seen: true },
    { seen: false },
    { source: 'bluesky' },
    { location_id: 'loc_1', include_archived: true },
    { stage: 'won', source: 'forum', seen: true, location_id: 'loc_1' },
  ]) {
    expect({ input, readsRows: readsRows(await whereOf(input)) }).toEqual({ input, readsRows: false })
  }
  expect(readsRows(await whereOf({ days: 30 }))).toBe(true)
})

test('the columns of the board and the unseen leads are counted without reading leads', () => {
  for (const search of [
    '',
    'seen=no',
    'seen=yes',
    'source=forum',
    'assigned=none',
    'location=loc_1',
    'archived=1',
  ]) {
    const query = new URLSearchParams(search)
    const asked = Object.fromEntries(Object.keys(boardFilters).map((name) => [name, query.get(name) ?? '']))
    const where = leadsWhere(asked as BoardFilters, part({ now, person: { name: 'Ada' } }))
    expect({ search, readsRows: readsRows(where) }).toEqual({ search, readsRows: false })
  }
  expect(readsRows(unseenWhere)).toBe(false)
})
