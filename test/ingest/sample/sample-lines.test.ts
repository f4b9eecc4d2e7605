import { describe, expect, test } from 'bun:test'
import { dayMs, type LogMapping, logSampleMax } from 'renown/contracts'
import { readLogSample } from '../../../ingest/sample/read-sample'
import { browser, gptBot, insideAddress, record, startedAt } from '../support/ingest'

const mapping: LogMapping = {
  time: 'ts',
  address: 'ip',
  method: 'method',
  path: 'path',
  host: 'host',
  status: 'status',
  user_agent: 'ua',
  referrer: 'from',
  id: 'id',
}
interface Site {
  readonly domain?: string
  readonly count_search_engines?: boolean
  readonly mapping?: LogMapping | null
}
const read = (text: string, site: Site = {}) =>
  readLogSample(
    { text, domain: 'example.com', count_search_engines: false, mapping, ...site },
    new Date(startedAt),
  )
const lineOf = async (more: Record<string, unknown>, site?: Site) => {
  const { lines } = await read(JSON.stringify(record(more)), site)
  expect(lines).toHaveLength(1)
  return lines[0]
}
const requestOf = async (more: Record<string, unknown>) => (await lineOf(more))?.request
const second = (ms: number) => new Date(startedAt + ms).toISOString()

describe('what would become of a line', () => {
  const none = 'no known AI agent'
  const otherMethod = 'the method is not GET or HEAD'
  const otherHost = "the host is not of the site's domain"
  const otherHosts = 'the URL and the host of the line name different hosts'
  const past = 'The time is more than 7 days ago'
  const ahead = 'The time is more than 10 minutes ahead'
  test.each([
    [{}, 'counted', null],
    [{ method: 'HEAD' }, 'counted', null],
    [{ method: 'POST' }, 'ignored', otherMethod],
    [{ ua: browser }, 'ignored', none],
    [{ ua: '' }, 'ignored', none],
    [{ ua: 'Googlebot/2.1' }, 'ignored', 'a search engine, which this site does not count'],
    [{ host: 'www.example.com' }, 'counted', null],
    [{ host: 'other.test' }, 'ignored', otherHost],
    [{ path: 'https://other.test/a', host: 'example.com' }, 'ignored', otherHost],
    [{ path: 'https://example.com/a', host: 'other.test' }, 'counted', otherHosts],
    [{ ip: undefined }, 'counted', 'the line has no client address'],
    [{ ip: 'x' }, 'counted', 'the client address cannot be read'],
    [{ ts: second(600_000) }, 'counted', null],
    [{ ts: second(600_001) }, 'rejected', ahead],
    [{ ts: second(-7 * dayMs) }, 'counted', null],
    [{ ts: second(-7 * dayMs - 1) }, 'rejected', past],
    [{ ts: '' }, 'rejected', expect.stringContaining('The line has no time')],
  ])('%j', async (more, outcome, reason) => {
    expect(await lineOf(more)).toMatchObject({ line: 1, outcome, reason })
  })

  test('is decided by the time first, then by method, agent and host', async () => {
    const all = { ts: second(-8 * dayMs), method: 'POST', ua: browser, host: 'other.test' }
    expect(await lineOf(all)).toMatchObject({ reason: past })
    expect(await lineOf({ ...all, ts: second(0) })).toMatchObject({ reason: otherMethod })
    expect(await lineOf({ ua: browser, host: 'other.test' })).toMatchObject({ reason: none })
  })

  test('of a site that counts search engines', async () => {
    const line = await lineOf({ ua: 'Googlebot/2.1' }, { count_search_engines: true })
    expect(line).toMatchObject({ outcome: 'counted', reason: null })
  })

  test('that is no request has no request', async () => {
    for (const text of ['{"a":1}', 'no json'])
      expect((await read(text)).lines).toEqual([
        { line: 1, outcome: 'rejected', reason: expect.any(String), request: null },
      ])
    const { lines } = await read('#Fields: date time\n#Version: 1.0', { mapping: null })
    expect(lines.map(({ outcome, request }) => [outcome, request])).toEqual(
      lines.map(() => [expect.stringMatching(/ignored|rejected/), null]),
    )
  })
})

