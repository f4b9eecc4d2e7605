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
