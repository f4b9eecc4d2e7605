import { describe, expect, test } from 'bun:test'
import type { Round } from '../../../../core/kit/statistics/day-shift'
import { watchRounds } from '../../../../core/kit/statistics/watch'
import { testWith } from '../../../support/needs'
import { countsOf, shown } from './counts'
import { baskets, type Dice, dice, makeTracker, type Said, type Weather, weathers } from './world'

/** `bun run long statistics` (RENOWN_LONG=1) prints how often notices are false, and how often a change is found. */

/** The day of the first notice of a tracker that is looked at every day. 0 without one. */
function firstNotice(said: readonly Said[], from = 13): number {
  const { rounds } = countsOf(said)
  const byDay = [...Map.groupBy(rounds, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))
  const seen: Round[] = byDay.slice(0, from - 1).flatMap(([, own]) => own)
  for (const [place, [, own]] of byDay.entries()) {
    if (place < from - 1) continue
    seen.push(...own)
    const { verdict } = watchRounds(seen)
    if (verdict === 'up' || verdict === 'down') return place + 1
  }
  return 0
}

const falseIn = (
  seed: number,
  trials: number,
  cells: number,
  basket: (at: Dice) => number,
  weather: Weather,
) => {
  const at = dice(seed)
  let count = 0
  for (let trial = 0; trial < trials; trial++)
    if (firstNotice(makeTracker(at, cells, basket, weather).ask(365)) > 0) count++
  return count / trials
}

/** How often a change by 20 points is noticed within 14 days, among trackers without a false notice before. */
function powerOf(
  seed: number,
  trials: number,
  basket: (at: Dice) => number,
  weather: Weather,
  known: number,
) {
  const at = dice(seed)
  let found = 0
  let all = 0
  while (all < trials) {
    const tracker = makeTracker(at, 25, basket, weather)
    const by = tracker.shiftFor(tracker.truth().named > 0.5 ? -0.2 : 0.2)
    if (by === null) continue
    const said = tracker.ask(known + 14, { named: 0, unnamed: 0 }, { from: known, by })
    all++
    if (firstNotice(said, known + 1) > 0) found++
  }
  return found / all
}

describe('A notice', () => {
  test('is hardly ever false in a year of daily looks', () => {
    const { middling } = baskets as Record<string, (at: Dice) => number>
    expect(falseIn(41, 4, 25, middling as (at: Dice) => number, { one: 0.5, all: 0.7 })).toBe(0)
  })

  test('comes within 14 days of a change by 20 points', () => {
    const basket = baskets['yes or no'] as (at: Dice) => number
    expect(powerOf(43, 20, basket, { one: 0.5, all: 0 }, 30)).toBeGreaterThan(0.8)
  })

  test('comes within 14 days also where an assistant has bad days, if 60 days are known', () => {
    const { middling } = baskets as Record<string, (at: Dice) => number>
    const found = powerOf(47, 20, middling as (at: Dice) => number, { one: 0.5, all: 0 }, 60)
    expect(found).toBeGreaterThan(0.8)
  })

  testWith('a long run').each(Object.entries(baskets))(
    'of baskets that are %s',
    (name, basket) => {
      for (const [weather, shifts] of Object.entries(weathers)) {
        const few = falseIn(47, 40, 25, basket, shifts)
        const many = falseIn(53, 12, 150, basket, shifts)
        const powers = [14, 30, 60, 180].map((known) => [
          `after ${known} days`,
          powerOf(59 + known, 25, basket, shifts, known),
        ])
        console.log(
          `${name}, ${weather}: false in a year ${(few * 100).toFixed(2)} % (25 cells), ${(many * 100).toFixed(2)} % (150 cells); found ${shown(Object.fromEntries(powers))}`,
        )
        // The true chance is about .3 % a year: two of 52 trackers are unlikely.
        expect(few * 40 + many * 12).toBeLessThan(2)
      }
    },
    1_200_000,
  )
})
