import { describe, expect, test } from 'bun:test'
import { wilson } from 'renown'
import { meanOf, meansDiffer } from 'renown/statistics'
import type { Figure } from '../../../../plugins/reports/blocks/block'
import {
  countFigure,
  plainCountFigure,
  rateFigure,
  ratingFigure,
} from '../../../../plugins/reports/blocks/figures'
import { changeOf } from '../../../../plugins/reports/blocks/format'

const given = { id: 'a.b', label: 'A', better: 'higher', definition: 'a@1' } as const
const rate = (k: number, n: number) => ({
  definition: 'a@1',
  k,
  n,
  rate: n === 0 ? null : k / n,
  ci95: wilson(k, n) as number[] | null,
})
const toneOf = (figure: Figure) => changeOf(figure)?.tone

describe('a change is coloured only if it is more than chance', () => {
  test('rates', () => {
    expect(changeOf(rateFigure(given, rate(22, 25), rate(21, 29)))).toEqual({
      words: 'up from 72.4 % (may be chance)',
      tone: 'plain',
    })
    expect(toneOf(rateFigure(given, rate(220, 250), rate(150, 250)))).toBe('good')
    expect(toneOf(rateFigure({ ...given, better: 'lower' }, rate(220, 250), rate(150, 250)))).toBe('bad')
    expect(toneOf(rateFigure({ ...given, better: undefined }, rate(220, 250), rate(150, 250)))).toBe('plain')
  })

  test('counts, whose months differ in length', () => {
    expect(changeOf(countFigure(given, 25, 29))?.words).toBe('down from 29 (may be chance)')
    expect(toneOf(countFigure(given, 60, 20))).toBe('good')
    // The same daily count in January and in February.
    expect(toneOf(countFigure(given, 31_000, 28_000))).toBe('plain')
    expect(changeOf(plainCountFigure(given, 60, 20))).toEqual({ words: 'up from 20', tone: 'plain' })
    expect(changeOf(countFigure(given, 0, 0))).toEqual({ words: 'unchanged, 0', tone: 'plain' })
  })

  test('mean ratings', () => {
    const stars = (...counts: number[]) => counts.map((count, place) => ({ stars: 5 - place, count }))
    expect(changeOf(ratingFigure(given, stars(21, 1, 0, 2, 1), stars(22, 3, 0, 2, 2)))?.tone).toBe('plain')
    expect(toneOf(ratingFigure(given, stars(90, 5, 5), stars(20, 20, 20, 20, 20)))).toBe('good')
    // Too few to tell.
    expect(ratingFigure(given, stars(3), stars(0, 0, 0, 0, 3)).is_significant).toBeUndefined()
  })

  test('a value that cannot be compared has no colour', () => {
    const figure = { ...countFigure(given, 60, 20), not_comparable_because: 'the prompts changed' }
    expect(changeOf(figure)?.tone).toBe('plain')
  })
})

test('the interval of a mean is that of the tables of Student', () => {
  // Ten ratings: mean 3, standard deviation 1.4907, t(9) = 2.262.
  const { mean, interval } = meanOf([5, 4, 3, 2, 1].map((stars) => ({ stars, count: 2 })))
  expect(mean).toBe(3)
  expect(interval?.low).toBeCloseTo(3 - (2.262 * 1.490712) / Math.sqrt(10), 2)
  expect(interval?.high).toBeCloseTo(3 + (2.262 * 1.490712) / Math.sqrt(10), 2)
  expect(meanOf([{ stars: 5, count: 9 }]).interval).toBeNull()
  expect(meanOf([{ stars: null, count: 9 }])).toMatchObject({ n: 0, mean: null })
})

describe('means of ratings that are all equal', () => {
  const equal = (stars: number, count = 10) => meanOf([{ stars, count }])

  test('have no interval, because no variance says how sure they are', () => {
    expect(equal(5)).toEqual({ n: 10, mean: 5, interval: null, variance: 0 })
    expect(equal(1)).toEqual({ n: 10, mean: 1, interval: null, variance: 0 })
  })

  test('differ if they are not the same', () => {
    expect(meansDiffer(equal(5), equal(4))).toBe(true)
    expect(meansDiffer(equal(4), equal(5))).toBe(true)
    expect(meansDiffer(equal(5), equal(5, 30))).toBe(false)
  })

  test('can be compared with ratings that vary', () => {
    const varied = meanOf([
      { stars: 5, count: 9 },
      { stars: 4, count: 1 },
    ])
    expect(meansDiffer(equal(5), varied)).toBe(false)
    expect(meansDiffer(equal(1), varied)).toBe(true)
    expect(meansDiffer(equal(5, 9), varied)).toBeNull()
  })
})

test('an interval ends at one star and at five stars, because there is nothing beyond', () => {
  const low = meanOf([
    { stars: 1, count: 11 },
    { stars: 5, count: 1 },
  ])
  expect(low.interval?.low).toBe(1)
  expect(low.interval?.high).toBeGreaterThan(2)
  expect(low.interval?.high).toBeLessThan(5)
  const high = meanOf([
    { stars: 5, count: 11 },
    { stars: 1, count: 1 },
  ])
  expect(high.interval?.high).toBe(5)
  expect(high.interval?.low).toBeLessThan(4)
  expect(high.interval?.low).toBeGreaterThan(1)
})
