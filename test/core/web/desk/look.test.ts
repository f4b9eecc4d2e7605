import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Gate, startGate } from '../../../support/harness'
import { formOf, signedIn } from '../../../support/signed-in'

let gate: Gate
let cookie: string
let csrf: string
beforeAll(async () => {
  gate = await startGate()
  const given = await signedIn(gate)
  cookie = given.cookie
  csrf = given.session.csrf_token
})
afterAll(() => gate.stop())

const send = (fields: Record<string, string>, sent = cookie) =>
  gate.ask('/app/look', formOf({ csrf, back: '/app/account?a=1', ...fields }, { cookie: sent }))
const htmlOf = async (sent: string) =>
  /<html[^>]*>/.exec(
    await (await gate.ask('/app/account', { key: null, headers: { cookie: sent } })).text(),
  )?.[0]

test('a browser keeps its theme and the width of its side bar, each beside the other', async () => {
  expect(await htmlOf(cookie)).toBe('<html lang="en">')
  const dark = await send({ theme: 'dark' })
  expect(dark.status).toBe(303)
  expect(dark.headers.get('location')).toBe('/app/account?a=1')
  const kept = dark.headers.get('set-cookie') ?? ''
  expect(kept).toMatch(/HttpOnly/i)
  const first = `${cookie}; ${kept.split(';')[0]}`
  expect(await htmlOf(first)).toBe('<html lang="en" data-theme="dark">')
  const narrow = await send({ side: 'icons' }, first)
  const both = `${cookie}; ${narrow.headers.get('set-cookie')?.split(';')[0]}`
  expect(await htmlOf(both)).toBe('<html lang="en" data-theme="dark" data-side="icons">')
  const auto = await send({ theme: 'auto', side: 'wide' }, both)
  expect(await htmlOf(`${cookie}; ${auto.headers.get('set-cookie')?.split(';')[0]}`)).toBe('<html lang="en">')
})

test('a word that is no theme is refused by name, and in a cookie it counts as no choice', async () => {
  const refused = await send({ theme: 'red"><script>' })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('`theme` must be one of auto, light, dark.')
  expect(await htmlOf(`${cookie}; renown_look=red">.x`)).toBe('<html lang="en">')
})
