import { expect, test } from 'bun:test'
import { createRecentIds } from '../../../ingest/count/recent-ids'
import { createSharedMemory } from '../../../ingest/count/shared-memory'

const idOf = (n: number) => Bun.hash.xxHash32(String(n)) * 0x200000 + (Bun.hash.xxHash32(String(n), 1) >>> 11)

test('the latest ids are known: all of the first, and at least the last 6,000 of many', () => {
  const memory = createSharedMemory(2 ** 20)
  const recent = createRecentIds(memory)
  for (let n = 0; n < 6_000; n++) expect(recent.add(idOf(n))).toBe(true)
  for (let n = 0; n < 6_000; n++) expect(recent.add(idOf(n))).toBe(false)
  for (let n = 6_000; n < 200_000; n++) recent.add(idOf(n))
  for (let n = 199_999; n > 194_000; n--) expect([n, recent.add(idOf(n))]).toEqual([n, false])
  expect(recent.add(idOf(1))).toBe(true)
  expect(memory.used()).toBe(2 * 2 ** 13 * 8)
})

test('an id that is removed is new again, also one of the older part', () => {
  const recent = createRecentIds(createSharedMemory(2 ** 20))
  for (let n = 0; n < 8_000; n++) recent.add(idOf(n))
  for (const n of [3_000, 7_999]) {
    expect(recent.add(idOf(n))).toBe(false)
    recent.remove(idOf(n))
    expect(recent.add(idOf(n))).toBe(true)
  }
})

test('sites share the memory: it is never exceeded, and each keeps some', () => {
  const memory = createSharedMemory(2 ** 15)
  const sites = Array.from({ length: 8 }, () => createRecentIds(memory))
  for (let n = 0; n < 100_000; n++) {
    for (const [at, site] of sites.entries()) if (n % (at + 1) === 0) site.add(idOf(n * 8 + at))
    if (n % 1_000 === 0) expect(memory.used()).toBeLessThanOrEqual(2 ** 15)
  }
  for (const [at, site] of sites.entries()) {
    const last = Math.floor(99_999 / (at + 1)) * (at + 1)
    expect([at, site.add(idOf(last * 8 + at))]).toEqual([at, false])
  }
})
