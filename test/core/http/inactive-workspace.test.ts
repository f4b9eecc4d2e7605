import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { defineOperation, definePlugin } from 'renown'
import * as v from 'valibot'
import { Agency } from '../../../core/tenancy/Agency'
import { Workspace } from '../../../core/tenancy/Workspace'
import { builtin } from '../../../plugins/index'
import { type Gate, startGate } from '../../support/harness'
import { callTool, problemIn, revisions } from '../../support/mcp'
import { aNote, Note, notes } from '../../support/notes-plugin'

const everyClass = definePlugin({
  name: 'every-class',
  renown: '^1.0.0',
  operations: (['draft', 'queue', 'setup', 'mark'] as const).map((of) =>
    defineOperation({
      name: `${of}Nothing`,
      summary: 'Tries',
      class: of,
      crossAgency: 'allowed' as const,
      input: v.strictObject({}),
      output: v.object({}),
      run: async () => ({}),
    }),
  ),
})

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [...builtin, notes, everyClass] })
  await gate.owner.rows(Workspace).update(gate.tenant.otherWorkspaceId, { is_active: false })
})
afterAll(() => gate.stop())

const inactive = () => gate.tenant.otherWorkspaceId
const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code

describe('in an inactive workspace', () => {
  test('every operation that writes is refused before its body is read', async () => {
    const writing = [...gate.registry.operations.values()].filter((operation) => operation.class !== 'read')
    expect(new Set(writing.map((operation) => operation.class))).toEqual(
      new Set(['draft', 'queue', 'setup', 'mark']),
    )
    for (const { name } of writing) {
      const response = await gate.call(name, { none: 1 }, { workspace: inactive() })
      expect([name, response.status, await codeOf(response)]).toEqual([name, 409, 'workspace_inactive'])
    }
  })

  test('a dry run and a repeat of an answered call are refused too', async () => {
    const headers = { 'idempotency-key': 'once' }
    const asked = { workspace: inactive(), headers }
    await gate.owner.rows(Workspace).update(inactive(), { is_active: true })
    expect((await gate.call('draftNote', { title: 'kept' }, asked)).status).toBe(200)
    await gate.owner.rows(Workspace).update(inactive(), { is_active: false })
    expect((await gate.call('draftNote', { title: 'kept' }, asked)).status).toBe(409)
    expect((await gate.call('draftNote', { title: 'x', dry_run: true }, asked)).status).toBe(409)
  })

  test('reads are answered: operations, lists and single records', async () => {
    const { id } = await gate.put(Note, aNote, inactive())
    expect((await gate.call('countNotes', {}, { workspace: inactive() })).status).toBe(200)
    for (const path of ['/api/entities/Note', `/api/entities/Note/${id}`])
      expect((await gate.ask(path, { workspace: inactive() })).status).toBe(200)
  })

  test.each(revisions)('MCP %s refuses and answers the same calls', async (revision) => {
    const call = (name: string, args: object) =>
      callTool(gate, revision, name, { ...args, workspace_id: inactive() })
    expect(problemIn(await call('draftNote', { title: 'x' }))).toMatchObject({
      code: 'workspace_inactive',
      status: 409,
    })
    expect((await call('countNotes', {})).isError ?? false).toBe(false)
    const rows = await call('list_records', { entity: 'Note' })
    expect(rows.isError ?? false).toBe(false)
  })

  test('another workspace of the agency is not touched', async () => {
    expect((await gate.call('draftNote', { title: 'x' })).status).toBe(200)
  })
})

test('an inactive agency has no working credential', async () => {
  await gate.owner.rows(Agency).update(gate.stranger.agencyId, { is_active: false })
  const response = await gate.call('countNotes', {}, { key: gate.stranger.key })
  expect([response.status, await codeOf(response)]).toEqual([401, 'unauthenticated'])
})

test('a platform credential cannot write into the workspace of an inactive agency', async () => {
  await gate.owner.rows(Agency).update(gate.stranger.agencyId, { is_active: false })
  const asked = { key: gate.platform.key, workspace: gate.stranger.workspaceId }
  expect((await gate.call('countNotes', {}, asked)).status).toBe(200)
  const response = await gate.call('draftNothing', {}, asked)
  expect([response.status, await codeOf(response)]).toEqual([409, 'workspace_inactive'])
})
