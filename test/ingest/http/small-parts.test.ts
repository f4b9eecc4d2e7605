import { describe, expect, test } from 'bun:test'
import { claimsAtGateway } from '../../../ingest/count/claims'
import { queryOf, tokenOf } from '../../../ingest/http/credentials'
import { createFailures } from '../../../ingest/http/failures'
import { createBodyMemory, createBuckets } from '../../../ingest/http/limits'
import { problem, problemResponse } from '../../../ingest/http/problem'
import { createSignals } from '../../../ingest/sites/signals'
import { isOfSite, isOriginOfSite } from '../../../ingest/sites/site-host'

describe('a token', () => {
  const of = (headers: Record<string, string>, url = 'http://x/v1/hits') =>
    tokenOf(new Request(url, { headers }))
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

  test('is a bearer token, else a password, else a user name, else a header, else a part of the address', () => {
    expect(of({ authorization: 'Bearer abc' })).toBe('abc')
    expect(of({ authorization: 'bEARER abc' })).toBe('abc')
    expect(of(basic('user:pass:word'))).toBe('pass:word')
    expect(of(basic('user:'))).toBe('user')
    expect(of(basic('user'))).toBe('user')
    expect(of(basic(':pass'))).toBe('pass')
    expect(of({ 'x-amz-firehose-access-key': 'key' })).toBe('key')
    expect(of({}, 'http://x/v1/hits?a=1&token=tok')).toBe('tok')
    expect(of({ 'x-amz-firehose-access-key': '' }, 'http://x/?token=tok')).toBe('tok')
    expect(of({ 'x-amz-firehose-access-key': 'key' }, 'http://x/?token=tok')).toBe('key')
    expect(of({ authorization: 'Bearer a b' })).toBeNull()
    expect(of({ authorization: 'Basic ' })).toBeNull()
    expect(of({ authorization: 'Basic !' })).toBeNull()
    for (const authorization of ['xBearer abc', 'Bearer abc d', 'xBasic dTpw', 'Basic dTpw x', 'Basic dTpw!'])
      expect([authorization, of({ authorization })]).toEqual([authorization, null])
    expect(of({ authorization: 'bASIC dTpw' })).toBe('p')
    expect(of({}, 'http://x/?token=a&x=?#token=b')).toBe('a')
    expect(of({})).toBeNull()
    expect([...queryOf('http://x/?a=1')]).toEqual([['a', '1']])
    expect([...queryOf('http://x/')]).toEqual([])
  })
})

describe('failed tokens', () => {
  test('are counted by address in the running minute, and only what is beyond it is refused', () => {
    let at = 60_000
    const failures = createFailures(2, () => new Date(at))
    const one = () => failures.isOver('203.0.113.1')
    expect([one(), one(), one()]).toEqual([false, false, true])
    expect([failures.isOver('203.0.113.2'), failures.isOver(null)]).toEqual([false, false])
    at = 119_999
    expect(one()).toBe(true)
    at = 120_000
    expect([one(), one(), one()]).toEqual([false, false, true])
  })

  test('are forgotten within the minute where more than 10,000 addresses have failed', () => {
    const isOverAfter = (others: number) => {
      const failures = createFailures(1, () => new Date(0))
      failures.isOver('203.0.113.1')
      for (let n = 0; n < others; n++) failures.isOver(`address ${n}`)
      return failures.isOver('203.0.113.1')
    }
    expect([isOverAfter(9_999), isOverAfter(10_000)]).toEqual([true, false])
  })
})

describe('buckets', () => {
  test('fill up to their burst, go into debt, and wait a second at least', () => {
    let at = 0
    const buckets = createBuckets(2, 10, () => new Date(at))
    expect(buckets.wait('a')).toBe(0)
    buckets.charge('a', 9)
    expect(buckets.wait('a')).toBe(0)
    buckets.charge('a', 1)
    expect(buckets.wait('a')).toBe(1)
    buckets.charge('a', 9)
    expect(buckets.wait('a')).toBe(5)
    at = 5_000
    expect(buckets.wait('a')).toBe(0)
    at = 1_000_000
    buckets.wait('a')
    buckets.charge('a', 10)
    expect(buckets.wait('a')).toBe(1)
    buckets.charge('new', 11)
    expect(buckets.wait('new')).toBe(1)
    buckets.charge('new', 2)
    expect(buckets.wait('new')).toBe(2)
  })
})

