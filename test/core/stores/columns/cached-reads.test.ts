import { afterAll, beforeEach, expect, test } from 'bun:test'
import { columnRows } from '../../../../core/stores/columns/rows'
import { freshColumns } from '../../../support/chdb'
import { SampleDay, sampleDayCells, sampleDayTable } from '../../../support/sample-day'

const columns = await freshColumns()
const names = Object.keys(sampleDayTable.columns)
await columns.ensure([sampleDayTable])
afterAll(() => columns.close())

let statements = 0
const counted = () => {
  statements = 0
  return columnRows(
    {
      ...columns,
      query: (sql, params) => {
        statements += 1
        return columns.query(sql, params)
      },
      text: (sql, params) => {
        statements += 1
        return columns.text(sql, params)
      },
    },
    SampleDay,
  )
}

let revision = 0
const put = async (n: number, workspace: string, title: string) => {
  revision += 1
  const row = {
    id: `smp_${n}`,
    workspace_id: workspace,
    location_id: 'loc_1',
    title,
    stage: 'new',
    is_archived: false,
    created_date: '2026-01-01T00:00:00.000Z',
    updated_date: '2026-01-01T00:00:00.000Z',
  }
  await columns.insert(sampleDayTable.name, names, [sampleDayCells(row, revision)])
}
const inWorkspace = (value: string) => ({ op: 'eq', field: 'workspace_id', value }) as const

beforeEach(async () => {
  await put(1, 'wsp_1', 'one')
  await put(2, 'wsp_2', 'two')
})

const asks = (rows: ReturnType<typeof counted>, workspace: string) =>
  Promise.all([
    rows.find({ where: inWorkspace(workspace) }),
    rows.count(inWorkspace(workspace)),
    rows.group({ where: inWorkspace(workspace), by: ['title'], measures: [{ as: 'n', fn: 'count' }] }),
  ])

test('the embedded engine is asked once for what a page reads each time', async () => {
  const rows = counted()
  const first = await asks(rows, 'wsp_1')
  expect(statements).toBe(3)
  expect(await asks(rows, 'wsp_1')).toEqual(first)
  expect(statements).toBe(3)
})

test('a write is seen by the next read, and asks nothing of other workspaces again', async () => {
  const rows = counted()
  await asks(rows, 'wsp_1')
  await asks(rows, 'wsp_2')
  await put(1, 'wsp_1', 'changed')
  statements = 0
  const [found, , groups] = await asks(rows, 'wsp_1')
  expect(found).toMatchObject([{ title: 'changed' }])
  expect(groups).toEqual([{ title: 'changed', n: 1 }])
  expect(statements).toBe(3)
  await asks(rows, 'wsp_2')
  expect(statements).toBe(3)
  // What names no workspace depends on all of them.
  const anywhere = { op: 'eq', field: 'title', value: 'changed' } as const
  expect(await rows.count(anywhere)).toBe(1)
  await put(2, 'wsp_2', 'changed')
  expect(await rows.count(anywhere)).toBe(2)
})

test('a removal and a replaced text are seen by the next read', async () => {
  const rows = counted()
  await asks(rows, 'wsp_1')
  const among = { column: 'workspace_id', values: ['wsp_1'] }
  await columns.replace(sampleDayTable.name, { column: 'title', from: ['one'], to: ['replaced'], among })
  expect((await asks(rows, 'wsp_1'))[0]).toMatchObject([{ title: 'replaced' }])
  await columns.removeWhere(sampleDayTable.name, [among])
  expect((await asks(rows, 'wsp_1'))[1]).toBe(0)
  await asks(rows, 'wsp_2')
  await columns.remove(sampleDayTable.name, 'workspace_id', ['wsp_2'])
  expect((await asks(rows, 'wsp_2'))[1]).toBe(0)
})

test('callers may change the groups that they get', async () => {
  const rows = counted()
  const [, , groups] = await asks(rows, 'wsp_1')
  for (const group of groups) group.n = 99
  expect((await asks(rows, 'wsp_1'))[2]).toEqual([{ title: 'one', n: 1 }])
})

test('nothing is kept of a table that other processes may write', async () => {
  expect(columns.written(sampleDayTable.name, ['wsp_1'])).toBeNumber()
  expect(columns.written('unknown_table', undefined)).toBeUndefined()
  let asked = 0
  const shared = columnRows(
    {
      ...columns,
      written: () => undefined,
      query: (sql, params) => {
        asked += 1
        return columns.query(sql, params)
      },
    },
    SampleDay,
  )
  await shared.count(inWorkspace('wsp_1'))
  await shared.count(inWorkspace('wsp_1'))
  expect(asked).toBe(2)
})
