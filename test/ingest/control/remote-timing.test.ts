import { afterEach, beforeEach, expect, jest, spyOn, test } from 'bun:test'
import { createRemoteIngest, type RemoteIngestDeps } from '../../../ingest/control/remote'
import type { Flushed, FlusherOptions, Trouble } from '../../../ingest/flush/flusher'

let fetched: ReturnType<typeof spyOn<typeof globalThis, 'fetch'>>
beforeEach(() => {
  jest.useFakeTimers()
  fetched = spyOn(globalThis, 'fetch')
})
afterEach(() => {
  jest.useRealTimers()
  fetched.mockRestore()
})

const settle = async () => {
  for (let turns = 0; turns < 60; turns++) await Promise.resolve()
}
const later = async (ms: number) => {
  jest.advanceTimersByTime(ms)
  await settle()
}
const never = new Promise<never>(() => {})
const sites = { sites: [{ site_id: 's1' }] } as never

/** A remote ingest whose process answers as `answer` says, and all that it was asked and told. */
function remote(more: Partial<RemoteIngestDeps> = {}) {
  const world = { instance: 'one', isAway: false, isUp: true, trouble: null as Trouble | null }
  const calls: string[] = []
  const news: Record<string, unknown>[] = []
  const logged: string[] = []
  const flusher = { stopped: 0, drained: 0, options: undefined as FlusherOptions | undefined }
  fetched.mockImplementation((async (url: string, init: { method: string; body?: string }) => {
    const path = url.slice('http://ingest'.length)
    calls.push(`${init.method} ${path}`)
    if (world.isAway || (path === '/up' && !world.isUp))
      throw Object.assign(new Error('away'), { code: 'ENOENT' })
    if (path === '/news') news.push(JSON.parse(init.body ?? ''))
    return { ok: true, json: async () => ({ instance: world.instance, path, body: init.body }) }
  }) as never)
  const made = createRemoteIngest({
    directory: '/d',
    columns: { path: '/d' },
    sites,
    socket: '/s',
    now: () => new Date(0),
    stopping: new AbortController().signal,
    ended: Promise.resolve(),
    log: {
      debug() {},
      error() {},
      info: (text) => void logged.push(`info ${text}`),
      warn: (text, fields) => void logged.push(`warn ${text} ${Object.keys(fields ?? {})}`),
    },
    flusher(options) {
      flusher.options = options
      return {
        look() {},
        trouble: () => world.trouble,
        drain: async () => void flusher.drained++,
        stop: async () => void flusher.stopped++,
      }
    },
    ...more,
  })
  return { world, calls, news, logged, flusher, made }
}

test('the sites are told once, and then a report comes every second', async () => {
  const { made, calls, news, world, flusher } = remote({ claim: async () => [] })
  const ingest = await made
  expect(flusher.options).toMatchObject({ directory: '/d', target: { path: '/d' } })
  const { now, log, claim } = flusher.options as FlusherOptions
  expect([now(), typeof log.info, await claim?.('s', [])]).toEqual([new Date(0), 'function', []])
  expect(calls).toEqual(['POST /news', 'GET /up'])
  expect<unknown>(news).toEqual([{ sites, flushed: [], fault: null }])
  await later(999)
  expect(news).toHaveLength(1)
  world.trouble = { of: 'clickhouse', reason: 'no room', since: new Date(0) }
  const segment: Flushed = { segment: 's', hits: 1, elsewhere: 0, ms: 1 }
  flusher.options?.onFlushed?.(segment)
  await later(1)
  expect(news[1]).toEqual({ flushed: [segment], fault: { of: 'clickhouse', reason: 'no room' } })
  await later(2_000)
  expect(news).toHaveLength(4)
  expect(news[3]).toEqual({ flushed: [], fault: { of: 'clickhouse', reason: 'no room' } })
  world.instance = 'two'
  await later(1_000)
  expect(news.slice(4).map((each) => 'sites' in each)).toEqual([false, true])
  await later(1_000)
  expect(news.slice(6).map((each) => 'sites' in each)).toEqual([false])
  await ingest.setSites(sites)
  expect(news).toHaveLength(7)
  await ingest.setSites({ sites: [] })
  expect(news[7]).toMatchObject({ sites: { sites: [] } })
})

