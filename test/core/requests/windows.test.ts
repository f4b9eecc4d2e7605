import { describe, expect, test } from 'bun:test'
import { createWindows } from '../../../core/requests/windows'

const minute = 60_000

describe('windows of callers', () => {
  test('run for their length from the first call on', () => {
    const windows = createWindows(minute)
    const first = windows.of('a', 1_000)
    first.used = 7
    expect(windows.of('a', 1_000 + minute - 1)).toBe(first)
    expect(windows.of('a', 1_000 + minute)).toMatchObject({ used: 0, endsAt: 1_000 + 2 * minute })
    expect(windows.of('b', 1_000 + 30_000).endsAt).toBe(1_000 + 30_000 + minute)
  })

  test('are found again whenever in their length they began', () => {
    const windows = createWindows(minute)
    windows.of('early', 0)
    const late = windows.of('late', minute - 1)
    late.used = 3
    windows.of('other', minute + 5)
    expect(windows.of('late', 2 * minute - 2)).toBe(late)
  })

  test('of 300,000 callers start nobody again, and are bounded in number', () => {
    const windows = createWindows(minute, 1_000)
    windows.of('victim', 0).used = 50
    const distinct = new Set<object>()
    for (let n = 0; n < 300_000; n++) distinct.add(windows.of(`caller ${n}`, 10))
    expect(windows.of('victim', 20).used).toBe(50)
    expect(distinct.size).toBeLessThanOrEqual(1_000 + 4_096)
    // A caller beyond the bound is counted too, with others.
    const late = windows.of('late', 30)
    late.used += 5
    expect(windows.of('late', 40).used).toBeGreaterThanOrEqual(5)
  })
})

test('100,000 callers have windows of their own, and those after them share', () => {
  const windows = createWindows(minute)
  const own = new Set<object>()
  for (let n = 0; n < 100_000; n++) own.add(windows.of(`caller ${n}`, 0))
  expect(own.size).toBe(100_000)
  const bucket = (name: string) => Bun.hash.crc32(name) % 4_096
  const others = Array.from({ length: 20_000 }, (_, n) => `other ${n}`)
  const [first = ''] = others
  const twin = others.find((name) => name !== first && bucket(name) === bucket(first)) ?? ''
  const shared = windows.of(first, 0)
  expect(own.has(shared)).toBe(false)
  expect(windows.of(twin, 0)).toBe(shared)
})

test('from the instant at which windows end on, callers have windows of their own again', () => {
  const bucket = (name: string) => Bun.hash.crc32(name) % 4_096
  const names = Array.from({ length: 20_000 }, (_, n) => `caller ${n}`)
  const twin = names.find((name) => bucket(name) === bucket('b')) ?? ''
  const windows = createWindows(minute, 1)
  windows.of('a', 0)
  const own = windows.of('b', minute)
  expect(windows.of(twin, minute)).not.toBe(own)
  expect(windows.of('b', minute)).toBe(own)
})

describe('a window that runs', () => {
  test('is found without starting one, until it ends', () => {
    const windows = createWindows(minute)
    expect(windows.running('a', 0)).toBeUndefined()
    expect(windows.running('a', 0)).toBeUndefined()
    const first = windows.of('a', 1_000)
    expect(windows.running('a', 1_000 + minute - 1)).toBe(first)
    expect(windows.running('a', 1_000 + minute)).toBeUndefined()
    expect(windows.running('b', 1_000)).toBeUndefined()
  })

  test('is forgotten after two lengths without a call, and found in the generation before', () => {
    const windows = createWindows(minute)
    const late = windows.of('late', 0 + minute / 2)
    expect(windows.running('late', minute + minute / 2 - 1)).toBe(late)
    windows.of('x', 10 * minute)
    windows.of('y', 11 * minute - 1).used = 4
    expect(windows.of('y', 11 * minute).used).toBe(4)
    expect(windows.of('y', 13 * minute).used).toBe(0)
  })

  test('of a caller beyond the bound is shared, and found by who has none of his own', () => {
    const windows = createWindows(minute, 2)
    windows.of('a', 0)
    windows.of('b', 0)
    expect(windows.running('c', 0)).toBeUndefined()
    const shared = windows.of('c', 0)
    expect(windows.of('c', 1)).toBe(shared)
    expect(windows.running('c', 1)).toBe(shared)
    expect(shared.endsAt).toBe(minute)
    expect(windows.of('a', 1)).not.toBe(shared)
  })
})

test('a shared window is not told any more once its caller would start one of its own', () => {
  const windows = createWindows(1_000, 1)
  windows.of('a', 0)
  const shared = windows.of('b', 900)
  expect(windows.running('b', 999)).toBe(shared)
  expect(windows.running('b', 1_000)).toBeUndefined()
  expect(windows.of('b', 1_000)).not.toBe(shared)
})
