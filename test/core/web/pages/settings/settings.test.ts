import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { AgentKey } from '../../../../../core/auth/AgentKey'
import { OAuthGrant } from '../../../../../core/auth/oauth/grants/OAuthGrant'
import { Session } from '../../../../../core/auth/Session'
import { createSessions } from '../../../../../core/auth/sessions'
import { type Audit, auditOf } from '../../../../../core/tenancy/audit/audit'
import { WhiteLabelDomain } from '../../../../../core/tenancy/domains/WhiteLabelDomain'
import { User } from '../../../../../core/tenancy/User'
import { type Gate, startGate } from '../../../../support/harness'
import { firefox } from '../../../../support/signed-in'
import { type StandInResolver, standInResolver } from '../../../../support/stand-in-resolver'
import { createVisitor, type Visitor } from '../../../../support/visitor'

let gate: Gate
let dns: StandInResolver
let ada: Visitor
let audit: Audit
beforeEach(async () => {
  dns = standInResolver()
  gate = await startGate({ dns })
  audit = auditOf(gate.owner)
  ada = await visitorOf(gate.tenant.agencyId)
})
afterEach(() => gate.stop())

/** Somebody of an agency who has just signed in. */
async function visitorOf(
  agency_id: string,
  origin = 'http://localhost:3000',
  kind: 'main' | 'white_label' = 'main',
) {
  const person = await gate.owner.rows(User).insert({
    workspace_id: agency_id,
    agency_id,
    role: 'owner',
    name: 'Ada',
    email: `${crypto.randomUUID()}@x.example`,
    is_active: true,
  })
  const host = { origin, kind, agency_id: kind === 'white_label' ? agency_id : null }
  const request = new Request(origin, { headers: { 'user-agent': firefox } })
  const { cookie } = await createSessions(gate).start(person, host, request)
  const visitor = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'), origin)
  const [pair = ''] = cookie.split(';')
  visitor.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  return visitor
}
const staleSession = async () => {
  for (const { id } of await gate.owner.rows(Session).list()) {
    await gate.owner.rows(Session).update(id, { reauthenticated_at: '2020-01-01T00:00:00.000Z' })
  }
}
const status = async (key: string) => (await gate.ask('/api/surface', { key })).status
const keyIn = (html: string) => /rnw_key_[0-9A-Za-z]{46}/.exec(html)?.[0] ?? ''
const actions = async () =>
  (await audit.list(gate.tenant.agencyId, { limit: 100 })).entries.map(({ action }) => action).sort()

test('nobody sees a page of the settings without signing in, and no form of theirs works without its token', async () => {
  const pages = ['/app/key', '/app/key/new', '/app/key/revoke', '/app/apps', '/app/domains', '/app/activity']
  const stranger = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  for (const path of pages) expect((await stranger.open(path)).text).toContain('Sign in')
  const posts = [
    '/app/key/new',
    '/app/key/revoke',
    '/app/apps/disconnect',
    '/app/apps/disconnect-all',
    '/app/domains',
    '/app/domains/verify',
    '/app/domains/remove',
  ]
  const cookie = [...ada.cookies].map((pair) => pair.join('=')).join('; ')
  for (const path of posts) {
    for (const [origin, csrf] of [
      ['http://localhost:3000', 'wrong'],
      ['https://evil.example', 'wrong'],
    ]) {
      const answer = await gate.ask(path, {
        method: 'POST',
        key: null,
        body: new URLSearchParams({ csrf: csrf ?? '', domain: 'x.example', seen: 'none' }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: origin ?? '', cookie },
      })
      expect(answer.status).toBe(403)
    }
  }
  expect(await status(gate.tenant.key)).toBe(200)
  expect(await actions()).toEqual([])
})

