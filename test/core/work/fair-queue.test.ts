import { describe, expect, test } from 'bun:test'
import { isRefusal } from '../../../core/contracts/errors'
import { createFairQueue, type FairQueueOptions } from '../../../core/work/fair-queue'
import { CancelledError, systemTenant, TimedOutError } from '../../../core/work/scope'

/** A queue on a clock that only moves when a task ends, with tasks that are ended by hand. */
function bench(options: Partial<FairQueueOptions> = {}) {
  let time = 0
  const queue = createFairQueue({
    name: 'scans',
    slots: 2,
    perTenant: 1,
    waitingMax: 100,
    now: () => time,
    defer: (start) => queueMicrotask(start),
    ...options,
  })
  const started: string[] = []
  const ends = new Map<string, (ms: number) => void>()
  const add = (tenant: string, name: string, more: { signal?: AbortSignal; leftMs?: number } = {}) => {
    const work = { tenant, signal: more.signal, leftMs: () => more.leftMs ?? Number.POSITIVE_INFINITY }
    return queue.run(work, async () => {
      started.push(name)
      const { promise, resolve } = Promise.withResolvers<number>()
      ends.set(name, resolve)
      time += await promise
      return name
    })
  }
  const settle = async () => {
    for (let turns = 0; turns < 20; turns++) await Promise.resolve()
  }
  const end = async (name: string, ms = 1) => {
    ends.get(name)?.(ms)
    await settle()
  }
  return { queue, started, add, end, settle }
}

describe('a fair queue', () => {
  test('starts the first task of a tenant while sixty of another wait', async () => {
    const { add, started, settle } = bench()
    for (let place = 0; place < 60; place++) add('loud', `loud ${place}`)
    add('quiet', 'quiet')
    await settle()
    expect(started).toEqual(['loud 0', 'quiet'])
  })

  test('gives a free slot to the tenant that used the least time', async () => {
    const { add, started, end, settle } = bench({ slots: 1 })
    for (const tenant of ['a', 'b']) for (let place = 0; place < 4; place++) add(tenant, `${tenant}${place}`)
    await settle()
    await end('a0', 30)
    await end('b0', 10)
    await end('b1', 10)
    await end('b2', 5)
    expect(started).toEqual(['a0', 'b0', 'b1', 'b2', 'b3'])
    await end('b3', 50)
    expect(started.at(-1)).toBe('a1')
  })

  test('counts a tenant that comes back as one that used no less than those who stayed', async () => {
    const { add, started, end, settle } = bench({ slots: 1 })
    add('a', 'a0')
    add('a', 'a1')
    await settle()
    await end('a0', 100)
    add('b', 'b0')
    add('a', 'a2')
    await settle()
    await end('a1', 1)
    await end('b0', 50)
    add('b', 'b1')
    await settle()
    await end('a2', 1)
    expect(started).toEqual(['a0', 'a1', 'b0', 'a2', 'b1'])
  })

  test('refuses with 429 what a tenant puts in beyond its places, and nothing of others', async () => {
    const { add, queue, started, settle } = bench({ waitingMax: 3 })
    const all = Array.from({ length: 10 }, (_, place) => add('loud', `loud ${place}`).catch((error) => error))
    await settle()
    expect(queue.load()).toEqual({ running: 1, waiting: 3 })
    const refused = await Promise.all(all.slice(4))
    for (const error of refused) {
      expect(isRefusal(error) && error.status).toBe(429)
      expect(isRefusal(error) && error.details.retryAfterSeconds).toBeGreaterThan(0)
    }
    add('quiet', 'quiet')
    await settle()
    expect(started).toContain('quiet')
  })

  test('refuses nothing of the system', async () => {
    const { add, queue, settle } = bench({ waitingMax: 3 })
    for (let place = 0; place < 10; place++) add(systemTenant, `task ${place}`)
    await settle()
    expect(queue.load()).toEqual({ running: 1, waiting: 9 })
  })

  test('forgets a task whose caller leaves, and a task whose time is up', async () => {
    const { add, queue, started, end, settle } = bench({ slots: 1 })
    add('a', 'a0')
    const leaving = new AbortController()
    const left = add('a', 'left', { signal: leaving.signal }).catch((error) => error)
    const late = add('b', 'late', { leftMs: 1 }).catch((error) => error)
    const gone = add('b', 'gone', { signal: AbortSignal.abort() }).catch((error) => error)
    leaving.abort()
    expect(await left).toBeInstanceOf(CancelledError)
    expect(await gone).toBeInstanceOf(CancelledError)
    expect(await late).toMatchObject({ name: new TimedOutError(false).name, wasReading: false })
    expect(queue.load()).toEqual({ running: 1, waiting: 0 })
    await end('a0')
    expect(queue.load()).toEqual({ running: 0, waiting: 0 })
    add('b', 'b0')
    await settle()
    expect(started).toEqual(['a0', 'b0'])
  })

  test('starts what waits when work that runs has become that of another tenant', async () => {
    const { queue } = bench({ slots: 1 })
    const work = { tenant: 'visitor', signal: undefined, leftMs: () => Number.POSITIVE_INFINITY }
    const first = Promise.withResolvers<void>()
    const running = queue.run(work, () => first.promise)
    work.tenant = 'a'
    const waiting = queue.run({ ...work }, async () => 'done')
    first.resolve()
    await running
    expect(await waiting).toBe('done')
    expect(queue.load()).toEqual({ running: 0, waiting: 0 })
  })

  test('keeps its slots after tasks that fail', async () => {
    const { queue } = bench({ slots: 1 })
    const work = { tenant: 'a', signal: undefined, leftMs: () => Number.POSITIVE_INFINITY }
    for (let place = 0; place < 5; place++) {
      const failing = queue.run(work, () => Promise.reject(new Error('failed')))
      expect(await failing.catch((error: Error) => error.message)).toBe('failed')
    }
    expect(queue.load()).toEqual({ running: 0, waiting: 0 })
    expect(await queue.run(work, async () => 'done')).toBe('done')
  })

  test('holds a slot without a tenant while nothing runs or waits, and starts what waited when it is released', async () => {
    const { queue, add, started, settle, end } = bench({ slots: 1 })
    const release = queue.holdIfIdle()
    expect(queue.holdIfIdle()).toBeUndefined()
    const waiting = add('one', 'a')
    await settle()
    expect(started).toEqual([])
    release?.()
    await settle()
    expect(started).toEqual(['a'])
    expect(queue.holdIfIdle()).toBeUndefined()
    await end('a')
    await waiting
    await settle()
    expect(queue.holdIfIdle()).toBeFunction()
  })

  test('starts what waited one task a turn of the event loop, so that others come between', async () => {
    const turns: (() => void)[] = []
    const { add, started, end, settle } = bench({
      slots: 3,
      perTenant: 3,
      defer: (start) => turns.push(start),
    })
    for (let place = 0; place < 6; place++) add('a', `a${place}`)
    await settle()
    for (const name of ['a0', 'a1', 'a2']) await end(name)
    expect(started).toHaveLength(3)
    turns.shift()?.()
    await settle()
    expect(started).toHaveLength(4)
  })
})
