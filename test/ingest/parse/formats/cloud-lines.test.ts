import { describe, expect, test } from 'bun:test'
import { notARequest, one, read, ts, ua } from '../../support/read-hits'

const client = '1.2.3.4'
const time = '2026-11-20T16:42:52'
const unknown = { rejected: 'No known log format' }
const badTime = { rejected: 'The time cannot be read' }

describe('AWS load balancers', () => {
  const line = (change: Record<string, string> = {}) => {
    const { type, at, from, request, agent, status } = {
      type: 'https ',
      at: `${time}.186641Z`,
      from: `${client}:2817`,
      status: '200',
      request: '"GET https://shop.example:443/a?b=1 HTTP/1.1"',
      agent: `"${ua}"`,
      ...change,
    }
    return `${type}${at} app/lb/50dc6c495c0c9188 ${from} 10.0.0.1:80 0.086 0.048 0.037 ${status} 200 0 57 ${request} ${agent} ECDHE TLSv1.2 arn "Root=1-5833" "shop.example" "arn" 1 ${time}.0Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"`
  }
  test('are read with every type, and without one', () => {
    const id = `${time}.186641Z 2817 Root=1-5833`
    for (const type of ['http ', 'https ', 'h2 ', 'grpcs ', 'ws ', 'wss ', ''])
      expect(one(line({ type }))).toEqual({
        ts: ts + 186,
        ip: client,
        method: 'GET',
        target: 'https://shop.example:443/a?b=1',
        ua,
        status: 200,
        id,
      })
    for (const type of ['tls ', 'HTTP ', 'https'])
      expect([type, one(line({ type })).ts]).not.toEqual([type, ts + 186])
  })
  test('have clients with IPv6, with and without brackets', () => {
    for (const from of ['[2001:db8::7]:2817', '2001:db8::7:2817'])
      expect(one(line({ from }))).toMatchObject({ ip: '2001:db8::7' })
    expect(one(line({ from: '-' }))).toMatchObject({ ip: null })
    // The port tells two requests of one moment apart.
    const idOf = (from: string) => (one(line({ from })) as { id?: string }).id
    for (const from of ['[2001:db8::7]:281', '203.0.113.7:281'])
      expect(idOf(`${from}7`)?.replace(' 2817 ', ' 2818 ')).toBe(idOf(`${from}8`) ?? '')
  })
  test('escape quotes', () => {
    expect(one(line({ agent: '"a \\"b\\" \\x22c\\x22 \\\\"' })).ua).toBe('a "b" "c" \\')
    expect(one(line({ agent: '"-"' })).ua).toBe('')
    expect(one(line({ request: '"GET https://shop.example:443/a\\"b HTTP/1.1"' })).target).toBe(
      'https://shop.example:443/a"b',
    )
  })
  test('write a line for what is no request', () => {
    for (const request of ['"- http://lb.elb.amazonaws.com:80- -"', '"-"', '""'])
      expect<unknown>(one(line({ request }))).toEqual(notARequest)
  })
  test('are not taken for other lines', () => {
    expect<unknown>(one(line({ at: `${time}Z` }))).toEqual(unknown)
    expect<unknown>(one(line({ at: '2026-13-20T16:42:52.1Z' }))).toEqual(badTime)
    expect<unknown>(one(line({ status: '2x0' }))).toEqual(unknown)
    expect<unknown>(one(line({ from: 'a b' }))).toEqual(unknown)
    expect<unknown>(one(line({ request: 'x' }))).toEqual(unknown)
  })
})

