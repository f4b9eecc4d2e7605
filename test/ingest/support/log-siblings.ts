import type { LineCase } from './run-cases'

const ua =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)'
const client = '4.227.36.3'
const clf = '28/Nov/2026:11:07:49 +0000'
const iso = '2026-11-28T11:07:49Z'
const seconds = 1_795_864_069
const host = 'shop3.example'
const combined = (path: string, more = '') =>
  `${client} - - [${clf}] "GET ${path} HTTP/1.1" 200 512 "-" "${ua}"${more}`

type Expected = LineCase['expected']
type Text = (path: string) => string

const all: LineCase[] = []
const add = (
  format: string,
  note: string,
  text: Text,
  expected?: Expected | 'unchecked' | 'spoofed' | 'verified',
  more: Partial<LineCase> = {},
) => {
  const path = `/s${String(all.length).padStart(3, '0')}`
  const isVerdict = expected === undefined || ['unchecked', 'spoofed', 'verified'].includes(String(expected))
  all.push({
    format,
    note,
    text: text(path),
    agent: 'GPTBot',
    date: '2026-11-28',
    expected: isVerdict
      ? [{ path, hits: 1, verdict: String(expected ?? 'verified') }]
      : (expected as Expected),
    ...more,
  })
}
const json =
  (record: (path: string) => object): Text =>
  (path) =>
    JSON.stringify(record(path))

// Text lines: columns, quotes and what a tool puts before a line.
add(
  'nginx',
  'time first, host before the client',
  (p) => `[${clf}] ${host} ${client} "GET ${p} HTTP/1.1" 200 5 "-" "${ua}"`,
)
add(
  'nginx',
  'time first, client ident user',
  (p) => `[${clf}] ${client} - - "GET ${p} HTTP/1.1" 200 5 "-" "${ua}"`,
)
add(
  'nginx',
  'time first, v6 client',
  (p) => `[${clf}] 2a01:4f8::1 "GET ${p} HTTP/1.1" 200 5 "-" "${ua}"`,
  'spoofed',
)
add('nginx', 'client and time alone', (p) => `${client} [${clf}] "GET ${p} HTTP/1.1" 200 5 "-" "${ua}"`)
add(
  'nginx',
  'every field in quotes',
  (p) => `"${client}" - - [${clf}] "GET ${p} HTTP/1.1" 200 5 "-" "${ua}"`,
  'unchecked',
  { reason: 'cannot be read' },
)
add(
  'nginx',
  'status and size in quotes',
  (p) => `${client} - - [${clf}] "GET ${p} HTTP/1.1" "200" "512" "-" "${ua}"`,
)
add(
  'nginx',
  'status in quotes',
  (p) => `${client} - - [${clf}] "GET ${p} HTTP/1.1" "200" 512 "https://a.example/" "${ua}"`,
)
add(
  'nginx',
  'status and no size in quotes',
  (p) => `${client} - - [${clf}] "GET ${p} HTTP/1.1" "304" "-" "-" "${ua}"`,
)
add(
  'nginx',
  'two private hops, one public',
  (p) => `10.0.0.7 - - [${clf}] "GET ${p} HTTP/1.1" 200 5 "-" "${ua}" "${client}, 10.0.0.9"`,
)
add(
  'nginx',
  'two public hops',
  (p) => `10.0.0.7 - - [${clf}] "GET ${p} HTTP/1.1" 200 5 "-" "${ua}" "${client}, 8.8.8.8"`,
  'unchecked',
  { reason: 'several addresses' },
)
add(
  'nginx',
  'private connection and no header',
  (p) => `10.0.0.7 - - [${clf}] "GET ${p} HTTP/1.1" 200 5 "-" "${ua}" "-"`,
  'unchecked',
  { reason: 'private network' },
)
add(
  'apache',
  'time without a zone',
  (p) => `${client} - - [28/Nov/2026:11:07:49] "GET ${p} HTTP/1.1" 200 5 "-" "${ua}"`,
  'verified',
  { reason: 'no zone' },
)
add(
  'apache',
  'time with an unknown zone',
  (p) => `${client} - - [28/Nov/2026:11:07:49 CET] "GET ${p} HTTP/1.1" 200 5 "-" "${ua}"`,
  'reject',
)
add('file', 'zeros after copytruncate', (p) => `${'\0'.repeat(3_000)}${combined(p)}\n`)
add('file', 'more zeros than a line may have', (p) => `${'\0'.repeat(90_000)}${combined(p)}\n`)
add(
  'file',
  'zeros before JSON',
  (p) => `${'\0'.repeat(64)}${JSON.stringify({ ts: iso, ip: client, path: p, ua })}\n`,
)
add('file', 'zeros alone', () => `${'\0'.repeat(64)}\n`, 'ignore')
for (const [note, before] of [
  ['colours, two containers', '\u001b[33mapi_1  |\u001b[0m '],
  ['colours in bold', '\u001b[1;36mweb-1  | \u001b[0m'],
  ['colours and time', '\u001b[36mweb-1  | \u001b[0m2026-11-28T11:07:49.123456789Z '],
  ['old compose', 'web_1  | '],
] as const)
  add('docker', `compose: ${note}`, (p) => `${before}${combined(p)}\n`)
