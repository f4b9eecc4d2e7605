import { expect, test } from 'bun:test'
import { akamai } from '../../../../ingest/parse/formats/senders/akamai'
import { azure } from '../../../../ingest/parse/formats/senders/azure'
import { cloudflare } from '../../../../ingest/parse/formats/senders/cloudflare'
import { envoyJson } from '../../../../ingest/parse/formats/senders/envoy'
import { netlify } from '../../../../ingest/parse/formats/senders/netlify'
import { grok, telemetry } from '../../../../ingest/parse/formats/senders/telemetry'
import { traefik } from '../../../../ingest/parse/formats/senders/traefik'
import { vercel } from '../../../../ingest/parse/formats/senders/vercel'
import { cloudfrontJson } from '../../../../ingest/parse/formats/senders/w3c'
import type { JsonRecord, RecordFormat } from '../../../../ingest/parse/formats/text/reading'

const now = Date.parse('2026-11-20T10:00:00.000Z')
const at = '2026-11-19T09:08:07.000Z'

/** What a record says of a field, and how that is read. */
const values: Record<string, [string, unknown]> = {
  ts: [at, Date.parse(at)],
  ip: ['203.0.113.1', '203.0.113.1'],
  method: ['HEAD', 'HEAD'],
  target: ['/t', '/t'],
  host: ['h.example', 'h.example'],
  ua: ['UA/1', 'UA/1'],
  referer: ['https://r/', 'https://r/'],
  status: ['404', 404],
  id: ['x-1', 'x-1'],
}

/** Every name of each field, in the order in which they count. */
const senders: Record<string, [RecordFormat, Record<string, string>, (record: JsonRecord) => JsonRecord]> = {
  netlify: [
    netlify,
    {
      ts: 'timestamp',
      ip: 'client_ip',
      method: 'method',
      target: 'url path',
      host: 'domain',
      ua: 'user_agent',
      referer: 'referrer',
      status: 'status_code',
      id: 'request_id',
    },
    (record) => record,
  ],
  vercel: [
    vercel,
    {
      ts: 'timestamp',
      ip: 'clientIp',
      method: 'method',
      target: 'path',
      host: 'host',
      ua: 'userAgent',
      referer: 'referer',
      status: 'statusCode',
      id: 'requestId',
    },
    ({ requestId, ...proxy }) => ({ requestId, proxy }),
  ],
  traefik: [
    traefik,
    {
      ts: 'StartUTC StartLocal time',
      ip: 'ClientHost ClientAddr',
      method: 'RequestMethod',
      target: 'RequestPath',
      host: 'RequestHost RequestAddr',
      ua: 'request_User-Agent',
      referer: 'request_Referer',
      status: 'DownstreamStatus',
    },
    (record) => record,
  ],
  cloudflare: [
    cloudflare,
    {
      ts: 'EdgeStartTimestamp',
      ip: 'ClientIP',
      method: 'ClientRequestMethod',
      target: 'ClientRequestURI ClientRequestPath',
      host: 'ClientRequestHost',
      ua: 'ClientRequestUserAgent',
      referer: 'ClientRequestReferer',
      status: 'EdgeResponseStatus',
      id: 'RayID',
    },
    (record) => record,
  ],
  akamai: [
    akamai,
    {
      ts: 'reqTimeSec',
      ip: 'cliIP',
      method: 'reqMethod',
      target: 'reqPath',
      host: 'reqHost',
      ua: 'UA',
      referer: 'referer',
      status: 'statusCode',
      id: 'reqId',
    },
    (record) => record,
  ],
  cloudfront: [
    cloudfrontJson,
    {
      ts: 'timestamp timestamp(ms)',
      ip: 'c-ip',
      method: 'cs-method',
      target: 'cs-uri-stem',
      host: 'x-host-header cs(host) cs-host',
      ua: 'cs(User-Agent) cs-user-agent',
      referer: 'cs(Referer) cs-referer',
      status: 'sc-status',
      id: 'x-edge-request-id',
    },
    (record) => record,
  ],
}

