import { type Cell, type Moments, momentsOf } from './cells'
import { type DayShift, varianceWith } from './day-shift'
import { normal95, studentT } from './quantiles'
import { wilson } from './wilson'

/**
 * How an interval was computed. `stratified`: from how much answers differ inside cells and between days. `pooled`: all answers
 * count as one sample, because there are too few rounds or repeated answers.
 */
export const intervalBases = ['stratified', 'pooled', 'none'] as const
export type IntervalBasis = (typeof intervalBases)[number]

/** A rate over cells with its 95 % interval. */
export interface Estimate {
  readonly k: number
  readonly n: number
  /** Mean of the cells' rates, each cell with the same weight. Null without answers. */
  readonly rate: number | null
  readonly ci95: readonly [low: number, high: number] | null
  readonly interval_basis: IntervalBasis
  readonly cells: number
  /** The size of a simple random sample with the same precision. */
  readonly effective_n: number
  readonly rounds: number
}

const nothing: Estimate = {
  k: 0,
  n: 0,
  rate: null,
  ci95: null,
  interval_basis: 'none',
  cells: 0,
  effective_n: 0,
  rounds: 0,
}

/** Below this share of cells with two or more answers, the spread inside cells is unknown. */
const repeatedMin = 0.8
/**
 * Limit of the gain from cells that agree: the effective sample is at most this many times the number of
 * answers.
 */
const gainMax = 25

/**
 * Returns the equal-weight mean over cells with a 95 % interval. A basket of fixed prompts is a stratified sample whose
 * answers of one day move together. The interval is that of Wilson, for the sample size with the same variance, and with
 * the quantile of Student's t for the number of rounds. `shift` is what `dayShiftOf` learned from the rounds.
 */
export function estimate(cells: Iterable<Cell>, shift: DayShift | null): Estimate {
  const moments = momentsOf(cells)
  if (!moments) return nothing
  const { mean, cells: size, n, k, rounds } = moments
  const isOne = size === 1
  const isStratified = moments.repeated >= repeatedMin && (shift !== null || isOne)
  const within = isStratified ? moments.variance : (mean * (1 - mean)) / n
  const effective = effectiveSize(moments, varianceWith(shift, moments, within))
  return {
    k,
    n,
    rate: round(mean),
    ci95: wilson(mean * effective, effective),
    interval_basis: isStratified ? 'stratified' : 'pooled',
    cells: size,
    effective_n: Math.max(1, Math.round(effective)),
    rounds,
  }
}

/**
 * Returns the sample size with the same variance. Cells that never vary say nothing about the variance, so
 * their number of answers is used.
 */
function effectiveSize(
  { mean, n }: Moments,
  { variance, freedom }: Pick<DayShift, 'variance' | 'freedom'>,
): number {
  const hasSpread = mean > 0 && mean < 1 && variance > 0
  return hasSpread ? sizeOf(mean, variance, freedom, n) : n
}

/** Returns the sample size whose Wilson interval has this variance, learned with these degrees of freedom. */
export const sizeOf = (rate: number, variance: number, freedom: number, n: number): number =>
  Math.min(((rate * (1 - rate)) / variance) * (normal95 / studentT(freedom)) ** 2, gainMax * n)

const round = (value: number) => Math.round(value * 1e6) / 1e6