add(
  'docker',
  'compose with colours around JSON',
  (p) => `\u001b[36mweb-1  | \u001b[0m${JSON.stringify({ ts: iso, ip: client, path: p, ua })}\n`,
)
for (const [note, before] of [
  ['short', 'Nov 28 11:07:49 web nginx[12]: '],
  ['short-precise', 'Nov 28 11:07:49.123456 web nginx[12]: '],
  ['short-iso-precise', '2026-11-28T11:07:49.123456+0000 web nginx[12]: '],
  ['short-iso with a colon', '2026-11-28T11:07:49+00:00 web nginx[12]: '],
  ['short-unix', '1795864069.123456 web nginx[12]: '],
  ['short-monotonic', '[12345.678901] web nginx[12]: '],
  ['with-unit', 'Sat 2026-11-28 11:07:49 UTC web nginx.service[12]: '],
] as const)
  add('journald', note, (p) => `${before}${combined(p)}\n`)
const bytes = (text: string) => [...new TextEncoder().encode(text)]
add(
  'journald',
  'message as bytes',
  json((p) => ({ __REALTIME_TIMESTAMP: '1795864069000000', MESSAGE: bytes(combined(p)) })),
)
add(
  'journald',
  'message as bytes with colours',
  json((p) => ({ SYSLOG_IDENTIFIER: 'web', MESSAGE: bytes(`\u001b[36m${combined(p)}\u001b[0m`) })),
)
add(
  'journald',
  'JSON record as bytes',
  json((p) => ({ MESSAGE: bytes(JSON.stringify({ ts: iso, ip: client, path: p, ua })) })),
)
add(
  'journald',
  'no bytes',
  json(() => ({ MESSAGE: [300, 1] })),
  'reject',
)

// Records that Docker, a runtime or a collector cut.
const long = `/?${'x'.repeat(20_000)}`
const cut = (text: string, records: (part: string, at: number, count: number) => object) => {
  const parts = [text.slice(0, 16_384), text.slice(16_384)]
  return parts.map((part, at) => JSON.stringify(records(part, at, parts.length))).join('\n')
}
const longLine = (path: string) =>
  `${client} - - [${clf}] "GET ${path}${long.slice(1)} HTTP/1.1" 200 5 "-" "${ua}"\n`
add('docker', 'json-file cut at 16 kB', (p) =>
  cut(longLine(p), (log) => ({ log, stream: 'stdout', time: iso })),
)
add('docker', 'json-file cut at 16 kB, JSON inside', (p) =>
  cut(`${JSON.stringify({ ts: iso, ip: client, path: p, ua, note: long })}\n`, (log) => ({
    log,
    stream: 'stderr',
    time: iso,
  })),
)
add(
  'docker',
  'two streams cut at the same time',
  (p) => {
    const [one = '', two = ''] = cut(longLine(p), (log) => ({ log, stream: 'stdout', time: iso })).split('\n')
    return [one, JSON.stringify({ log: 'noise\n', stream: 'stderr', time: iso }), two].join('\n')
  },
  'verified',
)
add('docker', 'fluentd driver, partial_message', (p) =>
  cut(longLine(p).trimEnd(), (log, at, count) => ({
    log,
    source: 'stdout',
    partial_message: 'true',
    partial_id: 'a',
    partial_ordinal: String(at + 1),
    partial_last: String(at + 1 === count),
  })),
)
add('cri', 'Fluent Bit with logtag', (p) =>
  cut(longLine(p).trimEnd(), (message, at) => ({
    time: iso,
    stream: 'stdout',
    logtag: at === 0 ? 'P' : 'F',
    message,
  })),
)
add('cri', 'parts of text', (p) => {
  const text = longLine(p).trimEnd()
  return `${iso.replace('Z', '.1Z')} stdout P ${text.slice(0, 16_384)}\n${iso.replace('Z', '.1Z')} stdout F ${text.slice(16_384)}\n`
})
add(
  'docker',
  'a whole line without a line break',
  json((p) => ({ log: combined(p), stream: 'stdout', time: iso })),
)

