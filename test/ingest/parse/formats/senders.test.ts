import { describe, expect, test } from 'bun:test'
import { wrappedIn } from '../../../../ingest/parse/formats/senders/wrapped'
import { ip, line, notARequest, now, one, plain, read, readLines, ts, ua } from '../../support/read-hits'

describe('forwarders that wrap', () => {
  test('Fluent Bit: array, lines and a stream without line breaks', () => {
    const record = { date: 1_795_192_972.1, log: `${line}\n` }
    for (const body of [
      [record, record],
      `${JSON.stringify(record)}\n${JSON.stringify(record)}`,
      JSON.stringify(record).repeat(2),
    ])
      expect(read(body)).toMatchObject([{ target: '/a' }, { target: '/a' }])
  })
  test('Vector: raw and parsed events', () => {
    expect(one({ message: line, source_type: 'file', timestamp: '2026-11-20T16:42:53Z' })).toMatchObject({
      ts,
      target: '/a',
    })
    const parsed = {
      agent: ua,
      client: ip,
      method: 'GET',
      path: '/a',
      status: 200,
      timestamp: '2026-11-20T16:42:52Z',
    }
    expect(one([parsed])).toMatchObject({ ...plain, target: '/a', status: 200 })
    // Its own host is the machine the log stands on.
    expect(one([{ ...parsed, source_type: 'file', host: 'web1.example.net' }])).toMatchObject({
      host: undefined,
    })
  })
  test('Logstash: lines that it took apart, with the quotes that older versions keep', () => {
    const said = { clientip: ip, timestamp: '20/Nov/2026:16:42:52 +0000', response: '200' }
    const quotes = { agent: `"${ua}"`, referrer: '"https://claude.ai/"' }
    const wanted = { ...plain, target: '/a', status: 200, referer: 'https://claude.ai/' }
    expect(one({ ...said, ...quotes, verb: 'GET', request: '/a' })).toMatchObject(wanted)
    expect(one({ ...said, ...quotes, rawrequest: 'GET /a HTTP/1.1' })).toMatchObject({ ua })
    expect(one({ ...said, agent: ua, referrer: '-', verb: 'GET', request: '/a' })).toMatchObject({ ua })
    // Without one of its names it is another program's record, whose quotes are its own.
    const { clientip: _, ...noClient } = { ...said, ...quotes, client_ip: ip, verb: 'GET', path: '/a' }
    for (const record of [
      { ...said, ...quotes, method: 'GET', path: '/a' },
      { ...said, useragent: `"${ua}"`, verb: 'GET', path: '/a' },
      noClient,
    ])
      expect(one(record).ua).toBe(`"${ua}"`)
  })
  test('rsyslog: an array of lines', () => {
    expect(read([line, line])).toMatchObject([{ target: '/a' }, { target: '/a' }])
  })
  test('a wrapping in a wrapping has an end', () => {
    let body: unknown = line
    for (let depth = 0; depth < 500; depth++) body = { message: body }
    expect(one(body).rejected).toBeDefined()
    expect(one({ message: { log: line } })).toMatchObject({ target: '/a' })
  })
})

describe('Cloudflare Logpush', () => {
  const record = {
    ClientIP: ip,
    ClientRequestHost: 'shop.example',
    ClientRequestMethod: 'GET',
    ClientRequestPath: '/a',
    ClientRequestURI: '/a?b=1',
    ClientRequestUserAgent: ua,
    ClientRequestReferer: '',
    ClientRequestSource: 'eyeball',
    EdgeResponseStatus: 200,
    EdgeStartTimestamp: '2026-11-20T16:42:52Z',
    RayID: '8a1b2c3d4e5f6789',
  }
  const wanted = { ...plain, target: '/a?b=1', host: 'shop.example', status: 200, id: '8a1b2c3d4e5f6789' }
  test('its records, at any of its three times', () => {
    expect(one(record)).toEqual(wanted)
    expect(one({ ...record, EdgeStartTimestamp: ts / 1000 })).toEqual(wanted)
    expect(one(JSON.stringify(record).replace('"2026-11-20T16:42:52Z"', `${ts}000000`))).toEqual(wanted)
  })
  test('its own subrequests and its trial upload are no requests', () => {
    expect<unknown>(one({ ...record, ClientRequestSource: 'edgeWorkerFetch' })).toEqual(notARequest)
    expect<unknown>(one({ content: 'tests' })).toEqual(notARequest)
  })
})

