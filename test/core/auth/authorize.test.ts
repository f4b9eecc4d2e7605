import { expect, test } from 'bun:test'
import { agentKeys } from '../../../core/auth/agent-keys'
import {
  authorizeOperation,
  authorizeRead,
  createAuthorizer,
  insufficient,
} from '../../../core/auth/authorize'
import { createRoutes, type RouteDeps } from '../../../core/http/routes'
import type { Principal, RequestState } from '../../../core/requests/request'
import { User } from '../../../core/tenancy/User'
import { Workspace } from '../../../core/tenancy/Workspace'
import { startGate } from '../../support/harness'
import { countNotes, draftNote, Note } from '../../support/notes-plugin'
import { part } from '../../support/part'

const nobody = () => ({ id: 'r', path: '/', search: '', address: () => null, host: null, headers: {} })
const home = { id: 'wsp_1', agency_id: 'agc_1', timezone: 'UTC', is_home: true }
const holder = (scopes: Principal['scopes'], platform = false): Principal => ({
  id: 'x',
  kind: 'oauth',
  agency_id: 'agc_1',
  platform,
  scopes,
})

test('a grant without a scope does not reach what needs it', () => {
  expect(() => authorizeOperation(countNotes, holder(['read']), home)).not.toThrow()
  expect(() => authorizeOperation(draftNote, holder(['read']), home)).toThrow('needs the scope "write"')
  expect(() => authorizeOperation(countNotes, holder(['write']), home)).toThrow('needs the scope "read"')
  expect(() => authorizeOperation(draftNote, holder(['write']), home)).not.toThrow()
  expect(() => authorizeRead(Note, holder(['write']))).toThrow('needs the scope "read"')
  expect(() => authorizeRead(Note, holder(['read']))).not.toThrow()
})

test('a refusal for a missing scope names every scope that an app has to ask for', () => {
  const challenge = (scope: 'read' | 'write') => insufficient('It', scope).details.extra
  expect(challenge('write')).toEqual({ error: 'insufficient_scope', scope: 'read write' })
  expect(challenge('read')).toEqual({ error: 'insufficient_scope', scope: 'read' })
})

test("another agency's workspace is reached by operations that allow it only", () => {
  const there = { ...home, agency_id: 'agc_2' }
  expect(() => authorizeOperation(countNotes, holder(['read', 'write'], true), there)).not.toThrow()
  expect(() => authorizeOperation(draftNote, holder(['read', 'write'], true), there)).toThrow(
    "credential's own agency",
  )
})

test('the guard of every route refuses a request that did not come through the front, whatever its path was taken for', async () => {
  const reached = () => {
    throw new Error('reached')
  }
  const deps = {
    discovery: { surface: reached },
    authorizer: { workspace: reached },
    fail: (error: Error) =>
      new Response(error.message, {
        status: 'code' in error && error.code === 'unauthenticated' ? 401 : 500,
      }),
  } as unknown as RouteDeps
  const routes = createRoutes(deps)
  for (const path of ['/api/surface', '/api/entities/Note', '/api/entities/Note/x', '/api/nothing', '/api']) {
    expect((await routes.handle(new Request(`http://localhost${path}`), nobody())).status).toBe(401)
  }
  const call = new Request('http://localhost/api/functions/countNotes', { method: 'POST', body: '{}' })
  expect((await routes.handle(call, nobody())).status).toBe(401)
  // The router finds this path from a fixed place in the URL, so that a short host shifts it.
  expect((await routes.handle(new Request('http://app/x/api/entities/Note'), nobody())).status).toBe(401)
})

test('a key stands for the agency that holds it now, whoever held it last', async () => {
  const gate = await startGate()
  try {
    const { tenant, stranger } = gate
    const real = agentKeys(gate)
    for (const lastHolder of [() => stranger.agencyId, () => undefined, () => 'agc_gone']) {
      const { authenticate, workspace } = createAuthorizer({
        documents: gate.documents,
        oauth: part({ verify: async () => null }),
        limits: part({ count() {} }),
        keys: { ...real, lastHolder },
      })
      const state: RequestState = { ...nobody() }
      const request = new Request('http://localhost/api/surface', {
        headers: { authorization: `Bearer ${tenant.key}` },
      })
      const principal = await authenticate(request, state)
      expect(principal).toMatchObject({ id: `agent_key:${tenant.agencyId}`, agency_id: tenant.agencyId })
      expect((await workspace(state, principal, null)).id).toBe(tenant.workspaceId)
    }
  } finally {
    await gate.stop()
  }
})

