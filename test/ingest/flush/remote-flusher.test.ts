import { afterEach, expect, jest, test } from 'bun:test'
import { createRemoteFlusher } from '../../../ingest/flush/remote-flusher'

afterEach(() => void jest.useRealTimers())

const start = Date.parse('2026-11-20T12:00:00.000Z')
const at = (ms: number) => new Date(start + ms)

/** A flusher of another process, from the start of a clock that a test moves. */
function remote() {
  jest.useFakeTimers()
  const clock = { ms: 0 }
  const told: unknown[] = []
  const made = createRemoteFlusher(() => at(clock.ms))
  const flusher = made.create({ onFlushed: (each) => void told.push(each) })
  const later = (ms: number) => {
    clock.ms += ms
    jest.advanceTimersByTime(ms)
  }
  return { ...made, flusher, told, later }
}
const fault = { of: 'clickhouse', reason: 'no room' } as const
const segment = { segment: 's', hits: 1, elsewhere: 0, ms: 2 }

test('each flushed segment is passed on, in order', () => {
  const { report, told } = remote()
  report({ flushed: [segment, { ...segment, hits: 2 }], fault: null })
  report({ flushed: [{ ...segment, hits: 3 }], fault: null })
  expect(told).toEqual([segment, { ...segment, hits: 2 }, { ...segment, hits: 3 }])
})

test('a fault lasts since its first report, until a report without one', () => {
  const { report, flusher, later } = remote()
  report({ flushed: [], fault: null })
  expect(flusher.trouble()).toBeNull()
  later(1_000)
  report({ flushed: [], fault })
  later(2_000)
  report({ flushed: [], fault: { ...fault, reason: 'still none' } })
  expect(flusher.trouble()).toEqual({ ...fault, reason: 'still none', since: at(1_000) })
  report({ flushed: [], fault: null })
  expect(flusher.trouble()).toBeNull()
  later(500)
  report({ flushed: [], fault })
  expect(flusher.trouble()).toEqual({ ...fault, since: at(3_500) })
})

test('a process that has not reported for more than five seconds is away since its last report', () => {
  const { report, flusher, later } = remote()
  later(700)
  report({ flushed: [], fault: null })
  later(5_000)
  expect(flusher.trouble()).toBeNull()
  later(1)
  expect(flusher.trouble()).toEqual({ of: 'gateway', reason: expect.any(String), since: at(700) })
  report({ flushed: [], fault: null })
  expect(flusher.trouble()).toBeNull()
})

test('it has nothing to look for, to drain or to stop: the other process does', async () => {
  const { flusher } = remote()
  expect([flusher.look(), await flusher.drain(), await flusher.stop()]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
