import { afterAll, beforeAll, expect, test } from 'bun:test'
import { insertPast } from '../../../core/contexts/past-rows'
import { type Gate, startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes] })
})
afterAll(() => gate.stop())

test('rows with a past are inserted through the system context itself, and through no copy of it', async () => {
  const row = { ...aNote, workspace_id: gate.tenant.workspaceId, created_date: '2020-01-01T00:00:00.000Z' }
  expect(await insertPast(gate.owner.rows, Note, [row])).toBe(1)
  expect(await gate.owner.rows(Note).list({})).toMatchObject([{ created_date: row.created_date }])
  const copy = ((entity: typeof Note) => gate.owner.rows(entity)) as typeof gate.owner.rows
  expect(() => insertPast(copy, Note, [row])).toThrow('Only an unchanged system context')
})