test('a token whose agency or person is gone is refused with 401, as one whose person changed the agency', async () => {
  const gate = await startGate()
  try {
    const { agencyId: agency_id, workspaceId } = gate.tenant
    const add = (agency: string, is_active = true) =>
      gate.owner.rows(User).insert({ workspace_id: agency, agency_id: agency, role: 'owner', is_active })
    const { id: user_id } = await add(agency_id)
    const { id: away } = await add(gate.stranger.agencyId)
    const { id: paused } = await add(agency_id, false)
    const signIn = async (grant: object) => {
      const { authenticate, workspace } = createAuthorizer({
        documents: gate.documents,
        keys: agentKeys(gate),
        limits: part({ count() {} }),
        oauth: {
          verify: async () => ({ token: { scopes: ['read'] }, grant: { id: 'oag_1', ...grant } }) as never,
        },
      })
      const state: RequestState = { ...nobody() }
      const headers = { authorization: 'Bearer rnw_at_x' }
      const principal = await authenticate(new Request('http://localhost/api/surface', { headers }), state)
      return { principal, workspace: (await workspace(state, principal, null)).id }
    }
    expect(await signIn({ agency_id, user_id })).toMatchObject({
      principal: { id: 'oauth:oag_1', agency_id, platform: false, scopes: ['read'] },
      workspace: workspaceId,
    })
    for (const grant of [
      { agency_id, user_id: 'usr_gone' },
      { agency_id: 'agn_gone', user_id },
      { agency_id: 'agn_gone', user_id: 'usr_gone' },
      { agency_id, user_id: away },
      { agency_id, user_id: paused },
    ])
      await expect(signIn(grant)).rejects.toMatchObject({ code: 'unauthenticated' })
    // The first of the chosen workspaces that is there stands in for a home that was not chosen.
    const chosen = ['wsp_gone', gate.tenant.otherWorkspaceId, workspaceId]
    expect(await signIn({ agency_id, user_id, workspace_ids: chosen.slice(0, 2) })).toMatchObject({
      workspace: gate.tenant.otherWorkspaceId,
    })
    expect(await signIn({ agency_id, user_id, workspace_ids: chosen })).toMatchObject({
      workspace: workspaceId,
    })
    await expect(signIn({ agency_id, user_id, workspace_ids: ['wsp_gone'] })).rejects.toMatchObject({
      code: 'workspace_not_readable',
    })
  } finally {
    await gate.stop()
  }
})

test('each refused credential counts as a failure and says what is wrong', async () => {
  const gate = await startGate()
  try {
    const counted: string[] = []
    const { authenticate } = createAuthorizer({
      documents: gate.documents,
      keys: agentKeys(gate),
      oauth: { verify: async () => null },
      limits: part({ count: (_: unknown, name: string) => void counted.push(name) }),
    })
    const refused = async (header?: string) => {
      const headers = new Headers(header === undefined ? {} : { authorization: header })
      const request = new Request('http://localhost/api/surface', { headers })
      const { code, message, details } = await authenticate(request, nobody()).catch((error) => error)
      return [code, message, details.extra]
    }
    const unknown = 'The credential was revoked or is not recognised.'
    const noToken = 'The Authorization header has no bearer token.'
    const known = { error: 'invalid_token' }
    expect(await refused()).toEqual(['unauthenticated', 'A bearer token is required.', {}])
    for (const header of ['Basic eDp5', 'Bearer', 'Bearer a b'])
      expect(await refused(header)).toEqual(['unauthenticated', noToken, {}])
    for (const token of ['rnw_key_x', 'rnw_at_x'])
      expect(await refused(`bearer  ${token}`)).toEqual(['unauthenticated', unknown, known])
    expect(counted).toEqual(Array(6).fill('failure'))
  } finally {
    await gate.stop()
  }
})