describe('places for bodies', () => {
  const places = () => createBodyMemory({ largeBytes: 100, largeBodiesMax: 2, sharedBytesMax: 200 })

  test('share their bytes, of which one sender holds three quarters at most', () => {
    const open = places()
    const a = open('a')
    const b = open('a')
    const c = open('b')
    expect([a.grow(100), b.grow(50), b.grow(51)]).toEqual([true, true, false])
    expect([c.grow(50), c.grow(51), open().grow(1)]).toEqual([true, false, false])
    expect([a.grow(60), a.grow(100)]).toEqual([true, true])
    a.release()
    expect([b.grow(100), open('a').grow(50), open('a').grow(1), c.grow(51)]).toEqual([
      true,
      true,
      false,
      false,
    ])
    b.release()
    expect(c.grow(100)).toBe(true)
    expect(open('c').grow(50)).toBe(true)
  })

  test('keep what a body has reserved, also where less is asked for', () => {
    const open = places()
    const a = open('a')
    const b = open('a')
    expect([a.grow(100), a.grow(10), b.grow(51), b.grow(50)]).toEqual([true, true, false, true])
  })

  test('hold three large bodies at once, of one sender two', () => {
    const open = createBodyMemory({ largeBytes: 100, largeBodiesMax: 3, sharedBytesMax: 200 })
    const one = (sender: string) => open(sender).grow(101)
    expect([one('a'), one('a'), one('a'), one('b'), one('c')]).toEqual([true, true, false, true, false])
  })

  test('hold two large bodies at once, of one sender one less', () => {
    const open = places()
    const a = open('a')
    const b = open('a')
    const c = open('b')
    const d = open('c')
    expect([a.grow(101), a.grow(10_000), b.grow(101), c.grow(101), d.grow(101)]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ])
    expect(d.grow(100)).toBe(true)
    a.release()
    a.release()
    expect([d.grow(101), b.grow(101)]).toEqual([true, false])
    c.release()
    expect(b.grow(101)).toBe(true)
    expect(open('x').grow(101)).toBe(false)
    expect([open('x').grow(100), open('y').grow(100), open('z').grow(1)]).toEqual([true, true, false])
  })

  test('belong to nobody where the sender is not known', () => {
    const open = places()
    expect([open().grow(100), open().grow(100), open().grow(1)]).toEqual([true, true, false])
    expect([open().grow(101), open().grow(101), open().grow(101)]).toEqual([true, true, false])
  })
})

describe('a refusal', () => {
  const place = { docs: 'https://d/docs', instance: '/v1/hits', requestId: '' }

  test('is a problem that nobody keeps, with a challenge where a token is missing', async () => {
    const answer = problemResponse(
      problem('unauthenticated', 'No token.'),
      { ...place, requestId: 'req-1234' },
      { 'x-a': 'b' },
    )
    expect(answer.status).toBe(401)
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-request-id': 'req-1234',
      'x-a': 'b',
      'www-authenticate': 'Bearer realm="renown"',
    })
    expect(await answer.json()).toEqual({
      type: 'https://d/docs#unauthenticated',
      title: expect.any(String),
      status: 401,
      detail: 'No token.',
      instance: '/v1/hits',
      code: 'unauthenticated',
      request_id: 'req-1234',
    })
  })

  test('says when to come again, under the registered type where a quota is used up', async () => {
    const answer = problemResponse(problem('quota_exceeded', 'Wait.', 7), place)
    expect([
      answer.status,
      answer.headers.get('retry-after'),
      answer.headers.get('www-authenticate'),
    ]).toEqual([429, '7', null])
    expect(((await answer.json()) as { type: string }).type).toBe(
      'https://iana.org/assignments/http-problem-types#quota-exceeded',
    )
    expect(problemResponse(problem('unavailable', 'x', 0), place).headers.get('retry-after')).toBe('0')
    expect(problemResponse(problem('not_found', 'x'), place).headers.get('retry-after')).toBeNull()
  })

  test('carries a plain request id of the sender, else one of ours', () => {
    const idOf = (requestId: string) =>
      problemResponse(problem('not_found', 'x'), { ...place, requestId }).headers.get('x-request-id')
    for (const id of ['a'.repeat(8), 'a'.repeat(64), 'aZ0_-aZ0']) expect(idOf(id)).toBe(id)
    for (const id of ['', 'a'.repeat(7), 'a'.repeat(65), 'aaaa aaaa', 'rnw_key_aaaa', 'aaaaaaaa.'])
      expect(idOf(id)).toMatch(/^req_[0-9a-f]{32}$/)
  })
})

