import { describe, expect, test } from 'bun:test'
import { akamai } from '../../../../ingest/parse/formats/senders/akamai'
import { caddy } from '../../../../ingest/parse/formats/senders/caddy'
import { cloudflare } from '../../../../ingest/parse/formats/senders/cloudflare'
import { knownAgents } from '../../../../ingest/parse/formats/senders/known-agents'
import { serverJson } from '../../../../ingest/parse/formats/senders/server-json'
import { syslogMessage } from '../../../../ingest/parse/formats/senders/syslog'
import { unescapeC, unescapeHash, unescapePercent } from '../../../../ingest/parse/formats/text/escapes'
import {
  type JsonRecord,
  requestLine,
  statusOf,
  textOf,
  unreadTime,
} from '../../../../ingest/parse/formats/text/reading'

const now = Date.parse('2026-11-20T10:00:00.000Z')
const at = '2026-11-19T09:08:07.000Z'

describe("servers' own JSON", () => {
  const names: Record<string, string> = {
    ts: 'msec time_iso8601 time_local @timestamp timestamp time ts date start_time',
    ip: 'remote_addr client_ip clientip remote_ip remoteIP client ip downstream_remote_address',
    method: 'request_method method verb',
    target: 'request_uri uri path url request_path',
    host: 'host http_host server_name vhost authority :authority',
    ua: 'http_user_agent user_agent userAgent useragent agent ua',
    referer: 'http_referer http_referrer referer referrer',
    status: 'status response code response_code',
    id: 'request_id requestId req_id id',
  }
  const values: Record<string, [unknown, unknown]> = {
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
  const plain = { ts: at, uri: '/t', ua: 'UA/1' }

  test('is read by every name that servers give a field', () => {
    for (const [part, list] of Object.entries(names))
      for (const name of list.split(' ')) {
        const [written, read] = values[part] ?? []
        const { ts, uri, ua } = plain
        const record = {
          ...(part === 'ts' ? {} : { ts }),
          ...(part === 'target' ? {} : { uri }),
          ...(part === 'ua' ? {} : { ua }),
          [name]: written,
        }
        expect([name, serverJson.knows(record)]).toEqual([name, true])
        const hit = serverJson.read(record, now) as unknown as Record<string, unknown>
        expect([name, hit[part]]).toEqual([name, read])
      }
  })

  test('prefers the names in their order, and reads a request line where there is no target', () => {
    for (const list of Object.values(names)) {
      const [first = '', second = ''] = list.split(' ')
      const part = Object.keys(names).find((one) => names[one] === list) ?? ''
      const [written, read] = values[part] ?? []
      const other = part === 'ts' ? '2020-01-01T00:00:00Z' : part === 'status' ? 500 : 'other'
      const hit = serverJson.read(
        {
          ...plain,
          uri: undefined,
          ua: undefined,
          request_uri: '/t',
          http_user_agent: 'UA/1',
          ...(part === 'ts' ? { ts: undefined } : {}),
          [first]: written,
          [second]: other,
        },
        now,
      )
      expect([first, (hit as unknown as Record<string, unknown>)[part]]).toEqual([first, read])
    }
    const request = (text: string) => serverJson.read({ ts: at, request: text, ua: 'x' }, now)
    expect(request('POST /r HTTP/1.1')).toMatchObject({ method: 'POST', target: '/r' })
    expect(request('\\x16\\x03')).toEqual({ ignored: 'Not a request' })
    expect(request('')).toEqual({ ignored: 'Not a request' })
    expect(serverJson.read({ ts: at, ua: 'x' }, now)).toEqual({ rejected: 'The record has no path or URL' })
    expect(serverJson.knows({ ts: at, request: '', ua: 'x' })).toBe(true)
    expect([serverJson.knows({ ua: 'x' }), serverJson.knows({ uri: '/' })]).toEqual([false, false])
    expect(serverJson.read({ ...plain, host: 'machine', source_type: 'file' }, now)).toMatchObject({
      host: undefined,
    })
    expect(serverJson.read({ uri: '/t', ua: 'x' }, now)).toMatchObject({
      ts: now,
      undated: true,
      method: 'GET',
      ip: null,
    })
  })
})

test('a host is the client only where a parser for Apache put an address into it', () => {
  const apache = { time: at, host: '192.0.2.7', method: 'GET', path: '/t', code: 200, agent: 'UA/1' }
  const clientOf = (record: JsonRecord) => {
    const { ip, host } = serverJson.read(record, now) as unknown as Record<string, unknown>
    return [ip, host]
  }
  expect(clientOf(apache)).toEqual(['192.0.2.7', undefined])
  expect(clientOf({ ...apache, host: undefined })).toEqual([null, undefined])
  expect(clientOf({ ...apache, host: ['192.0.2.7'] })).toEqual([null, '192.0.2.7'])
  expect(clientOf({ ...apache, host: 'shop.example' })).toEqual([null, 'shop.example'])
  expect(clientOf({ ...apache, host: '192.0.2.7', ip: '192.0.2.8' })).toEqual(['192.0.2.8', '192.0.2.7'])
  expect(clientOf({ ...apache, code: undefined, status: 200 })).toEqual([null, '192.0.2.7'])
  expect(clientOf({ ...apache, agent: undefined, ua: 'UA/1' })).toEqual([null, '192.0.2.7'])
})

test('the records of senders are read field by field', () => {
  const edge = {
    EdgeStartTimestamp: at,
    ClientIP: 'i',
    ClientRequestMethod: 'HEAD',
    ClientRequestURI: '/u',
    ClientRequestHost: 'h',
    ClientRequestUserAgent: 'ua',
    ClientRequestReferer: 'r',
    EdgeResponseStatus: 404,
    RayID: 'ray',
  }
  const whole = {
    ts: Date.parse(at),
    ip: 'i',
    method: 'HEAD',
    target: '/u',
    host: 'h',
    ua: 'ua',
    referer: 'r',
    status: 404,
  }
  expect(cloudflare.read(edge, now)).toEqual({ ...whole, id: 'ray' })
  expect(
    cloudflare.read({ ...edge, ClientRequestURI: undefined, ClientRequestPath: '/p' }, now),
  ).toMatchObject({ target: '/p' })
  expect(cloudflare.read({ ...edge, ClientRequestSource: 'eyeball' }, now)).toMatchObject({ target: '/u' })
  for (const more of [{ ClientRequestSource: 'edgeWorkerFetch' }, { content: 'tests' }])
    expect(cloudflare.read({ ...edge, ...more }, now)).toEqual({ ignored: 'Not a request' })
  expect(
    [{ ClientRequestUserAgent: '' }, { EdgeStartTimestamp: 1 }, { content: 'tests' }, { content: 'x' }].map(
      cloudflare.knows,
    ),
  ).toEqual([true, true, true, false])

  const stream = {
    reqTimeSec: '1763543287',
    cliIP: 'i',
    reqMethod: 'HEAD',
    reqPath: 'u',
    reqHost: 'h',
    UA: 'u%20a',
    referer: 'r',
    statusCode: '404',
    reqId: 'q',
  }
  expect(akamai.read(stream, now)).toEqual({ ...whole, ts: 1_763_543_287_000, ua: 'u a', id: 'q' })
  expect(akamai.read({ ...stream, reqPath: '/u' }, now)).toMatchObject({ target: '/u' })
  expect(akamai.read({ ...stream, reqPath: '' }, now)).toEqual({ rejected: 'The record has no path or URL' })
  expect(
    [{ reqTimeSec: 1 }, { cliIP: 'i', reqPath: '/' }, { cliIP: 'i' }, { reqPath: '/' }].map(akamai.knows),
  ).toEqual([true, true, false, false])

  const request = {
    client_ip: 'i',
    remote_ip: 'x',
    remote_port: '1',
    method: 'HEAD',
    uri: '/u',
    host: 'h',
    headers: { 'User-Agent': ['ua'], Referer: ['r'] },
  }
  const access = { ts: 1_763_543_287.25, msg: 'handled request', request, status: 404, duration: 0.5 }
  expect(caddy.read(access, now)).toEqual({ ...whole, ts: 1_763_543_287_250, id: '1763543287.25 1 0.5 /u' })
  expect(caddy.read({ ...access, request: { ...request, client_ip: undefined } }, now)).toMatchObject({
    ip: 'x',
  })
  expect(caddy.read({ ...access, ts: 1_763_543_287 }, now)).toMatchObject({ id: undefined })
  expect(caddy.read({ ...access, duration: undefined }, now)).toMatchObject({ id: undefined })
  expect(caddy.read({ ...access, msg: 'started' }, now)).toEqual({ ignored: 'Not a request' })
  expect(caddy.read({ ...access, ts: 'x' }, now)).toEqual({ rejected: 'The time cannot be read' })
  expect(caddy.read({ ...access, request: { ...request, uri: '' } }, now)).toEqual({
    rejected: 'The record has no path or URL',
  })
  const { ts: _, ...undated } = access
  expect(caddy.read(undated, now)).toMatchObject({ ts: now, undated: true })
  expect(caddy.read({ ...access, request: { uri: '/u' } }, now)).toMatchObject({
    method: 'GET',
    ua: '',
    ip: null,
    host: undefined,
  })
  expect([{ request: {}, msg: '' }, { request: {} }, { request: 'x', msg: '' }].map(caddy.knows)).toEqual([
    true,
    false,
    false,
  ])

  const visit = {
    timestamp: at,
    request_method: 'HEAD',
    request_path: '/u',
    response_status_code: 404,
    request_headers: { 'User-Agent': 'ua', HOST: 'h', Referer: 'r', 'X-Forwarded-For': 'own, i' },
  }
  expect(knownAgents.read(visit, now)).toEqual({ ...whole, id: undefined })
  for (const [forwarded, client] of [
    ['a,b,i', 'i'],
    ['i', 'i'],
    ['a, i ', 'i'],
    [undefined, null],
  ] as const)
    expect(
      knownAgents.read({ ...visit, request_headers: { 'x-forwarded-for': forwarded } }, now),
    ).toMatchObject({ ip: client })
  expect(
    [{ request_path: '/', request_headers: {} }, { request_path: '/' }, { request_headers: {} }].map(
      knownAgents.knows,
    ),
  ).toEqual([true, false, false])
})

describe('parts of a record', () => {
  test('text is a text, the first of several or a number; nothing else', () => {
    const cases = [
      ['a', 'a'],
      ['', undefined],
      ['-', undefined],
      [['b', 'c'], 'b'],
      [[], undefined],
      [7, '7'],
      [0, '0'],
      [true, undefined],
      [null, undefined],
      [{}, undefined],
    ] as const
    for (const [given, text] of cases) expect([given, textOf(given)]).toEqual([given, text])
    expect(textOf('x'.repeat(40_000))).toHaveLength(32_768)
  })

  test('a status has three digits', () => {
    const cases = [
      [100, 100],
      [999, 999],
      [99, undefined],
      [1000, undefined],
      ['404', 404],
      ['x', undefined],
      [null, undefined],
      [true, undefined],
    ] as const
    for (const [given, status] of cases) expect([given, statusOf(given)]).toEqual([given, status])
  })

  test('a request line is a method of letters, a target, and mostly a version', () => {
    for (const [line, method, target] of [
      ['GET /a HTTP/1.1', 'GET', '/a'],
      ['GET /a', 'GET', '/a'],
      ['get /a b HTTP/2', 'get', '/a b'],
      ['GET /a HTTX/1', 'GET', '/a HTTX/1'],
      ['VERSION-CONTROL /x HTTP/1.1', 'VERSION-CONTROL', '/x'],
      ['A'.repeat(20).concat(' /'), 'A'.repeat(20), '/'],
      ['GETX /a HTTP/1.0', 'GETX', '/a'],
    ] as const)
      expect([line, requestLine(line)]).toEqual([line, { method, target }])
    for (const line of [
      '',
      'GET',
      'GET ',
      ' /a',
      'G3T /a',
      'G\u0001T /a',
      'A'.repeat(21).concat(' /'),
      '\u0016\u0003 x',
    ])
      expect([line, requestLine(line)]).toEqual([line, null])
  })

  test('a time in a field that is not read refuses the record, within its first 200 fields', () => {
    const isRefused = (record: object) => unreadTime(record as never) !== null
    for (const record of [
      { when_date: '2026-11-19' },
      { 'x.ts': 1_763_543_287 },
      { at: '10:11:12 today' },
      { event_stamp: {} },
      { other: at },
      { logged_at: '19/Nov/2026:10:11:12 +0000' },
      { 'x-at': '2026 1234' },
    ])
      expect([record, isRefused(record)]).toEqual([record, true])
    for (const record of [
      {},
      { size: 1_763_543_287 },
      { time: 'soon' },
      { time: '1:2' },
      { other: '12345678901' },
      { time: 'x'.repeat(65).concat('2026') },
      { date: [] },
      { data: {} },
      { that: 5 },
    ])
      expect([record, isRefused(record)]).toEqual([record, false])
    const padded = (count: number) => ({
      ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 'x'])),
      stamp: at,
    })
    expect([isRefused(padded(199)), isRefused(padded(200))]).toEqual([true, false])
  })

  test('escapes are undone as their senders write them, runs of bytes as UTF-8', () => {
    for (const [given, plain] of [
      ['plain', 'plain'],
      ['a\\x20b', 'a b'],
      ['\\xe2\\x82\\xac', '€'],
      ['\\t\\n\\r\\b\\f\\v', '\t\n\r\b\f\v'],
      ['\\"\\\\', '"\\'],
      ['\\x2', 'x2'],
      ['\\q', 'q'],
    ] as const)
      expect([given, unescapeC(given)]).toEqual([given, plain])
    for (const [given, plain] of [
      ['a#20b', 'a b'],
      ['#E2#82#AC', '€'],
      ['#e2', '#e2'],
      ['#', '#'],
    ] as const)
      expect([given, unescapeHash(given)]).toEqual([given, plain])
    for (const [given, plain] of [
      ['a%20b', 'a b'],
      ['%e2%82%AC', '€'],
      ['%2520', ' '],
      ['100%', '100%'],
      ['%zz', '%zz'],
    ] as const)
      expect([given, unescapePercent(given)]).toEqual([given, plain])
  })
})

