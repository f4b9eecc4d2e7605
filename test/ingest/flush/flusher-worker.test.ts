import { afterEach, beforeEach, describe, expect, jest, spyOn, test } from 'bun:test'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFlusher, type FlusherOptions } from '../../../ingest/flush/flusher'
import { waitFor } from '../../support/wait-for'
import { inTemporaryFolder } from '../support/journal'

/** A thread that does nothing by itself. */
class IdleWorker {
  static made: IdleWorker[] = []
  readonly posted: object[] = []
  onmessage: ((event: { data: object }) => void) | undefined
  onerror: ((event: { message: string }) => void) | undefined
  close = () => {}
  unrefs = 0
  readonly url: string
  constructor(url: string) {
    this.url = url
    IdleWorker.made.push(this)
  }
  postMessage = (message: object) => void this.posted.push(message)
  addEventListener = (event: string, close: () => void) => {
    if (event === 'close') this.close = close
  }
  unref = () => void this.unrefs++
  say = (data: object) => this.onmessage?.({ data })
}

const { Worker: RealWorker } = globalThis
beforeEach(() => {
  IdleWorker.made = []
  globalThis.Worker = IdleWorker as never
})
afterEach(() => {
  jest.useRealTimers()
  globalThis.Worker = RealWorker
})

const settle = async () => {
  for (let turns = 0; turns < 40; turns++) await Promise.resolve()
}
const start = Date.parse('2026-11-20T12:00:00.000Z')

function flusherOf(more: Partial<FlusherOptions> = {}) {
  const clock = { now: start }
  const logged: unknown[] = []
  const noted =
    (level: string) =>
    (...said: unknown[]) =>
      void logged.push([level, ...said])
  const flusher = createFlusher({
    directory: '/none',
    target: { url: 'http://c' },
    now: () => new Date(clock.now),
    ...more,
    log: { debug: noted('debug'), info: noted('info'), warn: noted('warn'), error: noted('error') },
  })
  const last = () => IdleWorker.made.at(-1) as IdleWorker
  return { flusher, logged, clock, last }
}
const begun = { do: 'start', directory: '/none', target: { url: 'http://c' }, pollMs: 200, claims: false }

test('its thread is started with what it needs, and is told to look and to drain', async () => {
  const { flusher, last } = flusherOf()
  expect(last().url).toEndWith('/ingest/flush/flusher-worker.ts')
  flusher.look()
  const drains = [flusher.drain(), flusher.drain()]
  expect(last().posted).toEqual([begun, { do: 'look' }, { do: 'drain', id: 1 }, { do: 'drain', id: 2 }])
  const done: number[] = []
  for (const [n, drain] of drains.entries()) void drain.then(() => done.push(n))
  last().say({ say: 'drained', id: 2 })
  await settle()
  expect(done).toEqual([1])
  last().say({ say: 'drained', id: 1 })
  last().say({ say: 'drained', id: 1 })
  await settle()
  expect(done).toEqual([1, 0])
})

test('finished segments are swept every ten minutes, which keeps no process alive', () => {
  const unref = jest.fn()
  const repeating = spyOn(globalThis, 'setInterval').mockImplementation((() => ({ unref })) as never)
  try {
    flusherOf()
    expect(repeating.mock.calls.map(([, ms]) => ms)).toEqual([600_000])
    expect(unref).toHaveBeenCalledTimes(1)
  } finally {
    repeating.mockRestore()
  }
})

test('what the thread says is logged, passed on, and known as trouble since its first report', () => {
  const flushed: object[] = []
  const { flusher, last, logged, clock } = flusherOf({ onFlushed: (each) => void flushed.push(each) })
  last().say({ say: 'log', level: 'warn', message: 'Slow', fields: { n: 1 } })
  last().say({ say: 'log', level: 'info', message: 'Fine', fields: {} })
  last().onerror?.({ message: 'It broke' })
  expect(logged).toEqual([
    ['warn', 'Slow', { n: 1 }],
    ['info', 'Fine', {}],
    ['error', expect.any(String), { reason: 'It broke' }],
  ])
  const news = { say: 'flushed', hits: 1, elsewhere: 0, segment: 's', ms: 2 }
  last().say(news)
  expect(flushed).toEqual([news])
  expect(flusher.trouble()).toBeNull()
  last().say({ say: 'trouble', trouble: { of: 'clickhouse', reason: 'a' } })
  clock.now += 1_000
  last().say({ say: 'trouble', trouble: { of: 'clickhouse', reason: 'b' } })
  expect(flusher.trouble()).toEqual({ of: 'clickhouse', reason: 'b', since: new Date(start) })
  last().say({ say: 'trouble', trouble: null })
  expect(flusher.trouble()).toBeNull()
  last().say({ say: 'trouble', trouble: { of: 'gateway', reason: 'c' } })
  expect(flusher.trouble()).toEqual({ of: 'gateway', reason: 'c', since: new Date(start + 1_000) })
})

