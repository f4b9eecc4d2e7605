import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeContext } from '../../../core/contexts/context'
import { createSources } from '../../../core/contexts/sources'
import { type Gate, startGate } from '../../support/harness'
import { Note, notes } from '../../support/notes-plugin'
import { part } from '../../support/part'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes] })
})
afterAll(() => gate.stop())

test('whether the product is up is kept by nobody', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    const answer = await gate.ask(path, { key: null })
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-store'])
  }
})

test("a plugin reads another plugin's rows with every verb, and writes none of them", async () => {
  const { agencyId, workspaceId } = gate.tenant
  const caller = {
    workspace: { id: workspaceId, agency_id: agencyId, timezone: 'UTC', is_home: true },
    credential: { kind: 'agent_key', agency_id: agencyId, platform: false, scopes: ['read', 'write'] },
    requestId: 'request-1',
  } as const
  const deps = {
    registry: gate.registry,
    sources: createSources(gate.documents, gate.owner.columns as never),
    now: gate.clock.now,
  }
  const rows = writeContext(deps, caller, 'another', false).rows(Note)
  expect(Object.keys(rows).sort()).toEqual([
    'count',
    'daySums',
    'each',
    'get',
    'group',
    'groupEntries',
    'insert',
    'list',
    'pages',
    'update',
  ])
  expect([await rows.count(), await rows.list(), await rows.get('not_x')]).toEqual([0, [], null])
  expect(() => rows.insert(part({}))).toThrow('belongs to another plugin')
  expect(() => rows.update('not_x', {})).toThrow('belongs to another plugin')
})