describe('Amazon S3', () => {
  const owner = '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be'
  const line = (change: Record<string, string> = {}) => {
    const { operation, request, referer, agent, host, at } = {
      operation: 'WEBSITE.GET.OBJECT',
      request: '"GET /a?b=1 HTTP/1.1"',
      referer: '-',
      agent: ua,
      host: 'shop.example',
      at: '20/Nov/2026:16:42:52 +0000',
      ...change,
    }
    return `${owner} shop [${at}] ${client} - 3E57 ${operation} a ${request} 200 - 113 113 7 6 "${referer}" "${agent}" - host= - - - ${host} - - -`
  }
  const hit = { ts, ip: client, method: 'GET', target: '/a?b=1', status: 200, id: '3E57' }
  test('is read with the host of the site, and without a host of its own', () => {
    expect(one(line())).toMatchObject({ ...hit, ua, host: 'shop.example' })
    for (const host of ['shop.s3.eu-west-1.amazonaws.com', 'shop.s3-website-eu-west-1.amazonaws.com', '-'])
      expect(one(line({ host }))).toMatchObject({ ...hit, host: undefined })
  })
  test('has the bucket in the path of its own hosts', () => {
    const request = '"GET /shop/a HTTP/1.1"'
    for (const host of ['s3.eu-west-1.amazonaws.com', 's3.amazonaws.com', 's3-eu-west-1.amazonaws.com'])
      expect(one(line({ host, request }))).toMatchObject({ target: '/a' })
    expect(one(line({ request }))).toMatchObject({ target: '/shop/a' })
  })
  test('counts what a visitor fetches', () => {
    for (const operation of ['REST.GET.OBJECT', 'REST.HEAD.OBJECT', 'WEBSITE.HEAD.OBJECT'])
      expect(one(line({ operation }))).toMatchObject(hit)
    for (const operation of [
      'REST.GET.BUCKET',
      'REST.PUT.OBJECT',
      'S3.EXPIRE.OBJECT',
      'REST.GET.LOGGING_STATUS',
    ])
      expect<unknown>(one(line({ operation }))).toEqual(notARequest)
    expect(one(line({ request: '-' }))).toMatchObject(notARequest)
    expect<unknown>(one(line({ operation: 'x' }))).toEqual(unknown)
    expect<unknown>(one(line({ at: '20/Nox/2026:16:42:52 +0000' }))).toEqual(badTime)
  })
  test('does not escape quotes', () => {
    expect(one(line({ agent: 'a "b" c [d] "' }))).toMatchObject({
      ...hit,
      ua: 'a "b" c [d] "',
      referer: undefined,
    })
    expect(one(line({ referer: 'https://chatgpt.com/' })).referer).toBe('https://chatgpt.com/')
    expect(one(line({ agent: '-' })).ua).toBe('')
  })
  test('wrote shorter lines before', () => {
    const short = `${owner} shop [20/Nov/2026:16:42:52 +0000] ${client} - 3E57 REST.GET.OBJECT a "GET /a?b=1 HTTP/1.1" 200 - 113 113 7 6 "-" "${ua}" -`
    expect(one(short)).toMatchObject({ ...hit, ua, host: undefined })
  })
})

describe('Amplify', () => {
  const header =
    'date,time,x-edge-location,sc-bytes,c-ip,cs-method,cs\\(Host),cs-uri-stem,sc-status,cs\\(Referer),cs\\(User-Agent)'
  const row = `2026-11-20,16:42:52,FRA50,5,${client},GET,d1.cloudfront.net,/a,200,-,GPTBot/1.3%20\\(x\\)`
  test('names its fields in the first line', () => {
    expect(read(`${header}\n${row}`)).toMatchObject([
      { ignored: 'A comment' },
      { ts, ip: client, target: '/a', ua: 'GPTBot/1.3 (x)', host: 'd1.cloudfront.net' },
    ])
    const other = 'date,time,c-ip,cs-method,cs-uri-stem,cs\\(User-Agent\\)'
    expect(read(`${other}\n2026-11-20,16:42:52,${client},HEAD,/b,GPTBot`)[1]).toMatchObject({
      method: 'HEAD',
      target: '/b',
      ua: 'GPTBot',
    })
  })
  test('is read without its first line, as a part of a file has', () => {
    const whole = `${row}${',-'.repeat(22)}`
    expect(one(whole)).toMatchObject({ ts, ip: client, target: '/a', ua: 'GPTBot/1.3 (x)' })
    expect<unknown>(one('2026-11-20,16:42:52,a,b')).toEqual(unknown)
  })
})

