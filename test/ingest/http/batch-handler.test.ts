import { expect, test } from 'bun:test'
import type { Batch } from '../../../ingest/count/counter'
import { createBatchHandler } from '../../../ingest/http/batch-handler'
import type { Problem } from '../../../ingest/http/problem'
import { JournalRefusal } from '../../../ingest/journal/journal'
import { sha256 } from '../../../ingest/sites/sites'
import { site } from '../support/ingest'

const answer = { accepted: 1, ignored: 0, rejected: 0, duplicate: 0, reasons: [] }
type Counted = { answer: typeof answer; lines: number; hits: [] } | null

/** A handler that knows one token, `tok`, with all that it was told. Its clock stands until a test moves it. */
function handlerOf({ lines = 1 as number | null, fault = null as Error | null, settings = {} } = {}) {
  const clock = { ms: 0 }
  const state = { refusal: null as string | null, lines }
  const batches: Batch[] = []
  const read: unknown[] = []
  const clients: unknown[] = []
  const count = ({ turn: _, spent: __, ...batch }: Batch): Counted => {
    batches.push(batch)
    if (fault) throw fault
    return state.lines === null ? null : { answer, lines: state.lines, hits: [] }
  }
  const deps = {
    settings: {
      INGEST_LINES_PER_SECOND: 2,
      INGEST_LINES_MAX: 5,
      INGEST_CPU_MS_PER_SECOND: 50,
      INGEST_CPU_BURST_MS: 500,
      LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: 1,
      INGEST_BODY_BYTES_MAX: 5_000,
      INGEST_INFLATED_BYTES_MAX: 6_000,
      ...settings,
    },
    sites: { byToken: (token: string) => (token === 'tok' ? site : undefined) },
    counter: { count },
    journal: { refusal: () => state.refusal },
    now: () => new Date(clock.ms),
    signals: { linesRead: (...given: unknown[]) => void read.push(given), bodyRefused: () => {} },
    metrics: { refused: () => {} },
    clientAddress: (...given: unknown[]) => {
      clients.push(given)
      return String(given[0])
    },
  }
  const refuse = (_: Request, { code, detail, retryAfterSeconds }: Problem) =>
    Response.json({ code, detail, retryAfterSeconds }, { status: 400 })
  const handle = createBatchHandler(deps as never, refuse)
  /** The code of a refusal and when to come again, or the status of another answer. */
  async function send({
    path = '/v1/hits',
    headers = {} as Record<string, string>,
    body = '{}' as string | Uint8Array<ArrayBuffer>,
    token = 'tok',
    method = 'POST',
  } = {}) {
    const sent = { authorization: `Bearer ${token}`, ...headers }
    const request = new Request(`http://x${path}`, {
      method,
      headers: sent,
      ...(method === 'POST' && { body }),
    })
    const response = await handle(request, path, () => '203.0.113.9')
    if (response.status !== 400) return response.status
    const { code, retryAfterSeconds } = (await response.json()) as Problem
    return [code, retryAfterSeconds]
  }
  return { send, clock, state, batches, read, clients, handle }
}

test('a batch is counted with its site, its id, its secret and whether arrivals are dated', async () => {
  const { send, batches, read } = handlerOf()
  expect(await send({ body: 'text', headers: { 'idempotency-key': 'k1' } })).toBe(200)
  const id = sha256(`site_1\nid\nk1\n${sha256('text')}`).slice(0, 32)
  const common = { site, text: 'text', bodySecret: 'tok', isRecent: true, linesMax: 5 }
  expect(batches).toEqual([{ ...common, id, datesArrivals: true }])
  expect(await send({ path: '/v1/logs', body: 'text' })).toBe(200)
  expect(batches[1]).toEqual({ ...common, id: null, datesArrivals: false })
  expect(read).toEqual([
    ['site_1', answer],
    ['site_1', answer],
  ])
})

test('a token that nobody has is refused for a minute after so many, and the address of the client is asked for', async () => {
  const { send, clients } = handlerOf()
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  expect(await send({ token: 'other', headers })).toEqual(['unauthenticated', null])
  expect(await send({ token: 'other' })).toEqual(['quota_exceeded', 60])
  expect(await send()).toBe(200)
  expect(clients).toEqual([
    ['203.0.113.9', '198.51.100.1'],
    ['203.0.113.9', null],
  ])
})