describe('the agent key', () => {
  test('is shown once after rotating, works from then on, and the one before does not', async () => {
    const page = await ada.open('/app/key')
    expect(page.text).toContain(gate.tenant.key.slice(-4))
    expect(page.html).not.toContain(gate.tenant.key)
    const asked = await ada.open('/app/key/new')
    expect(asked.text).toContain(`Rotate the key ending in ${gate.tenant.key.slice(-4)}`)
    expect(asked.text).toContain('stops working at once')
    const shown = await ada.submit('/app/key/new')
    const key = keyIn(shown.html)
    expect(shown.headers.get('cache-control')).toBe('no-store')
    expect(shown.text).toContain('I have saved it')
    expect([await status(key), await status(gate.tenant.key)]).toEqual([200, 401])
    for (const path of ['/app/key', '/app/key?done=saved', '/app/activity', '/app/key/new']) {
      expect((await ada.open(path)).html).not.toContain(key)
    }
    expect(await actions()).toEqual(['key.rotate'])
  })

  test('is not rotated again by a form that is sent twice, or that somebody else was quicker than', async () => {
    const asked = await ada.open('/app/key/new')
    const first = keyIn((await ada.submit('/app/key/new')).html)
    const csrf = /name="csrf" value="([^"]*)"/.exec(asked.html)?.[1] ?? ''
    const seen = /name="seen" value="([^"]*)"/.exec(asked.html)?.[1] ?? ''
    await ada.open('/app/key/new')
    const again = await ada.submit('/app/key/new', { csrf, seen })
    expect(again.text).toContain('changed the key at the same time')
    expect(await status(first)).toBe(200)
    await ada.open('/app/key/revoke')
    expect((await ada.submit('/app/key/revoke', { seen })).text).toContain('changed the key at the same time')
    expect(await status(first)).toBe(200)
  })

  test('is revoked, and made anew', async () => {
    await ada.open('/app/key/revoke')
    const revoked = await ada.submit('/app/key/revoke')
    expect(revoked.text).toContain('There is no agent key')
    expect(await status(gate.tenant.key)).toBe(401)
    expect((await ada.open('/app/key/revoke')).path).toBe('/app/key')
    const asked = await ada.open('/app/key/new')
    expect(asked.text).toContain('Create the agent key')
    const key = keyIn((await ada.submit('/app/key/new')).html)
    expect(await status(key)).toBe(200)
    expect(await actions()).toEqual(['key.create', 'key.revoke'])
  })

  test('is rotated and revoked by nobody whose password was given longer than ten minutes ago', async () => {
    await ada.open('/app/key/new')
    await staleSession()
    expect((await ada.submit('/app/key/new')).text).toContain('Confirm your password')
    for (const path of ['/app/key/new', '/app/key/revoke', '/app/apps/disconnect-all']) {
      expect((await ada.open(path)).text).toContain('Confirm your password')
    }
    expect(await status(gate.tenant.key)).toBe(200)
  })

  test("is the agency's own", async () => {
    const eve = await visitorOf(gate.stranger.agencyId)
    await eve.open('/app/key/new')
    const key = keyIn((await eve.submit('/app/key/new')).html)
    expect([await status(gate.tenant.key), await status(gate.stranger.key), await status(key)]).toEqual([
      200, 401, 200,
    ])
    expect(await gate.owner.rows(AgentKey).count()).toBe(3)
  })
})

const hostile = '<script>alert(1)</script>"\'&<img src=x onerror=alert(2)>'

async function connect(client_name: string, more: object = {}, agency_id = gate.tenant.agencyId) {
  const at = gate.clock.now().toISOString()
  return gate.owner.rows(OAuthGrant).insert({
    workspace_id: agency_id,
    agency_id,
    user_id: 'usr_1',
    host: 'http://localhost:3000',
    client_id: 'c',
    client_name,
    is_verified: false,
    app_host: 'claude.ai',
    scopes: ['read', 'write'],
    connected_at: at,
    is_revoked: false,
    expires_at: new Date(gate.clock.now().getTime() + 86_400_000).toISOString(),
    ...more,
  })
}

