import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OAuthCode } from '../../../../core/auth/oauth/grants/OAuthCode'
import { OAuthGrant } from '../../../../core/auth/oauth/grants/OAuthGrant'
import { everything, where } from '../../../../core/contracts/where'
import { Agency, User } from '../../../../core/product/tenancy-plugin'
import { AuditEntry } from '../../../../core/tenancy/audit/AuditEntry'
import { type Gate, startGate } from '../../../support/harness'
import { type App, connectApp, type TokenBody } from '../../../support/oauth-app'

let gate: Gate
let app: App
beforeAll(async () => {
  gate = await startGate()
  app = await connectApp(gate)
})
afterAll(() => gate.stop())

const bodyOf = async (response: Response | Promise<Response>) => {
  const { status, headers } = await response
  return { status, headers, ...((await (await response).json()) as TokenBody) }
}
const minutes = (count: number) => count * 60_000
const days = (count: number) => count * 24 * minutes(60)

describe('a code', () => {
  test('becomes a bearer token with scope, lifetime and a refresh token, and nothing of it may be cached', async () => {
    const { code, verifier } = await app.consent()
    const answer = await bodyOf(app.exchange(code, verifier))
    expect(answer).toMatchObject({
      status: 200,
      token_type: 'Bearer',
      expires_in: 28_800,
      scope: 'read write',
    })
    expect(answer.access_token).toMatch(/^rnw_at_[0-9A-Za-z]{46}$/)
    expect(answer.refresh_token).toMatch(/^rnw_rt_[0-9A-Za-z]{46}$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await app.status(answer.access_token)).toBe(200)
  })

  test('works without redirect_uri, but not with another', async () => {
    const one = await app.consent()
    expect((await bodyOf(app.exchange(one.code, one.verifier, { redirect_uri: '' }))).status).toBe(200)
    const two = await app.consent()
    const other = app.exchange(two.code, two.verifier, { redirect_uri: 'http://127.0.0.1:1/other' })
    expect(await bodyOf(other)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  test('is not spent by an address, a verifier or a resource that is wrong', async () => {
    const { code, verifier } = await app.consent()
    const wrong = [
      app.exchange(code, verifier, { redirect_uri: 'http://127.0.0.1:1/other' }),
      app.exchange(code, 'a'.repeat(43)),
      app.exchange(code, verifier, { resource: 'https://other.example' }),
    ]
    for (const answer of await Promise.all(wrong)) expect(answer.status).toBe(400)
    expect((await bodyOf(app.exchange(code, verifier, { scope: 'read odd' }))).scope).toBe('read')
  })

  test('ends after 60 seconds', async () => {
    gate.clock.stop()
    const early = await app.consent()
    const late = await app.consent()
    gate.clock.advance(59_999)
    expect((await bodyOf(app.exchange(early.code, early.verifier))).status).toBe(200)
    gate.clock.advance(1)
    expect(await bodyOf(app.exchange(late.code, late.verifier))).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    })
  })

  test('that is shown twice kills the grant it began', async () => {
    const { code, verifier } = await app.consent()
    const first = await bodyOf(app.exchange(code, verifier))
    expect(await app.status(first.access_token)).toBe(200)
    expect(await bodyOf(app.exchange(code, verifier))).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await app.status(first.access_token)).toBe(401)
    expect(await bodyOf(app.refresh(first.refresh_token))).toMatchObject({ error: 'invalid_grant' })
  })

  test('needs the verifier of its own challenge', async () => {
    for (const wrong of ['a'.repeat(43), 'short', `${'b'.repeat(42)}!`]) {
      const { code } = await app.consent()
      expect(await bodyOf(app.exchange(code, wrong))).toMatchObject({ status: 400, error: 'invalid_grant' })
    }
    const { code } = await app.consent()
    expect(await bodyOf(app.exchange(code, ''))).toMatchObject({ status: 400, error: 'invalid_request' })
  })

  test('is of no use to another app, which cannot spoil it either', async () => {
    const { code, verifier } = await app.consent()
    const thief = await connectApp(gate)
    expect(await bodyOf(thief.exchange(code, verifier))).toMatchObject({ error: 'invalid_grant' })
    expect((await bodyOf(app.exchange(code, verifier))).status).toBe(200)
  })
})

