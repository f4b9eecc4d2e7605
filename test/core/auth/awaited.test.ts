import { afterAll, beforeAll, expect, test } from 'bun:test'
import { agentKeys } from '../../../core/auth/agent-keys'
import { createRequests } from '../../../core/auth/oauth/authorize'
import { createAppDocuments } from '../../../core/auth/oauth/clients/client-metadata'
import { createClients } from '../../../core/auth/oauth/clients/clients'
import { createCodes } from '../../../core/auth/oauth/grants/codes'
import { createDecision } from '../../../core/auth/oauth/grants/decision'
import { createGrants, grantRetentionMs } from '../../../core/auth/oauth/grants/grants'
import { createTokens } from '../../../core/auth/oauth/grants/tokens'
import { createOwnerLinks } from '../../../core/auth/people/owner-link'
import type { Passwords } from '../../../core/auth/people/passwords'
import { createPeople } from '../../../core/auth/people/people'
import { createSecondFactor } from '../../../core/auth/people/second-factor'
import { createSteps } from '../../../core/auth/people/steps'
import { createSessions, type Person } from '../../../core/auth/sessions'
import { dayMs } from '../../../core/contracts/time'
import { base32, generateHOTP } from '../../../core/process/crypto'
import type { Host } from '../../../core/requests/host'
import { openSqlite } from '../../../core/stores/documents/sqlite/index'
import { auditOf, commandLine } from '../../../core/tenancy/audit/audit'
import { User } from '../../../core/tenancy/User'
import { type Gate, startGate } from '../../support/harness'
import { type LateStore, lateStore } from '../../support/late-store'
import { callback, connectApp, localIssuer } from '../../support/oauth-app'
import { part } from '../../support/part'
import { quietLog } from '../../support/quiet-log'

/**
 * An answer comes after the writes that belong to it. Otherwise a process may stop before a write, and nobody hears of
 * the error of a failed one.
 */
let late: LateStore
let gate: Gate
beforeAll(async () => {
  late = lateStore(await openSqlite({ path: ':memory:', now: () => new Date(), log: quietLog }))
  gate = await startGate({ documents: late.documents })
})
afterAll(async () => {
  await gate.stop()
  await late.documents.close()
})

/** Fails if writes of the work are still open when its answer is there. */
async function whole<T>(what: string, work: Promise<T>): Promise<T> {
  const answer = await work
  expect([what, ...late.open()]).toEqual([what])
  return answer
}

const host: Host = { origin: 'https://renown.example.com', kind: 'main', agency_id: null }
const request = (cookie = '') => new Request(host.origin, { headers: { cookie: cookie.split(';')[0] ?? '' } })

async function newPerson(more: object = {}): Promise<Person> {
  const { agencyId } = gate.tenant
  const row = { agency_id: agencyId, role: 'owner', is_active: true, ...more } as const
  return (await gate.put(User, row, agencyId)) as Person
}

test('each step of an app ends its writes before it is answered', async () => {
  const ask: Gate['ask'] = (path, options) =>
    whole(`${options?.method ?? 'GET'} ${path}`, gate.ask(path, options))
  const app = await connectApp({ ...gate, ask })
  const first = await app.connect()
  const again = await (await app.refresh(first.refresh_token)).json()
  expect(again).toMatchObject({ token_type: 'Bearer' })
  expect((await app.refresh(first.refresh_token)).status).toBe(200)
  expect((await app.form('/oauth/revoke', { token: first.access_token })).status).toBe(200)
  gate.clock.advance(31 * 60_000)
  expect((await app.refresh(first.refresh_token)).status).toBe(400)
  const second = await app.connect()
  expect((await app.form('/oauth/revoke', { token: second.refresh_token })).status).toBe(200)
  const { code, verifier } = await app.consent()
  expect((await app.exchange(code, verifier)).status).toBe(200)
  expect((await app.exchange(code, verifier)).status).toBe(400)
  const { sent } = app.authorize()
  const denied = await app.decide((await sent).headers.get('location') ?? '', 'deny')
  expect(Object.fromEntries(new URL(denied.headers.get('location') ?? '').searchParams)).toEqual({
    error: 'access_denied',
    error_description: 'The owner denied access',
    iss: localIssuer,
    state: 'xyz',
  })
  const { entries } = await auditOf(gate.owner).list(gate.tenant.agencyId, { limit: 100 })
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      'app.deny',
      'app.code_replayed',
      'app.revoked_by_app',
      'app.refresh_token_reused',
      'app.refresh_again',
      'app.connect',
      'app.consent',
    ]),
  )
})