test('that the other process is away is logged once, and that it is back', async () => {
  const { made, world, logged, news, flusher } = remote()
  await made
  world.isAway = true
  const segment: Flushed = { segment: 's', hits: 1, elsewhere: 0, ms: 1 }
  flusher.options?.onFlushed?.(segment)
  for (let n = 0; n < 100; n++) await later(50)
  expect(logged).toEqual(['warn The ingest does not answer reason'])
  world.isAway = false
  for (let n = 0; n < 30; n++) await later(50)
  expect(logged).toEqual(['warn The ingest does not answer reason', 'info The ingest answers again'])
  // What was flushed in between is told once.
  expect(news.slice(1).filter(({ flushed }) => (flushed as Flushed[]).length > 0)).toEqual([
    { flushed: [segment], fault: null },
  ])
})

test.each([
  ['answers nothing', { isAway: true }],
  ['accepts no hits', { isUp: false }],
])('a process that %s for a minute ends the start, and the flusher', async (_, how) => {
  const { made, flusher, world } = remote()
  Object.assign(world, how)
  let ended: unknown
  void made.catch((error) => {
    ended = error.code
  })
  await settle()
  for (let n = 0; n < 60_000 / 25; n++) await later(25)
  expect([ended, flusher.stopped]).toEqual([undefined, 0])
  await later(25)
  expect([ended, flusher.stopped]).toEqual(['unavailable', 1])
})

test.each([
  ['POST /import?site=s%201&batch=b%2F2', 'importBatch', ['s 1', 'b/2', 'line']],
  ['GET /signals?site=s%201', 'signals', ['s 1']],
  ['GET /registry', 'registry', []],
  ['GET /new-agents?after=7', 'newAgents', [7]],
  ['GET /state', 'state', []],
  ['GET /health', 'health', []],
] as const)('%s is what the other process is asked for %s', async (call, method, given) => {
  const { made, calls } = remote()
  const ingest = await made
  const ask = ingest[method] as (...given: readonly unknown[]) => Promise<unknown>
  const [verb = '', path = ''] = call.split(' ')
  expect(await ask(...given)).toMatchObject({ path, ...(verb === 'POST' ? { body: 'line' } : {}) })
  expect(calls.at(-1)).toBe(call)
})

test('the lists of addresses are asked for there, and a flush closes the segment before it drains', async () => {
  const { made, calls, flusher } = remote()
  const ingest = await made
  await ingest.ranges.status()
  await ingest.ranges.refresh()
  await ingest.flush()
  expect(calls.slice(2)).toEqual(['GET /ranges', 'POST /ranges/refresh', 'POST /rotate'])
  expect(flusher.drained).toBe(1)
})

test('a stop waits 2 s for the end, 2.5 s for the drain and 1.5 s for the flusher, and no longer', async () => {
  const steps: string[] = []
  const noted = (step: string) => {
    steps.push(step)
    return never
  }
  const { made, calls } = remote({
    ended: never,
    flusher: () => ({
      look() {},
      trouble: () => null,
      drain: () => noted('drain'),
      stop: () => noted('stop'),
    }),
  })
  const ingest = await made
  void ingest.stop().then(() => steps.push('done'))
  await settle()
  const before = calls.length
  const seen: unknown[] = []
  for (const ms of [1_999, 1, 2_499, 1, 1_499, 1]) {
    await later(ms)
    seen.push(steps.join(' '))
  }
  expect(seen).toEqual(['', 'drain', 'drain', 'drain stop', 'drain stop', 'drain stop done'])
  // No report is sent any more.
  expect(calls.length).toBe(before)
})

test.each([
  ['a start that fails ends after the flusher', true],
  ['a flush ends after the drain', false],
])('%s', async (_, isAway) => {
  const gate = Promise.withResolvers<void>()
  const wait = () => gate.promise
  const { made, world } = remote({
    stopping: AbortSignal.abort(),
    flusher: () => ({ look() {}, trouble: () => null, drain: wait, stop: wait }),
  })
  world.isAway = isAway
  const steps: string[] = []
  void made
    .then((ingest) => ingest.flush())
    .then(
      () => steps.push('flushed'),
      () => steps.push('failed'),
    )
  await settle()
  expect(steps).toEqual([])
  gate.resolve()
  await settle()
  expect(steps).toEqual([isAway ? 'failed' : 'flushed'])
})

test('a stop goes on at once where all have ended, also where the drain fails', async () => {
  const steps: string[] = []
  const { made } = remote({
    flusher: () => ({
      look() {},
      trouble: () => null,
      drain: () => Promise.reject(new Error('It has stopped')),
      stop: async () => void steps.push('stop'),
    }),
  })
  await (await made).stop()
  expect(steps).toEqual(['stop'])
})
