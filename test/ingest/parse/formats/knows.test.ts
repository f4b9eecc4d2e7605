import { describe, expect, test } from 'bun:test'
import { cloudwatch } from '../../../../ingest/parse/formats/envelopes/cloudwatch'
import { akamai } from '../../../../ingest/parse/formats/senders/akamai'
import { azure } from '../../../../ingest/parse/formats/senders/azure'
import { caddy } from '../../../../ingest/parse/formats/senders/caddy'
import { cloudflare } from '../../../../ingest/parse/formats/senders/cloudflare'
import { envoyJson } from '../../../../ingest/parse/formats/senders/envoy'
import { generic } from '../../../../ingest/parse/formats/senders/generic'
import { googleCloud } from '../../../../ingest/parse/formats/senders/google-cloud'
import { knownAgents } from '../../../../ingest/parse/formats/senders/known-agents'
import { netlify } from '../../../../ingest/parse/formats/senders/netlify'
import { nestedJson, serverJson } from '../../../../ingest/parse/formats/senders/server-json'
import { grok, telemetry } from '../../../../ingest/parse/formats/senders/telemetry'
import { traefik } from '../../../../ingest/parse/formats/senders/traefik'
import { vercel } from '../../../../ingest/parse/formats/senders/vercel'
import { cloudfrontJson } from '../../../../ingest/parse/formats/senders/w3c'
import type { JsonRecord, RecordFormat } from '../../../../ingest/parse/formats/text/reading'

const at = '2026-11-28T12:00:00Z'
/**
 * The smallest records that a format knows, each of whose fields it needs: without any of them, the record is another
 * sender's. Each may have any other field beside.
 */
const least: [string, RecordFormat, JsonRecord[]][] = [
  [
    'generic',
    generic,
    [
      { ua: 'x', path: '/' },
      { ua: 'x', url: '/' },
    ],
  ],
  ['caddy', caddy, [{ request: {}, msg: 'handled request' }]],
  [
    'cloudflare',
    cloudflare,
    [{ ClientRequestUserAgent: 'x' }, { EdgeStartTimestamp: at }, { content: 'tests' }],
  ],
  ['vercel', vercel, [{ proxy: {} }, { deploymentId: 'd', source: 'edge' }]],
  ['known agents', knownAgents, [{ request_path: '/', request_headers: {} }]],
  ['traefik', traefik, [{ RequestPath: '/', RequestMethod: 'GET' }]],
  ['akamai', akamai, [{ reqTimeSec: '1' }, { cliIP: '192.0.2.1', reqPath: 'a' }]],
  ['cloudfront', cloudfrontJson, [{ 'cs-uri-stem': '/', 'cs-method': 'GET' }]],
  [
    'google cloud',
    googleCloud,
    [{ httpRequest: {} }, { httpRequest: { uri: '/' } }, { httpRequest: { clientIp: '1' } }],
  ],
  [
    'azure',
    azure,
    [
      { category: 'FrontDoorAccessLog', time: at, properties: {} },
      { category: 'FrontDoorAccessLog', timeStamp: at, properties: '{}' },
      { category: 'FrontDoorAccessLog', timeStamp: at, properties: `${' '.repeat(12)}{}` },
    ],
  ],
  [
    'envoy',
    envoyJson,
    [
      { response_flags: '-', start_time: at, user_agent: 'x' },
      { response_flags: '-', start_time: at, 'user-agent': 'x' },
    ],
  ],
  ['netlify', netlify, [{ log_type: 'traffic' }, { status_code: 200, user_agent: 'x' }]],
  [
    'telemetry',
    telemetry,
    [
      { 'user_agent.original': 'x', 'url.path': '/' },
      { user_agent: { original: 'x' }, url: { original: '/' } },
      { http: { user_agent: 'x', target: '/' } },
      { 'http.request.header.user-agent': 'x', 'http.url': '/' },
    ],
  ],
  [
    'grok',
    grok,
    [
      { clientip: '192.0.2.1', agent: 'x', verb: 'GET' },
      { clientip: '192.0.2.1', agent: 'x', rawrequest: '-' },
    ],
  ],
  [
    'servers',
    serverJson,
    [
      { user_agent: 'x', uri: '/' },
      { http_user_agent: '', request: 'GET / HTTP/1.1' },
    ],
  ],
  ['programs', nestedJson, [{ req: { url: '/', headers: { 'user-agent': 'x' } } }]],
]
const cases = least.flatMap(([name, format, records]) =>
  records.map((record) => [name, record, format] as const),
)

describe('a record', () => {
  test.each(cases)(
    'of %s is known by the least that it needs, whatever else it has: %j',
    (_, record, format) => {
      expect(format.knows(record)).toBe(true)
      expect(format.knows({ other: 1, ...record, more: null })).toBe(true)
    },
  )

  test.each(cases)('that lacks a field of %s is not known: %j', (_, record, format) => {
    expect(format.knows({})).toBe(false)
    for (const name of Object.keys(record)) {
      const { [name]: _left, ...rest } = record
      expect([name, format.knows(rest)]).toEqual([name, false])
    }
  })

  test.each<[string, RecordFormat, JsonRecord]>([
    ['generic', generic, { ua: 'x', path: '/', time: at }],
    ['caddy', caddy, { request: '/', msg: 'handled request' }],
    ['cloudflare', cloudflare, { content: 'test' }],
    ['vercel', vercel, { proxy: 'x' }],
    ['known agents', knownAgents, { request_path: '/', request_headers: 'x' }],
    ['google cloud', googleCloud, { httpRequest: 'x' }],
    ['google cloud', googleCloud, { httpRequest: { uri: '/', clientIp: '192.0.2.1' } }],
    ['azure', azure, { category: 5, time: at, properties: {} }],
    ['azure', azure, { category: 'x', time: at, properties: 'no record' }],
    ['azure', azure, { category: 'x', time: at, properties: [] }],
    ['azure', azure, { category: 'x', time: at, properties: ['{}'] }],
    ['azure', azure, { category: 'x', time: at, properties: '["a"]' }],
    ['azure', azure, { category: 'x', time: at, properties: 'null' }],
    ['telemetry', telemetry, { user_agent: { name: 'x' }, url: { original: '/' } }],
    ['programs', nestedJson, { req: '/', headers: 'x' }],
  ])('with a field of another form is none of %s', (_, format, record) => {
    expect(format.knows(record)).toBe(false)
  })
})

test("Renown's own form has a time of its own name, or none at all", () => {
  expect(generic.knows({ ua: 'x', path: '/', time: at, ts: at })).toBe(true)
  expect(generic.knows({ ua: 'x', path: '/', ts: null })).toBe(true)
})

test('an event of CloudWatch is its message, with its own time and id', () => {
  const open = (event: unknown) => cloudwatch.open(event as never)
  const refused = { rejected: 'The event has no message' }
  for (const event of [null, 'x', 5, [], {}, { message: 5 }, { message: null, id: '1' }])
    expect<unknown>(open(event)).toEqual(refused)
  expect<unknown>(open({ id: '7', timestamp: 5, message: 'm' })).toEqual({ content: 'm', time: 5, id: '7' })
  for (const id of ['', 7, null, undefined])
    expect<unknown>(open({ id, timestamp: 5, message: '' })).toEqual({ content: '', time: 5 })
  expect<unknown>(open({ message: 'CWL CONTROL MESSAGE: x' })).toEqual({ ignored: 'A check of the sender' })
  expect<unknown>(open({ message: ' CWL CONTROL MESSAGE' })).toMatchObject({
    content: ' CWL CONTROL MESSAGE',
  })
})