test('Vercel: the entries of a request share its id, the others are none', () => {
  const proxy = {
    timestamp: ts,
    method: 'GET',
    host: 'shop.example',
    path: '/a?b=1',
    userAgent: [ua],
    referer: 'https://claude.ai/',
    statusCode: 200,
    clientIp: ip,
    vercelId: 'fra1::x',
  }
  const entry = {
    id: '1',
    timestamp: ts + 5,
    source: 'static',
    deploymentId: 'd',
    projectId: 'p',
    requestId: 'req-1',
  }
  const build = { ...entry, source: 'build', message: line }
  expect(
    read([
      { ...entry, proxy },
      { ...entry, id: '2', source: 'lambda', proxy: { ...proxy, statusCode: -1 } },
      build,
    ]),
  ).toEqual([
    {
      ...plain,
      target: '/a?b=1',
      host: 'shop.example',
      referer: 'https://claude.ai/',
      status: 200,
      id: 'req-1',
    },
    {
      ...plain,
      target: '/a?b=1',
      host: 'shop.example',
      referer: 'https://claude.ai/',
      status: undefined,
      id: 'req-1',
    },
    notARequest,
  ])
})

test('Netlify: traffic counts, other logs do not', () => {
  const record = {
    log_type: 'traffic',
    timestamp: '2026-11-20T16:42:52.000Z',
    client_ip: ip,
    method: 'GET',
    url: 'https://shop.example/a',
    status_code: 200,
    user_agent: ua,
    referrer: '',
    request_id: '01J',
    domain: 'shop.example',
  }
  expect(one(record)).toMatchObject({
    ...plain,
    target: 'https://shop.example/a',
    host: 'shop.example',
    id: '01J',
  })
  expect(one({ ...record, url: undefined, path: '/b' })).toMatchObject({ target: '/b' })
  expect<unknown>(one({ log_type: 'functions', message: line })).toEqual(notARequest)
})

describe('CloudFront', () => {
  const encoded = ua.replaceAll(' ', '%20')
  const standard = `2026-11-20\t16:42:52\tFRA50\t1045\t${ip}\tGET\td1.cloudfront.net\t/a\t200\t-\t${encoded.replaceAll('%', '%25')}\tx=1\t-\tHit\tedge-1\tshop.example\thttps\t23\t0.001\t-\tTLSv1.3\tTLS_AES\tHit\tHTTP/2.0\t-\t-\t41000\t0.001\tHit\ttext/html\t78\t-\t-`
  const wanted = { ...plain, target: '/a', host: 'shop.example', status: 200, id: 'edge-1' }
  test('standard logs, with their header or without', () => {
    expect(one(standard)).toEqual(wanted)
    const header =
      '#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent)\n'
    const short = standard.split('\t').slice(0, 11).join('\t')
    expect(read(`${header}${short}\n`)).toEqual([
      { ignored: 'A comment' },
      { ignored: 'A comment' },
      { ...wanted, host: 'd1.cloudfront.net', id: undefined },
    ])
  })
  test('real-time logs with the fields the set-up page names', () => {
    const fields = [`${ts / 1000}.123`, ip, '200', 'GET', '/a', 'edge-1', 'shop.example', encoded, '-']
    expect(one(fields.join('\t'))).toEqual({ ...wanted, ts: ts + 123 })
  })
  test('in a Firehose body, plain or JSON', () => {
    const json = {
      date: '2026-11-20',
      time: '16:42:52',
      'c-ip': ip,
      'cs-method': 'GET',
      'cs-uri-stem': '/a',
      'cs(User-Agent)': encoded,
      'sc-status': '200',
      'x-edge-request-id': 'edge-1',
      'x-host-header': 'shop.example',
    }
    const data = [standard, `${standard}\n${standard}\n`, JSON.stringify(json)].map((text) => ({
      data: Buffer.from(text).toString('base64'),
    }))
    const body = { requestId: 'f-1', timestamp: ts, records: [...data, { data: 3 }] }
    expect(read(body)).toMatchObject([wanted, wanted, wanted, wanted, { rejected: expect.anything() }])
    expect(readLines(JSON.stringify(body), now).map((record) => record.line)).toEqual([1, 2, 2, 3, 4])
  })
})

