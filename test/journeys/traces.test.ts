import { afterAll, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { type RunningProduct, startProduct } from '../support/product'

const received: { readonly path: string; readonly key: string | null; readonly body: string }[] = []
/** A collector of OpenTelemetry. Texts stand in protobuf as they are. */
const collector = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    const bytes = new Uint8Array(await request.arrayBuffer())
    const plain = request.headers.get('content-encoding') === 'gzip' ? gunzipSync(bytes) : bytes
    received.push({
      path: new URL(request.url).pathname,
      key: request.headers.get('x-key'),
      body: Buffer.from(plain).toString('latin1'),
    })
    return new Response()
  },
})
let product: RunningProduct | undefined
afterAll(async () => {
  await product?.stop()
  await collector.stop(true)
})

test('a collector gets spans of requests, stores and jobs, and nothing of who asked or for what', async () => {
  product = await startProduct({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.origin,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=k1',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tried',
      LOG_LEVEL: 'warn',
    },
  })
  const { api_url, agent_key, agency_id, workspace_id } = product.facts
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${api_url}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${agent_key}`,
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.77',
      },
    })
  const found = await ask(
    `/api/entities/BusinessLocation?q=${encodeURIComponent('{"business_name":"Secret Bakery"}')}`,
  )
  expect([found.status, await found.text()]).toEqual([200, '[]'])
  expect((await ask('/api/entities/Review/rev_nothere')).status).toBe(404)
  expect((await ask('/api/entities/Made%20Up')).status).toBe(403)
  expect((await ask('/api/functions/getLimits', { method: 'POST', body: '{}' })).status).toBe(200)
  const stoppedBefore = performance.now()
  await product.stop()
  expect(performance.now() - stoppedBefore).toBeLessThan(20_000)
  const said = received.map(({ body }) => body).join('\n')
  expect(received.every(({ path, key }) => path === '/v1/traces' && key === 'k1')).toBe(true)
  for (const text of [
    'renown-gateway',
    'deployment.environment.name',
    'GET /api/entities/BusinessLocation',
    'GET /api/entities/Review/{id}',
    'GET entities',
    'POST /api/functions/getLimits',
    'db.collection.name',
    'http.response.status_code',
    'renown.request_id',
  ])
    expect([text, said.includes(text)]).toEqual([text, true])
  for (const text of [
    'Secret',
    'rev_nothere',
    'Made',
    '203.0.113.77',
    '127.0.0.1',
    agent_key,
    agency_id,
    workspace_id,
  ])
    expect([text, said.includes(text)]).toEqual([text, false])
}, 60_000)

test('a collector that is away is logged and stops nothing', async () => {
  const alone = await startProduct({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      LOG_LEVEL: 'warn',
    },
  })
  try {
    expect((await fetch(`${alone.facts.api_url}/readyz`)).status).toBe(200)
  } finally {
    await alone.stop()
  }
  expect(alone.output()).toContain('traces could not be sent')
}, 60_000)