test('claims are answered with the ids that others count, or with why nobody knows', async () => {
  const asked: unknown[] = []
  const { last } = flusherOf({
    claim: async (...given) => {
      asked.push(given)
      if (given[0] === 'bad') throw Object.assign(new Error('x'), { code: 'EPIPE' })
      return ['b']
    },
  })
  expect(last().posted).toEqual([{ ...begun, claims: true }])
  last().say({ say: 'claim', ask: 7, segment: 's', ids: ['a', 'b'] })
  last().say({ say: 'claim', ask: 8, segment: 'bad', ids: ['c'] })
  await settle()
  expect(asked).toEqual([
    ['s', ['a', 'b']],
    ['bad', ['c']],
  ])
  expect(last().posted.slice(1)).toEqual([
    { do: 'claimed', ask: 7, taken: ['b'] },
    { do: 'unclaimed', ask: 8, reason: 'EPIPE' },
  ])
  const alone = flusherOf()
  alone.last().say({ say: 'claim', ask: 1, segment: 's', ids: ['a'] })
  await settle()
  expect(alone.last().posted[1]).toEqual({ do: 'claimed', ask: 1, taken: [] })
})

test('a thread that ends by itself is started again after a second, and drains what waits', async () => {
  jest.useFakeTimers()
  const { flusher, last, logged } = flusherOf({ pollMs: 20 })
  void flusher.drain()
  last().close()
  expect(logged).toEqual([['error', expect.any(String)]])
  jest.advanceTimersByTime(999)
  expect(IdleWorker.made).toHaveLength(1)
  jest.advanceTimersByTime(1)
  expect(IdleWorker.made).toHaveLength(2)
  expect(last().posted).toEqual([
    { ...begun, pollMs: 20 },
    { do: 'drain', id: 1 },
  ])
})

/** Whether a stop has ended. */
function stopOf(flusher: ReturnType<typeof createFlusher>) {
  const state = { isDone: false }
  void flusher.stop().then(() => {
    state.isDone = true
  })
  return state
}

test('a stop waits for the thread, and for eight seconds at most', async () => {
  jest.useFakeTimers()
  const { flusher, last } = flusherOf()
  const stop = stopOf(flusher)
  const again = stopOf(flusher)
  expect(last().posted.slice(1)).toEqual([{ do: 'stop' }])
  expect(flusher.drain()).rejects.toThrow('The flusher has stopped')
  await settle()
  expect(stop.isDone).toBe(false)
  last().say({ say: 'stopped' })
  await settle()
  expect([stop.isDone, again.isDone, last().unrefs]).toEqual([true, true, 1])

  const stuck = flusherOf()
  const late = stopOf(stuck.flusher)
  jest.advanceTimersByTime(7_999)
  await settle()
  expect(late.isDone).toBe(false)
  jest.advanceTimersByTime(1)
  await settle()
  expect(late.isDone).toBe(true)
})

test('a stop ends with the thread, also one that was to be started again', async () => {
  jest.useFakeTimers()
  const ended = flusherOf()
  const stop = stopOf(ended.flusher)
  ended.last().close()
  await settle()
  expect([stop.isDone, ended.logged]).toEqual([true, []])
  const restarting = flusherOf()
  restarting.last().close()
  const other = stopOf(restarting.flusher)
  const count = IdleWorker.made.length
  jest.advanceTimersByTime(1_000)
  await settle()
  expect([other.isDone, IdleWorker.made.length]).toEqual([true, count])
})

describe('the sweep', () => {
  const day = 86_400_000
  const nameOf = (ms: number, n = 0) => `${`${start - ms}`.padStart(14, '0')}-${n}.seg`

  test('finished segments go after a day, and the oldest beyond the bytes that are kept', () =>
    inTemporaryFolder(async (directory) => {
      const done = join(directory, 'done')
      await mkdir(done)
      const put = (name: string, bytes = 10) => writeFile(join(done, name), 'x'.repeat(bytes))
      const kept = nameOf(day - 1)
      const old = nameOf(day + 1)
      const edge = nameOf(day)
      for (const name of [kept, old, edge, 'other.txt']) await put(name)
      flusherOf({ directory })
      await waitFor(async () => !(await readdir(done)).includes(old), { what: 'the old segment to go' })
      expect((await readdir(done)).sort()).toEqual([edge, kept, 'other.txt'].sort())
      for (const n of [1, 2, 3]) await put(nameOf(n, n), 10)
      flusherOf({ directory, doneBytesMax: 30, keepDoneMs: 2 * day })
      await waitFor(async () => (await readdir(done)).length <= 4, { what: 'the oldest to go' })
      const left = [nameOf(1, 1), nameOf(2, 2), nameOf(3, 3), 'other.txt']
      expect((await readdir(done)).sort()).toEqual(left.sort())
    }))

  test('a folder that is missing is not told, another fault is', () =>
    inTemporaryFolder(async (directory) => {
      const missing = flusherOf({ directory: join(directory, 'none') })
      await writeFile(join(directory, 'done'), '')
      const broken = flusherOf({ directory })
      await waitFor(() => broken.logged.length > 0, { what: 'the fault to be told' })
      expect(broken.logged).toEqual([['warn', expect.any(String), { code: 'ENOTDIR' }]])
      expect(missing.logged).toEqual([])
    }))
})
