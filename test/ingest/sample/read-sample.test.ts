import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type AgentRegistry, type LogMapping, type LogSampleResult, logSampleMax } from 'renown/contracts'
import { readLogSample } from '../../../ingest/sample/read-sample'
import { browser, gptBot, insideAddress, record, site, startedAt, withIngest } from '../support/ingest'

const at = new Date(startedAt)
const iso = at.toISOString()
const ask = (lines: readonly unknown[], mapping: LogMapping | null = null) =>
  readLogSample(
    {
      text: lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'),
      domain: site.domain,
      count_search_engines: false,
      mapping,
    },
    at,
  )
const readable = {
  time: iso,
  address: 'read',
  method: 'GET',
  path: '/a',
  agent: 'GPTBot',
  has_user_agent: true,
}

/** Logs that people write, and the fields that a careful reader would choose. */
const logs: [string, object, Record<string, string>][] = [
  [
    'nested, with headers',
    {
      when: iso,
      req: {
        verb: 'GET',
        page: '/a?x=1',
        headers: { 'User-Agent': gptBot, Host: 'example.com', Referer: 'https://x.test/' },
      },
      client: { addr: insideAddress },
      resp: { code: 200, bytes: 512, took_ms: 12 },
    },
    {
      path: 'req.page',
      user_agent: 'req.headers.User-Agent',
      time: 'when',
      address: 'client.addr',
      method: 'req.verb',
      status: 'resp.code',
      referrer: 'req.headers.Referer',
      host: 'req.headers.Host',
    },
  ],
  [
    'with one letter for each field, and a request line',
    { t: startedAt, c: insideAddress, l: 'GET /a HTTP/1.1', a: gptBot, s: 200 },
    { path: 'l', user_agent: 'a', time: 't', address: 'c' },
  ],
  [
    'of a framework, with the server’s address too',
    {
      '@timestamp': iso,
      message: 'handled',
      fields: { http: { ua: gptBot, uri: 'https://example.com/a', status: '200', method: 'GET' } },
      ip: insideAddress,
      server_ip: '10.0.0.1',
      duration: 1795175940,
    },
    {
      path: 'fields.http.uri',
      user_agent: 'fields.http.ua',
      time: '@timestamp',
      address: 'ip',
      status: 'fields.http.status',
      method: 'fields.http.method',
    },
  ],
  [
    'of a firewall, with a list of headers',
    {
      timestamp: startedAt,
      webRequest: {
        clientIp: insideAddress,
        uri: '/a',
        httpMethod: 'GET',
        requestId: 'abcdef-123456',
        headers: [
          { name: 'Host', value: 'example.com' },
          { name: 'User-Agent', value: gptBot },
        ],
      },
    },
    {
      path: 'webRequest.uri',
      user_agent: 'webRequest.headers.User-Agent',
      time: 'timestamp',
      address: 'webRequest.clientIp',
      method: 'webRequest.httpMethod',
      host: 'webRequest.headers.Host',
      id: 'webRequest.requestId',
    },
  ],
  [
    'with dots in its names',
    { 'http.url': '/a', 'http.agent': gptBot, 'event.time': iso, 'net.client': insideAddress },
    { path: 'http\\.url', user_agent: 'http\\.agent', time: 'event\\.time', address: 'net\\.client' },
  ],
]

describe('a mapping that is proposed', () => {
  test.each(logs)('for a log %s', async (_, one, wanted) => {
    const { mapping, lines, known_lines } = await ask([one])
    expect<unknown>(mapping).toEqual(wanted)
    expect(known_lines).toBe(0)
    expect(lines).toEqual([
      { line: 1, outcome: 'counted', reason: null, request: expect.objectContaining(readable) },
    ])
  })

  test('looks inside envelopes', async () => {
    const inner = JSON.stringify({ dt: iso, browser: gptBot, url_path: '/a' })
    for (const line of [
      { log: `${inner}\n`, stream: 'stdout', time: iso },
      { event: inner, time: startedAt / 1000 },
      `2026-11-20T12:00:00.5Z stdout F ${inner}`,
    ])
      expect((await ask([line])).mapping).toEqual({ path: 'url_path', user_agent: 'browser', time: 'dt' })
  })

  test('is none where nothing is a request, and known formats need none', async () => {
    expect(await ask([{ a: 1 }, 'no json', ''])).toMatchObject({ mapping: null, known_lines: 0 })
    expect((await ask([record(), record()])).known_lines).toBe(2)
    expect(await ask([])).toEqual({ text: '', mapping: null, lines: [], fields: [], known_lines: 0 })
  })

  test('lists the fields to choose from', async () => {
    const { fields } = await ask([
      { a: { b: 'x' }, l: ['y'] },
      { a: { c: 3 }, n: null, '203.0.113.9': 'z' },
    ])
    expect(fields).toEqual(['a.b', 'l', 'a.c'])
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, 'x']))
    expect((await ask([wide])).fields).toHaveLength(200)
  })
})

