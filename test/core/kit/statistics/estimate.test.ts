import { describe, expect, test } from 'bun:test'
import { compare } from '../../../../core/kit/statistics/compare'
import { dayShiftOf, type Round } from '../../../../core/kit/statistics/day-shift'
import { estimate } from '../../../../core/kit/statistics/estimate'
import { shareOf } from '../../../../core/kit/statistics/shares'
import { watchRounds } from '../../../../core/kit/statistics/watch'
import { wilson } from '../../../../core/kit/statistics/wilson'

const cell = (key: string, k: number, n: number, series = 'one') => ({ key, series, k, n })
const many = (count: number, k: number, n: number, prefix = 'c') =>
  Array.from({ length: count }, (_, place) => cell(`${prefix}${place}`, k, n))
const dayOf = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
/** The rounds of one assistant with these counts, one a day. */
const rounds = (n: number, ...counts: number[]): Round[] =>
  counts.map((k, day) => ({ series: 'one', day: dayOf(day), k, n }))

describe('An estimate', () => {
  test('has no rate and no interval without answers', () => {
    for (const cells of [[], [cell('a', 0, 0)]]) {
      expect(estimate(cells, null)).toEqual({
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
    const { rate, k, n, rounds, cells } = estimate([cell('a', 0, 2), cell('b', 18, 18)], null)
    expect({ rate, k, n, rounds, cells }).toEqual({ rate: 0.5, k: 18, n: 20, rounds: 18, cells: 2 })
  })

  test('is pooled where most cells have one answer, or with fewer than three rounds, and says so', () => {
    const cells = [...many(30, 1, 1), ...many(10, 1, 2, 'd')]
    const made = estimate(cells, null)
    expect(made.interval_basis).toBe('pooled')
    expect(made.effective_n).toBe(50)
    expect(made.ci95).toEqual(wilson((35 / 40) * 50, 50))
    const repeated = many(10, 1, 2)
    expect(dayShiftOf(repeated, rounds(10, 4, 6))).toBeNull()
    expect(estimate(repeated, null).interval_basis).toBe('pooled')
  })

  test('is stratified from four of five cells with two answers on', () => {
    const shift = dayShiftOf(many(8, 1, 3), rounds(8, 2, 3, 3))
    const repeated = many(8, 1, 2)
    expect(estimate([...repeated, ...many(2, 1, 1, 'd')], shift).interval_basis).toBe('stratified')
    expect(estimate([...repeated, ...many(3, 1, 1, 'd')], shift).interval_basis).toBe('pooled')
  })

  test('is not more certain than its answers where no cell ever varied', () => {
    const always = rounds(40, 40, 40, 40)
    const never = rounds(40, 0, 0, 0)
    expect(estimate(many(40, 3, 3), dayShiftOf(many(40, 3, 3), always)).ci95).toEqual(wilson(120, 120))
    expect(estimate(many(40, 0, 3), dayShiftOf(many(40, 0, 3), never)).ci95).toEqual(wilson(0, 120))
    const split = [...many(20, 3, 3), ...many(20, 0, 3, 'd')]
    expect(estimate(split, dayShiftOf(split, rounds(40, 20, 20, 20))).effective_n).toBe(120)
  })

  test('of one cell is that of independent answers: each is of another day', () => {
    const one = [cell('a', 5, 20)]
    const days = rounds(1, ...Array.from({ length: 20 }, (_, day) => (day % 4 === 0 ? 1 : 0)))
    expect(estimate(one, dayShiftOf(one, days)).effective_n).toBe(19)
  })

  test('is wider where the days of an assistant differ more, and where there are few of them', () => {
    const width = (...counts: number[]) => {
      const total = counts.reduce((sum, k) => sum + k, 0)
      const share = total / 20
      const cells = many(20, share, counts.length)
      const [low = 0, high = 1] = estimate(cells, dayShiftOf(cells, rounds(20, ...counts))).ci95 ?? []
      return high - low
    }
    expect(width(2, 18, 2, 18, 2, 18)).toBeGreaterThan(2.5 * width(8, 12, 9, 11, 10, 10))
    expect(width(8, 12, 10)).toBeGreaterThan(2 * width(8, 12, 10, 8, 12, 10, 8, 12, 10))
  })

  test('of some cells learns from all rounds, and less the fewer cells a day moves', () => {
    const counts = [2, 8, 2, 8, 2, 8]
    const all = many(10, 3, 6)
    const shift = dayShiftOf(all, rounds(10, ...counts))
    const sizes = [10, 5, 2, 1].map((size) => estimate(all.slice(0, size), shift).effective_n / (size * 6))
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
  })
})

describe('A comparison', () => {
  const basket = (cells: ReturnType<typeof many>) => ({ cells, shift: null })

  test('is of the cells that both periods have, and counts the others', () => {
    const before = basket([...many(10, 0, 5), ...many(2, 5, 5, 'gone')])
    const now = basket([...many(10, 5, 5), ...many(3, 0, 5, 'new'), cell('empty', 0, 0)])
    const made = compare(now, before)
    expect(made).toMatchObject({ common: 10, came: 3, left: 2, difference: 1, change_significant: true })
    expect(compare(before, now).difference).toBe(-1)
  })

  test('of periods without a common cell has no answer', () => {
    const made = compare(basket(many(4, 1, 3)), basket(many(4, 1, 3, 'other')))
    expect(made).toMatchObject({ difference: null, ci95: null, change_significant: null, common: 0 })
  })

  test('does not see a change in equal periods', () => {
    const nine = basket(many(9, 1, 3))
    expect(compare(nine, nine)).toMatchObject({ difference: 0, change_significant: false })
  })

  test('does not take one bad day of an assistant for a change', () => {
    const of = (...counts: number[]) => {
      const cells = many(30, counts.reduce((sum, k) => sum + k, 0) / 30, counts.length)
      return { cells, shift: dayShiftOf(cells, rounds(30, ...counts)) }
    }
    const steady = of(15, 15, 16, 14, 15)
    expect(compare(of(15, 15, 15, 15, 0), steady).change_significant).toBe(false)
    expect(compare(of(9, 8, 9, 10, 9), steady).change_significant).toBe(true)
  })
})

describe('A share of counts', () => {
  const day = (place: number, k: number, n: number, answers: number) => ({
    series: 'one',
    day: dayOf(place),
    k,
    n,
    answers,
  })

  test('of nothing is none, and of fewer than three rounds that of independent counts', () => {
    expect(shareOf([])).toEqual({ k: 0, n: 0, rate: null, ci95: null })
    expect(shareOf([day(0, 3, 10, 5), day(1, 4, 10, 5)]).ci95).toEqual(wilson(7, 20))
  })

  test('is sure where each answer names the same, and unsure where days differ', () => {
    const width = ({ ci95 }: ReturnType<typeof shareOf>) => (ci95?.[1] ?? 1) - (ci95?.[0] ?? 0)
    const steady = [10, 10, 11, 10, 9, 10, 10].map((k, place) => day(place, k, 30, 10))
    const wild = [2, 20, 3, 18, 2, 19, 6].map((k, place) => day(place, k, 30, 10))
    const independent = wilson(70, 210) ?? [0, 1]
    expect(width(shareOf(steady))).toBeLessThan((independent[1] - independent[0]) / 2)
    expect(width(shareOf(wild))).toBeGreaterThan(1.5 * (independent[1] - independent[0]))
  })
})

describe('A watch', () => {
  const steady = [12, 13, 12, 11, 12, 13, 11, 12, 12, 13, 12, 11]

  test('needs ten rounds before a change, and three since', () => {
    expect(watchRounds([]).verdict).toBe('too_few_rounds')
    expect(watchRounds(rounds(25, ...steady)).verdict).toBe('too_few_rounds')
    expect(watchRounds(rounds(25, ...steady, 12)).verdict).toBe('unchanged')
  })

  test('says since when, and how sure the difference is', () => {
    const made = watchRounds(rounds(25, ...steady, 4, 5, 3, 4, 5, 4))
    expect(made).toMatchObject({ verdict: 'down', since: dayOf(steady.length) })
    const difference = (made.before ?? 0) - (made.now ?? 0)
    expect(difference).toBeCloseTo(12 / 25 - 25 / 6 / 25, 2)
    expect(made.margin).toBeGreaterThan(0.03)
    expect(made.margin).toBeLessThan(difference)
  })

  test('compares the same mix of assistants before and since, however often each was asked', () => {
    const asked = (series: string, days: readonly number[], k: number, n: number): Round[] =>
      days.map((day) => ({ series, day: dayOf(day), k: k + (day % 2), n }))
    const early = Array.from({ length: 14 }, (_, day) => day)
    const late = Array.from({ length: 6 }, (_, day) => 14 + day)
    const made = watchRounds([
      ...asked('one', early, 48, 60),
      ...asked('two', early, 6, 20),
      ...asked('one', late, 8, 20),
      ...asked('two', late, 12, 60),
    ])
    expect(made).toMatchObject({ verdict: 'down', since: dayOf(14) })
    // The one fell from 0.81 to 0.43, the other from 0.33 to 0.21. Nothing fell by more.
    const difference = (made.before ?? 0) - (made.now ?? 0)
    expect(difference).toBeGreaterThan(0.1)
    expect(difference).toBeLessThan(0.39)
  })

  test('takes many answers of a few bad days for a few days', () => {
    const thousand = steady.map((k) => k * 40)
    const bad = rounds(1_000, ...thousand, 480, 300, 500, 290, 470, 480)
    expect(watchRounds(bad).verdict).toBe('unchanged')
  })

  test('takes an assistant that does not answer on some days for no change', () => {
    const second = steady.map((_, day) => ({ series: 'two', day: dayOf(day), k: 1, n: 25 }))
    const first = rounds(25, ...steady, 12, 12, 13, 11, 12)
    expect(watchRounds([...first, ...second]).verdict).toBe('unchanged')
  })

  test('takes the first namings of a brand that was never named for chance', () => {
    const never = Array.from({ length: 100 }, () => 0)
    expect(watchRounds(rounds(25, ...never, 0, 0, 1)).verdict).toBe('unchanged')
    expect(watchRounds(rounds(25, ...never, 9, 8, 10, 9)).verdict).toBe('up')
  })
})
