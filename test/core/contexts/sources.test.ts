import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSources } from '../../../core/contexts/sources'
import { Workspace } from '../../../core/product/tenancy-plugin'
import { typedCollection } from '../../../core/stores/documents/port'
import { type Gate, startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes] })
})
afterAll(() => gate.stop())

const columns = { ensure: async () => {} } as unknown as Parameters<typeof createSources>[1]

/** Sources over documents that note every single read. */
function counted() {
  const gets: string[] = []
  const collection = typedCollection((entity) => {
    const real = gate.documents.collection(entity)
    const get: typeof real.get = (id) => {
      gets.push(`${entity.name} ${id}`)
      return real.get(id)
    }
    return { ...real, get }
  })
  return { gets, sources: createSources({ ...gate.documents, collection }, columns) }
}

test('a workspace is read once until a row of its kind is written, and a record every time', async () => {
  const { gets, sources } = counted()
  const { workspaceId, otherWorkspaceId } = gate.tenant
  const read = () => sources.reader(Workspace).get(workspaceId)
  for (let n = 0; n < 3; n++) expect((await read())?.id).toBe(workspaceId)
  expect(gets).toEqual([`Workspace ${workspaceId}`])
  await gate.owner.rows(Workspace).update(otherWorkspaceId, { name: 'Renamed' })
  await read()
  expect(gets).toHaveLength(2)
  gets.length = 0
  const { id } = await gate.put(Note, aNote)
  for (let n = 0; n < 3; n++) await sources.reader(Note).get(id)
  expect(gets).toEqual(Array(3).fill(`Note ${id}`))
})

test('a record has one reader', () => {
  const { sources } = counted()
  expect(sources.reader(Note)).toBe(sources.reader(Note))
  expect(sources.reader(Workspace)).not.toBe(sources.reader(Note))
})

test('the fields that narrow a filter are the id and the first fields of indexes', () => {
  const { sources } = counted()
  expect(sources.narrowing(Note)[0]).toBe('id')
  expect(sources.narrowing(Note)).toContain('stage')
  expect(sources.narrowing(Note)).not.toContain('score')
})

test('no document is written where the rows are stored in columns', () => {
  const { sources } = counted()
  expect(() => sources.collection({ ...Note, store: 'columns' })).toThrow(
    "Note is stored in columns: only its plugin's job writes it",
  )
  expect(sources.collection(Note)).toBeDefined()
})
