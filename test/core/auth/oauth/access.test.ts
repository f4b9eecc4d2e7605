import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OAuthGrant } from '../../../../core/auth/oauth/grants/OAuthGrant'
import type { Row } from '../../../../core/contracts/entity'
import type { Log } from '../../../../core/contracts/plugin'
import { where } from '../../../../core/contracts/where'
import { Workspace } from '../../../../core/product/tenancy-plugin'
import { WhiteLabelDomain } from '../../../../core/tenancy/domains/WhiteLabelDomain'
import { User } from '../../../../core/tenancy/User'
import { type Gate, startGate } from '../../../support/harness'
import { notes } from '../../../support/notes-plugin'
import { connectApp, localIssuer, type TokenBody } from '../../../support/oauth-app'
import { waitFor } from '../../../support/wait-for'

const main = 'https://app.example.com'
const domain = 'reviews.agency.example'
const lines: string[] = []
const say = (message: string, fields?: object) => void lines.push(JSON.stringify({ message, ...fields }))
const log: Log = { debug: say, info: say, warn: say, error: say }

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes], settings: { RENOWN_URL: main }, log })
  await gate.put(
    WhiteLabelDomain,
    { agency_id: gate.tenant.agencyId, domain, state: 'verified', token: 'x' },
    gate.tenant.agencyId,
  )
})
afterAll(() => gate.stop())

const ask = (path: string, token: string, headers: Record<string, string> = {}) =>
  gate.ask(path, { key: token, headers: { host: 'localhost:3000', ...headers } })
const post = (path: string, token: string, body: unknown, headers: Record<string, string> = {}) =>
  gate.ask(path, { method: 'POST', key: token, body, headers: { host: 'localhost:3000', ...headers } })

