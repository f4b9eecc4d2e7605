import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSessions } from '../../../../../core/auth/sessions'
import { User } from '../../../../../core/tenancy/User'
import { type Gate, startGate } from '../../../../support/harness'
import { formOf, signedIn } from '../../../../support/signed-in'

let gate: Gate
let cookie: string
let csrf: string
let userId: string
beforeAll(async () => {
  gate = await startGate()
  const given = await signedIn(gate)
  cookie = given.cookie
  userId = given.userId
  csrf = given.session.csrf_token
})
afterAll(() => gate.stop())

const send = (fields: Record<string, string>, sent = cookie) =>
  gate.ask('/app/look', formOf({ csrf, back: '/app/account?a=1', ...fields }, { cookie: sent }))
const htmlOf = async (sent: string) =>
  /<html[^>]*>/.exec(
    await (await gate.ask('/app/account', { key: null, headers: { cookie: sent } })).text(),
  )?.[0]

test('a person has a theme in every browser, and each browser has its own width of the side bar', async () => {
  expect(await htmlOf(cookie)).toBe('<html lang="en">')
  const narrow = await send({ side: 'icons' })
  expect(narrow.status).toBe(303)
  expect(narrow.headers.get('location')).toBe('/app/account?a=1')
  const kept = narrow.headers.get('set-cookie') ?? ''
  expect(kept).toMatch(/HttpOnly/i)
  const first = `${cookie}; ${kept.split(';')[0]}`
  expect(await htmlOf(first)).toBe('<html lang="en" data-side="icons">')
  const dark = await send({ theme: 'dark' }, first)
  expect(await htmlOf(first)).toBe('<html lang="en" data-theme="dark" data-side="icons">')
  // Another browser of the same person has the theme, and a side bar of its own.
  const person = await gate.owner.rows(User).get(userId)
  const host = { origin: 'http://localhost:3000', kind: 'loopback', agency_id: null } as const
  const started = await createSessions(gate).start(person as never, host, new Request(host.origin))
  const other = started.cookie.split(';')[0] ?? ''
  expect(await htmlOf(other)).toBe('<html lang="en" data-theme="dark">')
  // After sign-out the browser still knows the theme.
  const after = dark.headers.get('set-cookie')?.split(';')[0] ?? ''
  const signIn = await gate.ask('/app/sign-in', { key: null, headers: { cookie: after } })
  expect(await signIn.text()).toContain('<html lang="en" data-theme="dark" data-side="icons">')
  await send({ side: 'wide' }, first)
  expect(await htmlOf(other)).toBe('<html lang="en" data-theme="dark">')
  await send({ theme: 'auto' }, first)
  expect([await htmlOf(other), await htmlOf(first)]).toEqual([
    '<html lang="en">',
    '<html lang="en" data-side="icons">',
  ])
})

test('a word that is no theme is refused by name, and in a cookie it counts as no choice', async () => {
  const refused = await send({ theme: 'red"><script>' })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('`theme` must be one of auto, light, dark.')
  expect(await htmlOf(`${cookie}; renown_look=red">.x`)).toBe('<html lang="en">')
})