describe('a refresh token', () => {
  test('is exchanged for a new pair, and the old access token still works', async () => {
    const first = await app.connect()
    const second = await bodyOf(app.refresh(first.refresh_token))
    expect(second).toMatchObject({ status: 200, scope: 'read write' })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect([await app.status(first.access_token), await app.status(second.access_token)]).toEqual([200, 200])
  })

  test('shown again within 30 minutes gives a sibling pair, five times and no more', async () => {
    const first = await app.connect()
    await app.refresh(first.refresh_token)
    gate.clock.advance(minutes(29))
    const again = []
    for (let time = 0; time < 7; time++) again.push((await app.refresh(first.refresh_token)).status)
    expect(again).toEqual([200, 200, 200, 200, 200, 400, 400])
    expect(await app.status(first.access_token)).toBe(200)
  })

  test('shown again after 30 minutes revokes the grant', async () => {
    const first = await app.connect()
    const second = await bodyOf(app.refresh(first.refresh_token))
    gate.clock.advance(minutes(30) + 1)
    expect(await bodyOf(app.refresh(first.refresh_token))).toMatchObject({ error: 'invalid_grant' })
    expect([await app.status(first.access_token), await app.status(second.access_token)]).toEqual([401, 401])
    expect(await bodyOf(app.refresh(second.refresh_token))).toMatchObject({ error: 'invalid_grant' })
    const [grant] = await gate.documents.collection(OAuthGrant).find({ where: everything, limit: 1 })
    expect(grant).toMatchObject({ is_revoked: true, revoked_reason: 'refresh_token_reused' })
  })

  test('exchanged many times at once has one that is first; the others are its siblings', async () => {
    const first = await app.connect()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => bodyOf(app.refresh(first.refresh_token))),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBe(6)
    expect(answers.filter(({ error }) => error === 'invalid_grant').length).toBe(2)
    for (const { status, access_token } of answers) {
      if (status === 200) expect(await app.status(access_token)).toBe(200)
    }
  })

  test('ends after 60 days without use, and with its grant after 180', async () => {
    const idle = await app.connect()
    gate.clock.advance(days(60) + 1)
    expect(await bodyOf(app.refresh(idle.refresh_token))).toMatchObject({ error: 'invalid_grant' })
    const later = await connectApp(gate)
    let { refresh_token } = await later.connect()
    for (let month = 0; month < 3; month++) {
      gate.clock.advance(days(59))
      refresh_token = (await bodyOf(later.refresh(refresh_token))).refresh_token
      expect(refresh_token).toBeString()
    }
    gate.clock.advance(days(4))
    expect(await bodyOf(later.refresh(refresh_token))).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  test('narrows scopes where it is asked to, and never widens them', async () => {
    const app = await connectApp(gate)
    const both = await app.connect()
    expect((await bodyOf(app.refresh(both.refresh_token, { scope: 'read' }))).scope).toBe('read')
    const reading = await app.connect({}, { write: false })
    expect(reading.scope).toBe('read')
    expect(
      (await bodyOf(app.refresh(reading.refresh_token, { scope: 'read write offline_access' }))).scope,
    ).toBe('read')
  })

  test('is of no use to another app', async () => {
    const app = await connectApp(gate)
    const { refresh_token } = await app.connect()
    const thief = await connectApp(gate)
    expect(await bodyOf(thief.refresh(refresh_token))).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect((await app.refresh(refresh_token)).status).toBe(200)
  })
})

describe('the token endpoint', () => {
  test('answers 401 invalid_client for an app it does not know, so that it registers anew', async () => {
    const unknown = app.form('/oauth/token', {
      client_id: `ocl_${'0'.repeat(26)}`,
      grant_type: 'refresh_token',
      refresh_token: 'x',
    })
    expect(await bodyOf(unknown)).toMatchObject({ status: 401, error: 'invalid_client' })
    expect(await bodyOf(app.form('/oauth/token', { client_id: '' }))).toMatchObject({
      status: 401,
      error: 'invalid_client',
    })
  })

  test('is asked 60 times a minute by one app from one address', async () => {
    const limited = await startGate({ settings: { LIMIT_TOKENS_PER_MINUTE: '3' } })
    const app = await connectApp(limited)
    const ask = async () => (await app.refresh('x')).status
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([400, 400, 400, 429])
    expect(await bodyOf(app.refresh('x'))).toMatchObject({ error: 'too_many_requests' })
    limited.clock.advance(minutes(1))
    expect(await ask()).toBe(400)
    await limited.stop()
  })

  test('names what is wrong by the words of RFC 6749', async () => {
    const app = await connectApp(gate)
    expect(await bodyOf(app.form('/oauth/token', {}))).toMatchObject({
      status: 400,
      error: 'invalid_request',
    })
    expect(await bodyOf(app.form('/oauth/token', { grant_type: 'password' }))).toMatchObject({
      error: 'unsupported_grant_type',
    })
    const twice = gate.ask('/oauth/token', {
      method: 'POST',
      key: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `client_id=${app.client.client_id}&grant_type=refresh_token&grant_type=refresh_token`,
    })
    expect(await bodyOf(twice)).toMatchObject({ status: 400, error: 'invalid_request' })
    const json = gate.ask('/oauth/token', { method: 'POST', key: null, body: {} })
    expect(await bodyOf(json)).toMatchObject({ status: 400, error: 'invalid_request' })
    const { code, verifier } = await app.consent()
    const elsewhere = app.exchange(code, verifier, { resource: 'https://other.example/api/mcp' })
    expect(await bodyOf(elsewhere)).toMatchObject({ status: 400, error: 'invalid_target' })
  })

  test('takes a secret the way that was registered, no other way and no wrong one', async () => {
    for (const token_endpoint_auth_method of ['client_secret_basic', 'client_secret_post']) {
      const app = await connectApp(gate, { metadata: { token_endpoint_auth_method } })
      const { client_id, client_secret = '' } = app.client
      const basic = (secret: string) => ({ authorization: `Basic ${btoa(`${client_id}:${secret}`)}` })
      const ask = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
        bodyOf(
          app.form('/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x', ...fields }, headers),
        )
      const isBasic = token_endpoint_auth_method === 'client_secret_basic'
      const ways = [ask({ client_secret }), ask({}, basic(client_secret))]
      const [own, other] = await Promise.all(isBasic ? ways.reverse() : ways)
      expect(own).toMatchObject({ error: 'invalid_grant' })
      expect(other).toMatchObject({ status: 401, error: 'invalid_client' })
      expect(String((other as { error_description?: string }).error_description)).toContain(
        token_endpoint_auth_method,
      )
      expect(await ask({})).toMatchObject({ status: 401, error: 'invalid_client' })
      expect(await ask({ client_secret: `${client_secret}x` })).toMatchObject({
        status: 401,
        error: 'invalid_client',
      })
      const wrong = await ask({}, basic('wrong'))
      expect(wrong).toMatchObject({ status: 401, error: 'invalid_client' })
      expect(wrong.headers.get('www-authenticate')).toBe('Basic realm="renown"')
      expect(await ask({ client_secret }, basic(client_secret))).toMatchObject({ error: 'invalid_request' })
    }
  })
})

