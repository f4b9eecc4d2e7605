import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFlusher, type FlusherOptions } from '../../../ingest/flush/flusher'
import type { FromWorker, ToWorker } from '../../../ingest/flush/flusher-messages'
import { quietLog } from '../../support/quiet-log'
import { waitFor } from '../../support/wait-for'

/** Stands in for the Worker: notes what it is told, and says and ends as the test wants. */
class FakeWorker {
  readonly told: ToWorker[] = []
  readonly closing: (() => void)[] = []
  isHeld = true
  onmessage?: (event: { data: FromWorker }) => void
  onerror?: (event: { message: string }) => void
  constructor() {
    workers.push(this)
  }
  postMessage = (message: ToWorker) => void this.told.push(message)
  addEventListener = (_: 'close', close: () => void) => void this.closing.push(close)
  unref() {
    this.isHeld = false
  }
  say = (data: FromWorker) => this.onmessage?.({ data })
  end = () => {
    for (const close of this.closing) close()
  }
}

let workers: FakeWorker[] = []
const RealWorker = globalThis.Worker
let folder: string
let clock = Date.parse('2026-11-28T12:00:00.000Z')
beforeEach(async () => {
  workers = []
  globalThis.Worker = FakeWorker as unknown as typeof Worker
  folder = await mkdtemp(join(tmpdir(), 'renown-flusher-parts-'))
  await mkdir(join(folder, 'done'))
  jest.useFakeTimers()
})
afterEach(async () => {
  jest.useRealTimers()
  globalThis.Worker = RealWorker
  await rm(folder, { recursive: true })
})

const target = { url: 'http://clickhouse.test/renown' } as FlusherOptions['target']
const said: string[] = []
const log = { ...quietLog, error: (message: string) => void said.push(message) }
const start = (more: Partial<FlusherOptions> = {}) => {
  said.length = 0
  const flusher = createFlusher({ directory: folder, target, now: () => new Date(clock), log, ...more })
  return { flusher, worker: (at = 0) => workers[at] as FakeWorker }
}
const steps = async () => {
  for (let n = 0; n < 10; n++) await Promise.resolve()
}

