import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createAppDocuments, isDocumentUrl } from '../../../../../core/auth/oauth/clients/client-metadata'
import type { SafeFetch } from '../../../../../core/contracts/outbound'
import { outboundFault } from '../../../../../core/outbound/fault'
import { type Gate, startGate } from '../../../../support/harness'
import { type App, callback, connectApp } from '../../../../support/oauth-app'
import { part } from '../../../../support/part'
import { quietLog } from '../../../../support/quiet-log'
import { waitFor } from '../../../../support/wait-for'

const url = 'https://claude.example/oauth/claude-code-client-metadata'
const good = {
  client_id: url,
  client_name: 'Claude Code',
  redirect_uris: ['http://localhost/callback', callback],
  token_endpoint_auth_method: 'none',
}
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let gate: Gate
let app: App
let asked: { url: string; options: Parameters<SafeFetch>[1] }[]
/** What the stand-in for the outside answers next. */
let answer: { status?: number; body?: unknown; headers?: Record<string, string>; fault?: Error }

beforeEach(async () => {
  asked = []
  answer = { body: good }
  gate = await startGate({
    settings: { LIMIT_APP_DOCUMENTS_PER_MINUTE: '10' },
    safeFetch: async (address, options) => {
      asked.push({ url: address, options })
      if (answer.fault) throw answer.fault
      const { status = 200, body, headers = {} } = answer
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return {
        url: address,
        status,
        headers: new Headers({ 'content-type': 'application/json', ...headers }),
        body: new TextEncoder().encode(text),
      }
    },
  })
  app = await connectApp(gate, { clientId: url })
})
afterEach(() => gate.stop())

const authorizes = async () => (await app.authorize().sent).status === 303

