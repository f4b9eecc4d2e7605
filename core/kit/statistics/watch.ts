import type { Round } from './day-shift'

/** The result of a look at a series of rounds. You can look after every round. */
export interface Watch {
  /** `unchanged` also means that it is too early to know. */
  readonly verdict: 'up' | 'down' | 'unchanged' | 'too_few_rounds'
  /** First day of the new rate. Null without a change. */
  readonly since: string | null
  /** The rates before and since that day. Null without a change. */
  readonly before: number | null
  readonly now: number | null
  /** Half the width of the 95 % band of their difference, which is valid at all times and for all days together. */
  readonly margin: number | null
}

/**
 * The evidence that a change needs. By proof, a series without a change reaches it in a year of daily looks with a chance
 * of at most 1 in 50. In fact it is .2 to .7 %, whatever the mean and the variance of the rounds are.
 */
const evidenceNeeded = 50
/** The error of the band of a difference. */
const bandAlpha = 0.05
/** Rounds of a year. The chance of a false alarm is spent on changes within this many rounds. */
export const watchRoundsMax = 366
/** Fewest rounds before a change, and since it. */
export const watchRoundsBefore = 10
const roundsSince = 3
/** Variance of the size of a change, in units of the variance of a round. */
const prior = 2

/**
 * Decides whether the rate of a series changed at any of its days. The unit is the mean of a round of each assistant, so
 * bad days of one assistant or of all of them are chance. Their variance is learned from the rounds themselves.
 *
 * For each day that could be the first of a new rate, it compares the rounds before with those since, by a Bayes factor
 * of the two-sample t test: Gönen, Johnson, Lu and Westfall, "The Bayesian two-sample t test", 2005. Under no change,
 * each is a martingale whatever the mean and the variance are, and so is their weighted sum: Hendriksen, de Heide and
 * Grünwald, "Optional stopping with Bayes factors", 2021. By Ville's inequality, the sum ever reaches a limit with a
 * probability of at most 1 / limit, however often you look. So it must never be asked for one day alone.
 */
export function watchRounds(rounds: readonly Round[]): Watch {
  const days = daysOf(rounds).slice(0, watchRoundsMax)
  if (days.length < watchRoundsBefore + roundsSince) return tooFew
  const floor = smallestVariance(rounds, days.length)
  const found = changes(days, floor)
  const evidence = found.reduce((sum, { weight, logFactor }) => sum + weight * Math.exp(logFactor), 0)
  const best = found.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a))
  if (evidence < evidenceNeeded) return { ...tooFew, verdict: 'unchanged' }
  return changeAt(rounds, days, best)
}

const tooFew: Watch = { verdict: 'too_few_rounds', since: null, before: null, now: null, margin: null }

/** The mean of all rounds of a day, on a scale on which the variance does not depend on the mean. */
interface DayMean {
  readonly day: string
  readonly value: number
}

/**
 * Returns the mean of each day. Each series counts by its usual number of answers. On a day without one of them, the
 * others are compared with their own means, so that a missing assistant does not look like a change.
 */
function daysOf(rounds: readonly Round[]): DayMean[] {
  const series = usualOf(rounds)
  return [...Map.groupBy(rounds, ({ day }) => day)]
    .map(([day, own]) => {
      let k = 0
      let n = 0
      let expected = 0
      for (const round of own) {
        const usual = series.get(round.series)
        if (!usual || round.n === 0) continue
        k += (round.k / round.n) * usual.size
        n += usual.size
        expected += usual.rate * usual.size
      }
      return { day, k, n, expected }
    })
    .filter(({ n }) => n > 0)
    .sort((a, b) => (a.day < b.day ? -1 : 1))
    .map(({ day, k, n, expected }) => {
      const all = [...series.values()].reduce((sum, { size }) => sum + size, 0)
      const whole = [...series.values()].reduce((sum, { size, rate }) => sum + size * rate, 0)
      // What the missing assistants usually say, so that the mean keeps its level.
      return { day, value: stable(k + Math.max(0, whole - expected), Math.max(n, all)) }
    })
}

/** Returns the usual number of answers of a round of each series, and its rate. */
function usualOf(rounds: readonly Round[]) {
  return new Map(
    [...Map.groupBy(rounds, ({ series }) => series)].map(([name, own]) => {
      const k = own.reduce((sum, round) => sum + round.k, 0)
      const n = own.reduce((sum, round) => sum + round.n, 0)
      return [name, { size: n / own.length, rate: n === 0 ? 0 : k / n }]
    }),
  )
}

/** Anscombe, F. J. (1948), The transformation of Poisson, binomial and negative-binomial data. */
const stable = (k: number, n: number): number =>
  2 * Math.asin(Math.sqrt(Math.min(1, Math.max(0, (k + 3 / 8) / (n + 3 / 4)))))