// Servers' own formats.
for (const [note, before, end] of [
  ['httpslog', '', ' 0/0000000000000000/0/0/0 shop3.example/TLSv1.3/TLS_AES_256_GCM_SHA384'],
  ['httpslog without SNI', '', ' 0/0000000000000000/0/0/1 -/TLSv1.2/ECDHE-RSA-AES128-GCM-SHA256'],
  [
    'httpslog behind syslog',
    '<134>Nov 28 11:07:49 lb haproxy[9]: ',
    ' 0/0/0/0/0 shop3.example/TLSv1.3/TLS_AES_128_GCM_SHA256',
  ],
  ['httplog', '', ''],
] as const)
  add(
    'haproxy',
    note,
    (p) =>
      `${before}${client}:51234 [28/Nov/2026:11:07:49.123] fe~ be/s1 0/0/1/2/3 200 512 - - ---- 1/1/0/0/0 0/0 {${ua}||${host}} "GET ${p} HTTP/1.1"${end}\n`,
    'verified',
    { reason: 'no zone' },
  )
const caddyBody = (p: string, more: object = {}) => ({
  request: {
    remote_ip: client,
    client_ip: client,
    method: 'GET',
    host,
    uri: p,
    headers: { 'User-Agent': [ua] },
    ...more,
  },
  duration: 0.1,
  size: 5,
  status: 200,
})
for (const [note, before] of [
  ['console', '2026/11/28 11:07:49.123\tINFO\thttp.log.access.log0\thandled request\t'],
  ['console, lower case', '2026/11/28 11:07:49.123\tinfo\thttp.log.access\thandled request\t'],
  [
    'console, colours',
    '2026/11/28 11:07:49.123\t\u001b[34mINFO\u001b[0m\thttp.log.access.log0\thandled request\t',
  ],
  ['console, seconds', '1795864069.1234\tinfo\thttp.log.access.log0\thandled request\t'],
  ['console, RFC 3339', '2026-11-28T11:07:49.123Z\tinfo\thttp.log.access.log0\thandled request\t'],
] as const)
  add('caddy', note, (p) => `${before}${JSON.stringify(caddyBody(p))}\n`)
add(
  'caddy',
  'console, another logger',
  () => '2026/11/28 11:07:49.123\tINFO\ttls\tcleaning storage unit\t{"storage": "x"}\n',
  'ignore',
)
const caddy = (p: string, request: object) =>
  JSON.stringify({
    level: 'info',
    ts: seconds + 0.5,
    logger: 'http.log.access',
    msg: 'handled request',
    request: { method: 'GET', host, uri: p, headers: { 'User-Agent': [ua] }, ...request },
    duration: 0.1,
    status: 200,
  })
