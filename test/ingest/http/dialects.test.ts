import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import zlib from 'node:zlib'
import { sha256 } from '../../../ingest/sites/sites'
import {
  gptBot,
  insideAddress,
  record,
  site,
  startedAt,
  type TestIngest,
  token,
  withIngest,
} from '../support/ingest'
import { readJournal } from '../support/journal'

const line = `${insideAddress} - - [20/Nov/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "${gptBot}"`
const none = { authorization: '' }

/** Posts over a socket, as senders do: with the length of the body, and headers as they arrive. */
async function overSocket({ ingest }: TestIngest, work: (post: Post) => Promise<void>) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => ingest.fetch(request, () => null),
  })
  try {
    await work((path, body, headers) =>
      fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', headers, body, decompress: false }),
    )
  } finally {
    await server.stop(true)
  }
}
type Post = (path: string, body: string | Buffer, headers: Record<string, string>) => Promise<Response>

/** Without the limit of processor time, which bodies without a line pay. */
const unlimited = { env: { INGEST_CPU_MS_PER_SECOND: '0' } }

describe('a forwarder token', () => {
  test('is taken from wherever a sender can put one', () =>
    withIngest(async ({ send }) => {
      const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` })
      const ways: [string, Record<string, string>][] = [
        ['/v1/logs', basic(`anybody:${token}`)],
        ['/v1/logs', basic(`${token}:`)],
        ['/v1/logs', basic(token)],
        ['/v1/logs', { authorization: `bearer ${token}` }],
        [`/v1/logs?token=${encodeURIComponent(token)}`, none],
        [`/v1/logs/vercel?verify=x&token=${token}`, none],
        ['/v1/logs', { ...none, 'x-amz-firehose-access-key': token }],
      ]
      for (const [path, headers] of ways) expect((await send(path, line, headers)).status).toBe(200)
      for (const authorization of [`X Basic ${btoa(`x:${token}`)}`, `Basic ${btoa('x:')}`, 'Basic %%%'])
        expect((await send('/v1/logs', line, { authorization })).status).toBe(401)
      for (const path of [
        '/v1/logs?token=',
        '/v1/logs?token=wrong',
        '/v1/logs#token=',
        `/v1/logs?x=${token}`,
      ])
        expect((await send(path, line, none)).status).toBe(401)
    }))

  test('in an address stands in no line of the log', async () => {
    const lines: unknown[] = []
    const note = (...words: unknown[]) => void lines.push(words)
    const log = { debug: note, info: note, warn: note, error: note }
    await withIngest(
      async ({ send }) => {
        for (const path of ['/v1/logs', '/v1/nothing', '/v1/logs/vercel', '/visits'])
          await send(`${path}?token=${token}`, line, none)
        await send(`/v1/logs?token=${token}`, line, { ...none, 'content-encoding': 'gzip' })
      },
      { log },
    )
    expect(JSON.stringify(lines)).not.toContain(token)
  })

  test('in an address is not repeated in a refusal', () =>
    withIngest(async ({ send }) => {
      const { status, body, headers } = await send(`/v1/nothing?token=${token}`, line, none)
      expect(status).toBe(404)
      expect(JSON.stringify([body, [...headers]])).not.toContain(token)
    }))
})

describe('a batch', () => {
  const second = { ...site, site_id: 'site_2', site_key: 'key2', forwarder_token_hash: sha256('rnw_fwd_two') }

  test('is another for another site, whether known by its id or by its body', () =>
    withIngest(
      async ({ send }) => {
        const ways: Record<string, string>[] = [{}, { 'idempotency-key': 'batch-1' }]
        for (const headers of ways) {
          const body = `${line}\n${line.replace('/a', `/${Object.keys(headers).length}`)}`
          const theirs = { ...headers, authorization: 'Bearer rnw_fwd_two' }
          expect((await send('/v1/logs', body, headers)).body).toMatchObject({ accepted: 2 })
          expect((await send('/v1/logs', body, theirs)).body).toMatchObject({ accepted: 2 })
          expect((await send('/v1/logs', body, theirs)).body).toMatchObject({ duplicate: 2 })
        }
      },
      { sites: { sites: [site, second] } },
    ))

  test('with a key that another batch had is counted, and the same batch again is not', () =>
    withIngest(async ({ send }) => {
      const headers = { 'idempotency-key': 'constant' }
      for (const path of ['/a', '/b', '/c']) {
        const sent = () => send('/v1/logs', line.replace('/a', path), headers)
        expect((await sent()).body).toMatchObject({ accepted: 1, duplicate: 0 })
        expect((await sent()).body).toMatchObject({ accepted: 0, duplicate: 1 })
      }
    }))

  test('may have an id of 256 characters', () =>
    withIngest(async ({ send }) => {
      const named = (length: number) => send('/v1/logs', line, { 'idempotency-key': 'x'.repeat(length) })
      expect((await named(256)).status).toBe(200)
      expect((await named(257)).body).toMatchObject({ status: 400, code: 'malformed_request' })
    }))

  test('is answered without a body where the sender wants none, unless something was rejected', () =>
    withIngest(async ({ send }) => {
      const minimal = { prefer: 'return=minimal' }
      const terse = await send('/v1/hits', JSON.stringify(record()), minimal)
      expect([terse.status, terse.body]).toEqual([204, {}])
      const wordy = await send('/v1/hits', `${JSON.stringify(record({ path: '/b' }))}\nno record`, minimal)
      expect(wordy.body).toMatchObject({ accepted: 1, rejected: 1, reasons: [{ line: 2 }] })
      expect(wordy.status).toBe(200)
    }))

  test('that is large gives its place back', () =>
    withIngest(async ({ send }) => {
      const large = ' '.repeat(5 * 2 ** 20)
      for (let n = 0; n < 4; n++) expect((await send('/v1/logs', large)).status).toBe(200)
    }, unlimited))

  test('is posted, not fetched', () =>
    withIngest(async ({ ingest }) => {
      const headers = { authorization: `Bearer ${token}` }
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const refused = await ingest.fetch(
          new Request('http://localhost/v1/logs', { method, headers }),
          () => null,
        )
        expect(refused.status).toBe(404)
      }
    }))
})

describe('Amazon Data Firehose', () => {
  const headers = {
    ...none,
    'x-amz-firehose-protocol-version': '1.0',
    'x-amz-firehose-request-id': 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f',
    'x-amz-firehose-access-key': token,
    'content-type': 'application/json',
  }
  const bodyOf = (...texts: string[]) =>
    JSON.stringify({
      requestId: headers['x-amz-firehose-request-id'],
      timestamp: startedAt,
      records: texts.map((text) => ({ data: Buffer.from(text).toString('base64') })),
    })
  const told = { requestId: headers['x-amz-firehose-request-id'], timestamp: startedAt }

  test('is answered in its own words, over a socket', () =>
    withIngest((tested) =>
      overSocket(tested, async (post) => {
        const gzip = { ...headers, 'content-encoding': 'gzip' }
        const answer = await post('/v1/logs/firehose', zlib.gzipSync(bodyOf(line)), gzip)
        const text = await answer.text()
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
        expect(answer.headers.get('content-length')).toBe(String(text.length))
        expect(answer.headers.get('content-encoding')).toBeNull()
        expect(JSON.parse(text)).toEqual(told)
      }),
    ))

  test('is known by its request id where logs go, and nowhere else', () =>
    withIngest(async ({ send }) => {
      expect((await send('/v1/logs', bodyOf(line), headers)).body).toEqual(told)
      expect((await send('/v1/hits', bodyOf(line), headers)).body).toMatchObject({ accepted: 1 })
      expect((await send('/v1/nothing', bodyOf(line), headers)).status).toBe(404)
    }))

  test.each([
    ['text', 'no json'],
    ['nothing', ''],
    ['a line of a log', line],
    ['a delivery that is cut', bodyOf(line).slice(0, -1)],
    ['a delivery cut in a record', bodyOf(line).slice(0, 120)],
    ['a delivery with something behind it', `${bodyOf(line)} x`],
    ['an array', `[${bodyOf(line)}]`],
    ['records without an id', '{"records":[]}'],
    ['an id without records', '{"requestId":"x"}'],
    ['records that are no array', '{"requestId":"x","records":{}}'],
  ])('is refused %s, keeps it, and is counted when it sends a whole one under the same id', (_, broken) =>
    withIngest(async ({ send, ingest, directory }) => {
      for (const path of ['/v1/logs', '/v1/logs/firehose']) {
        const refused = await send(path, broken, headers)
        expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/json'])
        expect(refused.body).toEqual({ ...told, errorMessage: expect.stringContaining('`records`') })
      }
      expect((await send('/v1/logs', bodyOf(line), headers)).body).toEqual(told)
      await ingest.flush()
      expect((await readJournal(directory)).hits).toHaveLength(1)
    }),
  )

  test('is told when to come again', () =>
    withIngest(
      async ({ ingest, send }) => {
        await send('/v1/logs', bodyOf(line), headers)
        await ingest.flush()
        const refused = await send('/v1/logs', bodyOf(line), {
          ...headers,
          'x-amz-firehose-request-id': 'id-2',
        })
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
        expect(refused.body).toMatchObject({ requestId: 'id-2', errorMessage: expect.any(String) })
      },
      { env: { JOURNAL_BYTES_MAX: '10' } },
    ))

  test('counts a request once, by its id, whatever else is the same', () =>
    withIngest(async ({ send, ingest, directory }) => {
      expect((await send('/v1/logs', bodyOf(line, line), headers)).body).toEqual(told)
      expect((await send('/v1/logs', bodyOf(line, line), headers)).body).toEqual(told)
      await ingest.flush()
      expect((await readJournal(directory)).hits).toHaveLength(2)
    }))

  test('is refused in its own words', () =>
    withIngest(async ({ send }) => {
      const refused = await send('/v1/logs', bodyOf(line), { ...headers, 'x-amz-firehose-access-key': 'no' })
      expect(refused.status).toBe(401)
      expect(refused.headers.get('content-type')).toBe('application/json')
      expect(refused.body).toEqual({ ...told, errorMessage: expect.stringContaining('token') })
    }))

  test('may send what nobody else may, since 413 loses its records for good', () =>
    withIngest(
      async ({ send }) => {
        const many = `${line}\n`.repeat(30)
        expect((await send('/v1/logs', bodyOf(many), headers)).status).toBe(200)
        const gzip = { ...headers, 'x-amz-firehose-request-id': 'id-2', 'content-encoding': 'gzip' }
        expect((await send('/v1/logs', zlib.gzipSync(bodyOf(many)), gzip)).status).toBe(200)
        expect((await send('/v1/logs', many)).status).toBe(413)
      },
      { env: { INGEST_BODY_BYTES_MAX: '2000', INGEST_INFLATED_BYTES_MAX: '2000', INGEST_LINES_MAX: '10' } },
    ))

  test('reads CloudFront’s standard and real-time records', () =>
    withIngest(async ({ send, ingest, directory }) => {
      const ua = encodeURIComponent(gptBot)
      const standard = `2026-11-20\t12:00:00\tFRA50\t1045\t${insideAddress}\tGET\td1.cloudfront.net\t/standard\t200\t-\t${ua}\t-\t-\tHit\tedge-1\texample.com\thttps\t23\t0.001\t-\tTLSv1.3\tTLS_AES\tHit\tHTTP/2.0\t-\t-\t41000\t0.001\tHit\ttext/html\t78\t-\t-\n`
      const realTime = `${startedAt / 1000}.123\t${insideAddress}\t200\tGET\t/realtime\tedge-2\texample.com\t${ua}\t-\n`
      expect((await send('/v1/logs/firehose', bodyOf(standard, realTime), headers)).body).toEqual(told)
      await ingest.flush()
      const { hits } = await readJournal(directory)
      expect(hits.map(({ path, verdict }) => [path, verdict])).toEqual([
        ['/standard', 'verified'],
        ['/realtime', 'verified'],
      ])
    }))
})

describe('Vercel', () => {
  const body = JSON.stringify([
    {
      id: '1',
      timestamp: startedAt,
      source: 'static',
      deploymentId: 'd',
      requestId: 'r-1',
      proxy: { timestamp: startedAt, method: 'GET', host: 'example.com', path: '/a', userAgent: [gptBot] },
    },
  ])
  const signed = (text: string | Buffer, key = token) => ({
    'x-vercel-signature': createHmac('sha1', key).update(text).digest('hex'),
  })
  const url = `/v1/logs/vercel?token=${token}`

  test('may sign with the token, over the body as it came or before compression', () =>
    withIngest(async ({ send }) => {
      const gzip = zlib.gzipSync(body)
      const compressed = { ...none, 'content-encoding': 'gzip' }
      expect((await send(url, body, { ...none, ...signed(body) })).body).toMatchObject({ accepted: 1 })
      expect((await send(url, gzip, { ...compressed, ...signed(gzip) })).status).toBe(200)
      expect((await send(url, gzip, { ...compressed, ...signed(body) })).status).toBe(200)
      expect((await send(url, body, none)).status).toBe(200)
    }))

  test('is understood over a socket, where a small body is otherwise read as text at once', () =>
    withIngest((tested) =>
      overSocket(tested, async (post) => {
        const trial = zlib.gzipSync(body)
        expect((await post(url, body, signed(body))).status).toBe(200)
        expect((await post(url, trial, { ...signed(trial), 'content-encoding': 'gzip' })).status).toBe(200)
        expect((await post(url, body, signed(`${body}x`))).status).toBe(401)
      }),
    ))

  test('is refused with a signature that does not fit', () =>
    withIngest(async ({ send }) => {
      for (const bad of [
        signed(`${body} `),
        signed(body, 'another'),
        { 'x-vercel-signature': '' },
        { 'x-vercel-signature': 'zz' },
      ]) {
        const refused = await send(url, body, { ...none, ...bad })
        expect([refused.status, refused.body.detail]).toEqual([401, expect.stringContaining('signature')])
      }
      expect((await send(url, body, { ...none, ...signed(body) })).body).toMatchObject({ accepted: 1 })
    }))

  test('finds its code in every answer, and nothing that is no code', () =>
    withIngest(async ({ ingest, send }) => {
      const get = async (path: string, headers = {}) =>
        (await ingest.fetch(new Request(`http://localhost${path}`, { headers }), () => null)).headers.get(
          'x-vercel-verify',
        )
      expect(await get('/v1/logs/vercel?verify=6ebf4087434daf81')).toBe('6ebf4087434daf81')
      expect(await get('/v1/logs/vercel', { 'x-vercel-verify': 'abc' })).toBe('abc')
      for (const odd of ['a%0d%0aset-cookie:x', '%3Cb%3E', 'a%20b', 'x'.repeat(257)])
        expect(await get(`/v1/logs/vercel?verify=${odd}`)).toBeNull()
      expect(await get('/v1/logs/vercel')).toBeNull()
      expect((await send(`${url}&verify=abc`, body, none)).headers.get('x-vercel-verify')).toBe('abc')
    }))

  test('counts the entries of one request once', () =>
    withIngest(async ({ send }) => {
      const [entry] = JSON.parse(body)
      const twice = JSON.stringify([entry, { ...entry, id: '2', source: 'lambda' }])
      expect((await send(url, twice, none)).body).toMatchObject({ accepted: 1, duplicate: 1 })
      expect((await send(url, body, none)).body).toMatchObject({ accepted: 0, duplicate: 1 })
    }))
})

