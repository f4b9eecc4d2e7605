import { describe, expect, test } from 'bun:test'
import { wilson } from 'renown'
import { momentsOf } from '../../../../plugins/visibility/measure/cells'
import { compare } from '../../../../plugins/visibility/measure/compare'
import { estimate } from '../../../../plugins/visibility/measure/estimate'
import { incidentsOf } from '../../../../plugins/visibility/measure/incidents'
import { forecast, isPreciseEnough } from '../../../../plugins/visibility/measure/plan'
import { watchChange } from '../../../../plugins/visibility/measure/watch'

const cell = (key: string, k: number, n: number) => ({ key, k, n })
const many = (count: number, k: number, n: number, prefix = 'c') =>
  Array.from({ length: count }, (_, place) => cell(`${prefix}${place}`, k, n))

describe('An estimate', () => {
  test('has no rate and no interval without answers', () => {
    for (const cells of [[], [cell('a', 0, 0)]]) {
      expect(estimate(cells)).toEqual({
        k: 0,
        n: 0,
        rate: null,
        ci95: null,
        interval_basis: 'none',
        cells: 0,
        effective_n: 0,
        rounds: 0,
      })
    }
  })

  test('weighs each cell the same, however often it was asked', () => {
    const { rate, k, n, rounds, cells } = estimate([cell('a', 0, 2), cell('b', 18, 18)])
    expect({ rate, k, n, rounds, cells }).toEqual({ rate: 0.5, k: 18, n: 20, rounds: 18, cells: 2 })
  })

  test('is pooled where most cells have one answer, and says so', () => {
    const cells = [...many(30, 1, 1), ...many(10, 1, 2, 'd')]
    const made = estimate(cells)
    expect(made.interval_basis).toBe('pooled')
    expect(made.effective_n).toBe(50)
    expect(made.ci95).toEqual(wilson((35 / 40) * 50, 50))
  })

  test('is stratified from four of five cells with two answers on', () => {
    const repeated = many(8, 1, 2)
    expect(estimate([...repeated, ...many(2, 1, 1, 'd')]).interval_basis).toBe('stratified')
    expect(estimate([...repeated, ...many(3, 1, 1, 'd')]).interval_basis).toBe('pooled')
  })

  test('is not more certain than its answers where no cell ever varied', () => {
    expect(estimate(many(40, 3, 3)).ci95).toEqual(wilson(120, 120))
    expect(estimate(many(40, 0, 3)).ci95).toEqual(wilson(0, 120))
    const split = [...many(20, 3, 3), ...many(20, 0, 3, 'd')]
    expect(estimate(split).effective_n).toBe(120)
  })

  test('is at most 25 times as precise as its answers', () => {
    const nearly = [...many(500, 100, 100), ...many(500, 0, 100, 'd'), cell('e', 1, 100)]
    expect(estimate(nearly).effective_n).toBe(25 * 100_100)
  })

  test('knows the variance of the mean', () => {
    expect(momentsOf([cell('a', 1, 2), cell('b', 2, 2), cell('c', 1, 1)])).toEqual({
      mean: 2.5 / 3,
      variance: 0.5 / 9,
      cells: 3,
      n: 5,
      k: 4,
      rounds: 2,
      repeated: 2 / 3,
    })
  })
})

describe('A comparison', () => {
  test('is of the cells that both periods have, and counts the others', () => {
    const before = [...many(10, 0, 5), ...many(2, 5, 5, 'gone')]
    const now = [...many(10, 5, 5), ...many(3, 0, 5, 'new'), cell('empty', 0, 0)]
    const made = compare(now, before)
    expect(made).toMatchObject({ common: 10, came: 3, left: 2, difference: 1, change_significant: true })
    expect(compare(before, now).difference).toBe(-1)
  })

  test('of periods without a common cell has no answer', () => {
    const made = compare(many(4, 1, 3), many(4, 1, 3, 'other'))
    expect(made).toMatchObject({ difference: null, ci95: null, change_significant: null, common: 0 })
  })

  test('does not see a change in equal periods', () => {
    expect(compare(many(9, 1, 3), many(9, 1, 3))).toMatchObject({ difference: 0, change_significant: false })
  })
})

