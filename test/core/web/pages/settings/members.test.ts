import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { OAuthGrant } from '../../../../../core/auth/oauth/grants/OAuthGrant'
import { Session } from '../../../../../core/auth/Session'
import { auditOf } from '../../../../../core/tenancy/audit/audit'
import { User } from '../../../../../core/tenancy/User'
import type { Route } from '../../../../../core/web/framework/route'
import { type Gate, startGate } from '../../../../support/harness'
import { formOf, signedIn } from '../../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../../support/visitor'

let gate: Gate
let ada: Visitor
let adaId: string
beforeEach(async () => {
  gate = await startGate()
  const { cookie, userId } = await signedIn(gate)
  adaId = userId
  ada = visitor()
  const [name = '', value = ''] = cookie.split('=')
  ada.cookies.set(name, value)
})
afterEach(() => gate.stop())

const visitor = () => createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
const people = () => gate.owner.rows(User)
const linkIn = (html: string) => /\/app\/link\?token=[0-9A-Za-z_]+/.exec(html)?.[0] ?? ''
const actions = async () =>
  (await auditOf(gate.owner).list(gate.tenant.agencyId, { limit: 100 })).entries.map(({ action }) => action)

/** Invites somebody, who opens the link and chooses a password. */
async function invited(fields: Record<string, string>, email = 'bo@x.example') {
  await ada.open('/app/members')
  const shown = await ada.submit('/app/members', { name: 'Bo', ...fields })
  const bo = visitor()
  await bo.open(linkIn(shown.html))
  await bo.submit('/app/link')
  const password = 'four words of theirs'
  await bo.submit('/app/welcome', { email, password, again: password })
  const [person] = (await people().list()).filter((each) => each.email === email)
  if (!person) throw new Error('nobody came')
  return { bo, person, link: linkIn(shown.html) }
}

