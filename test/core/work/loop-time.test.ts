import { expect, test } from 'bun:test'
import { paid } from '../../../core/work/loop-time'
import { type LoopTime, requestWork, runWork } from '../../../core/work/scope'

/** Stops the thread without the processor, as a busy machine does. */
const loseProcessor = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

const timeOf = (run: () => void): number => {
  const work = requestWork({ limitMs: 60_000, disconnected: () => undefined })
  runWork(work, run)
  return (work.loopTime as LoopTime).ms
}

test('a sender never pays for the time in which a busy machine did something else', () => {
  expect(timeOf(() => paid(100, () => loseProcessor(40)))).toBeLessThanOrEqual(1)
  expect(timeOf(() => paid(undefined, () => loseProcessor(40)))).toBeLessThanOrEqual(5)
  expect(timeOf(() => paid(100_000, () => loseProcessor(40)))).toBeLessThan(30)
})

test('a sender pays for the processor time of a large part, also if it throws', () => {
  const work = () => {
    const until = process.threadCpuUsage().user + 20_000
    while (process.threadCpuUsage().user < until);
    throw new Error('wrong')
  }
  const ms = timeOf(() => expect(() => paid(100_000, work)).toThrow('wrong'))
  expect(ms).toBeGreaterThanOrEqual(19)
})