/** With as many answers that name the brand, and that do not, the days say themselves how much they differ. */
const eventsMin = 40

/**
 * Returns the smallest variance of a day that is believed. Where hardly any answer names the brand, or hardly any does
 * not, days that are all alike say little. Then the variance is at least that of independent answers.
 */
function smallestVariance(rounds: readonly Round[], days: number): number {
  const k = rounds.reduce((sum, round) => sum + round.k, 0)
  const n = rounds.reduce((sum, round) => sum + round.n, 0)
  const perDay = Math.max(1, n / Math.max(1, days))
  const seldom = Math.min(1, eventsMin / Math.max(1, Math.min(k, n - k)))
  return Math.max(seldom, 1 / perDay) / perDay
}

interface Change {
  /** Number of days before the change. */
  readonly at: number
  readonly weight: number
  readonly logFactor: number
  /** Variance of one day, on the scale of the means. */
  readonly variance: number
}

const scoreOf = ({ weight, logFactor }: Change) => Math.log(weight) + logFactor

/** The weights of all days of a year add up to 1 at most. A change after few rounds is as likely as one after many. */
const weightSum = Math.log(watchRoundsMax / (watchRoundsBefore - 1))
/** A change that is older was looked for when it was recent, so it needs more evidence now. */
const recentRounds = 40
const oldWeight = 0.1

/** Returns how strongly the rounds speak for a change at each day. */
function changes(days: readonly DayMean[], floor: number): Change[] {
  const sums = [0]
  let squares = 0
  for (const { value } of days) {
    sums.push((sums.at(-1) ?? 0) + value)
    squares += value ** 2
  }
  const n = days.length
  const total = sums[n] ?? 0
  const found: Change[] = []
  for (let at = watchRoundsBefore; at <= n - roundsSince; at++) {
    const earlier = (sums[at] ?? 0) / at
    const later = (total - (sums[at] ?? 0)) / (n - at)
    const rest = squares - at * earlier ** 2 - (n - at) * later ** 2
    const variance = Math.max(rest / (n - 2), floor)
    const size = (at * (n - at)) / n
    const logFactor = bayesFactor(((later - earlier) ** 2 * size) / variance, n - 2, size)
    const weight = (n - at > recentRounds ? oldWeight : 1) / (at * weightSum)
    found.push({ at, weight, logFactor, variance })
  }
  return found
}

/** Returns the logarithm of the Bayes factor of a squared t statistic. */
function bayesFactor(squaredT: number, freedom: number, size: number): number {
  const growth = 1 + size * prior
  const fit = Math.log1p(squaredT / freedom) - Math.log1p(squaredT / (freedom * growth))
  return 0.5 * ((freedom + 1) * fit - Math.log(growth))
}

/** Returns the change at a day, with its rates and the band of their difference. */
function changeAt(rounds: readonly Round[], days: readonly DayMean[], change: Change): Watch {
  const since = days[change.at]?.day ?? ''
  const before = rateOf(rounds, (day) => day < since)
  const now = rateOf(rounds, (day) => day >= since)
  const size = (change.at * (days.length - change.at)) / days.length
  const limit = Math.log(1 / (bandAlpha * change.weight))
  const width = Math.sqrt((squaredTAt(limit, days.length - 2, size) * change.variance) / size)
  // From the scale of the means back to rates, at the middle of both.
  const middle = (before + now) / 2
  const margin = width * Math.sqrt(Math.max(middle * (1 - middle), 0.01))
  return { verdict: now > before ? 'up' : 'down', since, before, now, margin }
}

/** Returns the mean rate of the series on some days, each by its usual number of answers. */
function rateOf(rounds: readonly Round[], isInside: (day: string) => boolean): number {
  const usual = usualOf(rounds)
  let sum = 0
  let size = 0
  for (const [name, own] of Map.groupBy(
    rounds.filter(({ day }) => isInside(day)),
    ({ series }) => series,
  )) {
    const mean = own.reduce((total, { k, n }) => total + (n === 0 ? 0 : k / n), 0) / own.length
    const { size: weight = 0 } = usual.get(name) ?? {}
    sum += mean * weight
    size += weight
  }
  return size === 0 ? 0 : sum / size
}

/** Returns the squared t statistic at which the Bayes factor reaches a limit. */
function squaredTAt(limit: number, freedom: number, size: number): number {
  let low = 0
  let high = 1
  while (bayesFactor(high, freedom, size) < limit && high < 1e9) high *= 2
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (bayesFactor(middle, freedom, size) < limit) low = middle
    else high = middle
  }
  return high
}