test('lines with tabs that are no known log are rejected', () => {
  for (const text of [
    'a\tb\tc\td\te\tf\tg\th\ti',
    '2026-11-20\t16:42:52\tx',
    `${ts / 1000}.1\t${ip}\t200`,
    `#Fields: date time c-ip\n2026-11-20 16:42:52 ${ip} GET /a 200 x y`,
    '#Fields: date time c-ip cs-uri-stem\n2026-11-20 x',
  ])
    expect(read(text).at(-1)).toEqual({ rejected: 'No known log format' })
})

test('W3C logs of other servers go by their own fields', () => {
  const text = `#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs(Referer)\n2026-11-20 16:42:52 ${ip} GET /a 200 ${ua.replaceAll(' ', '+')} -\n`
  expect(read(text)[1]).toMatchObject({ ts, ip, target: '/a', status: 200, ua: ua.replace('; +', ';  ') })
})

test('Akamai: what it encodes is decoded', () => {
  const record = {
    reqTimeSec: `${ts / 1000}.5`,
    cliIP: ip,
    reqMethod: 'GET',
    reqHost: 'shop.example',
    reqPath: 'a%20b',
    UA: encodeURIComponent(ua),
    statusCode: '200',
    reqId: 'k1',
  }
  expect(one(record)).toEqual({
    ...plain,
    ts: ts + 500,
    target: '/a%20b',
    host: 'shop.example',
    status: 200,
    id: 'k1',
  })
})

test('Fastly: the format of the set-up page is our own shape', () => {
  const record = {
    ts: '2026-11-20T16:42:52Z',
    ip,
    host: 'shop.example',
    method: 'GET',
    url: '/a?b=1',
    status: '200',
    ua,
    referer: '',
  }
  expect(one([record])).toEqual({ ...plain, target: '/a?b=1', host: 'shop.example', status: 200 })
})

test('Traefik', () => {
  const record = {
    ClientHost: ip,
    RequestHost: 'shop.example',
    RequestMethod: 'GET',
    RequestPath: '/a?b=1',
    DownstreamStatus: 200,
    StartUTC: '2026-11-20T16:42:52.000000001Z',
    'request_User-Agent': ua,
    request_Referer: 'https://chatgpt.com/',
    level: 'info',
    msg: '',
  }
  expect(one(record)).toEqual({
    ...plain,
    target: '/a?b=1',
    host: 'shop.example',
    status: 200,
    referer: 'https://chatgpt.com/',
  })
})

test('Known Agents: the last forwarded address is the one the site saw', () => {
  const record = {
    request_path: '/a',
    request_method: 'GET',
    request_headers: { 'User-Agent': ua, Host: 'shop.example', 'X-Forwarded-For': `203.0.113.66, ${ip}` },
    response_status_code: 200,
  }
  expect(one([record])).toEqual({
    ts: now,
    ip,
    method: 'GET',
    target: '/a',
    host: 'shop.example',
    ua,
    status: 200,
    undated: true,
  })
})

test("a record with Renown's own names may call its time as other servers do", () => {
  const iso = new Date(ts).toISOString()
  for (const name of ['time', 'timestamp', '@timestamp', 'time_iso8601'])
    expect(read([{ [name]: iso, ip, path: '/a', ua }])).toMatchObject([
      {
        ts,
        ip,
        target: '/a',
        ua,
      },
    ])
  expect(read([{ event_time: iso, path: '/a', ua }])).toEqual([
    { rejected: expect.stringContaining('send it as ts') },
  ])
})