test.each([
  ['another method', { method: 'GET' }, ['not_found', null]],
  ['another address', { path: '/v1/other' }, ['not_found', null]],
  ['an id of 256 characters', { headers: { 'idempotency-key': 'x'.repeat(256) } }, 200],
  [
    'an id of 257 characters',
    { headers: { 'idempotency-key': 'x'.repeat(257) } },
    ['malformed_request', null],
  ],
  ['as many bytes as are taken', { body: 'x'.repeat(5_000) }, 200],
  ['one byte too many', { body: 'x'.repeat(5_001) }, ['payload_too_large', null]],
  ['as many inflated bytes as are taken', { gzip: 6_000 }, 200],
  ['one inflated byte too many', { gzip: 6_001 }, ['payload_too_large', null]],
])('%s is answered so', async (_, what: { gzip?: number } & object, wanted) => {
  const { gzip, ...sent } = what
  const zipped = gzip && {
    body: Bun.gzipSync('x'.repeat(gzip)) as Uint8Array<ArrayBuffer>,
    headers: { 'content-encoding': 'gzip' },
  }
  expect<unknown>(await handlerOf().send({ ...sent, ...zipped })).toEqual(wanted)
})

test('while the journal refuses, a batch is refused for five seconds, before it is read', async () => {
  const { send, state, batches } = handlerOf()
  state.refusal = 'the disk is full'
  expect(await send()).toEqual(['unavailable', 5])
  expect(batches).toEqual([])
})

test('a batch that the journal refuses while it is written is refused for five seconds, other errors are thrown', async () => {
  expect(await handlerOf({ fault: new JournalRefusal('it is full') }).send()).toEqual(['unavailable', 5])
  await expect(handlerOf({ fault: new TypeError('a bug') }).send()).rejects.toThrow('a bug')
})

test.each([
  [2, 5, 5],
  [7, 5, 7],
])('%i lines a second of at most %i a batch: %i come at once', async (perSecond, linesMax, burst) => {
  const settings = { INGEST_LINES_PER_SECOND: perSecond, INGEST_LINES_MAX: linesMax }
  const { send, state, clock } = handlerOf({ settings })
  state.lines = burst - 1
  expect(await send()).toBe(200)
  state.lines = 1 + perSecond
  expect(await send()).toBe(200)
  expect(await send()).toEqual(['quota_exceeded', 2])
  clock.ms += 1_000
  expect(await send()).toEqual(['quota_exceeded', 1])
  clock.ms += 1_000
  expect(await send()).toBe(200)
})

test('too many lines are refused, and cost a sender its limit only where any number was allowed', async () => {
  const { send, state, batches } = handlerOf({ lines: null })
  expect(await send()).toEqual(['payload_too_large', null])
  state.lines = 1
  expect(await send()).toBe(200)
  expect(batches[1]?.linesMax).toBe(5)
  state.lines = null
  expect(await send({ path: '/v1/logs/cloudflare' })).toEqual(['payload_too_large', null])
  expect(batches[2]?.linesMax).toBe(1_700_000)
  // Two lines a second, and five minus one lines were left.
  expect(await send()).toEqual(['quota_exceeded', (1_700_000 - 4 + 1 + 1) / 2])
  const { send: sendMore, batches: more } = handlerOf({ settings: { INGEST_LINES_MAX: 2_000_000 } })
  expect(await sendMore({ path: '/v1/logs/cloudflare' })).toBe(200)
  expect(more[0]?.linesMax).toBe(2_000_000)
})

test('three large bodies are read at once, of one sender two, and each gives its place back', async () => {
  const settings = { INGEST_BODY_BYTES_MAX: 2 ** 23, INGEST_LINES_PER_SECOND: 1e9 }
  const { send } = handlerOf({ settings })
  // The length that a request declares is reserved before it is read.
  const length = { 'content-length': `${2 ** 22 + 1}` }
  for (let n = 0; n < 4; n++) expect(await send({ body: '', headers: length })).toBe(200)
  const streams = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  const waiting = streams.map(({ promise }) => {
    const body = new ReadableStream({
      async pull(controller) {
        await promise
        controller.close()
      },
    })
    return send({ body: body as never, headers: length })
  })
  expect(await waiting[2]).toEqual(['unavailable', 1])
  for (const { resolve } of streams) resolve()
  expect(await Promise.all(waiting.slice(0, 2))).toEqual([200, 200])
})

test('a body without a valid token is not read', async () => {
  const { send } = handlerOf({ settings: { LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: 9 } })
  let pulled = 0
  const body = new ReadableStream(
    {
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(1_000))
      },
    },
    { highWaterMark: 0 },
  )
  expect(await send({ body: body as never, token: 'another' })).toEqual(['unauthenticated', null])
  expect(pulled).toBe(0)
})

test('a refused body pays, and an empty budget is answered before the body is read', async () => {
  const settings = { INGEST_CPU_MS_PER_SECOND: 1, INGEST_CPU_BURST_MS: 1 }
  const { send, clock, state } = handlerOf({ settings })
  state.lines = null
  // Each of them is charged 0.25 ms at least. A bucket with less than 1 ms refuses.
  expect(await send()).toEqual(['payload_too_large', null])
  const [code, seconds] = (await send({ body: 'x'.repeat(6_000) })) as [string, number]
  expect([code, seconds]).toEqual(['quota_exceeded', 1])
  clock.ms += 1_000
  state.lines = 1
  expect(await send()).toBe(200)
})
