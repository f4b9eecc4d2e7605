import { describe, expect, test } from 'bun:test'
import type { LogMapping, MappedFact } from 'renown/contracts'
import { proposeMapping } from '../../../ingest/sample/propose'

type Fields = Record<string, string | readonly string[]>

/** The mapping of fields, each with one value or several. A path and a user agent are there without being named. */
function mappingOf(fields: Fields, records = 1, domain = 'example.com'): LogMapping | null {
  const all = Object.entries(fields).map(([path, values]) => [path, [values].flat()] as const)
  return proposeMapping(new Map(all), records, domain)
}
const others: Fields = { p: '/a', u: 'Bot/1' }
const without = (fact: MappedFact): Fields =>
  fact === 'path' ? { u: 'Bot/1' } : fact === 'user_agent' ? { p: '/a' } : others

const sixtyFour = 'a'.repeat(64)

/** Values that can be a fact in a field of this name, and values that cannot. */
const values: [MappedFact, string, string[], string[]][] = [
  [
    'user_agent',
    'x',
    ['B/1', 'Bot/1', 'a b.c;d:(e)+f_g-/9', `${sixtyFour}b/1`],
    ['Bot', 'Bot/x', '"Bot/1', '/1', `a${sixtyFour}b/1`, 'HTTP/1.1', ''],
  ],
  [
    'path',
    'x',
    [
      '/',
      '/a?b=c',
      'http://example.com/a',
      'HTTPS://example.com',
      'GET /a HTTP/1.1',
      'GET / HTTP/2',
      'PROPFIND / HTTP/2',
    ],
    [
      'a/b',
      '/a b',
      'to http://a',
      'ftp://a',
      'GE / HTTP/1',
      'PROPPATCH / HTTP/1',
      'get / HTTP/1',
      '> GET / HTTP/1',
      'GET /a b HTTP/1',
    ],
  ],
  [
    'time',
    'x',
    ['2026-11-20T12:00:00Z', '1795175940', '20/Nov/2026:16:42:52 +0100'],
    ['yesterday', '17', ''],
  ],
  [
    'address',
    'x',
    ['20.1.2.3', '20.1.2.3:80', '[2a01::7]:80', '2a01::7', '[::]'],
    ['20.1.2', '20.1.2.300', 'a:80', ''],
  ],
  ['method', 'x', ['GET', 'head', 'TRACE'], ['GETS', 'OGET', 'SEND', '']],
  ['status', 'status', ['100', '200', '599'], ['099', '600', '20', '2000', '2x0', '20x', '1200']],
  [
    'referrer',
    'referer',
    ['http://a.test', 'https://a.test/b', 'HTTP://A'],
    ['a.test', 'to http://a', '-', ''],
  ],
  [
    'host',
    'host',
    [
      'example.com',
      'WWW.EXAMPLE.COM',
      'example.com:8',
      'example.com:12345',
      'a-1.example.com',
      `${sixtyFour.slice(1)}.example.com`,
    ],
    ['other.test', 'example', '20.1.2.3', '20.1.2.3:80', 'example.com:', 'example.com/', '-'],
  ],
  [
    'id',
    'request_id',
    ['12345678', 'a.b:c=d+e/f@g-h_', 'a'.repeat(128)],
    ['1234567', 'a'.repeat(129), '1234 5678', '"12345678', '12345678"', ''],
  ],
]
const fits = values.flatMap(([fact, name, yes]) => yes.map((value) => [value, fact, name] as const))
const misfits = values.flatMap(([fact, name, _, no]) => no.map((value) => [value, fact, name] as const))

describe('what a value can be', () => {
  test.each(fits)('%j can be the %s', (value, fact, name) => {
    expect(mappingOf({ ...without(fact), [name]: value })?.[fact]).toBe(name)
  })

  test.each(misfits)('%j cannot be the %s', (value, fact, name) => {
    expect(mappingOf({ ...without(fact), [name]: value })?.[fact]).toBeUndefined()
  })

  test.each([
    ['a.b', 'a.b'],
    [`${sixtyFour.slice(1)}.b`, `${sixtyFour.slice(1)}.b`],
    ['a.b.c.d.e.f.g.h.i', 'a.b.c.d.e.f.g.h.i'],
  ])('a site for trials can have the host %s', (host) => {
    expect(mappingOf({ ...others, host }, 1, 'localhost')?.host).toBe('host')
  })

  test.each([
    'a',
    `${sixtyFour}.b`,
    `a.${sixtyFour}`,
    'a.b.c.d.e.f.g.h.i.j',
    '.b',
    'a..b',
    'a.b:123456',
    'a.b:c',
    ' a.b',
    'a.b ',
  ])('%j is no host, of no site', (host) => {
    expect(mappingOf({ ...others, host }, 1, 'localhost')?.host).toBeUndefined()
  })

  test('a label of a host may have 63 characters in each place', () => {
    const label = sixtyFour.slice(1)
    expect(mappingOf({ ...others, host: `a.${label}` }, 1, 'localhost')?.host).toBe('host')
  })
})