test('the holder of a key is cached by workspace, for names of at most 64 characters', async () => {
  const gate = await startGate()
  try {
    let finds = 0
    const real = agentKeys(gate)
    const { authenticate } = createAuthorizer({
      documents: gate.documents,
      oauth: { verify: async () => null },
      limits: part({}),
      keys: {
        ...real,
        used() {},
        find: (hash) => {
          finds++
          return real.find(hash)
        },
      },
    })
    const found = async (named?: string) => {
      const before = finds
      for (let n = 0; n < 2; n++) {
        const headers = new Headers({ authorization: `Bearer ${gate.tenant.key}` })
        if (named !== undefined) headers.set('x-workspace-id', named)
        await authenticate(new Request('http://localhost/api/surface', { headers }), nobody())
      }
      return finds - before
    }
    expect(await found()).toBe(1)
    expect(await found(gate.tenant.workspaceId)).toBe(1)
    expect(await found('x'.repeat(64))).toBe(1)
    expect(await found('x'.repeat(65))).toBe(2)
  } finally {
    await gate.stop()
  }
})

test('a workspace is given without what its row does not say, and a grant of all workspaces names none', async () => {
  const gate = await startGate()
  try {
    const { agencyId: agency_id } = gate.tenant
    const user = { workspace_id: agency_id, agency_id, role: 'owner', is_active: true } as const
    const { id: user_id } = await gate.owner.rows(User).insert(user)
    const { authenticate, workspace } = createAuthorizer({
      documents: gate.documents,
      keys: agentKeys(gate),
      limits: part({}),
      oauth: {
        verify: async () =>
          ({
            token: { scopes: ['read'] },
            grant: { id: 'oag_1', agency_id, user_id, client_name: 'Assistant' },
          }) as never,
      },
    })
    const headers = { authorization: 'Bearer rnw_at_x' }
    const principal = await authenticate(new Request('http://localhost/api', { headers }), nobody())
    expect(principal).toStrictEqual({
      id: 'oauth:oag_1',
      kind: 'oauth',
      app: 'Assistant',
      agency_id,
      platform: false,
      scopes: ['read'],
    })
    const at = (row: object | null) => workspace({ ...nobody(), workspaceRow: row as never }, principal, null)
    const row = { ...home, agency_id }
    expect(at(row)).toStrictEqual({ ...row, redact_pii: false })
    expect(at({ ...row, redact_pii: true, name: 'Home' })).toStrictEqual({ ...row, redact_pii: true })
    expect(() => at(null)).toThrow('cannot read the workspace')
    expect(() => at(home)).toThrow('cannot read the workspace')
  } finally {
    await gate.stop()
  }
})

test('the home workspace of an agency is searched for once, and again where its row is gone', async () => {
  const gate = await startGate()
  try {
    const { agencyId: agency_id, workspaceId } = gate.tenant
    const { id: user_id } = await gate.owner
      .rows(User)
      .insert({ workspace_id: agency_id, agency_id, role: 'owner', is_active: true })
    let searches = 0
    const documents: typeof gate.documents = {
      ...gate.documents,
      collection: (entity) => {
        const rows = gate.documents.collection(entity)
        if (entity.name !== Workspace.name) return rows
        return {
          ...rows,
          find: (query) => {
            searches++
            return rows.find(query)
          },
        }
      },
    }
    const grant = { id: 'oag_1', agency_id, user_id }
    const { authenticate } = createAuthorizer({
      documents,
      keys: agentKeys(gate),
      limits: part({ count() {} }),
      oauth: { verify: async () => ({ token: { scopes: ['read'] }, grant }) as never },
    })
    const homeOf = async () => {
      const state: RequestState = { ...nobody() }
      const headers = { authorization: 'Bearer rnw_at_x' }
      await authenticate(new Request('http://localhost/api/surface', { headers }), state)
      return state.workspaceRow?.id
    }
    expect([await homeOf(), await homeOf(), searches]).toEqual([workspaceId, workspaceId, 1])
    await gate.owner.rows(Workspace).update(workspaceId, { is_home: false })
    expect([await homeOf(), searches]).toEqual([undefined, 2])
  } finally {
    await gate.stop()
  }
})