describe('Cloudflare Logpush', () => {
  test('may try its destination out with a file, said to be compressed or not', () =>
    withIngest(async ({ send }) => {
      const trial = zlib.gzipSync('{"content":"tests"}')
      const ways: Record<string, string>[] = [
        { 'content-encoding': 'gzip' },
        { 'content-type': 'application/gzip' },
        {},
      ]
      for (const headers of ways) {
        const { status, body } = await send('/v1/logs/cloudflare', trial, headers)
        expect([status, body.accepted, body.rejected]).toEqual([200, 0, 0])
      }
      const zstd = zlib.zstdCompressSync(line)
      expect((await send('/v1/logs/cloudflare', zstd)).body).toMatchObject({ accepted: 1, rejected: 0 })
    }))

  test('may do so over a socket', () =>
    withIngest((tested) =>
      overSocket(tested, async (post) => {
        const headers = { authorization: `Bearer ${token}` }
        const answer = await post('/v1/logs/cloudflare', zlib.gzipSync('{"content":"tests"}'), headers)
        expect([answer.status, await answer.json()]).toMatchObject([200, { ignored: 1, rejected: 0 }])
      }),
    ))

  test('is bounded by bytes, not by lines', () =>
    withIngest(
      async ({ send }) => {
        const rays = Array.from({ length: 30 }, (_, n) => JSON.stringify(record({ id: `ray${n}` }))).join(
          '\n',
        )
        expect((await send('/v1/logs/cloudflare', rays)).body).toMatchObject({ accepted: 30 })
        expect((await send('/v1/logs', rays)).status).toBe(413)
      },
      { env: { INGEST_LINES_MAX: '10' } },
    ))
})