add('caddy', '2.4: remote_addr with a port', (p) => caddy(p, { remote_addr: `${client}:44321` }))
add('caddy', '2.4: remote_addr, v6', (p) => caddy(p, { remote_addr: '[2a01:4f8::1]:44321' }), 'spoofed')
add('caddy', 'private proxy, header', (p) =>
  caddy(p, { remote_ip: '10.0.0.2', headers: { 'User-Agent': [ua], 'X-Forwarded-For': [client] } }),
)
add(
  'caddy',
  'private proxy, two public',
  (p) =>
    caddy(p, {
      remote_ip: '10.0.0.2',
      headers: { 'User-Agent': [ua], 'X-Forwarded-For': [`${client}, 8.8.8.8`] },
    }),
  'unchecked',
  { reason: 'several addresses' },
)
add('caddy', 'lower-case headers', (p) => caddy(p, { client_ip: client, headers: { 'user-agent': [ua] } }))
add(
  'caddy',
  'time without a zone',
  (p) => caddy(p, { client_ip: client }).replace('1795864069.5', '"2026-11-28 11:07:49"'),
  'verified',
  { reason: 'no zone' },
)
add(
  'envoy',
  'Emissary',
  (p) =>
    `ACCESS [2026-11-28T11:07:49.123Z] "GET ${p} HTTP/1.1" 200 - 0 512 3 2 "${client}" "${ua}" "r-1" "${host}" "10.0.0.1:8080"\n`,
)
add(
  'envoy',
  'Emissary, two public',
  (p) =>
    `ACCESS [2026-11-28T11:07:49.123Z] "GET ${p} HTTP/1.1" 200 - 0 512 3 2 "${client},8.8.8.8" "${ua}" "r-1" "${host}" "10.0.0.1:8080"\n`,
  'unchecked',
  { reason: 'several addresses' },
)
add(
  'envoy',
  'Emissary behind kubectl',
  (p) =>
    `[pod/emissary-1/ambassador] ACCESS [2026-11-28T11:07:49.123Z] "GET ${p} HTTP/1.1" 200 - 0 512 3 2 "${client}" "${ua}" "r-1" "${host}" "10.0.0.1:8080"\n`,
)
const contour = (p: string, more: object) =>
  json(() => ({
    '@timestamp': iso,
    authority: host,
    downstream_remote_address: '10.0.0.3:4411',
    method: 'GET',
    path: p,
    response_code: 200,
    response_flags: '-',
    user_agent: ua,
    ...more,
  }))(p)
add('envoy', 'Contour, two private hops', (p) => contour(p, { x_forwarded_for: `${client},10.0.0.9` }))
add('envoy', 'Contour, public connection', (p) =>
  contour(p, { downstream_remote_address: `${client}:4411`, x_forwarded_for: '9.9.9.9' }),
)
add('envoy', 'Contour, no header', (p) => contour(p, { x_forwarded_for: '-' }), 'unchecked', {
  reason: 'private network',
})
for (const name of ['request_user-agent', 'request_User-Agent', 'REQUEST_USER-AGENT', 'request_User_Agent'])
  add(
    'traefik',
    `header as ${name}`,
    json((p) => ({
      ClientHost: client,
      DownstreamStatus: 200,
      RequestHost: host,
      RequestMethod: 'GET',
      RequestPath: p,
      StartUTC: iso,
      [name]: ua,
    })),
  )
add(
  'traefik',
  'private client, header',
  json((p) => ({
    ClientHost: '10.0.0.3',
    DownstreamStatus: 200,
    RequestHost: host,
    RequestMethod: 'GET',
    RequestPath: p,
    StartUTC: iso,
    'request_User-Agent': ua,
    'request_X-Forwarded-For': client,
  })),
)

// Clouds.
const appService = {
  CsMethod: 'GET',
  CsHost: host,
  CIp: client,
  UserAgent: ua.replaceAll(' ', '+'),
  ScStatus: 200,
}
add(
  'azure',
  'properties as text, one record',
  json((p) => ({
    time: iso,
    category: 'AppServiceHTTPLogs',
    properties: JSON.stringify({ ...appService, CsUriStem: p }),
  })),
)
add(
  'azure',
  'front door, properties as text',
  json((p) => ({
    time: iso,
    category: 'FrontDoorAccessLog',
    properties: JSON.stringify({
      httpMethod: 'GET',
      requestUri: `https://${host}:443${p}`,
      userAgent: ua,
      socketIp: client,
      httpStatusCode: '200',
      hostName: host,
    }),
  })),
)
add(
  'azure',
  'properties that are no object',
  json(() => ({ time: iso, category: 'AppServiceHTTPLogs', properties: '{"CsMethod":' })),
  'reject',
)
const gateway = (p: string, more: object = {}) => ({
  requestId: 'r',
  ip: client,
  requestTime: clf,
  httpMethod: 'GET',
  status: '200',
  userAgent: ua,
  path: p,
  ...more,
})
add(
  'api-gateway',
  'requestTime',
  json((p) => gateway(p)),
)
add(
  'api-gateway',
  'requestTimeEpoch',
  json((p) => gateway(p, { requestTimeEpoch: seconds * 1000, requestTime: undefined })),
)
add(
  'api-gateway',
  'sourceIp and resourcePath',
  json((p) => gateway(p, { ip: undefined, sourceIp: client, path: undefined, resourcePath: p })),
)
add(
  'api-gateway',
  'route of a proxy without a path',
  json(() => gateway('', { path: undefined, resourcePath: '/{proxy+}' })),
  'reject',
)
add(
  'api-gateway',
  'routeKey',
  json((p) => gateway(p, { path: undefined, routeKey: `GET ${p}` })),
)
add(
  'api-gateway',
  'inside CloudWatch',
  json((p) => ({
    messageType: 'DATA_MESSAGE',
    logEvents: [{ id: '1', timestamp: seconds * 1000, message: JSON.stringify(gateway(p)) }],
  })),
)

