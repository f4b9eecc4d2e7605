import { studentT } from './quantiles'
import { wilson } from './wilson'

/**
 * The share that the shorter of two neighbouring periods may have of their days: February and January, for example. Full
 * months and quarters differ in length, and a difference that this explains is none.
 */
const shorterShare = 28 / 59

/**
 * Whether two counts of independent events differ by more than chance. Given their sum, the first is binomial: the
 * 95 % Wilson interval of its share must not contain what the lengths of the periods explain. Null if both are 0.
 */
export function countsDiffer(now: number, before: number): boolean | null {
  const interval = wilson(now, now + before)
  if (interval === null) return null
  const [low, high] = interval
  return high < shorterShare || low > 1 - shorterShare
}

/** How often each number of stars was given. Null: without stars. */
export type StarCounts = readonly { readonly stars: number | null; readonly count: number }[]

/** The mean of stars, with its interval. */
export interface MeanOfStars {
  readonly n: number
  readonly mean: number | null
  /** The 95 % interval by Student's t. Null below 10 ratings, or if all are equal. */
  readonly interval: { readonly low: number; readonly high: number } | null
  /** The variance of the mean. */
  readonly variance: number
}

/** Fewer ratings have no interval: their mean is far from normal. */
const ratingsMin = 10

/** Returns the mean of stars. Those without stars are left out. */
export function meanOf(counts: StarCounts): MeanOfStars {
  const rated = counts.flatMap(({ stars, count }) => (stars === null ? [] : [{ stars, count }]))
  const n = rated.reduce((sum, { count }) => sum + count, 0)
  if (n === 0) return { n, mean: null, interval: null, variance: 0 }
  const mean = rated.reduce((sum, { stars, count }) => sum + stars * count, 0) / n
  const squares = rated.reduce((sum, { stars, count }) => sum + count * (stars - mean) ** 2, 0)
  const variance = n < 2 ? 0 : squares / (n - 1) / n
  const spread = studentT(n - 1) * Math.sqrt(variance)
  const interval =
    n < ratingsMin || variance === 0
      ? null
      : { low: Math.max(1, mean - spread), high: Math.min(5, mean + spread) }
  return { n, mean, interval, variance }
}

/** Whether two means differ by more than chance, by Welch's interval. Null if one has fewer than 10 ratings. */
export function meansDiffer(now: MeanOfStars, before: MeanOfStars): boolean | null {
  const least = Math.min(now.n, before.n)
  if (now.mean === null || before.mean === null || least < ratingsMin) return null
  const variance = now.variance + before.variance
  if (variance === 0) return now.mean !== before.mean
  const freedom = variance ** 2 / (now.variance ** 2 / (now.n - 1) + before.variance ** 2 / (before.n - 1))
  return Math.abs(now.mean - before.mean) > studentT(freedom) * Math.sqrt(variance)
}
