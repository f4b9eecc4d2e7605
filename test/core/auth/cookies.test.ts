import { expect, test } from 'bun:test'
import { cookieOf, noCookie, readCookie } from '../../../core/auth/cookies'

const secure = { origin: 'https://app.example' }
const plain = { origin: 'http://localhost:3000' }
const asking = (cookie?: string) =>
  new Request('http://x/', cookie === undefined ? {} : { headers: { cookie } })

test('a cookie is bound to its host on https, and has a plain name on loopback', () => {
  const ends = '; HttpOnly; Path=/; SameSite=Lax'
  expect(cookieOf('session', 'v', secure)).toBe(`__Host-renown=v${ends}; Secure`)
  expect(cookieOf('visit', 'v', secure)).toBe(`__Host-renown_visit=v${ends}; Secure`)
  expect(cookieOf('browser', 'v', secure)).toBe(`__Host-renown_browser=v${ends}; Secure`)
  expect(cookieOf('session', 'v', plain)).toBe(`renown_session=v${ends}`)
  expect(cookieOf('visit', 'v', plain, 60)).toBe('renown_visit=v; HttpOnly; Max-Age=60; Path=/; SameSite=Lax')
  expect(noCookie('session', secure)).toBe(
    '__Host-renown=; HttpOnly; Max-Age=0; Path=/; SameSite=Lax; Secure',
  )
})

test('a cookie is read by its own name only', () => {
  const header = 'a=b; __Host-renown=s; renown_session=p; __Host-renown_visit=t'
  expect(readCookie(asking(header), 'session', secure)).toBe('s')
  expect(readCookie(asking(header), 'visit', secure)).toBe('t')
  expect(readCookie(asking(header), 'browser', secure)).toBeNull()
  expect(readCookie(asking(header), 'session', plain)).toBe('p')
  expect(readCookie(asking(), 'session', plain)).toBeNull()
})