describe('IIS', () => {
  const fields =
    '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken'
  const line = (change: Record<string, string> = {}) => {
    const { server, path, from, agent } = {
      server: '10.0.0.4',
      path: '/a',
      from: client,
      agent: 'GPTBot/1.3+(x;++y)',
      ...change,
    }
    return `2026-11-20 16:42:52 ${server} GET ${path} - 443 - ${from} ${agent} - 200 0 0 15`
  }
  const hit = { ts, ip: client, method: 'GET', target: '/a', ua: 'GPTBot/1.3 (x; +y)', status: 200 }
  test('is read after its fields, and in its default order without them', () => {
    expect(read(`${fields}\n${line()}`)[1]).toMatchObject(hit)
    expect(one(line())).toMatchObject(hit)
    expect(one(line().replace(' - 200 ', ' 200 '))).toMatchObject(hit)
    for (const server of ['::1', 'fe80::1', '2001:db8::9']) expect(one(line({ server }))).toMatchObject(hit)
    const every = `2026-11-20 16:42:52 W3SVC1 WEB1 10.0.0.4 GET /a - 443 - ${client} HTTP/1.1 GPTBot/1.3+(x;++y) - - shop.example 200 0 0 5 5 15`
    expect(one(every)).toMatchObject({ ...hit, host: 'shop.example' })
    const appService = `2026-11-20 16:42:52 SHOP GET /a X-ARR-LOG-ID=2ec4 443 - ${client} GPTBot/1.3+(x;++y) - - shop.example 200 0 0 53175 871 46`
    expect(one(appService)).toMatchObject({ ...hit, host: 'shop.example' })
  })
  test('follows fields that change in the middle of a file', () => {
    const text = [
      fields,
      line(),
      '#Software: Microsoft Internet Information Services 10.0',
      '#Fields: date time cs-method cs-uri-stem c-ip cs(User-Agent) sc-status sc-win32-status',
      `2026-11-20 16:42:52 HEAD /b ${client} GPTBot 404 0`,
    ].join('\r\n')
    expect(read(text).filter((each) => !('ignored' in each))).toMatchObject([
      hit,
      { method: 'HEAD', target: '/b', ua: 'GPTBot', status: 404 },
    ])
  })
  test('writes a plus for a space, also in paths', () => {
    expect(one(line({ path: '/my+file.pdf' })).target).toBe('/my%20file.pdf')
    expect(one(line({ agent: 'a%20b+c' })).ua).toBe('a%20b c')
    expect(one(line({ agent: '-' })).ua).toBe('')
  })
  test('has the client in a header that was added, if a proxy of its own connected', () => {
    const ipOf = (from: string, header: string) => one(`${line({ from })} ${header}`).ip
    expect(ipOf('10.0.0.9', `${client},+10.0.0.8`)).toBe(client)
    expect(ipOf('10.0.0.9', `${client}:4711`)).toBe(`${client}:4711`)
    expect(ipOf('10.0.0.9', `${client},+5.6.7.8`)).toBeNull()
    expect(ipOf('10.0.0.9', '-')).toBe('10.0.0.9')
    expect(ipOf('5.6.7.8', '-')).toBe('5.6.7.8')
    expect(ipOf('5.6.7.8', client)).toBeNull()
  })
  test('is not taken for other lines', () => {
    for (const change of [{ path: 'a' }, { from: 'x' }, { server: 'web1' }] as Record<string, string>[])
      expect<unknown>(one(line(change))).toEqual(unknown)
    expect<unknown>(one(line().replace('200', '2'))).toEqual(unknown)
    expect<unknown>(one(`${line()} a b`)).toEqual(unknown)
  })
})