/** Names of each fact, from better to worse, whatever their case. The last is that of another thing, or of none. */
const names: [MappedFact, string, string[]][] = [
  ['user_agent', 'Bot/1', ['user_agent', 'ua', 'agent', 'uax']],
  ['user_agent', 'Bot/1', ['x.userAgent', 'x.ua', 'x.agent', 'xua']],
  ['path', '/a', ['uri', 'full_url', 'page', 'x']],
  ['path', '/a', ['request_url', 'request_line', 'endpoint', 'x']],
  ['path', '/a', ['target', 'request', 'a_resource', 'a_source']],
  ['path', '/a', ['path', 'original_url', 'RESOURCE', 'xtarget']],
  ['path', '/a', ['a_path', 'targets']],
  ['path', '/a', ['a_page', 'xtarget']],
  ['path', '/a', ['url', 'url_of_full.full_url', 'xfull_path', 'requests']],
  ['time', '1795175940', ['@timestamp', 'created_at', 'x']],
  ['time', '1795175940', ['timestamp', 'timestamps', 'xt']],
  ['time', '1795175940', ['time_local', 'xtime', 'tx']],
  ['time', '1795175940', ['requested_at', 'when', 'whenx']],
  ['time', '1795175940', ['ts', 'at', 'atx']],
  ['time', '1795175940', ['datetime', 't', 'xat.x']],
  ['address', '20.1.2.3', ['client_ip', 'client', 'x']],
  ['address', '20.1.2.3', ['remote_addr', 'remote', 'x']],
  ['address', '20.1.2.3', ['ip', 'ips', 'x']],
  ['address', '20.1.2.3', ['real_ip', 'xip', 'x']],
  ['method', 'GET', ['method', 'x']],
  ['method', 'GET', ['verb', 'x']],
  ['status', '200', ['status', 'response', 'x']],
  ['status', '200', ['http_response_status_code', 'xstatus', 'xcode']],
  ['status', '200', ['status_code', 'status_codes', 'codex']],
  ['status', '200', ['response_status', 'code', 'x']],
  ['referrer', 'http://a.test', ['referrer', 'x']],
  ['host', 'example.com', ['http_host', 'hosts', 'x']],
  ['host', 'example.com', ['server_name', 'xhost', 'x']],
  ['host', 'example.com', ['site', 'vhosts', 'sites']],
  ['id', '12345678', ['request_id', '_id', 'x']],
  ['id', '12345678', ['x_request_id', 'ray_id', 'xuuid']],
  ['id', '12345678', ['correlation_id', 'uuid', 'uuids']],
]
const pairs = names.flatMap(([fact, value, best]) =>
  best.slice(1).map((worse, at) => [String(best[at]), worse, fact, value] as const),
)

