import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Route } from '../../../../../core/web/framework/route'
import { type Gate, startGate } from '../../../../support/harness'
import { formOf, signedIn } from '../../../../support/signed-in'

let gate: Gate
let cookie: string
let csrf: string
const gates = await startGate()
const pages: readonly Route[] = gates.gateway.pages
await gates.stop()
const named = (keep: (page: Route) => boolean) =>
  pages.filter(keep).map((page) => [`${page.method} ${page.path}`, page] as const)

beforeAll(async () => {
  gate = await startGate()
  const { cookie: given, session } = await signedIn(gate)
  cookie = given
  csrf = session.csrf_token
})
afterAll(() => gate.stop())

const ask = (page: Route, fields: Record<string, string>, headers: Record<string, string>, sent = cookie) => {
  const form = formOf(fields, { cookie: sent })
  return gate.ask(page.path, { ...form, headers: { ...form.headers, ...headers } })
}

describe('of every page that takes a form', () => {
  const posts = named(({ method, isProvedByLink }) => method === 'POST' && !isProvedByLink)

  test('there are some', () => expect(posts.length).toBeGreaterThan(8))

  test.each(posts)('%s: without its token, or with a strange one, it is refused', async (_, page) => {
    for (const token of [{}, { csrf: '' }, { csrf: 'a'.repeat(64) }] as Record<string, string>[])
      expect((await ask(page, token, {})).status).toBe(403)
  })

  test.each(posts)('%s: from another site it is refused whatever token it has', async (_, page) => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[])
      expect((await ask(page, { csrf }, headers)).status).toBe(403)
  })

  test.each(posts)('%s: as anything but a form it is refused', async (_, page) => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x'])
      expect((await ask(page, { csrf }, { 'content-type': type })).status).toBe(415)
  })

  test.each(posts)('%s: without a session nothing happens', async (_, page) => {
    const answer = await ask(page, { csrf }, {}, '')
    if (page.auth === 'none') expect(answer.status).toBe(403)
    else expect(answer.headers.get('location')).toStartWith('/app/sign-in?next=')
  })
})

describe('of every page to look at', () => {
  test.each(named(({ method, auth }) => method === 'GET' && auth !== 'none'))(
    '%s: whoever is not signed in is sent to do so first',
    async (_, { path }) => {
      const answer = await gate.ask(path, { key: null })
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe(`/app/sign-in?next=${encodeURIComponent(path)}`)
      expect((await gate.ask(path)).status).toBe(303)
    },
  )

  test.each(named(({ auth }) => auth === 'recent'))(
    '%s: whoever gave the password long ago is asked for it again',
    async (_, page) => {
      const later = await startGate()
      const { cookie, session } = await signedIn(later)
      later.clock.advance(10 * 60_000 + 1)
      const form = formOf({ csrf: session.csrf_token }, { cookie })
      const answer = await later.ask(
        page.path,
        page.method === 'POST' ? form : { key: null, headers: { cookie } },
      )
      if (page.method === 'GET') expect(answer.headers.get('location')).toStartWith('/app/confirm?next=')
      else
        expect(await answer.text()).toMatch(
          new RegExp(`action="/app/confirm".*name="to" value="${page.path}"`, 's'),
        )
      await later.stop()
    },
  )
})
