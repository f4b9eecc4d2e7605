import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Gate, startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'

let gate: Gate
let raw: (request: string) => Promise<string>
beforeAll(async () => {
  gate = await startGate({ plugins: [notes] })
  await gate.put(Note, { ...aNote, title: 'the-row-itself' })
  raw = gate.listen().raw
})
afterAll(() => gate.stop())

const send = (target: string, { method = 'GET', host = 'localhost', more = '' } = {}) =>
  raw(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`)
const statusOf = (answer: string) => Number(answer.split(' ')[1])
const bearer = () => `Authorization: Bearer ${gate.tenant.key}\r\n`

describe('without a credential nothing is reached', () => {
  test.each([
    '/api/entities/Note',
    '/api/entities/Note/x',
    '/api/surface',
    '/api/functions/countNotes',
    '/api/mcp',
    '/api/nothing/here',
    '/api/entities/Note?q={"$where":"1"}',
    '/api',
    '/api/',
    '/api/%zz',
    '/api/entities%2fNote',
    '/api//entities/Note',
    '/api/x/../entities/Note',
    '/api/entities/Note#/docs',
    'http://localhost/api/entities/Note',
    'http://evil.example/api/entities/Note',
    'https://localhost/api/entities/Note',
  ])('%s is 401 with a challenge', async (target) => {
    const answer = await send(target)
    expect(statusOf(answer)).toBe(401)
    expect(answer.toLowerCase()).toContain(
      '\r\nwww-authenticate: bearer realm="renown", resource_metadata="http://',
    )
    expect(answer).not.toContain('the-row-itself')
  })

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('%s under /api is 401', async (method) => {
    expect(statusOf(await send('/api/entities/Note', { method }))).toBe(401)
  })

  test.each([
    ['/x/api/entities/Note', 'app'],
    ['/x/api/entities/Note', 'a'],
    ['/xx/api/entities/Note', 'ab'],
    ['/healthz/api/entities/Note', 'app'],
    ['/x?/api/entities/Note', 'a'],
    ['/a/api/functions/countNotes', 'app'],
    ['//api/entities/Note', 'localhost'],
    ['//evil/api/entities/Note', 'localhost'],
    ['/%2fapi/entities/Note', 'localhost'],
    ['/%61pi/entities/Note', 'localhost'],
    ['/API/entities/Note', 'localhost'],
    ['/docs/../api/entities/Note', 'localhost'],
    ['/docs%2f..%2fapi/entities/Note', 'localhost'],
    ['/docs/%2e%2e/api/entities/Note', 'localhost'],
    ['/docs\\..\\api\\entities\\Note', 'localhost'],
    ['/docs;/api/entities/Note', 'localhost'],
    ['/docs#/api/entities/Note', 'localhost'],
    ['/?/api/entities/Note', 'app'],
    ['/api/entities/Note', 'a b'],
    ['/api/entities/Note', 'a/b'],
    ['/api/entities/Note', 'user@host'],
    ['/api/entities/Note', 'h:99999'],
    ['/api/entities/Note', 'h?x='],
    ['/api/entities/Note', ''],
    ['/api/entities/Note', '[::1'],
  ])('%s with Host "%s" reads no row', async (target, host) => {
    const answer = await send(target, { host })
    expect([301, 302, 400, 401, 403, 404]).toContain(statusOf(answer))
    expect(answer).not.toContain('the-row-itself')
    const withKey = await send(target, { host, more: bearer() })
    expect(statusOf(withKey)).not.toBe(500)
  })

  test('a short Host routes the path that was checked', async () => {
    const short = await startGate({ plugins: [notes], settings: { RENOWN_URL: 'https://a.b' } })
    await short.put(Note, { ...aNote, title: 'the-row-itself' })
    const { raw } = short.listen()
    const ask = (target: string) =>
      raw(
        `GET ${target} HTTP/1.1\r\nHost: a.b\r\nConnection: close\r\nAuthorization: Bearer ${short.tenant.key}\r\n\r\n`,
      )
    expect(statusOf(await ask('/x/api/entities/Note'))).toBe(404)
    const answer = await ask('/api/entities/Note')
    expect(statusOf(answer)).toBe(200)
    expect(answer).toContain('the-row-itself')
    await short.stop()
  })

  test.each([
    'Cookie: session=KEY\r\n',
    'Cookie: authorization=Bearer KEY\r\n',
    'Authorization: Basic KEY\r\n',
    'Authorization: KEY\r\n',
    'Authorization: Bearer\r\n',
    'Authorization: Bearer KEYx\r\n',
    'Authorization: Bearer KEY KEY\r\n',
    'Authorization: Bearer KEY\r\nAuthorization: Bearer KEY\r\n',
    'X-Authorization: Bearer KEY\r\n',
    'X-Api-Key: KEY\r\n',
    'Proxy-Authorization: Bearer KEY\r\n',
  ])('%p is no credential', async (header) => {
    const answer = await send('/api/entities/Note', { more: header.replaceAll('KEY', gate.tenant.key) })
    expect(statusOf(answer)).toBe(401)
  })

  test('a token in the query is no credential', async () => {
    for (const name of ['access_token', 'token', 'key', 'authorization']) {
      expect(statusOf(await send(`/api/entities/Note?${name}=${gate.tenant.key}`))).toBe(401)
    }
  })

  test('OPTIONS needs none and tells nothing but methods', async () => {
    for (const target of ['/api/entities/Note', '/api/functions/countNotes', '/api/nothing']) {
      const answer = await send(target, { method: 'OPTIONS' })
      expect(statusOf(answer)).toBe(204)
      expect(answer.toLowerCase()).not.toContain('access-control-allow')
    }
  })

  test('401 comes before the size, the type and the form of the body', async () => {
    const more = 'Content-Length: 99999999\r\nContent-Type: text/plain\r\n'
    expect(statusOf(await send('/api/functions/countNotes', { method: 'POST', more }))).toBe(401)
  })
})

describe('with a credential a malformed address is refused, not guessed at', () => {
  test.each([
    '/api/%zz',
    '/api/entities%2fNote',
    '/api/entities/Note%5cx',
    '/api//entities/Note',
    '/api/entities/Note/%00',
    '/api/entities/%ff',
    '/api/entities/Note#x',
  ])('%s is 400', async (target) => {
    const answer = await send(target, { more: bearer() })
    expect(statusOf(answer)).toBe(400)
    expect(answer).toContain('"code":"malformed_request"')
  })

  test('an absolute-form target is read by its path', async () => {
    const answer = await send('http://evil.example/api/entities/Note', { more: bearer() })
    expect(answer).toContain('the-row-itself')
  })
})

describe('request ids', () => {
  test('are echoed where they are well formed, else minted', async () => {
    const idOf = async (id?: string) =>
      (
        await gate.ask('/api/surface', id === undefined ? {} : { headers: { 'x-request-id': id } })
      ).headers.get('x-request-id')
    expect(await idOf('abcd-1234_EF')).toBe('abcd-1234_EF')
    for (const bad of [undefined, 'short', 'x'.repeat(65), 'has space', 'semi;colon1']) {
      expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})