describe('revocation', () => {
  const revoke = (by: App, token: string) => by.form('/oauth/revoke', { token })

  test('of an access token ends that one, of a refresh token the whole grant', async () => {
    const app = await connectApp(gate)
    const first = await app.connect()
    const second = await bodyOf(app.refresh(first.refresh_token))
    expect((await revoke(app, first.access_token)).status).toBe(200)
    expect([await app.status(first.access_token), await app.status(second.access_token)]).toEqual([401, 200])
    expect((await revoke(app, second.refresh_token)).status).toBe(200)
    expect(await app.status(second.access_token)).toBe(401)
    expect(await bodyOf(app.refresh(second.refresh_token))).toMatchObject({ error: 'invalid_grant' })
  })

  test('by another app, or of what is no token, is 200 and changes nothing', async () => {
    const app = await connectApp(gate)
    const thief = await connectApp(gate)
    const { access_token, refresh_token } = await app.connect()
    for (const token of [access_token, refresh_token, 'nonsense']) {
      expect((await revoke(thief, token)).status).toBe(200)
    }
    expect(await app.status(access_token)).toBe(200)
    expect(await bodyOf(thief.form('/oauth/revoke', {}))).toMatchObject({ error: 'invalid_request' })
  })

  test('is immediate where the owner disconnects, the person or the agency is deactivated', async () => {
    const app = await connectApp(gate)
    const { access_token, refresh_token } = await app.connect()
    for (const [entity, id] of [
      [User, app.user.id],
      [Agency, gate.tenant.agencyId],
    ] as const) {
      await gate.owner.rows(entity as typeof User).update(id, { is_active: false })
      expect(await app.status(access_token)).toBe(401)
      expect(await bodyOf(app.refresh(refresh_token))).toMatchObject({ error: 'invalid_grant' })
      await gate.owner.rows(entity as typeof User).update(id, { is_active: true })
      expect(await app.status(access_token)).toBe(200)
    }
  })
})