describe('a token', () => {
  const issuers = [main, `https://${domain}`, localIssuer, 'http://127.0.0.1:3000', 'http://localhost:4000']

  test('works at the host that issued it and is 401 at every other, which names its own metadata', async () => {
    for (const issuer of issuers) {
      const app = await connectApp(gate, { issuer })
      const { access_token } = await app.connect()
      for (const other of issuers) {
        const answer = await ask('/api/surface', access_token, { host: new URL(other).host })
        expect([issuer, other, answer.status]).toEqual([issuer, other, issuer === other ? 200 : 401])
        if (issuer === other) continue
        const challenge = answer.headers.get('www-authenticate')
        expect(challenge).toContain(`resource_metadata="${other}/.well-known/`)
        expect(challenge).toContain('error="invalid_token"')
      }
    }
  })

  test('of one host cannot be refreshed, revoked or redeemed at another', async () => {
    const app = await connectApp(gate, { issuer: main })
    const there = { host: domain }
    const { access_token, refresh_token } = await app.connect()
    const elsewhere = await app.form('/oauth/token', { grant_type: 'refresh_token', refresh_token }, there)
    expect([elsewhere.status, ((await elsewhere.json()) as TokenBody).error]).toEqual([401, 'invalid_client'])
    expect((await app.form('/oauth/revoke', { token: access_token }, there)).status).toBe(401)
    expect(await app.status(access_token)).toBe(200)
    const { code, verifier } = await app.consent()
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier }
    expect((await app.form('/oauth/token', fields, there)).status).toBe(401)
    expect((await app.exchange(code, verifier)).status).toBe(200)
  })

  test("at a white-label domain is given by that agency's own people alone", async () => {
    const stranger = await connectApp(gate, { issuer: `https://${domain}`, tenant: gate.stranger })
    const path = (await stranger.authorize().sent).headers.get('location') ?? ''
    expect((await stranger.open(path)).headers.get('location')).toStartWith('/app/sign-in')
  })

  test('at a domain that went to another agency is 401, and so is its refresh', async () => {
    const named = 'moved.agency.example'
    const own = { agency_id: gate.tenant.agencyId, domain: named, state: 'verified', token: 'x' } as const
    const row = await gate.put(WhiteLabelDomain, own, gate.tenant.agencyId)
    const app = await connectApp(gate, { issuer: `https://${named}` })
    const { access_token, refresh_token } = await app.connect()
    expect(await app.status(access_token)).toBe(200)
    await gate.owner.rows(WhiteLabelDomain).removeWhere(where.eq('id', row.id))
    await gate.put(WhiteLabelDomain, { ...own, agency_id: gate.stranger.agencyId }, gate.stranger.agencyId)
    expect(await app.status(access_token)).toBe(401)
    expect((await app.refresh(refresh_token)).status).toBe(400)
  })

  test('of a person who moved to another agency is 401, and works again once the person is back', async () => {
    const app = await connectApp(gate)
    const { access_token } = await app.connect()
    expect(await app.status(access_token)).toBe(200)
    const people = gate.documents.collection(User)
    await people.updateOne(where.eq('id', app.user.id), { set: { agency_id: gate.stranger.agencyId } })
    const refused = await ask('/api/surface', access_token)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ])
    await people.updateOne(where.eq('id', app.user.id), { set: { agency_id: gate.tenant.agencyId } })
    expect(await app.status(access_token)).toBe(200)
  })

  test('is told from a wrong one without a look at the store, and ends when its time is up', async () => {
    const app = await connectApp(gate)
    const { access_token, expires_in } = await app.connect()
    const flipped = access_token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    expect((await ask('/api/surface', flipped)).status).toBe(401)
    expect((await ask('/api/surface', access_token.replace('rnw_at_', 'rnw_rt_'))).status).toBe(401)
    gate.clock.advance(expires_in * 1_000)
    expect((await ask('/api/surface', access_token)).status).toBe(401)
  })

  test('is read from the Authorization header alone: no cookie and no query counts', async () => {
    const app = await connectApp(gate)
    const { access_token } = await app.connect()
    for (const headers of [{ cookie: app.cookie }, { cookie: `access_token=${access_token}` }]) {
      const answer = await gate.ask('/api/surface', {
        key: null,
        headers: { host: 'localhost:3000', ...headers },
      })
      expect(answer.status).toBe(401)
    }
    const query = await gate.ask(`/api/surface?access_token=${access_token}`, {
      key: null,
      headers: app.headers,
    })
    expect(query.status).toBe(401)
  })

  test('says who it is', async () => {
    const app = await connectApp(gate)
    const { access_token } = await app.connect({ scope: 'read' })
    const answer = (await (await post('/api/functions/whoami', access_token, {})).json()) as {
      credential: object
    }
    expect(answer.credential).toEqual({ kind: 'oauth', platform: false, scopes: ['read'] })
  })

  test('notes its last use once in five minutes', async () => {
    const app = await connectApp(gate)
    const { access_token } = await app.connect()
    const uses = async () => {
      const found = await gate.documents
        .collection(OAuthGrant)
        .find({ where: where.eq('user_id', app.user.id) })
      return found[0]?.last_used_at as string | undefined
    }
    await app.status(access_token)
    const first = await waitFor(uses, { what: 'the use to be noted' })
    gate.clock.advance(60_000)
    await app.status(access_token)
    expect(await uses()).toBe(first)
    gate.clock.advance(5 * 60_000)
    await app.status(access_token)
    const isLater = async () => ((await uses()) ?? first) > first
    await waitFor(isLater, { what: 'the later use to be noted' })
  })
})

describe('scopes', () => {
  const told =
    'Bearer realm="renown", error="insufficient_scope", error_description="draftNote needs the scope \'write\'.", ' +
    `resource_metadata="${localIssuer}/.well-known/oauth-protected-resource/api/mcp", scope="read write"`

  test('that are missing are 403 with all that are needed, over HTTP', async () => {
    const app = await connectApp(gate)
    const { access_token } = await app.connect({}, { write: false })
    expect((await post('/api/functions/countNotes', access_token, {})).status).toBe(200)
    const refused = await post('/api/functions/draftNote', access_token, { text: 'x' })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toBe(told)
    const elsewhere = { 'x-workspace-id': gate.stranger.workspaceId }
    const first = await post('/api/functions/draftNote', access_token, { text: 'x' }, elsewhere)
    expect(first.headers.get('www-authenticate')).toBe(told)
    expect(await refused.json()).toMatchObject({ error: 'insufficient_scope', scope: 'read write' })
  })

  test('that are missing are 403 over MCP too, in both revisions, and not the text of a tool', async () => {
    const app = await connectApp(gate)
    const { access_token } = await app.connect({}, { write: false })
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'draftNote', arguments: {} } }
    for (const version of ['2025-11-25', '2026-07-28']) {
      const refused = await post('/api/mcp', access_token, call, { 'mcp-protocol-version': version })
      expect(refused.status).toBe(403)
      expect(refused.headers.get('www-authenticate')).toBe(told)
    }
    const read = { ...call, params: { name: 'countNotes', arguments: {} } }
    expect((await post('/api/mcp', access_token, read)).status).toBe(200)
  })
})

