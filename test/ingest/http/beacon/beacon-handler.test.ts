import { expect, jest, test } from 'bun:test'
import { createBeaconHandler } from '../../../../ingest/http/beacon/beacon-handler'
import { JournalRefusal } from '../../../../ingest/journal/journal'
import { releaseAgents } from '../../../../ingest/judge/agent-index'
import { browser, site } from '../../support/ingest'
import { silentLog } from '../../support/journal'

const visit = ',https://chatgpt.com/,/b'
const anyOrigin = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

/** A handler of one site, with all that it was told. Its clock stands until a test moves it. */
function handlerOf({
  perSecond = 2,
  isActive = true,
  refusal = null as string | null,
  fault = null as Error | null,
} = {}) {
  const clock = { ms: 0 }
  const found: string[] = []
  const asked: string[] = []
  const hits: object[] = []
  const byKey = (key: string) => {
    asked.push(key)
    return key === 'key1' ? { ...site, is_active: isActive } : undefined
  }
  const deps = {
    journal: {
      append: async (batch: { hits: object[] }) => {
        if (fault) throw fault
        hits.push(...batch.hits)
      },
      refusal: () => refusal,
    },
    dayOf: () => '2026-11-20',
    paths: { admit: (_: string, __: string, path: string) => path },
    agents: { current: releaseAgents },
    metrics: { visit() {} },
    now: () => new Date(clock.ms),
    log: silentLog,
    sites: { byKey },
    settings: { INGEST_BEACONS_PER_SECOND: perSecond },
    signals: { scriptFound: (id: string) => void found.push(id) },
  }
  const refuse = (_: Request, { code, retryAfterSeconds }: never, more: Record<string, string>) =>
    Response.json({ code, retryAfterSeconds }, { status: 400, headers: more })
  const handle = createBeaconHandler(deps as never, refuse as never)
  const send = async (
    method: string,
    name: string,
    body?: string | Uint8Array<ArrayBuffer> | ReadableStream,
    headers = {},
  ) => {
    const sent = { origin: 'https://example.com', 'user-agent': browser, ...headers }
    const request = new Request(`http://localhost/s/${name}`, {
      method,
      headers: sent,
      ...(body ? { body } : {}),
    })
    const response = await handle(request, name)
    const text = await response.text()
    const { status, headers: got } = response
    return { status, counted: got.get('x-counted'), headers: Object.fromEntries(got), text }
  }
  /** The code of a refusal and when to come again; the status of another answer. */
  const answer = async (...given: Parameters<typeof send>) => {
    const { status, text, headers } = await send(...given)
    expect(headers).toMatchObject(anyOrigin)
    return status === 400 ? Object.values(JSON.parse(text)) : status
  }
  return { clock, found, asked, hits, send, answer }
}

test('a visit is answered with 204, and whether it counts', async () => {
  const { send, hits } = handlerOf()
  expect(await send('POST', 'key1', visit)).toMatchObject({ status: 204, counted: '1', headers: anyOrigin })
  expect(hits).toHaveLength(1)
  expect(await send('POST', 'key1', 'nothing')).toMatchObject({
    status: 204,
    counted: '0',
    headers: anyOrigin,
  })
  expect(hits).toHaveLength(1)
})

test('a site is found by its key, also in the name of its script', async () => {
  const { answer, asked } = handlerOf()
  expect(await answer('POST', 'key2', visit)).toEqual(['not_found', null])
  expect(await answer('GET', 'key1.js')).toBe(200)
  expect(asked).toEqual(['key2', 'key1'])
  expect(await handlerOf({ isActive: false }).answer('POST', 'key1', visit)).toEqual(['not_found', null])
})

test.each([
  ['GET', 'key1.js', 200],
  ['HEAD', 'key1.js', 200],
  ['OPTIONS', 'key1', 204],
  ['OPTIONS', 'key1.js', 204],
  ['POST', 'key1.js', ['not_found', null]],
  ['GET', 'key1', ['not_found', null]],
  ['HEAD', 'key1', ['not_found', null]],
  ['PUT', 'key1', ['not_found', null]],
])('%s /s/%s is answered with %p', async (method, name, expected) => {
  const { answer, send } = handlerOf()
  if (method === 'HEAD' && Array.isArray(expected)) expect((await send(method, name)).status).toBe(400)
  else expect<unknown>(await answer(method, name)).toEqual(expected)
})

