import { expect, test } from 'bun:test'
import { createSharedMemory } from '../../../ingest/count/shared-memory'

/** A user that gives up one block after the other. */
function userOf(memory: ReturnType<typeof createSharedMemory>, block: number) {
  let blocks = 0
  const account = memory.open(() => {
    if (blocks === 0) return false
    blocks--
    account.release(block)
    return true
  })
  return {
    share: account.share,
    bytes: () => blocks * block,
    take() {
      blocks++
      account.reserve(block)
    },
  }
}

test('one alone has all of it, and whoever has most gives first', () => {
  const memory = createSharedMemory(1_000)
  const large = userOf(memory, 100)
  expect(large.share()).toBe(1_000)
  for (let n = 0; n < 30; n++) large.take()
  expect([large.bytes(), memory.used()]).toEqual([1_000, 1_000])
  const small = userOf(memory, 50)
  for (let n = 0; n < 4; n++) small.take()
  expect([small.bytes(), large.bytes()]).toEqual([200, 800])
  for (let n = 0; n < 30; n++) large.take()
  expect([small.bytes(), large.bytes()]).toEqual([200, 800])
  for (let n = 0; n < 100; n++) small.take()
  expect(small.bytes()).toBeGreaterThanOrEqual(450)
  expect(large.bytes()).toBeGreaterThanOrEqual(400)
  expect(memory.used()).toBeLessThanOrEqual(1_000)
})

test('a share is what the small ones leave, divided by the large ones', () => {
  const memory = createSharedMemory(1_000)
  const a = userOf(memory, 100)
  const b = userOf(memory, 100)
  const c = userOf(memory, 100)
  a.take()
  expect(b.share()).toBe(900)
  for (let n = 0; n < 6; n++) b.take()
  expect(c.share()).toBe(450)
  expect(a.share()).toBe(500)
})

test('a need beyond everything ends, whatever is given up', () => {
  const memory = createSharedMemory(100)
  const user = userOf(memory, 300)
  user.take()
  expect(user.bytes()).toBe(0)
  const empty = memory.open(() => false)
  empty.reserve(500)
  expect(memory.used()).toBe(500)
})