describe('the request of a line', () => {
  test('has all its facts', async () => {
    const from = 'https://From.test/b?c'
    const whole = { host: 'example.com', from, id: 'abc', path: '/a/../b?c#d', status: '404' }
    expect(await requestOf(whole)).toEqual({
      time: second(0),
      address: 'read',
      method: 'GET',
      path: '/b',
      host: 'example.com',
      status: 404,
      agent: 'GPTBot',
      has_user_agent: true,
      referrer: 'from.test',
      has_id: true,
    })
  })

  test('says which facts it lacks', async () => {
    const bare = { ip: undefined, status: undefined, ua: '', ts: '' }
    expect(await requestOf(bare)).toEqual({
      time: null,
      address: 'none',
      method: 'GET',
      path: '/pricing',
      host: null,
      status: null,
      agent: null,
      has_user_agent: false,
      referrer: null,
      has_id: false,
    })
    expect(await requestOf({ ip: 'x' })).toMatchObject({ address: 'unreadable' })
    expect(await requestOf({ from: '/on/the/site' })).toMatchObject({ referrer: null })
    expect(await requestOf({ path: 'https://other.test/a', host: 'example.com' })).toMatchObject({
      host: 'other.test',
    })
  })

  test('has texts of at most 200 characters, and a method of 20', async () => {
    const long = 'a'.repeat(300)
    const request = await requestOf({
      path: `/${long}`,
      host: long,
      from: `https://${long}/`,
      method: long,
    })
    expect(request).toMatchObject({
      path: `/${long}`.slice(0, 200),
      host: long.slice(0, 200),
      referrer: long.slice(0, 200),
      method: 'A'.repeat(20),
    })
  })

  test('shows no address in a path, a host or a referrer', async () => {
    expect(
      await requestOf({
        path: `/to/${insideAddress}`,
        host: insideAddress,
        from: `http://${insideAddress}/`,
      }),
    ).toMatchObject({ path: '/to/192.0.2.1', host: '192.0.2.1', referrer: '192.0.2.1' })
  })

  test('has no time after the year 9999, which a text has in another form', async () => {
    const seconds: LogMapping = { ...mapping, time_format: 'seconds' }
    const timeOf = async (ts: number) => (await lineOf({ ts }, { mapping: seconds }))?.request?.time
    expect(await timeOf(startedAt / 1_000)).toBe(second(0))
    expect(await timeOf(253_402_300_799)).toBe('9999-12-31T23:59:59.000Z')
    expect(await timeOf(253_402_300_800)).toBeNull()
  })
})

test('each line has its number, and known are the lines that need no mapping', async () => {
  const own = { at: second(0), who: gptBot, what: '/own' }
  const text = [own, record(), { ...record(), ts: undefined }].map((one) => JSON.stringify(one)).join('\n')
  const { lines, known_lines, fields, mapping: used } = await read(text)
  expect(lines.map(({ line, outcome }) => [line, outcome])).toEqual([
    [1, 'rejected'],
    [2, 'counted'],
    [3, 'rejected'],
  ])
  expect([known_lines, fields.slice(0, 4), used]).toEqual([1, ['at', 'who', 'what', 'ts'], mapping])
})

test('the last record inside a line has the fields to choose from', async () => {
  const envelope = JSON.stringify({
    log: JSON.stringify({ a: 1, b: 'x' }),
    stream: 'stdout',
    time: second(0),
  })
  expect((await read(envelope)).fields).toEqual(['a', 'b'])
})

test('characters after the most of a sample are not read', async () => {
  const first = `${JSON.stringify(record({ ip: undefined }))}\n`
  const rest = logSampleMax.characters - first.length
  expect((await read(`${first}${'x'.repeat(rest)}`)).text).toHaveLength(logSampleMax.characters)
  expect((await read(`${first}${'x'.repeat(rest - 1)}\ny`)).lines).toHaveLength(2)
})