test('a preflight allows posts of a content type, for a day', async () => {
  expect((await handlerOf().send('OPTIONS', 'key1')).headers).toEqual({
    ...anyOrigin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '86400',
  })
})

test('a script that a page of the site loads is a sign of life', async () => {
  const { send, found } = handlerOf()
  await send('GET', 'key1.js')
  await send('GET', 'key1.js', undefined, { referer: 'https://other.org/' })
  await send('POST', 'key1', visit, { referer: 'https://example.com/' })
  expect(found).toEqual([])
  await send('GET', 'key1.js', undefined, { referer: 'https://www.example.com/a' })
  expect(found).toEqual(['site_1'])
})

test('a site has ten seconds of visits at once, then those of each second', async () => {
  const { answer, clock } = handlerOf({ perSecond: 2 })
  for (let n = 0; n < 20; n++) expect(await answer('POST', 'key1', 'x')).toBe(204)
  expect(await answer('POST', 'key1', 'x')).toEqual(['quota_exceeded', 1])
  clock.ms += 499
  expect(await answer('POST', 'key1', 'x')).toEqual(['quota_exceeded', 1])
  clock.ms += 1
  expect(await answer('POST', 'key1', 'x')).toBe(204)
  expect(await answer('POST', 'key1', 'x')).toEqual(['quota_exceeded', 1])
})

test('a body of 8 KiB is read, a larger one is not', async () => {
  const { answer } = handlerOf()
  const text = (bytes: number) => 'x'.repeat(bytes)
  expect(await answer('POST', 'key1', text(8_192))).toBe(204)
  expect(await answer('POST', 'key1', text(8_193))).toEqual(['payload_too_large', null])
  const zipped = (bytes: number) => Bun.gzipSync(text(bytes)) as Uint8Array<ArrayBuffer>
  const gzip = { 'content-encoding': 'gzip' }
  expect(await answer('POST', 'key1', zipped(8_192), gzip)).toBe(204)
  expect(await answer('POST', 'key1', zipped(8_193), gzip)).toEqual(['payload_too_large', null])
})

test('while the journal refuses, a visit is refused for five seconds', async () => {
  const { answer } = handlerOf({ refusal: 'the disk is full' })
  expect(await answer('POST', 'key1', visit)).toEqual(['unavailable', 5])
})

test('a visit that the journal refuses while it is written is refused for five seconds, and other errors are not hidden', async () => {
  const refused = handlerOf({ fault: new JournalRefusal('the disk is full') })
  expect(await refused.answer('POST', 'key1', visit)).toEqual(['unavailable', 5])
  const broken = handlerOf({ fault: new TypeError('a bug') })
  await expect(broken.send('POST', 'key1', visit)).rejects.toThrow('a bug')
})

test('a body has ten seconds to arrive, which is looked at every second', async () => {
  jest.useFakeTimers()
  try {
    const { answer, clock } = handlerOf()
    const endless = new ReadableStream({ pull: () => new Promise(() => {}) })
    let told: unknown
    void answer('POST', 'key1', endless).then((said) => {
      told = said
    })
    const at = async (ms: number) => {
      clock.ms = ms
      jest.advanceTimersByTime(1_000)
      for (let turns = 0; turns < 50; turns++) await Promise.resolve()
      return told
    }
    await at(0)
    expect(await at(10_000)).toBeUndefined()
    expect(await at(10_001)).toEqual(['unavailable', 1])
  } finally {
    jest.useRealTimers()
  }
})

test('a body gives its room back', async () => {
  const { send } = handlerOf({ perSecond: 1e6 })
  const body = 'x'.repeat(8_192)
  // All bodies share 64 MiB: 8,192 of them at once.
  for (let n = 0; n < 8_193; n++) {
    const { status } = await send('POST', 'key1', body, { 'content-length': '8192' })
    if (status !== 204) throw new Error(`body ${n} was answered with ${status}`)
  }
})