describe('which name is better', () => {
  test.each(pairs)('%s before %s for the %s', (better, worse, fact, value) => {
    for (const [one, other] of [
      [better, worse],
      [worse, better],
      [better.toUpperCase(), worse.toUpperCase()],
      [worse.toUpperCase(), better.toUpperCase()],
    ] as const) {
      const wanted = one.toLowerCase() === better.toLowerCase() ? one : other
      expect(mappingOf({ ...without(fact), [one]: value, [other]: value })?.[fact]).toBe(wanted)
    }
  })

  test('of two that are as good, the shorter one, and of two as long the first', () => {
    expect(mappingOf({ ...others, method_: 'GET', method: 'GET' })?.method).toBe('method')
    expect(mappingOf({ ...others, method: 'GET', method_: 'GET' })?.method).toBe('method')
    expect(mappingOf({ ...others, method_a: 'GET', method_b: 'GET' })?.method).toBe('method_a')
  })

  test.each([
    ['status', '200', 'x'],
    ['referrer', 'http://a.test', 'x'],
    ['host', 'example.com', 'x'],
    ['id', '12345678', 'x'],
    ['path', '/a', 'referer'],
    ['path', '/a', 'page_name'],
    ['path', '/a', 'source'],
    ['path', '/a', 'page_source'],
    ['time', '1795175940', 'duration'],
    ['address', '20.1.2.3', 'server_ip'],
    ['status', '200', 'upstream_status'],
    ['host', 'example.com', 'upstream_host'],
    ['id', '12345678', 'user_request_id'],
  ] as const)('none for the %s %s in a field %s', (fact, value, name) => {
    for (const one of [name, name.toUpperCase()])
      expect(mappingOf({ ...without(fact), [one]: value })?.[fact]).toBeUndefined()
  })

  test('names of other things count only at the end of a path', () => {
    expect(mappingOf({ ...others, 'server.ip': '20.1.2.3' })?.address).toBe('server.ip')
    expect(mappingOf({ ...others, 'a.server.ip': '20.1.2.3' })?.address).toBe('a.server.ip')
    expect(mappingOf({ ...others, 'pages.name': '/a' })?.path).toBe('p')
    expect(mappingOf({ ...others, 'name.x': '/a', p: '-' })?.path).toBe('name.x')
  })
})

/** `n` values of which `fitting` fit. */
const share = (fitting: number, n: number, value: string, other = 'x y') =>
  Array.from({ length: n }, (_, at) => (at < fitting ? value : other))

describe('how much each reason counts', () => {
  test('half of the values must fit, of those that are there', () => {
    const isStatus = (values: readonly string[]) => mappingOf({ ...others, status: values })?.status
    expect(isStatus(share(1, 2, '200'))).toBe('status')
    expect(isStatus(share(2, 4, '200'))).toBe('status')
    expect(isStatus(share(2, 5, '200'))).toBeUndefined()
    expect(isStatus(share(0, 1, '200'))).toBeUndefined()
    expect(isStatus(share(1, 4, '200', '-'))).toBe('status')
    expect(isStatus(share(1, 4, '200', ''))).toBe('status')
    expect(isStatus(share(0, 4, '200', '-'))).toBeUndefined()
  })

  test('each id is there once', () => {
    const idOf = (values: readonly string[]) => mappingOf({ ...others, request_id: values })?.id
    expect(idOf(['12345678', '12345679'])).toBe('request_id')
    expect(idOf(['12345678', '12345679', '12345678'])).toBeUndefined()
    expect(mappingOf({ ...others, status: ['200', '200'] })?.status).toBe('status')
  })

  test('a name of the whole path counts 5 less than the same name at its end', () => {
    const agent = (fitting: number, n: number) =>
      mappingOf({ p: '/a', 'user_agent.x': share(fitting, n, 'Bot/1'), ua: share(n, n, 'Bot/1') }, n)
    expect(agent(3, 4)?.user_agent).toBe('ua')
    expect(agent(4, 5)?.user_agent).toBe('user_agent.x')
  })

  test('a name counts 15 to 40, values that fit 20, and records that have the field 10', () => {
    const agent = (n: number) =>
      mappingOf({ p: '/a', x: share(n, n, 'Bot/1'), 'agent.x': ['Bot/1', '?'] }, 40)?.user_agent
    expect([21, 23, 24].map(agent)).toEqual(['agent.x', 'x', 'x'])
  })

  test('a thousand characters of a path count as much as one more name', () => {
    const method = (fewer: number, records: number) =>
      mappingOf(
        {
          ...others,
          [`method${'_'.repeat(10)}`]: share(records, records, 'GET'),
          method: share(records - fewer, records - fewer, 'GET'),
        },
        records,
      )?.method
    expect([method(2, 2_001), method(2, 1_999)]).toEqual(['method', 'method__________'])
  })
})

describe('a mapping', () => {
  test('has each field once', () => {
    expect<unknown>(mappingOf({ p: '/a', agent_request_id: 'Bot/1.2345' })).toEqual({
      path: 'p',
      user_agent: 'agent_request_id',
    })
  })

  test('needs a path and a user agent', () => {
    expect<unknown>(mappingOf(others)).toEqual({ path: 'p', user_agent: 'u' })
    expect(mappingOf({ p: '/a', t: '1795175940' })).toBeNull()
    expect(mappingOf({ u: 'Bot/1', t: '1795175940' })).toBeNull()
    expect(mappingOf({})).toBeNull()
  })
})
