import { describe, expect, test } from 'bun:test'
import { wilson } from 'renown'
import type { Cell } from '../../../../plugins/visibility/measure/cells'
import { compare } from '../../../../plugins/visibility/measure/compare'
import { estimate } from '../../../../plugins/visibility/measure/estimate'
import { halfWidthOf, isPreciseEnough } from '../../../../plugins/visibility/measure/plan'
import { watchChange } from '../../../../plugins/visibility/measure/watch'
import { asked, type Drawing, drawing, meanOf, scenarios } from './support'

const isLong = process.env.RENOWN_LONG === '1'
const trials = isLong ? 20_000 : 3_000
const holds = (ci: readonly [number, number] | null, truth: number) =>
  ci !== null && ci[0] <= truth && truth <= ci[1]
const share = (isTrue: (trial: number) => boolean, of = trials) =>
  Array.from({ length: of }, (_, trial) => isTrue(trial)).filter(Boolean).length / of

for (const [name, rateOf] of Object.entries(scenarios)) {
  describe(`Where there are ${name}`, () => {
    const basket = (draw: Drawing, cells: number) => Array.from({ length: cells }, () => rateOf(draw))

    test.each([
      [40, 3],
      [80, 5],
      [40, 9],
    ])(
      'the interval of %i cells and %i rounds covers the true mean in 93 to 97 of 100 baskets',
      (cells, rounds) => {
        const draw = drawing(cells * 100 + rounds)
        const covered = share(() => {
          const rates = basket(draw, cells)
          return holds(estimate(asked(rates, rounds, draw)).ci95, meanOf(rates))
        })
        expect(covered).toBeGreaterThan(0.93)
        expect(covered).toBeLessThan(0.97)
      },
    )

    test('it is never wider than the pooled one, on average', () => {
      const draw = drawing(7)
      let own = 0
      let pooled = 0
      for (let trial = 0; trial < 300; trial++) {
        const cells = asked(basket(draw, 80), 5, draw)
        own += halfWidthOf(estimate(cells)) as number
        pooled += halfWidthOf({
          ci95: wilson(
            cells.reduce((sum, { k }) => sum + k, 0),
            400,
          ),
        }) as number
      }
      expect(own).toBeLessThan(pooled)
    })

    test('a tracker that stops when it is sure covers the true mean as often', () => {
      const draw = drawing(11)
      const covered = share(() => {
        const rates = basket(draw, 60)
        const last = asked(rates, 5, draw).map((cell) => ({ ...cell }))
        while (!isPreciseEnough(estimate(last), { half_width: 0.05, min_rounds: 5 })) {
          rates.forEach((rate, key) => {
            const cell = last[key] as { n: number; k: number }
            cell.n++
            if (draw.uniform() < rate) cell.k++
          })
        }
        return holds(estimate(last).ci95, meanOf(rates))
      })
      expect(covered).toBeGreaterThan(0.93)
      expect(covered).toBeLessThan(0.97)
    })

    test('two periods without a change differ in about 5 of 100 comparisons', () => {
      const draw = drawing(13)
      const differed = share(() => {
        const rates = basket(draw, 60)
        return compare(asked(rates, 5, draw), asked(rates, 5, draw)).change_significant === true
      })
      expect(differed).toBeLessThan(0.07)
      expect(differed).toBeGreaterThan(0.01)
    })

    test('who looks every day for 60 days is alarmed without a reason in less than 1 of 100 trackers', () => {
      const draw = drawing(17)
      const count = isLong ? 3_000 : 300
      const daily = Array.from({ length: count }, () => watched(basket(draw, 60), 0, draw))
      expect(daily.filter(({ alarm }) => alarm !== null).length / count).toBeLessThan(0.01)
      // What the watch is for: a comparison of fixed periods, looked at daily, is wrong far more often.
      expect(daily.filter(({ differed }) => differed).length / count).toBeGreaterThan(0.1)
    })

    test('a change of 15 points is noticed within 20 days', () => {
      const draw = drawing(19)
      const days = Array.from({ length: 100 }, () => watched(basket(draw, 60), 0.15, draw).alarm ?? 999)
      expect(Math.max(...days)).toBeLessThan(20)
    })
  })
}

/** Asks for 14 days, then for 60 more with a change, and looks each day. Each cell has good and bad days. */
function watched(rates: readonly number[], change: number, draw: Drawing) {
  const empty = () => rates.map((_, key) => ({ key: String(key), k: 0, n: 0 }))
  const reference = empty()
  const since = empty()
  const askAll = (cells: { k: number; n: number }[], shift: number) =>
    rates.forEach((rate, key) => {
      const cell = cells[key] as { k: number; n: number }
      const logit = Math.log((rate + 1e-6) / (1 - rate + 1e-6)) + 0.8 * draw.normal()
      cell.n++
      if (draw.uniform() < Math.min(1, 1 / (1 + Math.exp(-logit)) + shift)) cell.k++
    })
  for (let day = 0; day < 14; day++) askAll(reference, 0)
  let differed = false
  for (let day = 1; day <= 60; day++) {
    askAll(since, change)
    const { verdict } = watchChange(since, reference)
    if (verdict === 'up' || verdict === 'down') return { alarm: day, differed }
    differed ||= compare(since, reference).change_significant === true
  }
  return { alarm: null, differed }
}

/** Calls until the interval is ± 5 points, by rounds over all cells. */
function callsNeeded(
  rates: readonly number[],
  draw: Drawing,
  widthOf: (cells: readonly Cell[]) => number | null,
) {
  for (let rounds = 3; rounds < 40; rounds++) {
    const cells = asked(rates, rounds, draw)
    if ((widthOf(cells) ?? 1) <= 0.05) return rounds * rates.length
  }
  return 40 * rates.length
}

test('± 5 points take about half of the calls of the pooled method in the usual basket', () => {
  const draw = drawing(23)
  let own = 0
  let pooled = 0
  for (let trial = 0; trial < 200; trial++) {
    const rates = Array.from({ length: 40 }, () => draw.beta(0.25, 0.35))
    own += callsNeeded(rates, draw, (cells) => halfWidthOf(estimate(cells)))
    pooled += callsNeeded(rates, draw, (cells) => {
      const k = cells.reduce((sum, one) => sum + one.k, 0)
      const n = cells.reduce((sum, one) => sum + one.n, 0)
      return halfWidthOf({ ci95: wilson(k, n) })
    })
  }
  expect(own / pooled).toBeLessThan(0.6)
})
