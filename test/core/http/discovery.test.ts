import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { errorTable } from '../../../core/contracts/errors'
import { filterBounds } from '../../../core/query/filter'
import { limitTable } from '../../../core/requests/limit-table'
import type { ColumnsStore } from '../../../core/stores/columns/port'
import { UnavailableError } from '../../../core/stores/documents/port'
import { type Gate, startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes], settings: { RENOWN_INGEST_SECRET: 'a-long-ingest-secret' } })
})
afterAll(() => gate.stop())

const open = (path: string, headers: Record<string, string> = {}) => gate.ask(path, { key: null, headers })

describe('GET /api/surface', () => {
  test('tells what is callable with limits and a digest, under the gate', async () => {
    expect((await open('/api/surface')).status).toBe(401)
    const surface = (await (await gate.ask('/api/surface')).json()) as Record<string, { name: string }[]>
    expect(surface.entities?.map(({ name }) => name)).toContain('Note')
    expect(surface.operations?.map(({ name }) => name)).toContain('draftNote')
    expect(surface.surface_hash).toMatch(/^[0-9a-f]{64}$/)
    const { rates, ...limits } = surface.limits as unknown as { rates: object[] }
    expect(limits).toEqual({
      list: { limit_default: 100, limit_max: 1000, skip_max: 100_000 },
      filter: { ...filterBounds, examined_rows_max: 100_000 },
      body_bytes_max: 1048576,
    })
    expect(rates).toHaveLength(Object.keys(limitTable).length)
    expect(rates[0]).toEqual({ name: 'reads', quota: 1_000_000, window_seconds: 60 })
    expect(JSON.stringify(surface)).not.toContain('AgentKey')
  })
})

interface OpenApi {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, { responses: Record<string, unknown>; requestBody?: unknown }>>
  components: {
    schemas: Record<string, { properties: Record<string, { format?: string }> }>
    responses: object
  }
}

describe('GET /openapi.json', () => {
  let document: OpenApi
  beforeAll(async () => {
    document = (await (await open('/openapi.json')).json()) as OpenApi
  })

  test('is public OpenAPI 3.1 of version 1.0.0 with a schema by the name of each record type', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0'])
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Note', 'Workspace', 'Problem']),
    )
    expect(document.components.schemas.Note?.properties.seen_at).toMatchObject({ format: 'date-time' })
    expect(Object.keys(document.components.schemas.Note?.properties ?? {})).not.toContain('secret')
  })

  test('has an address for every read and operation, and no other', () => {
    const wanted = [...gate.registry.entities.values()].flatMap(({ name, reads }) => [
      ...(reads.includes('list') ? [`/api/entities/${name}`] : []),
      ...(reads.includes('get') ? [`/api/entities/${name}/{id}`] : []),
    ])
    const operations = [...gate.registry.operations.keys()].map((name) => `/api/functions/${name}`)
    expect(Object.keys(document.paths).sort()).toEqual(
      [...wanted, ...operations, '/api/events', '/api/surface'].sort(),
    )
  })

  test('resolves every reference inside itself', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '')
    expect(refs.length).toBeGreaterThan(20)
    for (const path of refs) {
      const target = path
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document)
      expect(target).toBeDefined()
    }
  })
})

