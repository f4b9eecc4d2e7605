import { expect, test } from 'bun:test'
import { batchBytes, createBatchSet } from '../../../ingest/count/batch-set'
import { createSharedMemory } from '../../../ingest/count/shared-memory'

const record = (id: string, at: number) => ({ id, at, accepted: 1, ignored: 0, rejected: 0, duplicate: 0 })
const windowMs = 1_000
function setOf(batches: number) {
  const memory = createSharedMemory(batches * batchBytes)
  const set = createBatchSet(windowMs, memory)
  const knownOf = (count: number) =>
    Array.from({ length: count }, (_, n) => `b${n}`).filter((id) => set.get(id))
  return { memory, set, knownOf, used: () => memory.used() / batchBytes }
}

test('a batch is known by its id, and takes 256 bytes until it is forgotten', () => {
  const { set, used, memory } = setOf(100)
  expect(set.get('b0')).toBeUndefined()
  set.add(record('b0', 5))
  expect(set.get('b0')).toEqual(record('b0', 5))
  expect(memory.used()).toBe(256)
  set.add(record('b0', 6))
  expect([set.get('b0')?.at, used()]).toEqual([6, 1])
})

test('a batch is forgotten when it is older than the window, and not before', () => {
  const { set, knownOf, used } = setOf(100)
  for (const [n, at] of [0, 1, 2].entries()) set.add(record(`b${n}`, at))
  set.expire(windowMs)
  expect([knownOf(3), used()]).toEqual([['b0', 'b1', 'b2'], 3])
  set.expire(windowMs + 2)
  expect([knownOf(3), used()]).toEqual([['b2'], 1])
  expect(set.shortenedTo(windowMs + 2)).toBeNull()
})

test('a batch that is sent again counts as new, and is forgotten after those before it', () => {
  const { set, knownOf } = setOf(100)
  for (const [n, at] of [0, 1].entries()) set.add(record(`b${n}`, at))
  set.add(record('b0', 900))
  set.expire(windowMs + 2)
  expect(knownOf(2)).toEqual(['b0'])
})

test('old batches are forgotten with each 256th that is added', () => {
  const { set, used } = setOf(1_000)
  for (let n = 0; n < 255; n++) set.add(record(`b${n}`, n < 100 ? 0 : 2_000))
  expect(used()).toBe(255)
  set.add(record('b255', 2_000))
  expect(used()).toBe(156)
  for (let n = 256; n < 511; n++) set.add(record(`b${n}`, 9_000))
  expect(used()).toBe(411)
  set.add(record('b511', 9_000))
  expect(used()).toBe(256)
})

test('where memory is short, the oldest sixteenth goes at once, and since when all are known is said', () => {
  const { set, knownOf, used } = setOf(32)
  for (let n = 0; n < 32; n++) set.add(record(`b${n}`, n))
  expect([used(), set.shortenedTo(32)]).toEqual([32, null])
  set.add(record('b32', 32))
  // A sixteenth of 33 batches, rounded up.
  expect(used()).toBe(30)
  expect(knownOf(33)[0]).toBe('b3')
  expect(set.shortenedTo(32)).toBe(2)
  expect(set.shortenedTo(windowMs + 1)).toBe(2)
  expect(set.shortenedTo(windowMs + 2)).toBeNull()
  const larger = setOf(63)
  for (let n = 0; n < 64; n++) larger.set.add(record(`b${n}`, n))
  expect(larger.used()).toBe(60)
})

test('an empty set has nothing to give up', () => {
  const memory = createSharedMemory(batchBytes)
  const set = createBatchSet(windowMs, memory)
  memory.open(() => false).reserve(batchBytes * 2)
  expect([memory.used(), set.shortenedTo(0)]).toEqual([batchBytes * 2, null])
})