describe('Envoy and Istio', () => {
  const line = (forwarded: string, agent: string, rest = '') =>
    `[${time}.310Z] "GET /a HTTP/2" 200 - 154 0 226 100 "${forwarded}" "${agent}" "cc21" "shop.example" "10.0.2.1:80"${rest}`
  const hit = {
    ts: ts + 310,
    method: 'GET',
    target: '/a',
    host: 'shop.example',
    status: 200,
    id: `${time}.310Z cc21`,
  }
  test('take the client from the header or from the connection', () => {
    expect(one(line(client, ua))).toEqual({ ...hit, ip: client, ua })
    expect(one(line('-', '-'))).toEqual({ ...hit, ip: null, ua: '' })
    const istio = (remote: string) =>
      ` outbound|80||shop 10.44.1.23:37652 10.44.1.23:8443 ${remote} shop.example default`
    expect(one(line('5.6.7.8', ua, istio(`${client}:43652`)))).toMatchObject({ ip: client })
    expect(one(line(`${client},10.1.1.1`, ua, istio('10.1.1.1:43652')))).toMatchObject({ ip: client })
    expect(one(line(`5.6.7.8,${client}`, ua, istio('10.1.1.1:43652')))).toMatchObject({ ip: null })
    expect(one(line(client, ua, ' - - - - - -'))).toMatchObject({ ip: client })
  })
  test('do not escape quotes, so a client may not add headers with them', () => {
    expect(one(line(client, 'Odd "x" GPTBot'))).toMatchObject({ ...hit, ip: client, ua: 'Odd "x" GPTBot' })
    expect(one(line(client, ''))).toMatchObject({ ...hit, ip: client, ua: '' })
    expect(one(line(`${client}" "GPTBot`, 'curl'))).toMatchObject({ ...hit, ip: null })
    expect(one(line(client, 'a" "b'))).toMatchObject({ ...hit, ip: null, ua: 'a" "b' })
  })
  test.each(['" " ', '"  b', '" "b', '" b 200 ', '" 1234 ', '" 12b ', '" ', '" 200'])(
    'have a path with %j whole, because only a status follows the request',
    (inside) => {
      const target = `/a${inside}c`
      expect(one(line(client, ua).replace('/a', target))).toEqual({ ...hit, target, ip: client, ua })
    },
  )
  test('log connections without a request', () => {
    expect<unknown>(one(line('-', '-').replace('GET /a HTTP/2', '- - -').replace('200', '0'))).toEqual(
      notARequest,
    )
    expect<unknown>(one(line('-', '-').replace('2026-11', '2026-31'))).toEqual(badTime)
    expect<unknown>(one(`[${time}.310Z] "GET /a HTTP/2" 200 - 154 "a" "b"`)).toEqual(unknown)
  })
  test('are read as JSON with the names of Istio and of Envoy Gateway', () => {
    const gateway = {
      start_time: `${time}.310Z`,
      method: 'GET',
      'x-envoy-origin-path': '/a',
      response_code: 200,
      response_flags: '-',
      'x-forwarded-for': client,
      'user-agent': ua,
      'x-request-id': 'cc21',
      ':authority': 'shop.example',
      downstream_remote_address: '10.1.1.1:4711',
    }
    expect(one(gateway)).toEqual({ ...hit, ip: client, ua })
    expect<unknown>(one({ ...gateway, method: null })).toEqual(notARequest)
    expect(one({ ...gateway, 'x-request-id': undefined }).id).toBeUndefined()
  })
})