test('the parts of an app’s connection end their writes', async () => {
  const { agencyId } = gate.tenant
  const person = await newPerson()
  const codes = createCodes(gate)
  const grants = createGrants(gate)
  const requests = createRequests(gate)
  const tokens = createTokens({ ...gate, accessMinutes: 60 })
  const clients = createClients({ ...gate, appDocuments: { find: () => Promise.reject(new Error('none')) } })
  const app = { name: 'An app', redirect_uris: [callback], auth_method: 'none' as const }
  const { client_id } = await whole('register', clients.register(host, app))
  const inAYear = new Date(gate.clock.now().getTime() + 365 * dayMs)
  await whole('keep', clients.keep(client_id, inAYear))
  const client = await clients.find(client_id, host, part({}))
  expect(client?.name).toBe('An app')
  gate.clock.advance(2 * dayMs)
  expect(await clients.find(client_id, host, part({}))).not.toBeNull()
  const about = { host: host.origin, client_id, redirect_uri: callback, code_challenge: 'x' }
  const id = await whole('request', requests.keep({ ...about, scopes: ['read'] }))
  const asked = await requests.open(id, host)
  if (!client || !asked) throw new Error('The request is not open')
  const noted: string[] = []
  const report = async (_: unknown, action: string) => {
    await new Promise((resolve) => setImmediate(resolve))
    noted.push(action)
  }
  const decision = createDecision({ ...gate, requests, grants, codes, clients, report })
  const by = { user_id: person.id, agency_id: agencyId }
  const allowed = { scopes: ['read'], workspace_ids: null } as const
  await whole('allow', decision.allow(asked, client, by, allowed))
  expect(noted).toEqual(['app.consent'])
  const other = await requests.open(await requests.keep({ ...about, scopes: ['read'] }), host)
  await whole('deny', decision.deny(other ?? asked, client, by))
  expect(noted).toEqual(['app.consent', 'app.deny'])
  const code = await whole('code', codes.mint({ ...about, grant_id: 'ogr_1', workspace_id: agencyId }))
  const minted = await codes.find(code)
  if (!minted) throw new Error('The code is not there')
  expect(await whole('take', codes.take(minted))).toBe(true)
  const [allowedBy] = await grants.allowedBy(person.id, agencyId)
  const grant = await whole('connect', grants.connect(allowedBy?.id ?? ''))
  if (!grant) throw new Error('The grant is not there')
  const issued = await whole('issue', tokens.issue(grant, ['read']))
  const access = await tokens.find(issued.access_token)
  const refresh = await tokens.find(issued.refresh_token)
  if (!access || !refresh) throw new Error('The tokens are not there')
  expect(await whole('rotate', tokens.rotate(refresh))).toBe('first')
  await whole('remove', tokens.remove(access))
  expect(await whole('renew', grants.renew(grant))).not.toBeNull()
  expect(await whole('end', grants.end(grant.id, 'disconnected'))).not.toBeNull()
  expect(grantRetentionMs).toBe(187 * dayMs)
})

test('a document of an app is stored before the app is used', async () => {
  const url = 'https://app.example/metadata.json'
  const document = { client_id: url, redirect_uris: ['https://app.example/back'] }
  let isAway = false
  const documents = createAppDocuments({
    ...gate,
    log: quietLog,
    limits: { count: () => {} },
    safeFetch: async () => {
      if (isAway) throw new Error('away')
      return {
        url,
        status: 200,
        headers: new Headers({ 'content-type': 'application/json' }),
        body: new TextEncoder().encode(JSON.stringify(document)),
      }
    },
  })
  const find = (what: string) => whole(what, documents.find(url, part({})))
  expect((await find('first')).client_id).toBe(url)
  gate.clock.advance(61 * 60_000)
  await find('again')
  isAway = true
  gate.clock.advance(61 * 60_000)
  expect((await find('the last copy')).redirect_uris).toEqual(document.redirect_uris)
})

test('sessions, steps and links end their writes', async () => {
  const person = await newPerson()
  const sessions = createSessions(gate)
  const steps = createSteps(gate)
  const links = createOwnerLinks(gate)
  const { session, cookie } = await whole('start', sessions.start(person, host, request()))
  gate.clock.advance(6 * 60_000)
  expect((await whole('of', sessions.of(request(cookie), host)))?.id).toBe(session.id)
  await whole('choose', sessions.choose(session, 'wsp_1'))
  expect(await whole('renew', sessions.renew(session))).not.toBeNull()
  for (let place = 0; place < 21; place++) await whole('one more', sessions.start(person, host, request()))
  await whole('end', sessions.end(session))
  await whole('end all', sessions.endAll(person.id))
  const visit = await whole('begin', steps.begin('code', person, host))
  const step = await steps.of(request(visit), host, 'code')
  if (!step) throw new Error('The step is not there')
  expect(await whole('end step', steps.end(step))).toBe(true)
  await steps.begin('code', person, host)
  await whole('end steps', steps.endAll(person.id))
  const { token } = await whole('link', links.make(person))
  expect(await whole('use', links.use(token))).not.toBeNull()
})

