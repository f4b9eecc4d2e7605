import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workspace } from '../../../core/tenancy/Workspace'
import { type Gate, startGate } from '../../support/harness'
import { callToolAsIs, type ToolResult } from '../../support/mcp'
import { type App, connectApp, type TokenBody } from '../../support/oauth-app'

let gate: Gate
let twins: string[]
let app: App
beforeAll(async () => {
  gate = await startGate()
  const rows = gate.owner.rows(Workspace)
  const { tenant, stranger } = gate
  await rows.update(tenant.otherWorkspaceId, { name: 'Café Nord' })
  await rows.update(stranger.workspaceId, { name: 'Secret Client' })
  const first = await rows.get(tenant.otherWorkspaceId)
  if (!first) throw new Error('no workspace')
  const { id: _, created_date: __, updated_date: ___, ...like } = first
  twins = []
  for (const name of ['Twin', 'twin']) twins.push((await rows.insert({ ...like, name, is_home: false })).id)
  app = await connectApp(gate)
})
afterAll(() => gate?.stop())

interface Problem {
  readonly code: string
  readonly detail: string
  readonly errors?: { readonly code: string; readonly allowed: string[]; readonly did_you_mean?: string }[]
}

const overHttp = async (workspace: string, key = gate.tenant.key) => {
  const answer = await gate.call('whoami', {}, { key, workspace })
  const body = (await answer.json()) as Problem & { workspace?: { id: string } }
  return { status: answer.status, id: body.workspace?.id, body }
}
const overMcp = (workspace_id: string, headers: Record<string, string> = {}): Promise<ToolResult> =>
  callToolAsIs(gate, '2025-11-25', 'whoami', { workspace_id }, { headers })
const idIn = ({ content }: ToolResult) => JSON.parse(content[0]?.text ?? '').workspace.id

test.each(['Café Nord', ' café nord', 'Cafe\u0301 Nord'])(
  'a workspace is found by its name: %s',
  async (name) => {
    const id = gate.tenant.otherWorkspaceId
    expect((await overHttp(encodeURIComponent(name))).id).toBe(id)
    expect(idIn(await overMcp(name))).toBe(id)
    expect(idIn(await overMcp(name, { 'x-workspace-id': id }))).toBe(id)
    expect((await overMcp(name, { 'x-workspace-id': 'Home' })).isError).toBe(true)
  },
)

test('a name of several workspaces is refused with their ids', async () => {
  const { status, body } = await overHttp('TWIN')
  expect([status, body.code, body.errors?.[0]?.code]).toEqual([422, 'invalid_parameter', 'ambiguous'])
  expect(body.errors?.[0]?.allowed.toSorted()).toEqual(twins.toSorted())
})

test("a name says nothing about other agencies' workspaces", async () => {
  const told = async (name: string) => {
    const { status, body } = await overHttp(name)
    const { errors, detail, code } = body
    return { status, code, detail, errors }
  }
  const theirs = await told('Secret Client')
  expect(theirs).toEqual(await told('Secret Nobody'))
  expect([theirs.status, theirs.code]).toEqual([403, 'workspace_not_readable'])
  expect(JSON.stringify(theirs)).not.toContain('Secret')
  expect(theirs.errors?.[0]?.allowed.toSorted()).toEqual(['Café Nord', 'Home', 'Twin', 'twin'].sort())
  const { errors } = await told('Cafe Nrod')
  expect(errors?.[0]?.did_you_mean).toBe('Café Nord')
})

test('an app finds by name only the workspaces that its person selected', async () => {
  const [twin = ''] = twins
  const { code, verifier } = await app.consent({}, { workspaces: [twin] })
  const { access_token } = (await (await app.exchange(code, verifier)).json()) as TokenBody
  expect((await overHttp('twin', access_token)).id).toBe(twin)
  const { status, body } = await overHttp('Home', access_token)
  expect([status, body.errors?.[0]?.allowed]).toEqual([403, ['Twin']])
})

test('a name is found after more names that contain it than are read', async () => {
  const rows = gate.owner.rows(Workspace)
  const like = { ...(await rows.get(gate.tenant.otherWorkspaceId)), is_home: false, is_active: true }
  for (let n = 0; n < 55; n++) {
    const { id: _, ...more } = { ...like, name: `A Sea View ${n}` }
    await rows.insert(more as never)
  }
  const { id: _, ...exact } = { ...like, name: 'Sea View' }
  const { id } = await rows.insert(exact as never)
  expect((await overHttp('Sea View')).id).toBe(id)
})