test('no secret stands in the store: codes, tokens and client secrets are hashes', async () => {
  const app = await connectApp(gate, { metadata: { token_endpoint_auth_method: 'client_secret_post' } })
  const { code, verifier } = await app.consent()
  const answer = await bodyOf(app.exchange(code, verifier, { client_secret: app.client.client_secret ?? '' }))
  const stored = []
  for (const entity of gate.registry.entities.values()) {
    if (entity.store === 'documents')
      stored.push(...(await gate.documents.collection(entity).find({ where: everything })))
  }
  const text = JSON.stringify(stored)
  expect(await gate.documents.collection(OAuthCode).count(everything)).toBeGreaterThan(0)
  for (const secret of [
    code,
    verifier,
    answer.access_token,
    answer.refresh_token,
    app.client.client_secret ?? '',
  ]) {
    expect(secret.length).toBeGreaterThan(40)
    expect(text).not.toContain(secret.slice(8, -8))
  }
})

test('what happens to a grant is written down for its owner: who, at which host, and what came of it', async () => {
  const app = await connectApp(gate)
  const written = async () => {
    const entries = await gate.documents
      .collection(AuditEntry)
      .find({ where: where.eq('user_id', app.user.id), sort: [{ field: 'created_date', direction: 'asc' }] })
    return entries.map(({ action, outcome }) => `${action} ${outcome}`).sort()
  }
  const first = await app.connect()
  await app.refresh(first.refresh_token)
  await app.refresh(first.refresh_token)
  await app.decide((await app.authorize().sent).headers.get('location') ?? '', 'deny')
  gate.clock.advance(minutes(31))
  await app.refresh(first.refresh_token)
  const { code, verifier } = await app.consent()
  await app.exchange(code, verifier)
  await app.exchange(code, verifier)
  const last = await app.connect()
  await app.form('/oauth/revoke', { token: last.refresh_token })
  expect(await written()).toEqual([
    'app.code_replayed refused',
    'app.connect done',
    'app.connect done',
    'app.connect done',
    'app.consent done',
    'app.consent done',
    'app.consent done',
    'app.deny refused',
    'app.refresh_again done',
    'app.refresh_token_reused refused',
    'app.revoked_by_app done',
  ])
})