describe('an app that is named by the address of its document', () => {
  test('is asked for safely: no redirect, 5 KiB, 5 seconds', async () => {
    expect(await authorizes()).toBe(true)
    expect(asked).toEqual([
      {
        url,
        options: {
          maxBytes: 5 * 1024,
          timeoutMs: 5_000,
          redirects: 0,
          headers: { accept: 'application/json' },
        },
      },
    ])
  })

  test('connects, and is shown by the host of that address', async () => {
    const path = (await app.authorize().sent).headers.get('location') ?? ''
    const html = await (await app.open(path)).text()
    expect(html).toContain('<strong>claude.example</strong>')
    expect(html).toContain('A program on your own computer')
    const { access_token, refresh_token } = await app.connect()
    expect(await app.status(access_token)).toBe(200)
    expect((await app.refresh(refresh_token)).status).toBe(200)
    expect(asked.length).toBe(1)
  })

  test('takes any port of the loopback and no other address', async () => {
    expect((await app.authorize({ redirect_uri: 'http://localhost:5123/callback' }).sent).status).toBe(303)
    expect((await app.authorize({ redirect_uri: 'https://evil.example/cb' }).sent).status).toBe(400)
  })

  test.each([
    ['another client_id', { body: { ...good, client_id: 'https://claude.example/other' } }],
    ['no redirect_uris', { body: { client_id: url } }],
    ['only evil redirect_uris', { body: { ...good, redirect_uris: ['javascript:alert(1)'] } }],
    ['a secret', { body: { ...good, client_secret: 'x' } }],
    ['only private_key_jwt', { body: { ...good, token_endpoint_auth_method: 'private_key_jwt' } }],
    ['a page in its place', { body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['JSON that is none', { body: '{' }],
    ['a list', { body: [good] }],
    ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1/' } }],
    ['404', { status: 404, body: good }],
    ['a private address', { fault: outboundFault('refused', 'The host has no public address.') }],
  ])('is refused with %s', async (_what, next) => {
    answer = next
    const sent = await app.authorize().sent
    expect(sent.status).toBe(400)
    expect(await sent.text()).toContain('cannot be used')
    const token = await app.refresh('x')
    expect([token.status, ((await token.json()) as { error: string }).error]).toEqual([401, 'invalid_client'])
  })

  test('that offers none beside private_key_jwt is taken by none', async () => {
    const token_endpoint_auth_methods_supported = ['private_key_jwt', 'none']
    answer = {
      body: { ...good, token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_methods_supported },
    }
    expect(await authorizes()).toBe(true)
  })
})

describe('a document', () => {
  test('names 1 to 20 redirect addresses', async () => {
    const addresses = (count: number) =>
      Array.from({ length: count }, (_, n) => (n === 0 ? callback : `https://app.example/callback/${n}`))
    for (const [count, isRead] of [
      [1, true],
      [20, true],
      [0, false],
      [21, false],
    ] as const) {
      const documentUrl = `https://claude.example/oauth/with-${count}`
      answer = { body: { ...good, client_id: documentUrl, redirect_uris: addresses(count) } }
      const sent = await (await connectApp(gate, { clientId: documentUrl })).authorize().sent
      expect([count, sent.status]).toEqual([count, isRead ? 303 : 400])
      if (!isRead) expect(await sent.text()).toContain('It is not a JSON object with client_id')
    }
  })

  test('is kept for 5 minutes at least and a day at most, as its sender says', async () => {
    for (const [cacheControl, freshMs] of [
      ['max-age=1', 5 * minuteMs],
      ['no-store', 5 * minuteMs],
      ['public, max-age=1200', 20 * minuteMs],
      ['max-age=999999999', dayMs],
      ['', 60 * minuteMs],
    ] as const) {
      answer = { body: good, headers: { 'cache-control': cacheControl } }
      gate.clock.advance(10 * dayMs)
      asked.length = 0
      await authorizes()
      gate.clock.advance(freshMs - 1_000)
      await authorizes()
      expect([cacheControl, asked.length]).toEqual([cacheControl, 1])
      gate.clock.advance(2_000)
      await authorizes()
      expect([cacheControl, asked.length]).toEqual([cacheControl, 2])
    }
  })

  test('that cannot be fetched again serves for a week, and then no more', async () => {
    await authorizes()
    answer = { fault: outboundFault('timeout', 'The host did not answer in time.') }
    gate.clock.advance(6 * dayMs)
    expect(await authorizes()).toBe(true)
    expect(asked.length).toBe(2)
    expect(await authorizes()).toBe(true)
    expect(asked.length).toBe(2)
    gate.clock.advance(dayMs + 1)
    expect(await authorizes()).toBe(false)
  })

  test('is fetched once for many who ask at once, and ten times a minute from one host', async () => {
    await Promise.all(Array.from({ length: 5 }, () => authorizes()))
    expect(asked.length).toBe(1)
    const of = (place: number) => `${url}-${place}`
    const statuses: number[] = []
    for (let place = 0; place < 12; place++) {
      answer = { body: { ...good, client_id: of(place) } }
      statuses.push((await app.authorize({ client_id: of(place) }).sent).status)
    }
    expect(statuses.filter((status) => status === 303).length).toBe(9)
    expect(statuses.slice(9)).toEqual([429, 429, 429])
  })
})

describe('a stranger who names documents', () => {
  const name = (place: number) => `https://host-${place}.example/app`

  test('of ever new hosts has ten fetched a minute, and none of those that failed again', async () => {
    answer = { fault: outboundFault('unreachable', 'The host could not be reached.') }
    const ask = async (place: number) => (await app.authorize({ client_id: name(place) }).sent).status
    for (let place = 0; place < 40; place++) await ask(place)
    expect(asked.length).toBe(10)
    gate.clock.advance(30_000)
    for (let turn = 0; turn < 20; turn++) expect(await ask(3)).toBe(400)
    expect(asked.length).toBe(10)
  })

  test('learns nothing of where a host leads: all that cannot be fetched are told of in the same words', async () => {
    const faults = [
      outboundFault('refused', 'The host is not on the public internet.'),
      outboundFault('unresolvable', 'The host has no address.'),
      outboundFault('timeout', 'The host did not answer in time.'),
      outboundFault('certificate', "The host's certificate is not valid for its name."),
    ]
    const words = new Set<string>()
    for (const [place, fault] of faults.entries()) {
      answer = { fault }
      const html = await (await app.authorize({ client_id: name(place) }).sent).text()
      words.add(html.replace(/<style.*?<\/style>|<[^>]+>|[0-9a-f-]{36}/gs, ' ').replace(/\s+/g, ' '))
    }
    expect([...words].map((html) => html.includes('It cannot be fetched.'))).toEqual([true])
  })
})

test('a last copy that serves is told to the operator once, with its address and the reason', async () => {
  const told: unknown[] = []
  const log = { ...quietLog, warn: (message: string, fields?: object) => void told.push({ message, fields }) }
  let isAway = false
  const documents = createAppDocuments({
    documents: gate.documents,
    clock: gate.clock,
    limits: { count() {} },
    log,
    safeFetch: async (address) => {
      if (isAway) throw new Error('refused')
      const headers = new Headers({ 'content-type': 'application/json' })
      return { url: address, status: 200, headers, body: new TextEncoder().encode(JSON.stringify(good)) }
    },
  })
  const find = () => documents.find(url, part({}))
  expect(await find()).toMatchObject({ name: 'Claude Code' })
  isAway = true
  gate.clock.advance(dayMs)
  expect(await find()).toMatchObject({ name: 'Claude Code' })
  expect(told).toEqual([
    {
      message: 'the document of an app cannot be fetched, so its last copy is used',
      fields: {
        url,
        error: 'OAuthError: The document that describes the app cannot be used. It cannot be fetched.',
      },
    },
  ])
  // The copy counts as fresh for five minutes.
  gate.clock.advance(4 * minuteMs)
  await find()
  expect(told).toHaveLength(1)
  gate.clock.advance(minuteMs)
  await find()
  expect(told).toHaveLength(2)
})

test('sixteen documents are fetched at once, and one more is refused until one is through', async () => {
  const held = Promise.withResolvers<void>()
  let begun = 0
  const documents = createAppDocuments({
    documents: gate.documents,
    clock: gate.clock,
    limits: { count() {} },
    log: quietLog,
    safeFetch: async (address) => {
      begun++
      await held.promise
      const body = new TextEncoder().encode(JSON.stringify({ ...good, client_id: address }))
      const headers = new Headers({ 'content-type': 'application/json' })
      return { url: address, status: 200, headers, body }
    },
  })
  const find = (place: number) => documents.find(`https://host-${place}.example/app`, part({}))
  const many = Array.from({ length: 16 }, (_, place) => find(place))
  await waitFor(() => begun === 16, { what: 'the fetches to begin', everyMs: 2 })
  const refusal = await find(16).catch((error) => error)
  expect(refusal).toMatchObject({
    code: 'temporarily_unavailable',
    status: 503,
    headers: { 'retry-after': '5' },
  })
  held.resolve()
  await Promise.all(many)
  expect(await find(16)).toMatchObject({ named_by: 'host-16.example' })
  expect(begun).toBe(17)
})

test('a client id is the address of a document only where it is written plainly', () => {
  expect(isDocumentUrl(url)).toBe(true)
  expect(isDocumentUrl('https://chatgpt.example/oauth/x/client.json?v=1')).toBe(true)
  for (const other of [
    'http://claude.example/x',
    'https://claude.example',
    'https://claude.example/',
    'https://claude.example/x#y',
    'https://user@claude.example/x',
    'https://claude.example/a/../b',
    'https://claude.example/./b',
    'https://CLAUDE.example/x',
    'https://claude.example:443/x',
    'https://127.1/x',
    'https://claude.example/x y',
    'https://claude.example\\x',
    `https://claude.example/${'x'.repeat(1_100)}`,
    'ocl_00000000000000000000000000',
  ]) {
    expect([other, isDocumentUrl(other)]).toEqual([other, false])
  }
})

test('a client id of 1,024 characters may be the address of a document, a longer one not', () => {
  const start = 'https://claude.example/'
  expect(isDocumentUrl(start + 'x'.repeat(1_024 - start.length))).toBe(true)
  expect(isDocumentUrl(start + 'x'.repeat(1_025 - start.length))).toBe(false)
})

describe('what is fetched', () => {
  const encode = (text: string) => new TextEncoder().encode(text)
  const found = async (body: Uint8Array, headers: Record<string, string> = {}, status = 200) => {
    const documents = createAppDocuments({
      documents: gate.documents,
      clock: gate.clock,
      limits: { count() {} },
      log: quietLog,
      safeFetch: async (address) => ({
        url: address,
        status,
        body,
        headers: new Headers({ 'content-type': 'application/json', ...headers }),
      }),
    })
    return documents.find(url, part({})).then(
      ({ name }) => name,
      ({ code, status: answered, message }) => `${code} ${answered} ${message.split('used. ')[1]}`,
    )
  }
  const text = JSON.stringify(good)

  test.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['application/cimd+json', true],
    ['application/jsonl', false],
    ['text/html', false],
    ['text/json', false],
  ])('as %s is a document: %p', async (type, isRead) => {
    expect(await found(encode(text), { 'content-type': type })).toBe(
      isRead ? 'Claude Code' : 'invalid_client 401 It is not sent as application/json.',
    )
  })

  test.each([
    ['with another status', encode(text), 201, 'Its address answered with status 201.'],
    ['that is no JSON', encode('{'), 200, 'It is not a JSON object with client_id and redirect_uris.'],
    [
      'that is not UTF-8',
      Buffer.from(text.replace('Claude Code', 'Claud\u00e9'), 'latin1'),
      200,
      'It is not a JSON object with client_id and redirect_uris.',
    ],
    [
      'of another address',
      encode(JSON.stringify({ ...good, client_id: `${url}2` })),
      200,
      'Its client_id is a different address.',
    ],
    [
      'with a secret',
      encode(JSON.stringify({ ...good, client_secret: 'x' })),
      200,
      'It is not a JSON object with client_id and redirect_uris.',
    ],
    [
      'without a method that Renown accepts',
      encode(JSON.stringify({ ...good, token_endpoint_auth_method: 'private_key_jwt' })),
      200,
      'It uses an authentication method other than none.',
    ],
  ])('%s is refused', async (_, body, status, why) => {
    expect(await found(body, {}, status)).toBe(`invalid_client 401 ${why}`)
  })

  test('lasts as long as its sender says, up to nine digits of seconds', async () => {
    const minutes = async (cacheControl: string) => {
      const inserted: { fresh_until?: string }[] = []
      const now = gate.clock.now()
      const collection = () => ({
        get: async () => null,
        updateOne: async () => null,
        insert: async (row: object) => void inserted.push(row),
      })
      const documents = createAppDocuments({
        clock: { now: () => now },
        limits: { count() {} },
        log: quietLog,
        documents: { collection } as never,
        safeFetch: async (address) => ({
          url: address,
          status: 200,
          body: encode(text),
          headers: new Headers({ 'content-type': 'application/json', 'cache-control': cacheControl }),
        }),
      })
      await documents.find(url, part({}))
      return (Date.parse(inserted[0]?.fresh_until ?? '') - now.getTime()) / minuteMs
    }
    expect(await minutes('')).toBe(60)
    expect(await minutes('max-age=299')).toBe(5)
    expect(await minutes('max-age=360')).toBe(6)
    expect(await minutes('public, max-age=86340')).toBe(1439)
    expect(await minutes('max-age=999999999')).toBe(1440)
    expect(await minutes('s-max-age=360')).toBe(60)
    expect(await minutes('no-store, max-age=86340')).toBe(5)
    expect(await minutes('MAX-AGE=86340, no-cache')).toBe(5)
  })

  test('replaces the last copy, without another row', async () => {
    const calls: string[] = []
    const collection = (isKnown: boolean) => () => ({
      get: async () => null,
      updateOne: async () => {
        calls.push('update')
        return isKnown ? { id: 'ocl_x' } : null
      },
      insert: async () => void calls.push('insert'),
    })
    for (const isKnown of [true, false]) {
      const documents = createAppDocuments({
        clock: gate.clock,
        limits: { count() {} },
        log: quietLog,
        documents: { collection: collection(isKnown) } as never,
        safeFetch: async (address) => ({
          url: address,
          status: 200,
          body: encode(text),
          headers: new Headers({ 'content-type': 'application/json' }),
        }),
      })
      await documents.find(url, part({}))
    }
    expect(calls).toEqual(['update', 'update', 'insert'])
  })
})
