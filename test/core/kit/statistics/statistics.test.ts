import { describe, expect, test } from 'bun:test'
import { compare } from '../../../../core/kit/statistics/compare'
import { dayShiftOf } from '../../../../core/kit/statistics/day-shift'
import { estimate } from '../../../../core/kit/statistics/estimate'
import { studentT } from '../../../../core/kit/statistics/quantiles'
import { shareOf } from '../../../../core/kit/statistics/shares'
import { watchRounds } from '../../../../core/kit/statistics/watch'
import { wilson } from '../../../../core/kit/statistics/wilson'
import { testWith } from '../../../support/needs'
import { countsOf, dayName, shown } from './counts'
import { evidence, meanRate, quantile, voice } from './plain'
import { baskets, type Dice, dice, type Loss, makeTracker, type Said, type Weather, weathers } from './world'

/**
 * `bun run long statistics` (RENOWN_LONG=1) prints and checks coverage, false notices and power of all estimators. The quick run checks a
 * few of them with fewer draws. The world and the second implementation share no code with the product.
 */
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
    const now = basketOf(said)
    const before = basketOf(tracker.ask(days, loss))
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
