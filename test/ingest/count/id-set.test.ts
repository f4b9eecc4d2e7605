import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createIdSet } from '../../../ingest/count/id-set'
import { createSharedMemory } from '../../../ingest/count/shared-memory'

const id = (n: number) => Bun.hash.xxHash32(String(n)) * 0x200000 + (Bun.hash.xxHash32(String(n), 1) >>> 11)

test('ids are kept a day within the bytes allowed, the newest longest', () => {
  const window = 24_000
  const small = createIdSet(window, createSharedMemory(64 * 1024))
  for (let n = 0; n < 100_000; n++) small.add(id(n), n / 1_000)
  expect(small.has(id(99_999))).toBe(true)
  expect(small.has(id(98_500))).toBe(true)
  expect(small.has(id(1))).toBe(false)
  expect(small.shortenedTo(100)).toBeGreaterThan(0)

  const large = createIdSet(window, createSharedMemory(8 * 2 ** 20))
  for (let n = 0; n < 100_000; n++) large.add(id(n), n)
  const known = (from: number, to: number) =>
    [...Array(to - from).keys()].every((n) => large.has(id(from + n)))
  expect(known(100_000 - window, 100_000)).toBe(true)
  expect(large.has(id(1))).toBe(false)
  expect(large.has(id(-1))).toBe(false)
  expect(large.shortenedTo(100_000)).toBeNull()
})

test('ids taken out are new again, and all others stay known', () => {
  const set = createIdSet(1_000, createSharedMemory(2 ** 20))
  for (let n = 0; n < 5_000; n++) expect(set.add(id(n), 0)).toBe(true)
  for (let n = 0; n < 5_000; n += 3) set.remove(id(n))
  for (let n = 0; n < 5_000; n++) expect(set.has(id(n))).toBe(n % 3 !== 0)
  for (let n = 0; n < 5_000; n++) expect(set.add(id(n), 0)).toBe(n % 3 === 0)
})

test('says of every id what a plain map says, whatever comes and goes, as long as memory suffices', () => {
  const window = 1_200
  // Few ids that come again and again, and pauses up to beyond the window.
  const step = fc.record({
    what: fc.constantFrom('add' as const, 'add' as const, 'add' as const, 'remove' as const, 'many' as const),
    which: fc.nat(40),
    after: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.nat(window / 3), fc.nat(window * 3)),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const set = createIdSet(window, createSharedMemory(2 ** 20))
      const known = new Map<number, number>()
      let at = 0
      let many = 1_000
      for (const { what, which, after } of steps) {
        at += after
        if (what === 'remove') {
          set.remove(id(which))
          known.delete(which)
          continue
        }
        const first = what === 'many' ? many : which
        many += what === 'many' ? 300 : 0
        for (let n = first; n < (what === 'many' ? many : which + 1); n++) {
          const since = known.get(n)
          const isNew = set.add(id(n), at)
          // Between the window and half as much more either is right: generations go whole.
          if (since === undefined || at - since > window * 1.5) expect(isNew).toBe(true)
          else if (at - since <= window) expect(isNew).toBe(false)
          if (isNew) known.set(n, at)
        }
      }
      expect(set.shortenedTo(at)).toBeNull()
    }),
    { numRuns: 200 },
  )
})

test('ids of a full memory are still all told apart', () => {
  const set = createIdSet(1_000, createSharedMemory(2 ** 20))
  // Each fills several generations, so that their bits are given out anew many times.
  for (let n = 0; n < 400_000; n++) {
    if (!set.add(id(n), n / 1_000)) throw new Error(`${n} was never added`)
    if (n > 20_000 && n % 97 === 0 && set.add(id(n - 20_000), n / 1_000))
      throw new Error(`${n - 20_000} is gone`)
  }
  expect(set.shortenedTo(400)).toBeGreaterThan(300)
})

test('what comes and goes for long leaves no memory behind that nobody holds', () => {
  const window = 1_000
  const set = createIdSet(window, createSharedMemory(64 * 1024))
  let at = 0
  for (let n = 0; n < 80_000; n++) {
    at = n * 2.5
    set.add(id(n), at)
  }
  expect([set.shortenedTo(at), set.has(id(79_999 - 390))]).toEqual([null, true])
})

test('the memory of a set grows with its ids and is given back with them', () => {
  const memory = createSharedMemory(2 ** 20)
  const set = createIdSet(1_000, memory)
  const traces = 4
  const generation = 128
  const bytesOf = (places: number) => places * (8 + traces) + generation
  const smallest = 16 * traces
  expect(memory.used()).toBe(smallest)
  const used = [1, 12, 13, 768, 769, 1_536, 1_537].map((count) => {
    for (let n = 0; n < count; n++) set.add(id(n), 0)
    return memory.used()
  })
  expect(used).toEqual([16, 16, 32, 1_024, 2_048, 2_048, 4_096].map(bytesOf))
  set.expire(1_000)
  expect(memory.used()).toBe(bytesOf(4_096))
  set.expire(1_001)
  expect(memory.used()).toBe(smallest)
})

test('an id that is added and taken out again and again needs no more memory', () => {
  const memory = createSharedMemory(2 ** 20)
  const set = createIdSet(1_000, memory)
  set.add(id(0), 0)
  const used = memory.used()
  for (let n = 1; n < 1_000; n++) {
    set.add(id(n), 0)
    set.remove(id(n))
  }
  expect(memory.used()).toBe(used)
})
