import { describe, expect, test } from 'bun:test'
import { dayShiftOf, estimate, studentT } from 'renown/statistics'
import { incidentsOf } from '../../../../plugins/visibility/measure/incidents'
import { forecast, isPreciseEnough } from '../../../../plugins/visibility/measure/plan'

const cell = (key: string, k: number, n: number) => ({ key, series: 'one', k, n })
const many = (count: number, k: number, n: number, prefix = 'c') =>
  Array.from({ length: count }, (_, place) => cell(`${prefix}${place}`, k, n))

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
      half_width: studentT(29) * Math.sqrt((0.12 / 200 + 0.0004) / 30),
      sure_after_days: 5,
      answers_until_sure: 1000,
      usd_until_sure: 12,
      basis: 'assumed',
    })
  })

  test('that never is sure costs the whole', () => {
    const small = forecast({ ...plan, cells: 4, spread: { inside: 0.2, ofDays: 0 } })
    expect(small).toMatchObject({ sure_after_days: null, answers_until_sure: 120, usd_until_sure: 1.44 })
    expect(small.basis).toBe('measured')
    const branded = forecast({ ...plan, brandedCells: plan.cells })
    const { half_width, sure_after_days, answers } = forecast(plan)
    expect(branded).toMatchObject({ half_width, sure_after_days, answers: 2 * answers })
    expect(forecast({ ...plan, stop: null }).sure_after_days).toBeNull()
    expect(forecast({ ...plan, cells: 1, days: 1 }).half_width).toBe(0.5)
  })

  test('needs more days where days differ more, however many questions there are', () => {
    const spread = { inside: 0.12, ofDays: 0.01 }
    const wild = forecast({ ...plan, spread })
    expect(wild.sure_after_days).toBeGreaterThan(20)
    expect(forecast({ ...plan, cells: 20_000, spread }).sure_after_days).toBeGreaterThan(20)
  })

  test('stops at its width and not before its rounds', () => {
    const narrow = many(400, 2, 5)
    const rounds = (n: number, ...counts: number[]) =>
      counts.map((k, day) => ({ series: 'one', day: `2026-10-0${day + 1}`, k, n }))
    const known = estimate(narrow, dayShiftOf(narrow, rounds(400, 160, 158, 162, 155, 165)))
    expect(isPreciseEnough(known, { half_width: 0.05, min_rounds: 5 })).toBe(true)
    expect(isPreciseEnough(known, { half_width: 0.05, min_rounds: 6 })).toBe(false)
    const days = estimate(narrow, dayShiftOf(narrow, rounds(400, 80, 240, 160, 60, 260)))
    expect(isPreciseEnough(days, { half_width: 0.05, min_rounds: 5 })).toBe(false)
    expect(isPreciseEnough(estimate(many(4, 2, 5), null), { half_width: 0.05, min_rounds: 5 })).toBe(false)
    expect(isPreciseEnough(estimate([], null), { half_width: 0.5, min_rounds: 0 })).toBe(false)
  })
})
