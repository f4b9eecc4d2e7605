import { describe, expect, test } from 'bun:test'
import { closingDay, isRenewed } from '../../../../plugins/visibility/alerts/baseline'

const day = (of: number) => new Date(Date.UTC(2026, 9, of)).toISOString().slice(0, 10)
const from = day(1)
const days = (...of: number[]) => of.map(day)

describe('a baseline', () => {
  test('closes after fourteen days, where five of them have answers', () => {
    expect(closingDay(from, days(1, 2, 3, 4, 5), day(14))).toBe(day(14))
    expect(closingDay(from, days(1, 2, 3, 4, 5), day(13))).toBeNull()
    expect(closingDay(from, days(1, 2, 3, 14), day(60))).toBeNull()
    expect(closingDay(from, days(1, 2, 3, 4, 14), day(60))).toBe(day(14))
  })

  test('waits for its fifth day with answers, of those since its first', () => {
    expect(closingDay(from, days(1, 8, 15, 22, 29, 36), day(29))).toBe(day(29))
    expect(closingDay(from, days(1, 8, 15, 22, 29, 36), day(28))).toBeNull()
    expect(closingDay(from, days(-3, -2, -1, 0, 1, 2, 3, 4), day(60))).toBeNull()
    expect(closingDay(from, [], day(60))).toBeNull()
  })

  test('is replaced after sixty days, or after fourteen that cannot be compared, with five days of answers', () => {
    const since = (until: number) => ({ from, until: day(until) })
    const five = days(1, 2, 3, 4, 5)
    expect([59, 60].map((until) => isRenewed(since(until), five, true))).toEqual([false, true])
    expect([13, 14].map((until) => isRenewed(since(until), five, false))).toEqual([false, true])
    for (const isComparable of [true, false]) {
      expect(isRenewed(since(90), five.slice(1), isComparable)).toBe(false)
      expect(isRenewed(since(90), days(0, 1, 2, 3, 91), isComparable)).toBe(false)
      expect(isRenewed(since(90), days(1, 2, 3, 4, 90), isComparable)).toBe(true)
    }
  })
})