describe('GET /docs', () => {
  test('is one page of its own, with a style sheet by digest and nothing from anywhere else', async () => {
    const response = await open('/docs')
    const html = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = response.headers.get('content-security-policy') ?? ''
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
    const digest = new Bun.CryptoHasher('sha256').update(style).digest('base64')
    expect(policy).toStartWith(`default-src 'none'; style-src 'sha256-${digest}'`)
    expect(/<script|<img|<link|<iframe|<[^>]*\s(?:src|style|on[a-z]+)=|url\(|@import/.test(html)).toBe(false)
  })

  test('names every record, field, operation and error code; an unescaped text is nowhere', async () => {
    const html = await (await open('/docs')).text()
    for (const name of ['Note', 'Workspace', 'draftNote', ...Object.keys(errorTable)]) {
      expect(html.includes(`id="${name}"`)).toBe(true)
    }
    expect(html.includes('<code>seen_at</code>')).toBe(true)
    expect(html.includes('<code>secret</code>')).toBe(false)
    expect(html.includes('Put away &lt;b&gt;')).toBe(true)
    expect(html.includes('<b>out of sight')).toBe(false)
  })

  test('is answered 304 by its ETag', async () => {
    const etag = (await open('/docs')).headers.get('etag') ?? ''
    expect((await open('/docs', { 'if-none-match': etag })).status).toBe(304)
  })
})

describe('GET /metrics', () => {
  test('counts answers by kind and status, and never by what a caller wrote', async () => {
    await open('/api/entities/canary')
    await open('/nothing-canary')
    const answer = await open('/metrics')
    expect(answer.headers.get('content-type')).toStartWith('text/plain; version=0.0.4')
    const text = await answer.text()
    expect(text).toMatch(/^renown_gateway_answers_total\{kind="entities",status="\d+"\} \d+$/m)
    expect(text).toMatch(/^renown_gateway_answers_total\{kind="other",status="404"\} \d+$/m)
    expect(text).toMatch(/^renown_gateway_seconds_count \d+$/m)
    expect(text).not.toContain('canary')
    expect((await open('/readyz')).status).toBe(200)
  })
})

describe('GET /metrics with METRICS_TOKEN', () => {
  test('asks for the token, and for no other credential', async () => {
    const watched = await startGate({ plugins: [notes], settings: { METRICS_TOKEN: 'watcher' } })
    try {
      const status = async (headers: Record<string, string>) =>
        (await watched.ask('/metrics', { key: null, headers })).status
      expect(await status({})).toBe(401)
      expect(await status({ authorization: 'Bearer other' })).toBe(401)
      expect(await status({ authorization: `Bearer ${watched.tenant.key}` })).toBe(401)
      expect(await status({ authorization: 'Bearer watcher' })).toBe(200)
    } finally {
      await watched.stop()
    }
  })
})

describe('GET /readyz', () => {
  test('tells how many streams are open and how many may be, and is not kept', async () => {
    const answer = await open('/readyz')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await answer.json()).toEqual({
      status: 'ok',
      streams: { open: 0, max: expect.any(Number) },
    })
  })
})

/** Lets a store of the gate fail its check, for as long as `work` takes. */
async function without(
  store: 'documents' | 'columns',
  ping: () => Promise<void>,
  work: () => Promise<unknown>,
) {
  const target = store === 'documents' ? gate.documents : (gate.owner.columns as ColumnsStore)
  const before = target.ping
  Object.assign(target, { ping })
  gate.clock.advance(1_000)
  try {
    await work()
  } finally {
    Object.assign(target, { ping: before })
    gate.clock.advance(1_000)
  }
}
const gone = () => Promise.reject(new UnavailableError('gone'))

describe('three levels of health', () => {
  test('alive needs no store', async () => {
    await without('documents', gone, async () => {
      const answer = await open('/livez')
      expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }])
    })
  })

  test('ready needs documents: without them it is 503 with Retry-After, and says nothing of the inside', async () => {
    await without('documents', gone, async () => {
      for (const path of ['/readyz', '/healthz']) {
        const down = await open(path)
        expect([path, down.status, down.headers.get('retry-after')]).toEqual([path, 503, '2'])
        expect(await down.text()).not.toContain('gone')
      }
    })
    expect((await open('/readyz')).status).toBe(200)
  })

  test('a store that never answers is away as well', async () => {
    await without(
      'documents',
      () => new Promise(() => {}),
      async () => {
        expect((await open('/readyz')).status).toBe(503)
      },
    )
  }, 20_000)

  test('degraded is ready: ClickHouse away is said, with the time since when, and in the metrics', async () => {
    await without('columns', gone, async () => {
      const before = gate.clock.now().toISOString()
      expect((await open('/readyz')).status).toBe(200)
      const first = await open('/healthz')
      const said = (await first.json()) as { degraded: { since: string }[] }
      const since = said.degraded[0]?.since ?? ''
      expect([since >= before, since <= gate.clock.now().toISOString()]).toEqual([true, true])
      const degraded = [{ what: 'columns', since, means: expect.stringContaining('counted later') }]
      expect<unknown>([first.status, said]).toEqual([200, { status: 'degraded', degraded }])
      gate.clock.advance(60_000)
      expect(await (await open('/healthz')).json()).toEqual({ status: 'degraded', degraded })
      const text = await (await open('/metrics')).text()
      expect(text).toMatch(/^renown_columns_up 0$/m)
      expect(text).toMatch(/^renown_documents_up 1$/m)
    })
    expect(await (await open('/healthz')).json()).toEqual({ status: 'ok' })
    expect(await (await open('/metrics')).text()).toMatch(/^renown_columns_up 1$/m)
  })

  test('metrics answer while documents are away', async () => {
    await without('documents', gone, async () => {
      const answer = await open('/metrics')
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringMatching(/^renown_documents_up 0$/m),
      ])
    })
  })
})

