import { expect, test } from 'bun:test'
import { metricsType } from 'renown/contracts'
import { createRouter } from '../../../ingest/http/router'
import { createAgentsInUse } from '../../../ingest/judge/agent-index'
import { site } from '../support/ingest'

/** A router that knows one token, `tok`, and one site, `key1`. */
function routerOf({
  refusal = null as string | null,
  isAccepting = true,
  metricsToken = '',
  clickhouse = null as { readonly reason: string; readonly since: string } | null,
} = {}) {
  const answer = { accepted: 1, ignored: 0, rejected: 0, duplicate: 0, reasons: [] }
  const deps = {
    docs: 'https://d/errors',
    now: () => new Date(0),
    clientAddress: () => null,
    settings: {
      INGEST_LINES_PER_SECOND: 100,
      INGEST_LINES_MAX: 100,
      INGEST_BODY_BYTES_MAX: 1_000,
      INGEST_INFLATED_BYTES_MAX: 1_000,
      LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: 100,
      INGEST_BEACONS_PER_SECOND: 1,
      METRICS_TOKEN: metricsToken,
    },
    sites: {
      byToken: (token: string) => (token === 'tok' ? site : undefined),
      byKey: (key: string) => (key === 'key1' ? site : undefined),
    },
    counter: { count: () => ({ answer, lines: 1, hits: [] }) },
    journal: { refusal: () => refusal },
    signals: { linesRead() {}, scriptFound() {}, bodyRefused() {} },
    metrics: { refused() {} },
    agents: createAgentsInUse({ use() {} }),
    state: async () => ({ accepting: isAccepting, clickhouse, gateway: null }),
    printMetrics: async () => 'a 1\n',
  }
  const route = createRouter(deps as never)
  return async (method: string, url: string, headers: Record<string, string> = {}) => {
    const response = await route(new Request(url, { method, headers }), () => null)
    const text = await response.text()
    const { status, headers: got } = response
    return { status, text, type: got.get('content-type'), cache: got.get('cache-control') }
  }
}
const bearer = { authorization: 'Bearer tok' }

test.each([
  ['POST', 'http://x/v1/hits', 200],
  ['POST', 'http://x/v1/hits?a=/b#/c', 200],
  ['POST', 'http://x/v1/hits#a?b', 200],
  ['POST', 'http://x/visits', 200],
  ['POST', 'http://x/visits/', 404],
  ['POST', 'http://x/v1/other', 404],
  ['POST', 'http://x/v2/hits', 404],
  ['GET', 'http://x/v1/hits', 404],
  ['GET', 'http://x/visits', 404],
  ['GET', 'http://x/v1/logs/vercel', 200],
  ['GET', 'http://x/.well-known/fastly/logging/challenge', 200],
  ['POST', 'http://x/.well-known/fastly/logging/challenge', 404],
  ['GET', 'http://x/s/key1.js', 200],
  ['GET', 'http://x/s/key1.js?v=2', 200],
  ['GET', 'http://x/s/key2.js', 404],
  ['OPTIONS', 'http://x/s/key1', 204],
  ['GET', 'http://x/livez', 200],
  ['GET', 'http://x/healthz', 200],
  ['GET', 'http://x/healthz?now', 200],
  ['GET', 'http://x/healthz/', 404],
  ['GET', 'http://x/readyz', 200],
  ['GET', 'http://x/metrics', 200],
  ['GET', 'http://x', 404],
  ['GET', 'http://x/', 404],
])('%s %s is answered with %i', async (method, url, status) =>
  expect((await routerOf()(method, url, bearer)).status).toBe(status),
)

test.each(['http://x/v1/none', 'http://x/none?a=1', 'http://x/none#b?c', 'http://x?a=/b', 'http://x'])(
  'a refusal of %s names its path alone, and the page of its code',
  async (url) => {
    const ask = routerOf()
    const { status, text, type } = await ask('POST', url, { ...bearer, 'x-request-id': 'my-id-123' })
    expect([status, type]).toEqual([404, 'application/problem+json'])
    expect(JSON.parse(text)).toEqual({
      type: 'https://d/errors#not_found',
      title: expect.any(String),
      status: 404,
      detail: expect.any(String),
      code: 'not_found',
      request_id: 'my-id-123',
      instance: new URL(url).pathname,
    })
  },
)

test('a batch without a token is asked for one, whatever its address', async () => {
  const ask = routerOf()
  expect((await ask('POST', 'http://x/v1/hits')).status).toBe(401)
  expect((await ask('POST', 'http://x/visits')).status).toBe(401)
  expect((await ask('GET', 'http://x/v1/hits')).status).toBe(401)
  expect((await ask('POST', 'http://x/none')).status).toBe(404)
})

test('health and readiness say whether hits are taken, and nobody keeps the answer', async () => {
  const good = { status: 200, cache: 'no-store', type: expect.stringContaining('application/json') }
  expect(await routerOf()('GET', 'http://x/healthz')).toEqual({ ...good, text: '{"status":"ok"}' })
  expect(await routerOf({ refusal: 'it is full' })('GET', 'http://x/healthz')).toEqual({
    ...good,
    status: 503,
    text: '{"status":"unavailable","reason":"it is full"}',
  })
  const standing = '"clickhouse":null,"gateway":null}'
  expect(await routerOf()('GET', 'http://x/readyz')).toEqual({
    ...good,
    text: `{"accepting":true,${standing}`,
  })
  expect(await routerOf({ isAccepting: false })('GET', 'http://x/readyz')).toEqual({
    ...good,
    status: 503,
    text: `{"accepting":false,${standing}`,
  })
})

test('metrics are for everybody, or for who has their token', async () => {
  const good = { status: 200, cache: 'no-store', type: metricsType, text: 'a 1\n' }
  expect(await routerOf()('GET', 'http://x/metrics')).toEqual(good)
  const ask = routerOf({ metricsToken: 'met' })
  expect(await ask('GET', 'http://x/metrics', { authorization: 'Bearer met' })).toEqual(good)
  for (const headers of [{}, bearer]) {
    const { status, text } = await ask('GET', 'http://x/metrics', headers)
    expect([status, JSON.parse(text).code]).toEqual([401, 'unauthenticated'])
  }
})

test('an ingest that accepts while ClickHouse is away is degraded, and one that accepts nothing is alive', async () => {
  const clickhouse = { reason: 'no answer', since: '2026-03-01T00:00:00.000Z' }
  const { status, text } = await routerOf({ clickhouse })('GET', 'http://x/healthz')
  const degraded = [
    { what: 'clickhouse', since: clickhouse.since, means: 'Accepted hits wait and are counted later.' },
  ]
  expect([status, JSON.parse(text)]).toEqual([200, { status: 'degraded', degraded }])
  const full = routerOf({ refusal: 'it is full', isAccepting: false })
  expect((await full('GET', 'http://x/livez')).status).toBe(200)
})