describe('connected apps', () => {
  test('are told by name, host, scopes and workspaces, and disconnected one by one', async () => {
    expect((await ada.open('/app/apps')).text).toContain('No app is connected')
    await connect('Claude', { is_verified: true, workspace_ids: [gate.tenant.workspaceId, 'wsp_gone'] })
    const other = await connect('Cursor', { scopes: ['read'] })
    const page = await ada.open('/app/apps')
    for (const words of [
      'Claude',
      'identified by its address',
      'claude.ai',
      'read, and save drafts',
      'Home, a deleted one',
      'Cursor',
      'name not verified',
      'all, including future ones',
      'localhost:3000',
      'never',
    ]) {
      expect(page.text).toContain(words)
    }
    const after = await ada.submit('/app/apps/disconnect', { grant: other.id })
    expect(after.text).toContain('The app is disconnected.')
    expect(after.text).toContain('Claude')
    expect(after.text).not.toContain('Cursor')
    expect((await ada.submit('/app/apps/disconnect', { grant: other.id })).text).toContain(
      'already disconnected',
    )
    expect(await actions()).toEqual(['app.disconnect'])
  })

  test("are the agency's own", async () => {
    const theirs = await connect('Theirs', {}, gate.stranger.agencyId)
    await connect('Mine')
    expect((await ada.open('/app/apps')).text).not.toContain('Theirs')
    await ada.submit('/app/apps/disconnect', { grant: theirs.id })
    expect((await gate.owner.rows(OAuthGrant).get(theirs.id))?.is_revoked).toBe(false)
    await ada.open('/app/apps/disconnect-all')
    await ada.submit('/app/apps/disconnect-all')
    expect((await gate.owner.rows(OAuthGrant).get(theirs.id))?.is_revoked).toBe(false)
  })

  test('are all disconnected at once, which names them', async () => {
    for (const name of ['Claude', 'Cursor', 'Codex']) await connect(name)
    const asked = await ada.open('/app/apps/disconnect-all')
    expect(asked.text).toContain('Disconnect all 3 apps')
    expect(asked.text).toContain('Codex')
    const after = await ada.submit('/app/apps/disconnect-all')
    expect(after.text).toContain('No app is connected')
    expect(await actions()).toEqual(['app.disconnect', 'app.disconnect', 'app.disconnect'])
    expect((await ada.open('/app/apps/disconnect-all')).path).toBe('/app/apps')
  })

  test('whose names are hostile are text', async () => {
    await connect(hostile)
    for (const path of ['/app/apps', '/app/apps/disconnect-all']) {
      const { html, text } = await ada.open(path)
      expect(html).not.toContain('<script>alert')
      expect(html).not.toContain('<img')
      expect(text).toContain('onerror=alert(2)')
    }
    await ada.open('/app/apps')
    await ada.submit('/app/apps/disconnect', {})
    expect((await ada.open('/app/activity')).html).not.toContain('<img')
  })
})