describe('GET /healthz', () => {
  test('asks the stores once a second, however often it is asked', async () => {
    let pings = 0
    const { ping } = gate.documents
    Object.assign(gate.documents, {
      ping: async () => {
        pings++
      },
    })
    gate.clock.advance(1_000)
    await Promise.all([open('/healthz'), open('/healthz'), open('/readyz')])
    gate.clock.advance(500)
    await open('/healthz')
    expect(pings).toBe(1)
    gate.clock.advance(500)
    expect((await open('/healthz')).status).toBe(200)
    expect(pings).toBe(2)
    Object.assign(gate.documents, { ping })
  })

  test('an unavailable store is 503 on a read too', async () => {
    const { collection } = gate.documents
    Object.assign(gate.documents, {
      collection: () => {
        throw new UnavailableError('the store is gone')
      },
    })
    const response = await gate.ask('/api/entities/Note')
    Object.assign(gate.documents, { collection })
    expect([401, 503]).toContain(response.status)
  })
})

describe('GET /internal/<feed>', () => {
  const feed = (token: string, more: Record<string, string> = {}) =>
    open('/internal/titles', { authorization: `Bearer ${token}`, ...more })

  test('answers with the ingest secret only, and 304 while nothing changed', async () => {
    await gate.put(Note, aNote)
    const response = await feed('a-long-ingest-secret')
    expect([response.status, await response.json()]).toEqual([200, 1])
    const etag = response.headers.get('etag') ?? ''
    expect((await feed('a-long-ingest-secret', { 'if-none-match': etag })).status).toBe(304)
    for (const token of ['wrong', gate.tenant.key, '']) expect((await feed(token)).status).toBe(401)
    for (const scheme of ['xBearer', 'Basic', 'Bearerx'])
      expect(
        (await open('/internal/titles', { authorization: `${scheme} a-long-ingest-secret` })).status,
      ).toBe(401)
    for (const scheme of ['bearer', 'BEARER  '])
      expect(
        (await open('/internal/titles', { authorization: `${scheme} a-long-ingest-secret` })).status,
      ).toBe(200)
    expect((await open('/internal/titles')).status).toBe(401)
  })

  test('that takes something is asked by POST, with what it takes', async () => {
    const ask = (body: unknown, token = 'a-long-ingest-secret') =>
      gate.ask('/internal/titled', { method: 'POST', key: token, body })
    await gate.put(Note, { ...aNote, title: 'asked for' })
    const response = await ask({ title: 'asked for' })
    expect([response.status, await response.json()]).toEqual([200, 1])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await ask({ title: 'asked for' }, 'wrong')).status).toBe(401)
    expect(await (await ask({ title: 5 })).json()).toMatchObject({
      status: 422,
      code: 'invalid_field',
      errors: [{ pointer: '/title' }],
    })
    expect((await ask({ title: 'x', more: 1 })).status).toBe(422)
    expect((await ask('[]')).status).toBe(400)
    const headers = { authorization: 'Bearer a-long-ingest-secret' }
    expect((await open('/internal/titled', headers)).status).toBe(404)
    const post = await gate.ask('/internal/titles', { method: 'POST', key: null, headers, body: {} })
    expect(post.status).toBe(404)
  })

  test('is closed where no secret is set, and unknown feeds are 404', async () => {
    const unknown = await open('/internal/nothing', { authorization: 'Bearer a-long-ingest-secret' })
    expect(unknown.status).toBe(404)
    const closed = await startGate({ plugins: [notes] })
    const headers = { authorization: 'Bearer ' }
    expect((await closed.ask('/internal/titles', { key: null, headers })).status).toBe(404)
    await closed.stop()
  })
})

describe('errors', () => {
  test('are problem+json with a code of the closed list, and are not kept by caches', async () => {
    for (const [path, status] of [
      ['/nothing', 404],
      ['/api/nothing', 403],
      ['/api/entities/Note?x=1', 400],
    ] as const) {
      const response = await gate.ask(path)
      const body = (await response.json()) as Record<string, string>
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(Object.keys(errorTable)).toContain(body.code ?? '')
      expect(body).toMatchObject({
        type: `http://localhost:3000/docs#${body.code}`,
        status,
        instance: path.split('?')[0],
        request_id: response.headers.get('x-request-id'),
      })
    }
  })
})

test('the public keys of signed requests are on the main address, and nowhere without a public address', async () => {
  const path = '/.well-known/http-message-signatures-directory'
  expect((await open(path)).status).toBe(404)
  const directory = { body: '{"keys":[]}', headers: { 'content-type': 'a/b', signature: 'sig1=:YQ==:' } }
  const signing = await startGate({ plugins: [notes], signer: { directory: () => directory } })
  try {
    const answer = await signing.ask(path, { key: null })
    expect([answer.status, answer.headers.get('signature'), await answer.text()]).toEqual([
      200,
      'sig1=:YQ==:',
      '{"keys":[]}',
    ])
  } finally {
    await signing.stop()
  }
})
