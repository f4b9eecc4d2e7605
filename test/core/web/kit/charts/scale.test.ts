import { describe, expect, test } from 'bun:test'
import { countScale, dayScale } from '../../../../../core/web/kit/charts/scale'

describe('a scale of counts', () => {
  test('goes from 0 at the bottom to a round number at the top, with whole ticks', () => {
    const { at, ticks } = countScale(97, 200)
    expect([at(0), at(100), at(50)]).toEqual([200, 0, 100])
    expect([ticks[0], ticks.at(-1), ticks.every(Number.isInteger)]).toEqual([0, 100, true])
    expect(countScale(3, 100).ticks).toEqual([0, 1, 2, 3])
  })

  test('has one at its top where there is nothing, and no half', () => {
    for (const greatest of [0, 0.2, 1]) {
      const { at, ticks } = countScale(greatest, 100)
      expect([greatest, at(1), ticks]).toEqual([greatest, 0, [0, 1]])
    }
  })
})

describe('a scale of days', () => {
  test('gives each day a slot of the same width', () => {
    const { at, near, slot } = dayScale(10, 100)
    expect([slot, at(0), at(5), at(9)]).toEqual([10, 5, 55, 95])
    expect([near(-5), near(9), near(11), near(54), near(500)]).toEqual([0, 0, 1, 5, 9])
  })

  test('has a single day in the middle', () => {
    for (const days of [0, 1])
      expect([dayScale(days, 100).at(0), dayScale(days, 100).near(90)]).toEqual([50, 0])
    expect([dayScale(2, 100).at(0), dayScale(2, 100).at(1), dayScale(2, 100).near(51)]).toEqual([25, 75, 1])
  })

  test('names as many days as fit, and every other one where there is room for two at most', () => {
    const named = (days: number, width: number, room = 10) => dayScale(days, width).named(room)
    expect(named(5, 50)).toEqual([0, 1, 2, 3, 4])
    expect(named(5, 49)).toEqual([0, 2, 4])
    expect(named(10, 30)).toEqual([0, 4, 8])
    expect(named(10, 1)).toEqual([0, 5])
    expect(named(1, 1)).toEqual([0])
    expect(named(0, 50)).toEqual([])
  })
})
