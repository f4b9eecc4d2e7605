import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Gate, startGate } from '../../support/harness'
import { formOf, signedIn } from '../../support/signed-in'

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

  test('has no script, asks nobody for anything, is neither framed nor stored', async () => {
    const { cookie } = await signedIn(gate)
    const answer = await browse('/app/nothing', cookie)
    expect(answer.status).toBe(404)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    expect(answer.headers.get('referrer-policy')).toBe('same-origin')
    expect(answer.headers.get('strict-transport-security')).toBeNull()
    const html = await answer.text()
    expect(html).toStartWith('<!doctype html><html lang="en">')
    expect(html).not.toContain('<script')
    expect(html).toContain('<main id="main"')
    expect(html).toContain('Sign out')
  })

  test('that does not take the method says so', async () => {
    const { cookie, session } = await signedIn(gate, { agencyId: gate.stranger.agencyId })
    const answer = await gate.ask('/app/design', formOf({ csrf: session.csrf_token }, { cookie }))
    expect(answer.status).toBe(405)
  })

  test('cookies of people never act on /api', async () => {
    const { cookie } = await signedIn(gate, { agencyId: gate.platform.agencyId })
    expect((await browse('/app/design', cookie)).status).toBe(200)
    expect((await browse('/api/entities/Workspace', cookie)).status).toBe(401)
  })
})