describe('HAProxy', () => {
  const text = (captures: string, request = 'GET /a HTTP/1.1') =>
    `${ip}:41587 [20/Nov/2026:16:42:52.864] fe be/srv 0/0/0/0/0 200 5 - - ---- 1/1/0/0/0 0/0 ${captures}"${request}"`
  test('reads as many captures as there are', () => {
    expect(one(text(''))).toMatchObject({ ua: '', host: undefined })
    expect(one(text('{GPTBot} '))).toMatchObject({ ua: 'GPTBot', referer: undefined, host: undefined })
    expect(one(text('{GPTBot|https://claude.ai/} '))).toMatchObject({
      ua: 'GPTBot',
      referer: 'https://claude.ai/',
    })
    expect(one(text('{a|b|c|shop.example} '))).toMatchObject({
      ua: 'a|b',
      referer: 'c',
      host: 'shop.example',
    })
    expect<unknown>(one(text('{GPTBot} ', '<BADREQ>'))).toEqual(notARequest)
  })
  test('reads captures up to their closing brace', () => {
    const text = `${ip}:41587 [20/Nov/2026:16:42:52.864] fe be/srv 0/0/0/0/0 200 5 - - ---- 1/1/0/0/0 0/0 {${ua}|https://chatgpt.com/|shop.example} {text/html} "GET /a HTTP/1.1"`
    expect(one(text)).toEqual({
      ...plain,
      ts: ts + 864,
      zoneless: true,
      target: '/a',
      host: 'shop.example',
      referer: 'https://chatgpt.com/',
      status: 200,
    })
  })
})

test('Vercel: a request without an id of its own has that of its proxy, or of its entry', () => {
  const proxy = { timestamp: ts, method: 'GET', path: '/a', userAgent: [ua], statusCode: 200, clientIp: ip }
  const entry = { timestamp: ts, source: 'static', deploymentId: 'd' }
  const idOf = (record: object) => {
    const [hit] = read([record]) as { id?: unknown }[]
    return hit?.id
  }
  const byEntry = idOf({ ...entry, id: 'entry-0001', proxy })
  const byProxy = idOf({ ...entry, id: 'entry-0001', proxy: { ...proxy, vercelId: 'proxy-0001' } })
  const ids = [
    byEntry,
    byProxy,
    idOf({ ...entry, id: 'entry-0001', requestId: 'req-0001', proxy: { ...proxy, vercelId: 'proxy-0001' } }),
  ]
  expect(ids).not.toContain(undefined)
  expect(new Set(ids).size).toBe(3)
  expect(idOf({ ...entry, id: 'entry-0001', source: 'lambda', proxy })).toEqual(byEntry)
  expect(idOf({ ...entry, proxy })).toBeUndefined()
})

test.each(['message', 'MESSAGE', 'log', 'line', 'msg', '_raw', 'raw'])(
  'a forwarder may wrap a line or a record under %s',
  (key) => {
    expect(one({ host: 'x', [key]: line })).toMatchObject({ target: '/a' })
    expect(one({ host: 'x', [`${key}x`]: line })).not.toHaveProperty('target')
  },
)

test('what a forwarder wraps is the first of its names that holds something', () => {
  const names = 'message MESSAGE log line msg _raw raw full_message short_message record'.split(' ')
  for (const [place, name] of names.entries()) {
    const empty = Object.fromEntries(names.slice(0, place).map((before) => [before, ' ']))
    const other = Object.fromEntries(names.slice(place + 1).map((after) => [after, 'other']))
    expect(wrappedIn({ ...other, ...empty, [name]: 'text' })).toBe('text')
    expect(wrappedIn({ ...other, ...empty, [name]: { path: '/a' } })).toEqual({ path: '/a' })
  }
  expect(wrappedIn({ message: '', log: 5, raw: null, lines: 'text' })).toBeNull()
})

test('a message of journald that is a list of bytes is their text, and no other list is', () => {
  const bytes = (...values: unknown[]) => wrappedIn({ MESSAGE: values })
  expect(bytes(65)).toBe('A')
  expect(bytes(0, 65, 127)).toBe('\0A\x7f')
  expect(bytes(195, 169, 255)).toBe('é\ufffd')
  for (const values of [[], [65, 256], [-1, 65], [65, 1.5], ['A'], [65, null]])
    expect(bytes(...values)).toBeNull()
  expect(wrappedIn({ MESSAGE: new Array(2 ** 20).fill(65) })).toHaveLength(2 ** 20)
  expect(wrappedIn({ MESSAGE: new Array(2 ** 20 + 1).fill(65) })).toBeNull()
})