describe('somebody who is invited', () => {
  test('gets in by a link that is shown once and works once, and sees their workspaces alone', async () => {
    const { bo, person, link } = await invited({ role: 'member', workspace: gate.tenant.otherWorkspaceId })
    expect(person).toMatchObject({ role: 'member', workspace_ids: [gate.tenant.otherWorkspaceId] })
    expect((await ada.open('/app/members')).html).not.toContain(link)
    expect((await visitor().open(link)).status).toBe(410)
    const seen = await bo.open(`/app/workspace`)
    expect(seen.text).toContain('Second')
    expect(seen.html).not.toContain('<bdi>Home</bdi>')
    expect(await actions()).toContain('person.invite')
  })

  test('sees no workspace where none was given, and none of another agency', async () => {
    const { bo, person } = await invited({ role: 'member', workspace: gate.stranger.workspaceId })
    expect(person.workspace_ids).toEqual([])
    expect((await bo.open('/app/workspace')).text).toContain('No workspace has this name')
  })

  test('as a member neither sees nor does anything that is for owners', async () => {
    const { bo } = await invited({ role: 'member', workspace: gate.tenant.workspaceId })
    const cookie = [...bo.cookies].map((pair) => pair.join('=')).join('; ')
    const csrf = /name="csrf" value="([^"]*)"/.exec((await bo.open('/app/account')).html)?.[1] ?? ''
    const own = gate.gateway.pages.filter(({ only }: Route) => only === 'owner')
    expect(own.length).toBeGreaterThan(20)
    for (const { method, path } of own) {
      const form = formOf({ csrf }, { cookie })
      const answer = await gate.ask(path, method === 'POST' ? form : { key: null, headers: { cookie } })
      expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 403`)
    }
    const { text } = await bo.open('/app/account')
    expect(text).not.toContain('Settings')
    expect((await ada.open('/app/account')).text).toContain('Settings')
  })

  test('as an owner does what owners do', async () => {
    const { bo } = await invited({ role: 'owner' })
    expect((await bo.open('/app/key')).status).toBe(200)
    expect((await bo.open('/app/workspace')).text).toContain('Home')
  })
})

test('of every page of the settings but the account: it is for owners', () => {
  const settings = gate.gateway.pages.filter(
    ({ section, path }) => section === 'settings' && path !== '/app/account',
  )
  expect(settings.length).toBeGreaterThan(15)
  for (const { path, only } of settings) expect(`${path} ${only}`).toBe(`${path} owner`)
})

describe('somebody who is turned away', () => {
  test('is signed out everywhere, gets in no more, and takes apps along; until they are let in again', async () => {
    const { bo, person } = await invited({ role: 'owner' })
    const grant = await gate.owner.rows(OAuthGrant).insert({
      workspace_id: gate.tenant.agencyId,
      agency_id: gate.tenant.agencyId,
      user_id: person.id,
      host: 'http://localhost:3000',
      client_id: 'c',
      client_name: 'App',
      is_verified: false,
      app_host: 'app.example',
      scopes: ['read'],
      is_revoked: false,
      connected_at: '2026-01-01T00:00:00.000Z',
      expires_at: '2099-01-01T00:00:00.000Z',
    })
    const made = await ada.open(`/app/members/deactivate?person=${person.id}`)
    expect(made.text).toContain('Remove access of Bo')
    expect((await ada.submit('/app/members/deactivate')).text).toContain('signed out everywhere')
    expect(await gate.owner.rows(Session).count()).toBe(1)
    expect((await bo.open('/app/account')).text).toContain('Sign in')
    const typed = { email: 'bo@x.example', password: 'four words of theirs' }
    await bo.open('/app/sign-in')
    expect((await bo.submit('/app/sign-in', typed)).status).toBe(422)
    expect(await gate.owner.rows(OAuthGrant).get(grant.id)).toMatchObject({
      is_revoked: true,
      revoked_reason: 'person_left',
    })
    await ada.open(`/app/members/one?person=${person.id}`)
    await ada.submit('/app/members/activate')
    await bo.open('/app/sign-in')
    expect((await bo.submit('/app/sign-in', typed)).status).toBe(200)
    expect(await actions()).toContain('person.deactivate')
  })

  test('is never the last owner', async () => {
    await ada.open(`/app/members/deactivate?person=${adaId}`)
    const refused = await ada.submit('/app/members/deactivate')
    expect(refused.text).toContain('An agency needs an owner')
    await ada.open(`/app/members/one?person=${adaId}`)
    expect((await ada.submit('/app/members/one', { role: 'member' })).text).toContain('needs an owner')
    expect(await people().get(adaId)).toMatchObject({ role: 'owner', is_active: true })
  })

  test('is none of another agency', async () => {
    const { userId } = await signedIn(gate, { agencyId: gate.stranger.agencyId })
    expect((await ada.open(`/app/members/one?person=${userId}`)).status).toBe(404)
    await ada.open(`/app/members/deactivate?person=${adaId}`)
    expect((await ada.submit('/app/members/deactivate', { person: userId })).status).toBe(404)
    expect(await people().get(userId)).toMatchObject({ is_active: true })
  })
})

describe('a role and its workspaces', () => {
  test('are changed, and what a form did not show stays', async () => {
    const { bo, person } = await invited({ role: 'member', workspace: gate.tenant.workspaceId })
    await ada.open(`/app/members/one?person=${person.id}`)
    await ada.submit('/app/members/one', {
      role: 'member',
      shown: gate.tenant.otherWorkspaceId,
      workspace: gate.tenant.otherWorkspaceId,
    })
    const both = [gate.tenant.workspaceId, gate.tenant.otherWorkspaceId].sort()
    expect((await people().get(person.id))?.workspace_ids?.toSorted()).toEqual(both)
    expect((await bo.open('/app/workspace')).text).toContain('Second')
  })

  test('of an owner who becomes a member: the settings are shut from the next page on', async () => {
    const { bo, person } = await invited({ role: 'owner' })
    await ada.open(`/app/members/one?person=${person.id}`)
    await ada.submit('/app/members/one', { role: 'member' })
    expect((await bo.open('/app/key')).status).toBe(403)
    expect((await bo.open('/app/workspace')).html).not.toContain('<bdi>Home</bdi>')
  })
})

test('a link is made again for members, and for no owner who has a password', async () => {
  const { person } = await invited({ role: 'member' })
  await ada.open(`/app/members/one?person=${person.id}`)
  const shown = await ada.submit('/app/members/link')
  expect((await visitor().open(linkIn(shown.html))).text).toContain('signs you in to')
  const owner = await invited({ role: 'owner' }, 'cy@x.example')
  const page = await ada.open(`/app/members/one?person=${owner.person.id}`)
  expect(page.html).not.toContain('/app/members/link')
})