test('passwords, second factors and attempts end their writes', async () => {
  const { secrets } = gate.owner.outbound
  const passwords: Passwords = {
    hash: async (password) => password,
    verify: async (password, hash) => {
      if (password === 'busy') throw new Error('busy')
      return password === hash
    },
  }
  const people = createPeople({ ...gate, secrets, passwords })
  const person = await newPerson({ email: 'awaited@example.com', password_hash: 'right' })
  const browser = { browser: null, address: null }
  const check = (password: string) =>
    whole(password, people.checkPassword('awaited@example.com', password, host, browser))
  expect((await check('wrong')).was).toBe('wrong')
  expect((await check('right')).was).toBe('right')
  await expect(check('busy')).rejects.toThrow('busy')
  expect(late.open()).toEqual([])
  await whole('own password', people.checkOwnPassword(person, 'right', 'ses_1'))
  await whole('remember', people.remember(person, null))
  await whole('preferences', people.setPreferences(person, { theme: 'dark' }))
  await whole('set', people.setPassword(person, 'other'))
  expect((await check('other')).was).toBe('right')
  expect(await people.get(person.id)).toMatchObject({
    password_hash: 'other',
    theme: 'dark',
    password_set_at: expect.any(String),
  })
  expect(await people.get(person.id)).not.toHaveProperty('browser_hashes')
  const factor = createSecondFactor({ ...gate, secrets })
  const offer = factor.begin(person, 'Renown')
  const secret = base32.decode(offer.text.replaceAll(' ', ''))
  const codeOf = (ahead: number) =>
    generateHOTP(secret, Math.floor(gate.clock.now().getTime() / 30_000) + ahead)
  const codes = await whole('enable', factor.enable(person, offer.sealed, await codeOf(-1)))
  expect(codes).toHaveLength(10)
  const again = async () => (await people.get(person.id)) as Person
  expect(await whole('code', people.checkCode(await again(), await codeOf(1), browser))).toMatchObject({
    was: 'right',
  })
  expect(await whole('recover', factor.recover(await again(), codes?.[0] ?? ''))).toBe(true)
  await whole('new codes', factor.renewCodes(person))
  await whole('disable', factor.disable(person))
  expect((await again()).totp_secret).toBeUndefined()
})

test('keys end their writes, and a call under an Idempotency-Key ends its own', async () => {
  const keys = agentKeys(gate)
  const { agencyId } = gate.stranger
  await whole('rotate', keys.rotate(agencyId))
  expect(await whole('revoke', keys.revoke(agencyId))).toBe(true)
  const { token } = await whole('mint', keys.mint(agencyId))
  const headers = { 'idempotency-key': 'awaited' }
  const read = { method: 'POST', key: token, headers, body: { ids: [] } } as const
  const answer = await whole('call', gate.ask('/api/functions/markNotificationsRead', read))
  expect(answer.status).toBeLessThan(500)
  gate.clock.advance(6 * 60_000)
})