const ofAzure = (category: string) => (record: JsonRecord) => {
  const { time, timeStamp, ...properties } = record
  return {
    category,
    properties,
    ...(time === undefined ? {} : { time }),
    ...(timeStamp === undefined ? {} : { timeStamp }),
  }
}
/** Senders whose records may have further names, or an id of two fields. */
const others: typeof senders = {
  telemetry: [
    telemetry,
    {
      ts: 'timestamp @timestamp time',
      ip: 'client.address client.ip source.address source.ip http.client_ip net.sock.peer.addr net.peer.ip network.peer.address',
      method: 'http.request.method http.method',
      target: 'url.original url.path http.target url.full http.url',
      host: 'url.domain server.address http.host http.server_name net.host.name',
      ua: 'user_agent.original http.user_agent http.request.header.user-agent',
      referer: 'http.request.referrer http.request.header.referer',
      status: 'http.response.status_code http.status_code',
      id: 'log.record.uid http.request.id event.id',
    },
    (record) => record,
  ],
  envoy: [
    envoyJson,
    {
      ts: 'start_time',
      ip: 'downstream_remote_address',
      method: 'method',
      target: 'x-envoy-original-path x-envoy-origin-path path :path',
      host: 'authority :authority',
      ua: 'user_agent user-agent',
      referer: 'referer',
      status: 'response_code',
    },
    (record) => ({ response_flags: '-', ...record }),
  ],
  grok: [
    grok,
    {
      ts: 'timestamp @timestamp',
      ip: 'clientip',
      method: 'verb',
      target: 'request',
      ua: 'agent',
      referer: 'referrer',
      status: 'response',
      id: 'request_id',
    },
    (record) => record,
  ],
  'Azure Front Door': [
    azure,
    {
      ts: 'time timeStamp',
      ip: 'socketIp clientIp',
      method: 'httpMethod',
      target: 'requestUri',
      host: 'hostName',
      ua: 'userAgent',
      referer: 'referer',
      status: 'httpStatusCode',
      id: 'trackingReference',
    },
    ofAzure('FrontDoorAccessLog'),
  ],
  'Azure CDN': [
    azure,
    { ts: 'time', ip: 'socketIp', method: 'httpMethod', target: 'requestUri', ua: 'userAgent' },
    ofAzure('AzureCdnAccessLog'),
  ],
  'Azure Application Gateway': [
    azure,
    {
      ts: 'timeStamp time',
      ip: 'clientIP',
      method: 'httpMethod',
      target: 'originalRequestUriWithArgs requestUri',
      host: 'originalHost host',
      ua: 'userAgent',
      status: 'httpStatus',
    },
    ofAzure('ApplicationGatewayAccessLog'),
  ],
  'Azure App Service': [
    azure,
    {
      ts: 'time',
      ip: 'CIp',
      method: 'CsMethod',
      target: 'CsUriStem',
      host: 'CsHost',
      ua: 'UserAgent',
      referer: 'Referer',
      status: 'ScStatus',
    },
    ofAzure('AppServiceHTTPLogs'),
  ],
}
const named = Object.entries({ ...senders, ...others })

test('the id of a request of an Application Gateway is its transaction and its time', () => {
  const idOf = (time: object, transactionId?: string) => {
    const properties = { originalRequestUriWithArgs: '/t', userAgent: 'UA/1', transactionId }
    const record = { category: 'ApplicationGatewayAccessLog', properties, ...time }
    return (azure.read(record, now) as { id?: string }).id
  }
  expect(idOf({ timeStamp: at, time: '2026-11-19T00:00:00Z' }, 'tx')).toBe(`${at} tx`)
  expect(idOf({ time: at }, 'tx')).toBe(`${at} tx`)
  expect(idOf({ time: at })).toBeUndefined()
})

test('other categories of Azure, and what Front Door fetches from itself, are no requests', () => {
  const outcome = (category: string, more: object = {}) =>
    azure.read({ category, time: at, properties: { requestUri: '/t', userAgent: 'UA/1', ...more } }, now)
  const none = { ignored: 'Not a request' }
  expect(outcome('FrontDoorHealthProbeLog')).toEqual(none)
  for (const isReceivedFromClient of ['false', false])
    expect(outcome('FrontdoorAccessLog', { isReceivedFromClient })).toEqual(none)
  for (const isReceivedFromClient of ['true', true, undefined])
    expect(outcome('FrontdoorAccessLog', { isReceivedFromClient })).toMatchObject({ target: '/t' })
})