describe('domains', () => {
  const name = 'reviews.agency.example'
  const domainOf = async () => (await gate.owner.rows(WhiteLabelDomain).list())[0]
  const add = async (domain: string, visitor = ada) => {
    await visitor.open('/app/domains')
    return visitor.submit('/app/domains', { domain })
  }

  test('are added, shown with their record, verified and removed by name', async () => {
    const added = await add(`https://${name}/`)
    const token = (await domainOf())?.token ?? '?'
    for (const part of [`_renown.${name}`, `renown-verification=${token}`]) expect(added.html).toContain(part)
    expect(added.text).toContain('waiting for its record')
    const missing = await ada.submit('/app/domains/verify')
    expect(missing.text).toContain(`There is no TXT record at _renown.${name}.`)
    dns.setTxt(`_renown.${name}`, [`renown-verification=${token}`])
    expect((await ada.submit('/app/domains/verify')).text).toContain(
      'The record was found. The domain is now served.',
    )
    expect((await gate.ask('/api/surface', { headers: { host: name } })).status).toBe(200)
    const asked = await ada.open(`/app/domains/remove?domain=${(await domainOf())?.id}`)
    expect(asked.text).toContain(`Remove ${name}`)
    const after = await ada.submit('/app/domains/remove')
    expect(after.text).toContain('The domain is removed.')
    expect(await gate.owner.rows(WhiteLabelDomain).count()).toBe(0)
    expect(await actions()).toEqual(['domain.add', 'domain.remove', 'domain.verify'])
  })

  test.each([
    ['', 'host name'],
    ['com', 'public suffix'],
    ['localhost', 'not an IP address'],
    [hostile, 'host name'],
  ])('%p is refused beside its field', async (typed, words) => {
    const page = await add(typed)
    expect([page.status, page.path]).toEqual([422, '/app/domains'])
    expect(page.text).toContain(words)
    expect(page.html).toContain('aria-invalid="true"')
    expect(page.html).not.toContain('<script>alert')
  })

  test("are the agency's own", async () => {
    await add(name)
    const id = (await domainOf())?.id ?? ''
    const eve = await visitorOf(gate.stranger.agencyId)
    expect((await eve.open('/app/domains')).text).not.toContain(name)
    expect((await eve.open(`/app/domains/remove?domain=${id}`)).status).toBe(404)
    await add('eve.example', eve)
    expect((await eve.submit('/app/domains/verify', { domain: id })).status).toBe(404)
    await eve.open('/app/domains')
    const [, theirs] = await gate.owner
      .rows(WhiteLabelDomain)
      .list({ sort: [{ field: 'created_date', direction: 'asc' }] })
    await eve.open(`/app/domains/remove?domain=${theirs?.id}`)
    expect((await eve.submit('/app/domains/remove', { domain: id })).status).toBe(404)
    expect(
      (await domainOf()) !== undefined && (await gate.owner.rows(WhiteLabelDomain).get(id)) !== null,
    ).toBe(true)
  })

  test('that one is signed in at are removed with a warning, and one goes on at the main address', async () => {
    await add(name)
    dns.setTxt(`_renown.${name}`, [`renown-verification=${(await domainOf())?.token}`])
    await ada.submit('/app/domains/verify')
    const there = await visitorOf(gate.tenant.agencyId, `https://${name}`, 'white_label')
    const asked = await there.open(`/app/domains/remove?domain=${(await domainOf())?.id}`)
    expect(asked.text).toContain('You are using this domain now')
    const after = await there.submit('/app/domains/remove')
    expect([after.status, after.headers.get('location')]).toEqual([
      303,
      'http://localhost:3000/app/domains?done=removed',
    ])
    expect((await there.open('/app/domains')).status).toBe(403)
    expect((await ada.open('/app/domains')).status).toBe(200)
  })
})

describe('activity', () => {
  const host = 'http://localhost:3000'

  test('is shown by kind, a page at a time, and of one agency', async () => {
    const agency_id = gate.tenant.agencyId
    for (let n = 1; n <= 60; n++) {
      await audit.record({ agency_id, action: 'app.connect', host, subject: `App ${n}` })
      gate.clock.advance(1)
    }
    const rotated = { action: 'key.rotate', what: 'Agent key rotated' } as const
    await audit.record({ agency_id, ...rotated, host: 'command line', outcome: 'refused' })
    await audit.record({ agency_id: gate.stranger.agencyId, action: 'domain.add', host, subject: 'theirs' })
    const first = await ada.open('/app/activity')
    for (const words of ['App 60', 'Agent key rotated', 'refused', 'the operator', 'Older']) {
      expect(first.text).toContain(words)
    }
    expect(first.text).not.toContain('theirs')
    const older = await ada.open('/app/activity?at=2')
    expect(older.text).toContain('App 1 ')
    expect(older.text).toContain('Newer')
    expect(older.text).not.toContain('Older')
    const keys = await ada.open('/app/activity?kind=key')
    expect(keys.text).not.toContain('App 60')
    expect((await ada.open('/app/activity?kind=domain')).text).toContain('No activity of this kind.')
    for (const odd of ['?at=-1', '?at=x', '?kind=<script>', '?at=9999999', '?kind=key&kind=app']) {
      expect((await ada.open(`/app/activity${odd}`)).status).toBe(200)
    }
  })

  test('shows domains in their own letters', async () => {
    const agency_id = gate.tenant.agencyId
    await audit.record({ agency_id, action: 'site.add', host, subject: 'xn--mller-kva.example' })
    expect((await ada.open('/app/activity')).text).toContain('müller.example')
  })

  test('shows names that are hostile as text, whatever they hold', async () => {
    const agency_id = gate.tenant.agencyId
    await audit.record({ agency_id, action: 'app.consent', host, subject: `${hostile}\u202Egpj.exe` })
    const { html, text } = await ada.open('/app/activity')
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('\u202E')
    expect(text).toContain('onerror=alert(2)')
  })
})