test('each command ends its writes one after another, and answers what it says', async () => {
  const { agencyId } = gate.platform
  const run = async (name: string, input: object) => {
    const command = gate.registry.commands.get(name)
    if (!command) throw new Error(`There is no command ${name}`)
    const given = {
      ...(name.startsWith('people') || name === 'app disconnect' ? {} : { agency_id: agencyId }),
      ...input,
    }
    return (await whole(name, command.run({ ...gate.owner, by: { host: commandLine } }, given))) as Record<
      string,
      string
    >
  }
  const keysOf = async (name: string, input: object = {}) => {
    const answer = await run(name, input)
    const given = Object.entries(answer).filter(([, value]) => value !== undefined)
    return [answer, given.map(([key]) => key).join(' ')] as const
  }
  const owner = await gate.put(User, { agency_id: agencyId, role: 'owner', is_active: true }, agencyId)
  const invited = await keysOf('person invite', { agency_id: agencyId, name: 'Mia', role: 'member' })
  expect(invited[1]).toBe('name role user_id sign_in_link')
  const { user_id } = invited[0]
  expect(invited[0]).toMatchObject({ name: 'Mia', role: 'member' })
  expect<unknown>(await keysOf('person link create', { user_id })).toEqual([
    { user_id, sign_in_link: expect.stringContaining('/app/link?token=rnw_link_') },
    'user_id sign_in_link',
  ])
  expect(await run('person deactivate', { user_id })).toEqual({
    name: 'Mia',
    status: 'deactivated',
    user_id: `${user_id}`,
  })
  expect(await run('person deactivate', { user_id })).toEqual({
    name: 'Mia',
    status: 'deactivated',
    user_id: `${user_id}`,
  })
  expect(await run('person activate', { user_id })).toEqual({
    name: 'Mia',
    status: 'invited',
    user_id: `${user_id}`,
  })
  const away = {
    agency_id: agencyId,
    role: 'owner',
    is_active: false,
    name: 'Olga',
    password_hash: 'x',
  } as const
  const olga = await gate.put(User, away, agencyId)
  expect(await run('person activate', { user_id: olga.id })).toEqual({
    name: 'Olga',
    status: 'active',
    user_id: olga.id,
  })
  const nowhere = {
    agency_id: agencyId,
    name: 'Noa',
    role: 'member',
    workspace_ids: ['wsp_no', gate.tenant.workspaceId],
  }
  const missing = `wsp_no, ${gate.tenant.workspaceId}`
  await expect(run('person invite', nowhere)).rejects.toMatchObject({
    code: 'invalid_field',
    message: `The agency has no workspace ${missing}.`,
    details: {
      errors: [{ pointer: '/workspace_ids', code: 'not_found', message: `no such workspace: ${missing}` }],
    },
  })
  await expect(run('person link create', { user_id: olga.id })).rejects.toMatchObject({ code: 'conflict' })
  await expect(run('person link create', { user_id: 'usr_no' })).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no person usr_no.',
  })
  expect((await keysOf('owner link create'))[1]).toBe('agency_id owner_link expires_at')
  const rotated = await keysOf('key rotate')
  expect(rotated[1]).toBe('agency_id agent_key last4 replaced')
  expect<unknown>([rotated[0].agent_key?.slice(-4), rotated[0].replaced]).toEqual([rotated[0].last4, true])
  expect<unknown>(await run('key revoke', {})).toEqual({ agency_id: agencyId, revoked: true })
  expect<unknown>(await run('key revoke', {})).toEqual({ agency_id: agencyId, revoked: false })
  const created = await keysOf('key rotate')
  expect<unknown>(created[0].replaced).toBe(false)
  const added = await keysOf('domain add', { domain: 'reviews.platform.example' })
  expect(added[1]).toBe('domain_id domain state record_type record_name record_value')
  const there = { agency_id: agencyId, user_id: owner.id, client_id: 'x', client_name: 'An app' }
  for (let n = 0; n < 2; n++)
    await createGrants(gate).begin({
      ...there,
      host: 'https://reviews.platform.example',
      is_verified: false,
      app_host: 'x',
      scopes: ['read'],
    })
  const removed = await run('domain remove', { domain: 'reviews.platform.example' })
  expect<unknown>(removed).toEqual({
    domain_id: added[0].domain_id ?? '',
    domain: 'reviews.platform.example',
    removed: true,
  })
  const consent = {
    agency_id: agencyId,
    user_id: owner.id,
    host: host.origin,
    client_id: 'x',
    client_name: 'An app',
  }
  const grants = createGrants(gate)
  const { id: grant_id } = await grants.begin({
    ...consent,
    is_verified: false,
    app_host: 'x',
    scopes: ['read'],
  })
  await grants.connect(grant_id)
  expect((await run('app list', {})).apps).toHaveLength(1)
  expect<unknown>(await run('app disconnect', { grant_id })).toEqual({
    grant_id,
    name: 'An app',
    disconnected: true,
  })
  await expect(run('app disconnect', { grant_id })).rejects.toMatchObject({
    code: 'not_found',
    message: `There is no connected app ${grant_id}.`,
  })
  const { entries } = await auditOf(gate.owner).list(agencyId, { limit: 100 })
  const ended = entries.flatMap(({ action, credential }) =>
    action === 'app.domain_removed' ? [`${credential}`] : [],
  )
  expect(ended.sort()).toHaveLength(2)
  const lines = entries.map(({ action, host: at, subject, credential }) =>
    [action, at, subject, credential].join(' ').trim(),
  )
  expect(lines.sort()).toEqual([
    `app.disconnect command line An app ${grant_id}`,
    ...ended.map((id) => `app.domain_removed https://reviews.platform.example An app ${id}`),
    'domain.add command line reviews.platform.example',
    'domain.remove command line reviews.platform.example',
    expect.stringMatching(/^key.create command line …\w{4}$/),
    expect.stringMatching(/^key.revoke command line …\w{4}$/),
    expect.stringMatching(/^key.rotate command line …\w{4}$/),
    'person.activate command line Mia',
    'person.activate command line Olga',
    'person.deactivate command line Mia',
    'person.invite command line Mia',
    'person.link_made command line Mia',
    'person.owner_link_made command line',
  ])
})
