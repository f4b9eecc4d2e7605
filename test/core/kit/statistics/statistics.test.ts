import { describe, expect, test } from 'bun:test'
import type { Cell } from '../../../../core/kit/statistics/cells'
import { compare } from '../../../../core/kit/statistics/compare'
import { dayShiftOf, type Round } from '../../../../core/kit/statistics/day-shift'
import { estimate } from '../../../../core/kit/statistics/estimate'
import { studentT } from '../../../../core/kit/statistics/quantiles'
import { shareOf } from '../../../../core/kit/statistics/shares'
import { watchRounds } from '../../../../core/kit/statistics/watch'
import { wilson } from '../../../../core/kit/statistics/wilson'
import { testWith } from '../../../support/needs'
import { evidence, meanRate, quantile, voice } from './plain'
import { baskets, type Dice, dice, type Loss, makeTracker, type Said, type Weather, weathers } from './world'

/**
 * `bun run long statistics` (RENOWN_LONG=1) prints and checks coverage, false notices and power of all estimators. The quick run checks a
 * few of them with fewer draws. The world and the second implementation share no code with the product.
 */
const dayName = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)

/** What the product reads: counts of cells, and of rounds. */
function countsOf(said: readonly Said[], isHit: (one: Said) => boolean = (one) => one.isNamed) {
  const cells = new Map<number, { -readonly [name in keyof Cell]: Cell[name] }>()
  const rounds = new Map<string, { -readonly [name in keyof Round]: Round[name] }>()
  for (const one of said) {
    const series = `assistant ${one.assistant}`
    const cell = cells.get(one.cell) ?? { key: String(one.cell), series, k: 0, n: 0 }
    cells.set(one.cell, cell)
    const name = `${one.assistant} ${one.day}`
    const round = rounds.get(name) ?? { series, day: dayName(one.day), k: 0, n: 0 }
    rounds.set(name, round)
    for (const counts of [cell, round]) {
      counts.n++
      if (isHit(one)) counts.k++
    }
  }
  return { cells: [...cells.values()], rounds: [...rounds.values()] }
}

function basketOf(said: readonly Said[]) {
  const { cells, rounds } = countsOf(said)
  return { cells, shift: dayShiftOf(cells, rounds) }
}

function rateOf(said: readonly Said[], isHit?: (one: Said) => boolean) {
  const { cells, rounds } = countsOf(said, isHit)
  return estimate(cells, dayShiftOf(cells, rounds))
}

const voiceRounds = (said: readonly Said[]) =>
  [...Map.groupBy(said, (one) => `${one.assistant} ${one.day}`).values()].map((own) => ({
    series: String(own[0]?.assistant),
    day: dayName(own[0]?.day ?? 0),
    answers: own.length,
    k: own.filter((one) => one.isNamed).length,
    n: own.reduce((total, one) => total + one.rivals + Number(one.isNamed), 0),
  }))
const voiceOf = (said: readonly Said[]) => shareOf(voiceRounds(said))
const citedOf = (said: readonly Said[]) =>
  shareOf(
    [...Map.groupBy(said, (one) => `${one.assistant} ${one.day}`).values()].map((own) => ({
      series: String(own[0]?.assistant),
      day: dayName(own[0]?.day ?? 0),
      answers: own.length,
      k: own.filter((one) => one.isCited).length,
      n: own.length,
    })),
  )

interface Measured {
  readonly rate: number | null
  readonly ci95: readonly number[] | null
}
const holds = ({ ci95 }: Measured, truth: number) =>
  ci95 !== null && (ci95[0] as number) <= truth && truth <= (ci95[1] as number)

interface Setting {
  readonly cells: number
  readonly days: number
  readonly basket: (at: Dice) => number
  readonly weather: Weather
  readonly loss?: Loss
}

/** The coverage of each estimator, as a share. */
function coverage(seed: number, trials: number, { cells, days, basket, weather, loss }: Setting) {
  const at = dice(seed)
  const hits = {
    named: 0,
    voice: 0,
    cited: 0,
    plain: 0,
    plainVoice: 0,
    pooled: 0,
    pooledVoice: 0,
    differs: 0,
  }
  for (let trial = 0; trial < trials; trial++) {
    const tracker = makeTracker(at, cells, basket, weather)
    const truth = tracker.truth()
    const said = tracker.ask(days, loss)
    const [now, before] = [basketOf(said), basketOf(tracker.ask(days, loss))]
    const named = said.filter((one) => one.isNamed).length
    const namings = named + said.reduce((total, one) => total + one.rivals, 0)
    if (holds(rateOf(said), truth.named)) hits.named++
    if (holds(voiceOf(said), truth.voice)) hits.voice++
    if (holds(citedOf(said), truth.cited)) hits.cited++
    if (holds(meanRate(said), truth.named)) hits.plain++
    if (holds(voice(said), truth.voice)) hits.plainVoice++
    if (holds({ rate: 0, ci95: wilson(named, said.length) }, truth.named)) hits.pooled++
    if (holds({ rate: 0, ci95: wilson(named, namings) }, truth.voice)) hits.pooledVoice++
    if (compare(now, before).change_significant === true) hits.differs++
  }
  return Object.fromEntries(Object.entries(hits).map(([name, count]) => [name, count / trials])) as Record<
    keyof typeof hits,
    number
  >
}

const shown = (shares: Record<string, number>) =>
  Object.entries(shares)
    .map(([name, share]) => `${name} ${(share * 100).toFixed(2)} %`)
    .join(', ')