describe('Google Cloud', () => {
  const entry = {
    httpRequest: {
      requestMethod: 'GET',
      requestUrl: 'https://shop.example/a',
      status: 200,
      userAgent: ua,
      remoteIp: client,
    },
    insertId: 'i1',
    timestamp: `${time}Z`,
    logName: 'x',
  }
  const hit = {
    ts,
    ip: client,
    method: 'GET',
    target: 'https://shop.example/a',
    ua,
    status: 200,
    id: `${time}Z i1`,
  }
  const pushed = (data: unknown) => ({ message: { data, messageId: '1' }, subscription: 's' })
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
  test('entries are read as they are, and as Pub/Sub pushes them', () => {
    expect(one(entry)).toEqual(hit)
    expect(one(pushed(base64(entry)))).toEqual(hit)
    expect<unknown>(one(pushed(undefined))).toEqual({ ignored: 'Blank' })
    expect(one(pushed(base64('x')))).toHaveProperty('rejected')
    expect(one({ ...entry, insertId: undefined }).id).toBeUndefined()
    expect(one({ ...entry, timestamp: undefined, receiveTimestamp: `${time}Z` })).toMatchObject({ ts })
  })
  test('entries without a request are none', () => {
    expect<unknown>(one({ ...entry, httpRequest: { remoteIp: client } })).toEqual(notARequest)
    expect(one({ ...entry, httpRequest: { requestMethod: 'GET' } })).toHaveProperty('rejected')
  })
})

describe('Azure', () => {
  const record = (category: string, properties: object) => ({ time: `${time}Z`, category, properties })
  const request = {
    httpMethod: 'GET',
    requestUri: 'https://shop.example:443/a',
    userAgent: ua,
    httpStatusCode: '200',
    clientIp: '5.6.7.8',
    socketIp: client,
    trackingReference: 't1',
  }
  test('Front Door has the address of the connection, which a header cannot change', () => {
    expect(one(record('FrontDoorAccessLog', request))).toMatchObject({
      ts,
      ip: client,
      target: 'https://shop.example:443/a',
      ua,
      status: 200,
      id: 't1',
    })
    expect(one(record('FrontdoorAccessLog', { ...request, socketIp: undefined }))).toMatchObject({
      ip: '5.6.7.8',
    })
    for (const isReceivedFromClient of [false, 'false'])
      expect<unknown>(one(record('FrontdoorAccessLog', { ...request, isReceivedFromClient }))).toEqual(
        notARequest,
      )
    expect<unknown>(one(record('FrontDoorWebApplicationFirewallLog', request))).toEqual(notARequest)
  })
  test('App Service writes a plus for a space', () => {
    const properties = {
      CsMethod: 'GET',
      CsUriStem: '/a',
      CIp: client,
      UserAgent: 'GPTBot/1.3+(x;++y)',
      ScStatus: 200,
      CsHost: 'shop.example',
    }
    expect(one(record('AppServiceHTTPLogs', properties))).toMatchObject({
      ts,
      ip: client,
      target: '/a',
      ua: 'GPTBot/1.3 (x; +y)',
      host: 'shop.example',
    })
  })
  test('event hubs send many at once', () => {
    const records = [record('FrontDoorAccessLog', request), record('FrontDoorHealthProbeLog', {}), 7]
    expect(read({ records })).toMatchObject([{ ts }, notARequest, { rejected: expect.anything() }])
    expect(one({ records: [{ ua, path: '/a' }] })).toHaveProperty('rejected')
  })
})

test('ingress-nginx ends its lines in the id of the request', () => {
  const line = `${client} - - [20/Nov/2026:16:42:52 +0000] "GET /a HTTP/1.1" 200 5 "-" "${ua}"`
  const id = 'a2615c43477e50f2d9169e7bad17665b'
  const upstream = '192 0.002 [shop-web-80] [] 127.0.0.1:8081, 127.0.0.1:8082 2, 0 0.002, 0.001 502, 200'
  const hits = read(`${line} ${upstream} ${id}\r\n${line} ${upstream} -\n${line} "x" ${id}`)
  expect(hits.map((hit) => ('id' in hit ? hit.id : undefined))).toEqual([id, undefined, undefined])
  expect(hits.every((hit) => 'ua' in hit && hit.ua === ua && hit.ip === client)).toBe(true)
})
