import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPasswords } from '../../../../core/auth/people/passwords'
import { where } from '../../../../core/contracts/where'
import { mintToken } from '../../../../core/process/crypto'
import { Agency } from '../../../../core/tenancy/Agency'
import { WhiteLabelDomain } from '../../../../core/tenancy/domains/WhiteLabelDomain'
import { User } from '../../../../core/tenancy/User'
import { deskScript, listScript } from '../../../../core/web/frame/desk/desk-asset'
import { putRow } from '../../../support/any-state'
import { type Gate, startGate } from '../../../support/harness'
import { formOf, signedIn } from '../../../support/signed-in'
import { createVisitor } from '../../../support/visitor'

let gate: Gate
beforeAll(async () => {
  gate = await startGate()
})
afterAll(() => gate.stop())

const browse = (path: string, cookie = '', headers: Record<string, string> = {}) =>
  gate.ask(path, { key: null, headers: { ...(cookie && { cookie }), ...headers } })

describe('a page', () => {
  test('sends whoever is not signed in to the sign-in page, and keeps where they were going', async () => {
    const answer = await browse('/app/design?a=1')
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/app/sign-in?next=%2Fapp%2Fdesign%3Fa%3D1')
  })

  test('is found with a slash at its end, and no other page is', async () => {
    const answer = await browse('/app/design/?a=1')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/app/design?a=1'])
    expect((await browse('/app/nothing/')).status).toBe(404)
    expect((await browse('/app//evil.example/')).headers.get('location')).toBeNull()
  })

  test('runs the scripts of its frame alone, asks only Renown, is neither framed nor stored', async () => {
    const { cookie } = await signedIn(gate)
    const answer = await browse('/app/nothing', cookie)
    expect(answer.status).toBe(404)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    expect(answer.headers.get('referrer-policy')).toBe('same-origin')
    expect(answer.headers.get('strict-transport-security')).toBeNull()
    const html = await answer.text()
    expect(html).toStartWith('<!doctype html><html lang="en">')
    const scripts = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
    expect(scripts).toEqual(
      [deskScript, listScript].map((address) => `<script type="module" src="${address}">`),
    )
    for (const address of [deskScript, listScript])
      expect((await gate.ask(address, { key: null })).status).toBe(200)
    expect(html).toContain('<main id="main"')
    expect(html).toContain('Sign out')
  })

  test('of a white-label domain bears the name of its agency and lets in its people alone', async () => {
    const { agencyId } = gate.stranger
    await putRow(gate.owner, WhiteLabelDomain, {
      workspace_id: agencyId,
      agency_id: agencyId,
      domain: 'reviews.example.net',
      state: 'verified',
      token: 'x',
    })
    await gate.owner.rows(Agency).update(agencyId, { name: 'Bell & Sons' })
    for (const [name, owner] of [
      ['ada', gate.tenant.agencyId],
      ['bob', agencyId],
    ] as const) {
      const row = { workspace_id: owner, agency_id: owner, role: 'owner', is_active: true } as const
      const password_hash = await createPasswords(1).hash('correct horse staple')
      await gate.owner.rows(User).insert({ ...row, email: `${name}@example.com`, password_hash })
    }
    const signIn = async (email: string) => {
      const who = createVisitor(
        (request) => gate.gateway.fetch(request, () => null),
        'https://reviews.example.net',
      )
      const seen = await who.open('/app/sign-in')
      expect(seen.text).toContain('Bell & Sons')
      expect(seen.text).not.toContain('Renown')
      expect(seen.headers.get('strict-transport-security')).toBe('max-age=31536000')
      return { who, seen: await who.submit('/app/sign-in', { email, password: 'correct horse staple' }) }
    }
    expect((await signIn('ada@example.com')).seen.status).toBe(422)
    const { who, seen } = await signIn('bob@example.com')
    expect(seen.path).toBe('/app')
    expect([...who.cookies.keys()].toSorted()).toEqual(['__Host-renown', '__Host-renown_browser'])
    await gate.owner.rows(WhiteLabelDomain).removeWhere(where.eq('domain', 'reviews.example.net'))
    expect((await who.open('/app/account')).status).toBe(403)
  })

  test('that does not take the method says so', async () => {
    const { cookie, session } = await signedIn(gate, { agencyId: gate.stranger.agencyId })
    const answer = await gate.ask('/app/design', formOf({ csrf: session.csrf_token }, { cookie }))
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('is shown for the address of a form, which only takes forms', async () => {
    const { cookie } = await signedIn(gate, { agencyId: gate.stranger.agencyId, email: 'cy@example.com' })
    const led = async (path: string) => (await browse(path, cookie)).headers.get('location')
    expect([await led('/app/look'), await led('/app/members/link')]).toEqual(['/app', '/app/members'])
    const script = await browse('/app/look', cookie, { accept: 'application/json' })
    expect([script.status, script.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('is one for people too while the store is away', async () => {
    const away = await startGate()
    await away.documents.close()
    const answer = await away.ask('/app', { key: null, headers: { cookie: `renown_session=${wellFormed}` } })
    expect(answer.status).toBeGreaterThanOrEqual(500)
    expect(await answer.text()).toContain('<main')
  })

  test('cookies of people never act on /api', async () => {
    const { cookie } = await signedIn(gate, { agencyId: gate.platform.agencyId })
    expect((await browse('/app/design', cookie)).status).toBe(200)
    expect((await browse('/api/entities/Workspace', cookie)).status).toBe(401)
  })
})

const wellFormed = (await mintToken('rnw_ses_')).token