describe('the thread that flushes', () => {
  test('is told where, and to look each 200 ms, and whether batches are claimed', () => {
    const { worker } = start()
    const begun = { do: 'start', directory: folder, target, pollMs: 200, claims: false } as const
    expect(worker().told).toEqual([begun])
    start({ claim: async () => [], pollMs: 50 })
    expect(worker(1).told).toEqual([{ ...begun, pollMs: 50, claims: true }])
  })

  test('is started again a second after it ended, and told again of what waits', async () => {
    const { flusher, worker } = start()
    const ends: string[] = []
    void flusher.drain().then(() => ends.push('first'))
    void flusher.drain().then(() => ends.push('second'))
    worker().say({ say: 'drained', id: 1 })
    await steps()
    worker().onerror?.({ message: 'out of memory' })
    worker().end()
    jest.advanceTimersByTime(999)
    expect(workers).toHaveLength(1)
    jest.advanceTimersByTime(1)
    expect(worker(1).told.slice(1)).toEqual([{ do: 'drain', id: 2 }])
    expect(said).toEqual(['The flusher failed', 'The flusher ended unexpectedly and is being restarted'])
    flusher.look()
    expect(worker(1).told.at(-1)).toEqual({ do: 'look' })
    worker(1).say({ say: 'drained', id: 2 })
    await steps()
    expect(ends).toEqual(['first', 'second'])
    worker(1).end()
    jest.advanceTimersByTime(1_000)
    expect(worker(2).told.slice(1)).toEqual([])
  })

  test('that ends while the product stops is not started again, neither before nor after its second', async () => {
    for (const isLate of [false, true]) {
      const { flusher, worker } = start()
      const at = workers.length - 1
      if (isLate) worker(at).end()
      let isStopped = false
      void flusher.stop().then(() => {
        isStopped = true
      })
      expect(worker(at).told.at(-1)).toEqual({ do: 'stop' })
      if (!isLate) worker(at).end()
      await steps()
      expect(isStopped).toBe(!isLate)
      jest.advanceTimersByTime(1_000)
      await steps()
      expect([isStopped, workers.length]).toEqual([true, at + 1])
    }
  })

  test('has eight seconds to stop, is asked once, and takes no more after that', async () => {
    const { flusher, worker } = start()
    let isStopped = 0
    const stopped = () => {
      isStopped++
    }
    for (let n = 0; n < 2; n++) void flusher.stop().then(stopped)
    expect(worker().told.filter((one) => one.do === 'stop')).toHaveLength(1)
    await expect(flusher.drain()).rejects.toThrow('The flusher has stopped')
    jest.advanceTimersByTime(7_999)
    await steps()
    expect(isStopped).toBe(0)
    jest.advanceTimersByTime(1)
    await steps()
    expect(isStopped).toBe(2)
  })

  test('says what is wrong and since when, until it is over', () => {
    const { flusher, worker } = start()
    expect(flusher.trouble()).toBeNull()
    const fault = { of: 'clickhouse', reason: 'away' } as const
    const since = new Date(clock)
    worker().say({ say: 'trouble', trouble: fault })
    clock += 60_000
    worker().say({ say: 'trouble', trouble: { ...fault, reason: 'still' } })
    expect(flusher.trouble()).toEqual({ ...fault, reason: 'still', since })
    worker().say({ say: 'trouble', trouble: null })
    expect(flusher.trouble()).toBeNull()
    worker().say({ say: 'trouble', trouble: fault })
    expect(flusher.trouble()).toEqual({ ...fault, since: new Date(clock) })
  })

  test('gets what a claim answered, or why nobody could say', async () => {
    const asked: unknown[] = []
    const claim = async (segment: string, ids: readonly string[]) => {
      asked.push([segment, ids])
      if (segment === 's2') throw new Error('no answer')
      return ids.slice(1)
    }
    const { worker } = start({ claim })
    worker().say({ say: 'claim', ask: 1, segment: 's1', ids: ['a', 'b'] })
    worker().say({ say: 'claim', ask: 2, segment: 's2', ids: ['c'] })
    await steps()
    expect(asked).toEqual([
      ['s1', ['a', 'b']],
      ['s2', ['c']],
    ])
    const [, ...answers] = worker().told
    expect(answers).toContainEqual({ do: 'claimed', ask: 1, taken: ['b'] })
    expect(answers).toContainEqual({ do: 'unclaimed', ask: 2, reason: expect.any(String) })
  })
})

describe('finished segments', () => {
  const name = (ageMs: number, end = 'seg') => `${String(clock - ageMs).padStart(14, '0')}-abc.${end}`
  const put = (...names: string[]) =>
    Promise.all(names.map((one) => writeFile(join(folder, 'done', one), 'x'.repeat(10))))
  const left = async () => (await readdir(join(folder, 'done'))).sort()
  const hour = 3_600_000
  /** Waits in real time, because the disk does. */
  const leaves = async (...names: string[]) => {
    jest.useRealTimers()
    await waitFor(async () => (await left()).length === names.length, { what: 'the sweep', everyMs: 5 })
    expect(await left()).toEqual(names.sort())
  }

  test('are kept for a day to the millisecond, and other files for ever', async () => {
    const old = name(24 * hour + 1)
    const young = name(24 * hour)
    const other = name(99 * hour, 'tmp')
    await put(old, young, other)
    start()
    await leaves(young, other)
  })

  test('are kept up to a size, the newest first', async () => {
    const names = [3, 2, 1].map((hours) => name(hours * hour))
    await put(...names)
    start({ doneBytesMax: 20 })
    await leaves(...names.slice(1))
  })

  test('are looked through every ten minutes until the flusher stops', async () => {
    let reads = 0
    const now = () => {
      reads++
      return new Date(clock)
    }
    const { flusher } = start({ now })
    const listed = [reads]
    for (const ms of [599_999, 1, 600_000]) {
      jest.advanceTimersByTime(ms)
      listed.push(reads)
    }
    expect(listed).toEqual([1, 1, 2, 3])
    void flusher.stop()
    jest.advanceTimersByTime(6_000_000)
    expect(reads).toBe(3)
  })
})