describe('a sample', () => {
  test('may be an array, one object over several lines, or lines', async () => {
    const one = { ...record(), path: '/a' }
    for (const text of [JSON.stringify([one]), JSON.stringify(one, null, 2), `\n${JSON.stringify(one)}\n\n`])
      expect((await ask([text])).lines).toHaveLength(1)
  })

  test('has at most ten lines and its characters, and no depth stops it', async () => {
    const many = await ask(Array.from({ length: 12 }, () => record()))
    expect(many.lines).toHaveLength(logSampleMax.lines)
    const deep = `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`
    expect((await ask([deep])).fields).toEqual([])
    expect((await ask([`[${deep}]`])).lines[0]?.outcome).toBe('rejected')
    expect((await ask(['x'.repeat(200_000)])).lines).toHaveLength(1)
  })

  test('knows the agents of a newer registry', async () => {
    const ua = 'FutureAgent/9.0'
    const agent = { name: 'FutureAgent', operator: 'Future', category: 'training', class: 'ai' } as const
    const agents = {
      agents: [{ ...agent, aliases: [], client: false, lists: [] }],
    } as unknown as AgentRegistry
    const sample = {
      text: JSON.stringify({ ...record(), ua }),
      domain: site.domain,
      count_search_engines: false,
      mapping: null,
    }
    const outcomeOf = async (more: object) => (await readLogSample({ ...sample, ...more }, at)).lines[0]
    expect(await outcomeOf({})).toMatchObject({ outcome: 'ignored', request: { agent: null } })
    expect(await outcomeOf({ agents })).toMatchObject({
      outcome: 'counted',
      request: { agent: 'FutureAgent' },
    })
  })

  test('never shows an address', async () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6()).filter((ip) => ip.length > 6)
    const field = fc.constantFrom('client', 'host', 'referer', 'id', 'x', 'ts')
    await fc.assert(
      fc.asyncProperty(address, fc.array(field, { maxLength: 4 }), async (ip, others) => {
        const more = Object.fromEntries(others.map((name) => [name, ip]))
        const referer = { referer: `http://${ip.includes(':') ? `[${ip}]` : ip}/x` }
        const result = await ask([
          { ...record({ ip }), ...more, [ip]: ip },
          { ...record({ ip }), ...referer },
        ])
        expect(JSON.stringify(result)).not.toContain(JSON.stringify(ip).slice(1, -1))
      }),
      { numRuns: 100 },
    )
  })

  test('becomes what the ingest counts', () =>
    withIngest(
      async ({ send }) => {
        const value = <T>(...of: T[]) => fc.constantFrom(...of)
        const drawn = fc.record({
          ts: value(iso, '2026-11-01T00:00:00Z', '2026-11-20T12:30:00Z', 'x', ''),
          ip: value(insideAddress, 'x', '', undefined),
          method: value('GET', 'HEAD', 'POST'),
          path: value('/a', 'https://example.com/a', 'https://other.test/a', ''),
          host: value('www.example.com', 'other.test', undefined),
          ua: value(gptBot, browser, 'Googlebot/2.1', ''),
        })
        let drawings = 0
        await fc.assert(
          fc.asyncProperty(drawn, async (record) => {
            // The same bytes again would be a duplicate.
            const one = { ...record, drawing: ++drawings }
            const { lines } = await ask([one], { path: 'path', user_agent: 'ua', ...facts })
            const [line] = lines
            const { body } = await send('/v1/logs', JSON.stringify(one))
            const counts = { counted: 'accepted', ignored: 'ignored', rejected: 'rejected' } as const
            expect(body[counts[line?.outcome ?? 'counted']]).toBe(1)
            const [reason] = (body.by_reason ?? []) as { reason: string }[]
            expect(line?.reason ?? null).toBe(reason?.reason ?? null)
          }),
          { numRuns: 150 },
        )
      },
      { sites: { sites: [{ ...site, log_mapping: { path: 'path', user_agent: 'ua', ...facts } }] } },
    ))
})
const facts = { time: 'ts', address: 'ip', method: 'method', host: 'host' }

describe('the mapping of a site', () => {
  const own = { at: iso, who: gptBot, what: '/own' }
  const mapping: LogMapping = { path: 'what', user_agent: 'who', time: 'at' }
  const counts = ({ body }: { body: Record<string, unknown> }) => [body.accepted, body.rejected]

  test('is used by a running ingest as soon as it is told, and no longer when it is removed', () =>
    withIngest(async ({ ingest, send }) => {
      expect(counts(await send('/v1/logs', JSON.stringify(own)))).toEqual([0, 1])
      await ingest.setSites({ sites: [{ ...site, log_mapping: mapping }] })
      expect(counts(await send('/v1/logs', JSON.stringify(own)))).toEqual([1, 0])
      // Another order of the same fields, wrapped, and once more the same bytes.
      const wrapped = JSON.stringify({ message: JSON.stringify({ ...own, what: '/two' }) })
      expect(counts(await send('/v1/logs', wrapped))).toEqual([1, 0])
      expect((await send('/v1/logs', wrapped)).body).toMatchObject({ accepted: 0, duplicate: 1 })
      const imported = await ingest.importBatch(
        'site_1',
        'b1',
        Buffer.from(JSON.stringify({ ...own, what: '/three' })),
      )
      expect(imported.accepted).toBe(1)
      await ingest.setSites({ sites: [{ ...site, log_mapping: null }] })
      expect(counts(await send('/v1/logs', JSON.stringify({ ...own, what: '/four' })))).toEqual([0, 1])
    }))
})

const shown = (result: LogSampleResult) => JSON.stringify(result)
test('the same sample has the same result', async () => {
  for (const [, one] of logs) expect(shown(await ask([one, one]))).toBe(shown(await ask([one, one])))
})