test('a syslog line carries its message behind its head, and a line of another kind carries none', () => {
  for (const [line, message] of [
    ['<34>1 2026-11-19T09:08:07Z host app 1 id - the message', 'the message'],
    ['<34>1 2026-11-19T09:08:07Z host app 1 id [a b="c"] the message', 'the message'],
    ['<34>1 2026-11-19T09:08:07Z host app 1 id [a b="]\\""][d] the message', 'the message'],
    ['<34>1 2026-11-19T09:08:07Z host app 1 id - \ufeffthe message ', 'the message'],
    ['<34>Nov 19 09:08:07 host app: the message', 'the message'],
    ['<34>Nov  9 09:08:07 host app[1]: the message', 'the message'],
    ['Nov 19 09:08:07 host app: the message', 'the message'],
    ['Nov 19 09:08:07 app: the message', 'the message'],
    ['Nov 19 09:08:07 host app:the message', 'the message'],
    ['2026-11-19T09:08:07Z host app: the message', 'the message'],
    ['<190>2026-11-19T09:08:07+01:00 host app: the message', 'the message'],
    ['<34>1 2026-11-19T09:08:07Z host app 1 id [a b="c the message', null],
    ['<34>1 2026-11-19T09:08:07Z host app 1 - the message', null],
    ['<34>1 2026-11-19T09:08:07Z host app 1 id - ', null],
    ['<34>1 2026-11-19T09:08:07Z host app 1 id -x', null],
    ['<3456>Nov 19 09:08:07 host app: x', null],
    ['Nov 19 09:08 host app: x', null],
    ['Nov 19 09:08:07 host app x', null],
    ['Nov 19 09:08:07 host app:', null],
    ['203.0.113.1 - - [19/Nov/2026:09:08:07 +0000] "GET / HTTP/1.1"', null],
    ['', null],
  ] as const)
    expect([line, syslogMessage(line)]).toEqual([line, message])
})
