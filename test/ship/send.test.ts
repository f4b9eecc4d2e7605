import { expect, test } from 'bun:test'
import { type Destination, send } from '../../ship/send'

const done = { accepted: 1, ignored: 2, rejected: 0, duplicate: 0 }
const batch = { key: 'id:0-4', body: Buffer.from('one\n'), begin() {}, accepted() {} }

/** Sends a batch to something that answers in this order, and returns what it was asked. */
async function sendTo(answers: readonly (() => Response)[], given: Partial<Destination> = {}) {
  const waits: number[] = []
  const warnings: string[] = []
  const requests: Request[] = []
  let asked = 0
  const outcome = await send(batch, {
    url: 'https://ingest.test/',
    token: 'secret',
    compress: false,
    signal: new AbortController().signal,
    warn: (message) => warnings.push(message),
    wait: async (ms) => void waits.push(ms),
    fetch: (async (url: string, init: RequestInit) => {
      requests.push(new Request(url, init))
      const answer = answers[Math.min(asked++, answers.length - 1)]
      if (!answer) throw new Error('no answer')
      return answer()
    }) as unknown as typeof fetch,
    ...given,
  })
  return { outcome, waits, warnings, requests }
}

test('a batch is sent with its key and its token until the ingest has it', async () => {
  const busy = () => Response.json({ detail: 'Too many.' }, { status: 503, headers: { 'retry-after': '7' } })
  const lost = () => {
    throw new TypeError('connection reset')
  }
  const { outcome, waits, warnings, requests } = await sendTo([busy, lost, lost, () => Response.json(done)])
  expect(outcome).toEqual(done)
  expect(waits).toEqual([7_000, 2_000, 4_000])
  expect(warnings).toEqual(['https://ingest.test/ answered 503: Too many. Trying again.'])
  for (const request of requests) {
    expect([request.url, request.headers.get('idempotency-key')]).toEqual([
      'https://ingest.test/v1/logs',
      'id:0-4',
    ])
    expect(request.headers.get('authorization')).toBe('Bearer secret')
    expect(await request.text()).toBe('one\n')
  }
})

test.each([
  ['a page of a proxy', () => new Response('<html>Welcome</html>')],
  ['JSON of something else', () => Response.json({ ok: true })],
  ['counts that are none', () => Response.json({ ...done, accepted: -1 })],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: '/login' } })],
  ['no content', () => new Response(null, { status: 204 })],
  ['a refusal', () => Response.json({ detail: 'The token is unknown.' }, { status: 401 })],
])('%s is not taken for an acceptance', async (_, answer) => {
  const { outcome, waits, warnings } = await sendTo([answer, answer, () => Response.json(done)])
  expect([outcome, waits]).toEqual([done, [1_000, 2_000]])
  expect(warnings).toHaveLength(1)
})

test('waits grow to a minute', async () => {
  const fail = () => new Response('', { status: 500 })
  const { waits } = await sendTo([...Array.from({ length: 9 }, () => fail), () => Response.json(done)])
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000))
})

test('a compressed body says so', async () => {
  const { requests } = await sendTo([() => Response.json(done)], { compress: true })
  expect(requests[0]?.headers.get('content-encoding')).toBe('zstd')
  const body = await requests[0]?.arrayBuffer()
  expect(Buffer.from(Bun.zstdDecompressSync(new Uint8Array(body ?? new ArrayBuffer(0)))).toString()).toBe(
    'one\n',
  )
})

test('a signal ends it without an outcome', async () => {
  const stopping = new AbortController()
  const { outcome } = await sendTo([() => new Response('', { status: 500 })], {
    signal: stopping.signal,
    wait: async () => stopping.abort(),
  })
  expect(outcome).toBeNull()
})
