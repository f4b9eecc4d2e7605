import { normal95 as z } from './quantiles'

/**
 * Returns the 95 % Wilson interval of k successes in n trials. Null if n is 0. Wilson, E. B. (1927), Probable
 * inference, the law of succession, and statistical inference.
 */
export function wilson(k: number, n: number): [low: number, high: number] | null {
  if (n <= 0) return null
  const p = k / n
  const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))
  const middle = p + (z * z) / (2 * n)
  const scale = 1 + (z * z) / n
  return [round(Math.max(0, (middle - spread) / scale)), round(Math.min(1, (middle + spread) / scale))]
}

/** A rate with its interval. */
export interface Measured {
  readonly rate: number | null
  readonly ci95: readonly number[] | null
}

/**
 * Returns the 95 % interval of the difference of two rates, from the interval of each. Null if either is unknown.
 * Newcombe, R. G. (1998), Interval estimation for the difference between independent proportions, method 10.
 */
export function differenceInterval(now: Measured, before: Measured): [low: number, high: number] | null {
  if (now.rate === null || before.rate === null || !now.ci95 || !before.ci95) return null
  const [low = 0, high = 1] = now.ci95
  const [lowBefore = 0, highBefore = 1] = before.ci95
  const difference = now.rate - before.rate
  return [
    round(difference - Math.hypot(now.rate - low, highBefore - before.rate)),
    round(difference + Math.hypot(high - now.rate, before.rate - lowBefore)),
  ]
}

/**
 * Whether the difference of two rates is significant: 0 is outside the 95 % interval of their difference. Null if
 * either is unknown.
 */
export function differs(now: Measured, before: Measured): boolean | null {
  const ci95 = differenceInterval(now, before)
  return ci95 && (ci95[0] > 0 || ci95[1] < 0)
}

const round = (value: number) => Math.round(value * 1e6) / 1e6
