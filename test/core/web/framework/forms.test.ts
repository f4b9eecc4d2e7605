import { describe, expect, test } from 'bun:test'
import { csrfTokenOf, type Session } from '../../../../core/auth/sessions'
import { checkForm, ownPath, readForm } from '../../../../core/web/framework/forms'

const host = { origin: 'https://renown.example.com' }
const visit = 'v'.repeat(40)

async function check(headers: Record<string, string>, csrf: string, session: Session | null = null) {
  const request = new Request(`${host.origin}/app/x`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ csrf }).toString(),
  })
  return checkForm(await readForm(request), session, request, host).then(
    () => 'taken',
    (error) => error.code,
  )
}

describe('a form', () => {
  const own = { origin: host.origin, cookie: `__Host-renown_visit=${visit}` }

  test('is taken from a page of this host with the token of the visit', async () => {
    expect(await check(own, await csrfTokenOf(visit))).toBe('taken')
    expect(await check({ ...own, 'sec-fetch-site': 'same-origin' }, await csrfTokenOf(visit))).toBe('taken')
    const unnamed = { cookie: own.cookie, 'sec-fetch-site': 'same-origin' }
    expect(await check(unnamed, await csrfTokenOf(visit))).toBe('taken')
    expect(await check({ ...unnamed, origin: 'null' }, await csrfTokenOf(visit))).toBe('taken')
  })

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a subdomain', { origin: 'https://a.renown.example.com' }],
    ['plain http', { origin: 'http://renown.example.com' }],
    ['another port', { origin: 'https://renown.example.com:8443' }],
    ['a sandboxed page', { origin: 'null' }],
    ['nowhere', {}],
    ['a site that the browser names', { origin: host.origin, 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { origin: host.origin, 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ] as [string, Record<string, string>][])('from %s is refused whatever token it has', async (_, headers) => {
    expect(await check({ cookie: own.cookie, ...headers }, await csrfTokenOf(visit))).toBe(
      'origin_not_allowed',
    )
  })

  test('without the right token is refused', async () => {
    expect(await check(own, '')).toBe('form_refused')
    expect(await check(own, visit)).toBe('form_refused')
    expect(await check(own, await csrfTokenOf('w'.repeat(40)))).toBe('form_refused')
    expect(await check({ origin: host.origin }, await csrfTokenOf(''))).toBe('form_refused')
  })

  test('of somebody signed in needs the token of that session, not of the visit', async () => {
    const session = { csrf_token: await csrfTokenOf('session') } as Session
    expect(await check(own, await csrfTokenOf('session'), session)).toBe('taken')
    expect(await check(own, await csrfTokenOf(visit), session)).toBe('form_refused')
  })

  test('is read up to 64 KiB, and only as browsers send it', async () => {
    const send = (body: string, type: string) =>
      readForm(new Request(host.origin, { method: 'POST', body, headers: { 'content-type': type } })).then(
        () => 'read',
        (error) => error.code,
      )
    expect(await send('a=1', 'application/x-www-form-urlencoded;charset=UTF-8')).toBe('read')
    expect(await send('{"a":1}', 'application/json')).toBe('unsupported_media_type')
    expect(await send('a=1', 'text/plain')).toBe('unsupported_media_type')
    expect(await send(`a=${'1'.repeat(65_536)}`, 'application/x-www-form-urlencoded')).toBe(
      'payload_too_large',
    )
    expect(await send('a=1&'.repeat(201), 'application/x-www-form-urlencoded')).toBe('payload_too_large')
  })
})

test('a form has no U+0000, and tells which fields were sent with it', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = 'a=1%00&b%00=2&c=3%0a'
  const form = await readForm(new Request(host.origin, { method: 'POST', headers, body }))
  expect(form.names().map((name) => [name, form.all(name)])).toEqual([
    ['a', ['1']],
    ['b', ['2']],
    ['c', ['3\n']],
  ])
  expect([form.get('a'), form.unstorable]).toEqual(['1', ['a', 'b']])
})

describe('where to go after signing in', () => {
  test.each([
    '/app/account',
    '/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fa.example%2Fb',
    '/docs',
  ])('a path of our own: %s', (path) => expect(ownPath(path)).toBe(path))
  test.each([
    null,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/a\\..\\..\\evil',
    'javascript:alert(1)',
    '/.//evil.example',
    '/a/..//evil.example',
    ' /app',
    '/app\r\nset-cookie: a=b',
    `/${'a'.repeat(8_192)}`,
    '/ü',
  ])('nowhere else: %j', (text) => expect(ownPath(text)).toBe('/app'))
})

describe('a form with a file', () => {
  const file = { field: 'logo', bytesMax: 10 }
  const send = (fill: (form: FormData) => void, type?: string) => {
    const form = new FormData()
    fill(form)
    const request = new Request(host.origin, { method: 'POST', body: form })
    return readForm(
      type === undefined ? request : new Request(request, { headers: { 'content-type': type } }),
      file,
    )
  }
  const code = (asked: Promise<unknown>) =>
    asked.then(
      () => 'read',
      ({ code: word }) => word,
    )

  test('gives its fields, and the bytes as base64', async () => {
    const form = await send((sent) => {
      sent.append('name', 'Ada & Co')
      sent.append('logo', new Blob([new Uint8Array([0, 255, 13, 10])]), 'a.png')
    })
    expect([form.get('name'), form.get('logo')]).toEqual(['Ada & Co', 'AP8NCg=='])
  })

  test('is refused with a large file, a file in another field, or a body that cannot be read', async () => {
    const blob = (size: number) => new Blob([new Uint8Array(size)])
    expect(await code(send((sent) => sent.append('logo', blob(11), 'a.png')))).toBe('payload_too_large')
    expect(await code(send((sent) => sent.append('logo', blob(100_000), 'a.png')))).toBe('payload_too_large')
    expect(await code(send((sent) => sent.append('other', blob(1), 'a.png')))).toBe('malformed_request')
    const unreadable = 'multipart/form-data; boundary=x'
    expect(await code(send((sent) => sent.append('name', 'x'), unreadable))).toBe('malformed_request')
  })

  test('is refused where the form of a page has none', async () => {
    const body = new FormData()
    body.append('logo', new Blob(['x']), 'a.png')
    const request = new Request(host.origin, { method: 'POST', body })
    expect(await code(readForm(request))).toBe('unsupported_media_type')
  })
})