describe('The second implementation agrees', () => {
  test('about the quantiles of Student', () => {
    for (const freedom of [1, 2, 4, 13, 27])
      expect(studentT(freedom)).toBeCloseTo(quantile(freedom), freedom === 1 ? 1 : 2)
  })

  test.each(Object.entries(baskets))(
    'about the rate and the share of voice of baskets that are %s',
    (_, basket) => {
      const at = dice(3)
      for (let trial = 0; trial < 20; trial++) {
        const said = makeTracker(at, 25, basket, { one: 0.5, all: 0.7 }).ask(4 + (trial % 20))
        for (const [product, plain] of [
          [rateOf(said), meanRate(said)],
          [voiceOf(said), voice(said)],
        ] as const) {
          expect(product.rate).toBeCloseTo(plain.rate, 5)
          expect(product.ci95?.[0]).toBeCloseTo(plain.ci95[0], 3)
          expect(product.ci95?.[1]).toBeCloseTo(plain.ci95[1], 3)
        }
      }
    },
  )

  test('about when a change is certain', () => {
    const at = dice(5)
    let alarms = 0
    for (let trial = 0; trial < 60; trial++) {
      const tracker = makeTracker(at, 25, baskets.middling as (at: Dice) => number, { one: 0.5, all: 0 })
      const said = tracker.ask(44, { named: 0, unnamed: 0 }, { from: 30, by: trial % 2 })
      const { rounds } = countsOf(said)
      const means = [...Map.groupBy(said, ({ day }) => day).values()].map(
        (own) => 2 * Math.asin(Math.sqrt((own.filter((one) => one.isNamed).length + 0.375) / 25.75)),
      )
      const strength = evidence(means)
      // The floor of the variance is the product's own, and it binds in no such basket.
      if (strength > 105 || strength < 95) {
        const isAlarm = watchRounds(rounds).verdict !== 'unchanged'
        expect({ trial, isAlarm }).toEqual({ trial, isAlarm: strength > 100 })
        if (isAlarm) alarms++
      }
    }
    expect(alarms).toBeGreaterThan(5)
  })
})

const sizes = [
  [25, 5],
  [25, 28],
  [150, 7],
] as const

describe('Intervals hold the truth', () => {
  test.each([
    ['middling', 'both shifts', 60, 7],
    ['yes or no', 'no shift', 25, 28],
  ] as const)(
    'of baskets that are %s, with %s, over %i cells and %i days',
    (basket, weather, cells, days) => {
      const found = coverage(11, 200, {
        cells,
        days,
        basket: baskets[basket] as (at: Dice) => number,
        weather: weathers[weather] as Weather,
      })
      for (const name of ['named', 'voice', 'cited'] as const) expect(found[name]).toBeGreaterThan(0.9)
      expect(found.differs).toBeLessThan(0.08)
    },
  )

  testWith('a long run').each(
    Object.keys(baskets).flatMap((basket) =>
      Object.keys(weathers).map((weather) => [basket, weather] as const),
    ),
  )('of baskets that are %s, with %s', (basket, weather) => {
    for (const [cells, days] of sizes) {
      const found = coverage(cells * days, 1_000, {
        cells,
        days,
        basket: baskets[basket] as (at: Dice) => number,
        weather: weathers[weather] as Weather,
      })
      console.log(`${basket}, ${weather}, ${cells} cells, ${days} days: ${shown(found)}`)
      for (const name of ['named', 'voice', 'cited'] as const) {
        expect({ name, cells, days, isEnough: found[name] >= 0.925 }).toEqual({
          name,
          cells,
          days,
          isEnough: true,
        })
        // Rates near 0 are whole numbers of a few answers: their intervals hold more.
        if (basket !== 'seldom named' && days > 5)
          expect({ name, cells, days, isNarrow: found[name] <= 0.975 }).toEqual({
            name,
            cells,
            days,
            isNarrow: true,
          })
      }
      expect(found.differs).toBeLessThan(0.07)
    }
  })

  testWith('a long run')(
    'also if answers are missing by chance; those that depend on the brand are told in words',
    () => {
      for (const loss of [
        { named: 0.15, unnamed: 0.15 },
        { named: 0.05, unnamed: 0.15 },
      ]) {
        for (const [basket, logitOf] of Object.entries(baskets)) {
          const found = coverage(29, 1_000, {
            cells: 25,
            days: 14,
            basket: logitOf,
            weather: { one: 0.5, all: 0 },
            loss,
          })
          console.log(`missing ${JSON.stringify(loss)}, ${basket}: ${shown(found)}`)
          if (loss.named === loss.unnamed)
            for (const name of ['named', 'voice', 'cited'] as const) expect(found[name]).toBeGreaterThan(0.93)
        }
      }
    },
  )
})

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

  testWith('a long run').each(Object.entries(baskets))(
    'of baskets that are %s',
    (name, basket) => {
      for (const [weather, shifts] of Object.entries(weathers)) {
        const few = falseIn(47, 200, 25, basket, shifts)
        const many = falseIn(53, 60, 150, basket, shifts)
        const powers = [14, 30, 60, 180].map((known) => [
          `after ${known} days`,
          powerOf(59 + known, 100, basket, shifts, known),
        ])
        console.log(
          `${name}, ${weather}: false in a year ${(few * 100).toFixed(2)} % (25 cells), ${(many * 100).toFixed(2)} % (150 cells); found ${shown(Object.fromEntries(powers))}`,
        )
        // The true chance is about .3 % a year: of 260 trackers, more than three are unlikely.
        expect(few * 200 + many * 60).toBeLessThan(4)
      }
    },
    1_200_000,
  )
})
