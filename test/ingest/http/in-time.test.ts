import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { createInTime } from '../../../ingest/http/in-time'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const settle = async () => {
  for (let turns = 0; turns < 20; turns++) await Promise.resolve()
}

/** Waits on a clock that a test moves. A look comes only when `look` says so. */
function waits() {
  const clock = { ms: 1_000_000 }
  const inTime = createInTime(() => new Date(clock.ms), 10)
  /** Waits for a promise, and returns what became of it. */
  const wait = (promise: Promise<string>, msMax: number, rescue?: () => string) => {
    const state = { is: '' }
    void inTime(promise, msMax, (value) => `made ${value}`, rescue).then(
      (made) => {
        state.is = made
      },
      (error: Error) => {
        state.is = `failed: ${error.message}`
      },
    )
    return state
  }
  const look = async (ms: number) => {
    clock.ms += ms
    jest.advanceTimersByTime(10)
    await settle()
  }
  return { clock, wait, look }
}
const never = () => new Promise<string>(() => {})
const gate = () => Promise.withResolvers<string>()

test('a result is made of what came, or of nothing where that took too long', async () => {
  const { wait, look } = waits()
  const quick = gate()
  const slow = gate()
  const states = [wait(quick.promise, 100), wait(slow.promise, 100), wait(never(), 99), wait(never(), 100)]
  quick.resolve('a')
  await settle()
  expect(states.map(({ is }) => is)).toEqual(['made a', '', '', ''])
  await look(100)
  expect(states.map(({ is }) => is)).toEqual(['made a', '', 'made null', ''])
  slow.resolve('b')
  await settle()
  await look(1)
  expect(states.map(({ is }) => is)).toEqual(['made a', 'made b', 'made null', 'made null'])
})

test('what comes after its time makes nothing', async () => {
  const clock = { ms: 0 }
  const inTime = createInTime(() => new Date(clock.ms), 10)
  const made: unknown[] = []
  const late = gate()
  const done = inTime(late.promise, 5, (value) => void made.push(value))
  clock.ms = 6
  jest.advanceTimersByTime(10)
  await done
  late.resolve('late')
  await settle()
  expect(made).toEqual([null])
})

test('a failure is thrown, or rescued', async () => {
  const { wait } = waits()
  const fault = () => Promise.reject(new Error('torn'))
  const states = [wait(fault(), 100), wait(fault(), 100, () => 'rescued')]
  await settle()
  expect(states.map(({ is }) => is)).toEqual(['failed: torn', 'rescued'])
})

test('one timer serves all, and stops when nothing waits', async () => {
  const { wait, look, clock } = waits()
  expect(jest.getTimerCount()).toBe(0)
  const first = gate()
  const second = gate()
  wait(first.promise, 100)
  wait(second.promise, 100)
  wait(Promise.reject(new Error('torn')), 100)
  expect(jest.getTimerCount()).toBe(1)
  first.resolve('a')
  await look(10)
  expect(jest.getTimerCount()).toBe(1)
  second.resolve('b')
  await settle()
  await look(10)
  expect(jest.getTimerCount()).toBe(0)
  // A wait after a rest counts from now, not from the last look.
  clock.ms += 1_000
  const state = wait(never(), 100)
  expect(jest.getTimerCount()).toBe(1)
  await look(100)
  expect(state.is).toBe('')
  await look(1)
  expect(state.is).toBe('made null')
  expect(jest.getTimerCount()).toBe(0)
})