test("a record of Envoy has the connection's address, or that of the proxy's client, and an id with its time", () => {
  const record = {
    response_flags: '-',
    start_time: at,
    method: 'GET',
    path: '/t',
    user_agent: 'UA/1',
    downstream_remote_address: '203.0.113.1:4711',
  }
  expect(envoyJson.read(record, now)).toMatchObject({ ip: '203.0.113.1', id: undefined })
  expect(envoyJson.read({ ...record, request_id: 'r' }, now)).toMatchObject({ id: `${at} r` })
  expect(envoyJson.read({ ...record, 'x-request-id': 'x' }, now)).toMatchObject({ id: `${at} x` })
  expect(envoyJson.read({ ...record, method: undefined }, now)).toEqual({ ignored: 'Not a request' })
  expect(envoyJson.read({ ...record, method: undefined, ':method': 'HEAD' }, now)).toMatchObject({
    method: 'HEAD',
  })
  for (const name of ['x_forwarded_for', 'x-forwarded-for'])
    expect(
      envoyJson.read({ ...record, downstream_remote_address: '10.0.0.7:4711', [name]: '20.171.206.17' }, now),
    ).toMatchObject({ ip: '20.171.206.17' })
})

test('a record without the requests of its sender is not its own', () => {
  const isKnown = (format: RecordFormat, record: JsonRecord) => format.knows(record)
  for (const [format, ...names] of [
    [vercel, 'deploymentId', 'source'],
    [netlify, 'status_code', 'user_agent'],
    [traefik, 'RequestPath', 'RequestMethod'],
    [cloudfrontJson, 'cs-uri-stem', 'cs-method'],
    [akamai, 'cliIP', 'reqPath'],
  ] as const) {
    for (const name of names) expect([name, isKnown(format, { [name]: '' })]).toEqual([name, false])
    expect(isKnown(format, Object.fromEntries(names.map((name) => [name, ''])))).toBe(true)
  }
  expect(isKnown(netlify, { log_type: '' })).toBe(true)
  expect(vercel.read({ deploymentId: '', source: '', timestamp: at, path: '/t' }, now)).toEqual({
    ignored: 'Not a request',
  })
  expect(netlify.read({ log_type: 'functions', timestamp: at, url: '/t' }, now)).toEqual({
    ignored: 'Not a request',
  })
})

test('the id of a request of Vercel is the first of three', () => {
  const ids = { requestId: 'r', proxy: { path: '/t', vercelId: 'v' }, id: 'i', timestamp: at }
  const idOf = (record: JsonRecord) => (vercel.read(record, now) as { id?: string }).id
  expect(idOf(ids)).toBe('r')
  expect(idOf({ ...ids, requestId: undefined })).toBe('v')
  expect(idOf({ ...ids, requestId: undefined, proxy: { path: '/t' } })).toBe('i')
})

test.each(named)('%s is read by every name of each field', (_, [format, names, form]) => {
  const parts = Object.entries(names)
  const written = (except = ''): JsonRecord =>
    Object.fromEntries(
      parts
        .filter(([part]) => part !== except)
        .map(([part, list]) => [list.split(' ')[0], values[part]?.[0]]),
    )
  const whole = Object.fromEntries(parts.map(([part]) => [part, values[part]?.[1]]))
  expect(format.knows(form(written()))).toBe(true)
  for (const [part, list] of parts)
    for (const name of list.split(' ')) {
      const record = form({ ...written(part), [name]: values[part]?.[0] })
      expect([name, format.read(record, now)]).toEqual([name, expect.objectContaining(whole)])
    }
})

test.each(named)('%s prefers the names of a field in their order', (_, [format, names, form]) => {
  for (const [part, list] of Object.entries(names)) {
    const other = part === 'ts' ? '2020-01-01T00:00:00Z' : 'other'
    const all = list.split(' ')
    const written = Object.fromEntries(
      Object.entries(names).map(([one, given]) => [given.split(' ')[0], values[one]?.[0]]),
    )
    for (const [index, name] of all.entries()) {
      const later = all.slice(index + 1).map((each) => [each, other])
      const without = Object.fromEntries(all.slice(0, index).map((each) => [each, '']))
      const record = form({
        ...written,
        ...without,
        [name]: values[part]?.[0],
        ...Object.fromEntries(later),
      })
      const hit = format.read(record, now) as unknown as Record<string, unknown>
      expect([name, hit[part]]).toEqual([name, values[part]?.[1]])
    }
  }
})

test.each(Object.entries(senders))(
  'a field that %s leaves out has no value',
  (name, [format, names, form]) => {
    const needed = ['ts', 'target', ...(name === 'traefik' || name === 'cloudfront' ? ['method'] : [])]
    const record = Object.fromEntries(needed.map((part) => [names[part]?.split(' ')[0], values[part]?.[0]]))
    expect(format.read(form(record), now)).toEqual({
      ts: Date.parse(at),
      ip: null,
      method: needed.includes('method') ? 'HEAD' : 'GET',
      target: '/t',
      host: undefined,
      ua: '',
      referer: undefined,
      status: undefined,
      id: undefined,
    })
  },
)
