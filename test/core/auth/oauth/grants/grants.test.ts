import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createOAuth } from '../../../../../core/auth/oauth'
import { appDisconnect } from '../../../../../core/auth/oauth/commands'
import { readSettings } from '../../../../../core/contracts/settings'
import { runDeclared } from '../../../../../core/kit'
import { createLimits } from '../../../../../core/requests/limits'
import { auditOf, commandLine } from '../../../../../core/tenancy/audit/audit'
import { type Gate, startGate } from '../../../../support/harness'
import { callback, connectApp, localIssuer } from '../../../../support/oauth-app'
import { quietLog } from '../../../../support/quiet-log'
import { waitFor } from '../../../../support/wait-for'

let gate: Gate
let oauth: ReturnType<typeof createOAuth>
beforeAll(async () => {
  gate = await startGate()
  const { documents, clock } = gate
  const config = readSettings({})
  const audit = auditOf(gate.owner)
  oauth = createOAuth({
    documents,
    clock,
    config,
    log: quietLog,
    limits: createLimits(config, documents, clock.now),
    report: ({ agency_id, host, user_id }, action, outcome) =>
      audit.record({ agency_id, host, user_id, action, outcome }),
    safeFetch: () => Promise.reject(new Error('closed')),
    writes: 'save drafts',
  })
})
afterAll(() => gate.stop())

test('connected apps are told with name, hosts, scopes, workspaces and last use; consents without a token are not', async () => {
  const { agencyId, otherWorkspaceId } = gate.tenant
  expect(await oauth.grants(agencyId)).toEqual([])
  const app = await connectApp(gate, { metadata: { client_name: 'Cursor', redirect_uris: [callback] } })
  await app.consent()
  expect(await oauth.grants(agencyId)).toEqual([])
  const { access_token } = await app.connect({}, { write: false, workspaces: [otherWorkspaceId] })
  const [known, ...others] = await oauth.grants(agencyId)
  expect(others).toEqual([])
  expect(known).toEqual({
    grant_id: expect.stringMatching(/^ogr_/),
    name: 'Cursor',
    is_verified: false,
    app_host: '127.0.0.1:33418',
    host: localIssuer,
    scopes: ['read'],
    workspace_ids: [otherWorkspaceId],
    connected_at: expect.any(String),
    last_used_at: null,
  })
  await app.status(access_token)
  await waitFor(async () => (await oauth.grants(agencyId))[0]?.last_used_at, { what: 'the use to be noted' })
  expect(await oauth.grants(gate.stranger.agencyId)).toEqual([])
})

test('an app that did not come back for 60 days is connected no more', async () => {
  const tenant = gate.platform
  const app = await connectApp(gate, { tenant })
  const { refresh_token } = await app.connect()
  const days = (count: number) => gate.clock.advance(count * 24 * 60 * 60_000)
  days(59)
  expect((await app.refresh(refresh_token)).status).toBe(200)
  days(59)
  expect((await oauth.grants(tenant.agencyId)).length).toBe(1)
  days(2)
  expect(await oauth.grants(tenant.agencyId)).toEqual([])
})

test('an app is disconnected at once, alone, and once', async () => {
  const { agencyId } = gate.tenant
  const one = await connectApp(gate)
  const two = await connectApp(gate)
  const first = await one.connect()
  const second = await two.connect()
  const [newest] = await oauth.grants(agencyId)
  const id = newest?.grant_id ?? ''
  const owner = { ...gate.owner, by: { host: localIssuer, user_id: 'usr_somebody' } }
  const disconnect = () => runDeclared(appDisconnect.command, owner, { grant_id: id })
  expect(await disconnect()).toMatchObject({ grant_id: id, disconnected: true })
  expect([await one.status(first.access_token), await two.status(second.access_token)]).toEqual([200, 401])
  expect((await two.refresh(second.refresh_token)).status).toBe(400)
  await expect(disconnect()).rejects.toMatchObject({ code: 'not_found' })
  const { entries } = await auditOf(gate.owner).list(agencyId, { limit: 100 })
  const ended = entries.filter(({ action }) => action === 'app.disconnect')
  expect(ended).toMatchObject([{ user_id: 'usr_somebody', host: localIssuer, credential: id }])
})

test('whoever chooses a new password ends what they allowed, a consent under way too, and nothing of others', async () => {
  const mine = await connectApp(gate)
  const theirs = await connectApp(gate)
  const ended = await mine.connect()
  const kept = await theirs.connect()
  const { code, verifier } = await mine.consent()
  await oauth.disconnectAllOf(mine.user)
  expect([await mine.status(ended.access_token), await theirs.status(kept.access_token)]).toEqual([401, 200])
  expect((await mine.refresh(ended.refresh_token)).status).toBe(400)
  expect((await mine.exchange(code, verifier)).status).toBe(400)
})

test("the owner's commands show connected apps and end one, written down as done at the command line", async () => {
  const { agencyId } = gate.stranger
  const app = await connectApp(gate, { tenant: gate.stranger })
  const { access_token } = await app.connect()
  const run = (name: string, input: object) =>
    gate.registry.commands.get(name)?.run({ ...gate.owner, by: { host: commandLine } }, input)
  const { apps } = (await run('app list', { agency_id: agencyId })) as { apps: { grant_id: string }[] }
  expect(apps).toEqual([...(await oauth.grants(agencyId))])
  const grant_id = apps[0]?.grant_id ?? ''
  expect(await run('app disconnect', { grant_id })).toEqual({
    grant_id,
    name: 'Test app',
    disconnected: true,
  })
  expect(await app.status(access_token)).toBe(401)
  await expect(run('app disconnect', { grant_id })).rejects.toThrow('no connected app')
  const { entries } = await auditOf(gate.owner).list(agencyId, { limit: 100 })
  expect(entries.find(({ action }) => action === 'app.disconnect')).toMatchObject({ host: 'command line' })
})
