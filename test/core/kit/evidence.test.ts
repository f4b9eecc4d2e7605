import { describe, expect, test } from 'bun:test'
import { isManyAtOnce, isProven } from '../../../core/kit/evidence'

const at = '2026-11-28T12:00:00.000Z'
const minutesBefore = (minutes: number) => new Date(Date.parse(at) - minutes * 60_000).toISOString()

describe('evidence', () => {
  test('one reading is enough for a few things, also if they are all that there is', () => {
    expect(isProven({ readings: 1 }, { at, touched: 5, held: 5 })).toBe(true)
    expect(isProven({ readings: 1 }, { at, touched: 10, held: 100 })).toBe(true)
  })

  test('more than five things and more than a tenth need a second reading an hour later', () => {
    const outage = { at, touched: 6, held: 59 }
    expect(isManyAtOnce(outage)).toBe(true)
    expect(isManyAtOnce({ touched: 6, held: 60 })).toBe(false)
    expect(isProven({ readings: 1 }, outage)).toBe(false)
    expect(isProven({ readings: 1 }, { ...outage, firstAt: minutesBefore(59) })).toBe(false)
    expect(isProven({ readings: 1 }, { ...outage, firstAt: minutesBefore(60) })).toBe(true)
  })

  test('a rule of two readings needs the second one for a single thing, at its own distance', () => {
    const one = { at, touched: 1, held: 100 }
    expect(isProven({ readings: 2 }, one)).toBe(false)
    expect(isProven({ readings: 2, apartMs: 600_000 }, { ...one, firstAt: minutesBefore(9) })).toBe(false)
    expect(isProven({ readings: 2, apartMs: 600_000 }, { ...one, firstAt: minutesBefore(10) })).toBe(true)
  })

  test('a clock that went back proves nothing', () => {
    expect(isProven({ readings: 2 }, { at, firstAt: minutesBefore(-120), touched: 1, held: 1 })).toBe(false)
  })
})