// Names, times and hops of servers' own JSON.
const own = (p: string, more: object = {}) => ({
  time_iso8601: iso,
  remote_addr: client,
  request: `GET ${p} HTTP/1.1`,
  status: '200',
  http_user_agent: ua,
  host,
  ...more,
})
for (const [name, value] of [
  ['http_x_forwarded_for', client],
  ['x_forwarded_for', `${client}, 10.1.1.1`],
  ['X-Forwarded-For', client],
  ['xForwardedFor', [client]],
  ['forwarded_for', `unknown, ${client}`],
  ['xff', `${client}:4431`],
  ['http_cf_connecting_ip', client],
  ['http_x_real_ip', client],
] as const) {
  add(
    'own-json',
    `private connection and ${name}`,
    json((p) => own(p, { remote_addr: '10.0.0.2', [name]: value })),
  )
  add(
    'own-json',
    `no connection and ${name}`,
    json((p) => own(p, { remote_addr: undefined, [name]: value })),
  )
}
add(
  'own-json',
  'two public hops',
  json((p) => own(p, { remote_addr: '10.0.0.2', http_x_forwarded_for: `${client}, 8.8.8.8` })),
  'unchecked',
  { reason: 'several addresses' },
)
add(
  'own-json',
  'public connection, invented header',
  json((p) => own(p, { remote_addr: '8.8.8.8', http_x_forwarded_for: client })),
  'spoofed',
)
add(
  'own-json',
  'private connection alone',
  json((p) => own(p, { remote_addr: '192.168.1.2' })),
  'unchecked',
  { reason: 'private network' },
)
add(
  'own-json',
  'our form behind a proxy',
  json((p) => ({ ts: iso, ip: '10.0.0.2', x_forwarded_for: client, method: 'GET', path: p, ua, host })),
)
add(
  'own-json',
  'a rewritten uri beside the request',
  json((p) => own(p, { uri: '/index.php' })),
)
add(
  'own-json',
  'the path of a file beside the request',
  json((p) => own(p, { path: '/var/log/nginx/access.log' })),
)
const logstash = (p: string, more: object) => ({
  clientip: client,
  verb: 'GET',
  request: p,
  httpversion: '1.1',
  response: '200',
  agent: ua,
  ...more,
})
add(
  'own-json',
  'Logstash without its date filter',
  json((p) => logstash(p, { timestamp: clf, '@timestamp': '2026-11-27T23:59:00Z' })),
)
add(
  'own-json',
  'JSON with both times',
  json((p) => own(p, { time_iso8601: undefined, timestamp: iso, '@timestamp': '2026-11-27T01:00:00Z' })),
)
add(
  'own-json',
  'a duration called time',
  json((p) => own(p, { time_iso8601: undefined, time: 0.123, ts: iso })),
)
add(
  'own-json',
  'time without a zone',
  json((p) => own(p, { time_iso8601: '2026-11-28 11:07:49' })),
  'verified',
  { reason: 'no zone' },
)
add(
  'own-json',
  'time without a zone, in parts of a second',
  json((p) => own(p, { time_iso8601: '2026-11-28T11:07:49.123456' })),
  'verified',
  { reason: 'no zone' },
)
for (const status of ['200', 200, '"200"', '200 OK', '000', null])
  add(
    'own-json',
    `status ${JSON.stringify(status)}`,
    json((p) => own(p, { status })),
  )