test('Fastly finds the challenge at the root of the host, and nobody else a token there', () =>
  withIngest(async ({ ingest }) => {
    const ask = (method: string) =>
      ingest.fetch(
        new Request('http://localhost/.well-known/fastly/logging/challenge', { method }),
        () => '127.0.0.1',
      )
    const answer = await ask('GET')
    expect([answer.status, await answer.text()]).toEqual([200, '*\n'])
    expect((await ask('HEAD')).status).toBe(200)
    expect((await ask('POST')).status).toBe(404)
  }))

test('Fluent Bit is told which format it is to send', () =>
  withIngest(async ({ send }) => {
    const packed = new Uint8Array([0x92, 0xce, 0x65, 0, 0, 0, 0x80])
    const { status, body } = await send('/v1/logs', packed, { 'content-type': 'application/msgpack' })
    expect([status, body.detail]).toEqual([415, expect.stringContaining('format json_lines')])
  }))

test('the clients of Known Agents can be pointed here', () =>
  withIngest(async ({ send }) => {
    const visit = {
      request_path: '/a',
      request_method: 'GET',
      response_status_code: 200,
      request_headers: { 'user-agent': gptBot, host: 'example.com', 'x-forwarded-for': insideAddress },
    }
    for (const body of [visit, [visit, visit]])
      expect((await send('/visits', JSON.stringify(body))).body).toMatchObject({ rejected: 0, ignored: 0 })
    expect((await send('/visits', JSON.stringify(visit), none)).status).toBe(401)
  }))