describe('workspaces that were chosen', () => {
  test('are read, and no others: the first stands in for the home where that is not among them', async () => {
    const { workspaceId, otherWorkspaceId } = gate.tenant
    const app = await connectApp(gate)
    const { access_token } = await app.connect({}, { workspaces: [otherWorkspaceId] })
    const whoami = async (headers: Record<string, string> = {}) => {
      const answer = await post('/api/functions/whoami', access_token, {}, headers)
      return answer.status === 200
        ? ((await answer.json()) as { workspace: { id: string } }).workspace.id
        : answer.status
    }
    expect(await whoami()).toBe(otherWorkspaceId)
    expect(await whoami({ 'x-workspace-id': otherWorkspaceId })).toBe(otherWorkspaceId)
    expect(await whoami({ 'x-workspace-id': workspaceId })).toBe(403)
    const listed = (await (await ask('/api/entities/Workspace', access_token)).json()) as { id: string }[]
    expect(listed.map(({ id }) => id)).toEqual([otherWorkspaceId])
    const all = await app.connect()
    const everything = (await (await ask('/api/entities/Workspace', all.access_token)).json()) as {
      id: string
    }[]
    expect(everything.map(({ id }) => id).sort()).toEqual([workspaceId, otherWorkspaceId].sort())
    const again = (await (await ask('/api/entities/Workspace', access_token)).json()) as { id: string }[]
    expect(again.map(({ id }) => id)).toEqual([otherWorkspaceId])
  })

  test('narrow a platform-scoped app too', async () => {
    const { otherWorkspaceId } = gate.platform
    const app = await connectApp(gate, { tenant: gate.platform })
    const narrow = (await app.connect({}, { workspaces: [otherWorkspaceId] })).access_token
    const whole = (await app.connect()).access_token
    const foreign = { 'x-workspace-id': gate.tenant.workspaceId }
    expect((await ask('/api/surface', whole, foreign)).status).toBe(200)
    expect((await ask('/api/surface', narrow, foreign)).status).toBe(403)
    expect((await ask('/api/surface', narrow)).status).toBe(200)
  })

  test('that are gone leave an app with the next, in the end with nothing, and never with the home', async () => {
    const app = await connectApp(gate, { tenant: gate.stranger })
    const { id: _, ...like } = (await gate.owner.rows(Workspace).get(gate.stranger.otherWorkspaceId)) as Row<
      typeof Workspace
    >
    const third = await gate.owner.rows(Workspace).insert({ ...like, name: 'Third' })
    const two = { workspaces: [gate.stranger.otherWorkspaceId, third.id] }
    const both = (await app.connect({}, two)).access_token
    const { access_token } = await app.connect({}, { workspaces: [gate.stranger.otherWorkspaceId] })
    await gate.owner.rows(Workspace).removeWhere(where.eq('id', gate.stranger.otherWorkspaceId))
    expect((await ask('/api/surface', access_token)).status).toBe(403)
    const who = (await (await post('/api/functions/whoami', both, {})).json()) as {
      workspace: { id: string }
    }
    expect(who.workspace.id).toBe(third.id)
  })
})

test('an agent key and an app are ended apart from each other', async () => {
  const app = await connectApp(gate)
  const { access_token, refresh_token } = await app.connect()
  const revoked = await app.form('/oauth/revoke', { token: refresh_token })
  expect([revoked.status, revoked.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(await app.status(access_token)).toBe(401)
  expect(await app.status(gate.tenant.key)).toBe(200)
})

test('no secret of all this stands in the log, and no state or code of an address', async () => {
  const app = await connectApp(gate, { metadata: { token_endpoint_auth_method: 'client_secret_post' } })
  const state = 'state-that-is-nobodys-business'
  const { code, verifier } = await app.consent({ state })
  const client_secret = app.client.client_secret ?? ''
  const body = (await (await app.exchange(code, verifier, { client_secret })).json()) as TokenBody
  await app.refresh(body.refresh_token, { client_secret })
  await app.exchange(code, verifier, { client_secret })
  await app.status(body.access_token)
  const text = lines.join('\n')
  expect(text).toContain('/oauth/token')
  const session = app.cookie.split('=')[1] ?? ''
  const secrets = [
    code,
    verifier,
    client_secret,
    body.access_token,
    body.refresh_token,
    session,
    state,
    '203.0.113.7',
  ]
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8)
    expect(text).not.toContain(secret)
  }
})