add(
  'own-json',
  'Fluent Bit, Apache: the client is the host',
  json((p) => ({
    date: seconds,
    host: client,
    user: '-',
    method: 'GET',
    path: p,
    code: '200',
    size: '5',
    referer: '-',
    agent: ua,
  })),
)
add(
  'own-json',
  'Fluent Bit, nginx with a user',
  json((p) => ({
    date: seconds,
    remote: client,
    host: '-',
    user: 'bob',
    method: 'GET',
    path: p,
    code: '200',
    agent: ua,
  })),
)
add(
  'own-json',
  'fluentd, forwarded',
  json((p) => ({
    remote: '10.0.0.1',
    host: '-',
    user: '-',
    method: 'GET',
    path: p,
    code: '200',
    size: '5',
    referer: '-',
    agent: ua,
    http_x_forwarded_for: client,
    time: iso,
  })),
)
for (const style of [
  (name: string) => name.toUpperCase(),
  (name: string) => name.replaceAll('_', '-'),
  (name: string) => name.replaceAll(/_(\w)/g, (_, one: string) => one.toUpperCase()),
])
  add(
    'own-json',
    'names in another case',
    json((p) => Object.fromEntries(Object.entries(own(p)).map(([name, value]) => [style(name), value]))),
  )
add(
  'own-json',
  'pino-http',
  json((p) => ({
    level: 30,
    time: seconds * 1000,
    req: {
      id: 1,
      method: 'GET',
      url: p,
      headers: { host, 'user-agent': ua, 'x-forwarded-for': client },
      remoteAddress: '::ffff:10.0.0.2',
    },
    res: { statusCode: 200 },
    responseTime: 3,
  })),
)
add(
  'own-json',
  'a program with headers in lists',
  json((p) => ({
    ts: iso,
    request: { method: 'GET', uri: p, headers: { 'User-Agent': [ua], 'X-Forwarded-For': [client] } },
    response: { status: 200 },
  })),
)
add(
  'own-json',
  'URL and host of the site',
  json((p) => ({ ts: iso, ip: client, url: `https://${host}${p}`, ua, host: `www.${host}` })),
)
add(
  'own-json',
  'URL of the site, another host',
  json((p) => ({ ts: iso, ip: client, url: `https://${host}${p}`, ua, host: 'cdn.other.test' })),
  'unchecked',
  { reason: 'different hosts' },
)
add(
  'own-json',
  'URL of another site',
  json((p) => ({ ts: iso, ip: client, url: `https://other.test${p}`, ua, host })),
  'ignore',
)
add(
  'own-json',
  'ECS with a header',
  json((p) => ({
    '@timestamp': iso,
    url: { path: p, domain: host },
    user_agent: { original: ua },
    source: { ip: '10.0.0.1' },
    http: { request: { method: 'GET', header: { 'x-forwarded-for': [client] } } },
  })),
)
add(
  'own-json',
  'Vector: its own host',
  json((p) => own(p, { host: 'web-1', source_type: 'file', timestamp: '2026-11-28T11:08:00Z' })),
)
add(
  'own-json',
  'no address at all',
  json((p) => own(p, { remote_addr: undefined })),
  'unchecked',
  { reason: 'no client address' },
)
add(
  'own-json',
  'a record of a collector around a line',
  json((p) => ({
    '@timestamp': iso,
    agent: { type: 'filebeat' },
    host: { name: 'web' },
    log: { file: { path: '/var/log/x' } },
    message: combined(p),
  })),
)
add(
  'iis',
  'header with two public addresses',
  (p) =>
    `#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken X-Forwarded-For\n2026-11-28 11:07:49 10.0.0.4 GET ${p} - 443 - 10.0.0.2 ${ua.replaceAll(' ', '+')} - 200 0 0 15 ${client},+8.8.8.8\n`,
  'unchecked',
  { reason: 'several addresses' },
)
add('gzip', 'a file without a header', () => '', undefined, {})
add('zstd', 'a file without a header', () => '', undefined, {})

/** Cases of the same kinds as those of `log-lines.json`, of other fields, senders and versions. */
export const siblings: readonly LineCase[] = all.map((one, at) => {
  if (one.format !== 'gzip' && one.format !== 'zstd') return one
  const { text: _, ...more } = one
  const line = Buffer.from(`${combined(`/s${String(at).padStart(3, '0')}`)}\n`)
  const body = one.format === 'gzip' ? Bun.gzipSync(line) : Bun.zstdCompressSync(line)
  return { ...more, body_base64: Buffer.from(body).toString('base64') }
})