describe('A watch', () => {
  test('needs cells that the reference has asked three times', () => {
    expect(watchChange(many(50, 9, 9), many(50, 0, 2)).verdict).toBe('not_comparable')
    expect(watchChange(many(50, 9, 9), many(50, 0, 3)).verdict).toBe('up')
    expect(watchChange(many(50, 0, 9), many(50, 3, 3)).verdict).toBe('down')
    expect(watchChange([], []).verdict).toBe('not_comparable')
  })

  test('does not call the first answers a change', () => {
    expect(watchChange(many(2, 1, 1), many(2, 0, 14)).verdict).toBe('unchanged')
  })
})

describe('An incident', () => {
  const usual = Array.from({ length: 20 }, (_, day) => ({
    engine: 'chatgpt',
    day: `2026-10-${day + 1}`,
    answered: 19,
    unanswered: 1,
  }))
  const on = (answered: number, unanswered: number) => ({
    engine: 'chatgpt',
    day: '2026-11-01',
    answered,
    unanswered,
  })

  test('is a day on which an engine hardly answers', () => {
    expect(incidentsOf([...usual, on(6, 14)])).toEqual([{ ...on(6, 14), share: 0.7, usual: 0.05 }])
    expect(incidentsOf([...usual, on(18, 2)])).toEqual([])
  })

  test('needs runs enough on both sides', () => {
    expect(incidentsOf([...usual, on(0, 9)])).toEqual([])
    expect(incidentsOf([...usual.slice(0, 1), on(0, 20)])).toEqual([])
  })

  test('is none for an engine that seldom answers, and each engine has its own band', () => {
    const seldom = usual.map((day) => ({ ...day, engine: 'google_ai_overview', answered: 6, unanswered: 14 }))
    expect(incidentsOf([...usual, ...seldom])).toEqual([])
  })
})

describe('A plan', () => {
  const plan = { cells: 200, days: 30, usdPerAnswer: 0.012, stop: { half_width: 0.04, min_rounds: 5 } }

  test('is forecast with cost and precision', () => {
    expect(forecast(plan)).toEqual({
      answers: 6000,
      usd: 72,
      half_width: 1.959963984540054 * Math.sqrt(0.12 / (200 * 29)),
      sure_after_days: 5,
      answers_until_sure: 1000,
      usd_until_sure: 12,
      basis: 'assumed',
    })
  })

  test('that never is sure costs the whole', () => {
    const small = forecast({ ...plan, cells: 4, variance: 0.2 })
    expect(small).toMatchObject({ sure_after_days: null, answers_until_sure: 120, usd_until_sure: 1.44 })
    expect(small.basis).toBe('measured')
    const branded = forecast({ ...plan, brandedCells: plan.cells })
    const { half_width, sure_after_days, answers } = forecast(plan)
    expect(branded).toMatchObject({ half_width, sure_after_days, answers: 2 * answers })
    expect(forecast({ ...plan, stop: null }).sure_after_days).toBeNull()
    expect(forecast({ ...plan, cells: 1, days: 1 }).half_width).toBe(0.5)
  })

  test('stops at its width and not before its rounds', () => {
    const narrow = many(400, 2, 5)
    expect(isPreciseEnough(estimate(narrow), { half_width: 0.05, min_rounds: 5 })).toBe(true)
    expect(isPreciseEnough(estimate(narrow), { half_width: 0.05, min_rounds: 6 })).toBe(false)
    expect(isPreciseEnough(estimate(many(4, 2, 5)), { half_width: 0.05, min_rounds: 5 })).toBe(false)
    expect(isPreciseEnough(estimate([]), { half_width: 0.5, min_rounds: 0 })).toBe(false)
  })
})