test('claims are asked of the gateway with the secret, and an answer in another form is a fault', async () => {
  const asked: [string, RequestInit][] = []
  const claim = (answer: Response) =>
    claimsAtGateway({
      url: 'http://gateway',
      secret: 'sec',
      fetch: async (url, init) => {
        asked.push([url, init])
        return answer
      },
    })('seg', ['a', 'b'])
  expect(await claim(Response.json({ taken: ['a'] }))).toEqual(['a'])
  expect(asked[0]).toEqual([
    'http://gateway/internal/claims',
    {
      method: 'POST',
      headers: { authorization: 'Bearer sec', 'content-type': 'application/json' },
      body: '{"segment":"seg","ids":["a","b"]}',
      signal: expect.any(AbortSignal),
    },
  ])
  expect(await claim(new Response('{}', { status: 503 })).catch((error) => error.code)).toBe('status 503')
  for (const body of ['{}', '{"taken":[1]}', '[]', 'x'])
    expect(await claim(new Response(body)).catch((error) => error instanceof Error)).toBe(true)
})

test('a host of a log is of the site where it is its domain, below it, or says nothing', () => {
  for (const host of [
    'example.com',
    'www.example.com',
    'EXAMPLE.com:8080',
    'example.com.',
    '10.0.0.1',
    '[::1]:80',
    'web-1',
    'a.local',
    'b.localhost',
    'c.internal',
    'd.lan',
    'example.com:',
  ])
    expect([host, isOfSite(host, 'example.com')]).toEqual([host, true])
  for (const host of [
    'example.org',
    'notexample.com',
    'example.com.evil.org',
    'local.org',
    'a.locale',
    '10.0.0.x.org',
  ])
    expect([host, isOfSite(host, 'example.com')]).toEqual([host, false])
  expect(isOfSite('anything.org', 'localhost')).toBe(true)
  for (const [origin, domain, is] of [
    ['https://example.com', 'example.com', true],
    ['http://www.example.com:8080', 'example.com', true],
    ['https://example.org', 'example.com', false],
    ['https://10.0.0.1', 'example.com', false],
    ['null', 'example.com', false],
    ['', 'localhost', false],
    ['about:blank', 'localhost', false],
    ['https://anything.org', 'localhost', true],
  ] as const)
    expect([origin, domain, isOriginOfSite(origin, domain)]).toEqual([origin, domain, is])
})

test('signs of life are kept by site: the script, the last ten test visits, and all lines by reason', () => {
  let at = 0
  const signals = createSignals(() => new Date(at++ * 1_000))
  const lines = { accepted: 0, ignored: 0, rejected: 0, duplicate: 0, by_reason: [] }
  expect(signals.of('s')).toEqual({ script_found_at: null, test_visits: [], lines })
  signals.scriptFound('s')
  for (let n = 0; n < 12; n++) signals.testVisit('s', `n${n}`, `/${n}`)
  const { script_found_at, test_visits } = signals.of('s')
  expect(script_found_at).toBe('1970-01-01T00:00:00.000Z')
  expect(test_visits.map(({ nonce }) => nonce)).toEqual([
    'n11',
    'n10',
    'n9',
    'n8',
    'n7',
    'n6',
    'n5',
    'n4',
    'n3',
    'n2',
  ])
  expect(test_visits[0]).toEqual({ nonce: 'n11', path: '/11', at: '1970-01-01T00:00:12.000Z' })
  const reason = (outcome: 'ignored' | 'rejected', text: string, count: number) => ({
    outcome,
    reason: text,
    lines: count,
  })
  const batch = (
    accepted: number,
    ignored: number,
    rejected: number,
    by_reason?: ReturnType<typeof reason>[],
  ) => ({ accepted, ignored, rejected, duplicate: 0, reasons: [], ...(by_reason ? { by_reason } : {}) })
  signals.linesRead('s', batch(1, 2, 3, [reason('ignored', 'x', 2), reason('rejected', 'x', 3)]))
  signals.linesRead('s', batch(10, 4, 0, [reason('ignored', 'x', 4)]))
  signals.linesRead('s', { ...batch(1, 0, 0), duplicate: 4 })
  expect(signals.of('s').lines).toEqual({
    accepted: 12,
    ignored: 6,
    rejected: 3,
    duplicate: 4,
    by_reason: [reason('ignored', 'x', 6), reason('rejected', 'x', 3)],
  })
  expect(signals.of('other').lines).toEqual(lines)
})
