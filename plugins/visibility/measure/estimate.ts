import { wilson } from 'renown'
import { type Cell, type Moments, momentsOf } from './cells'

/** How an interval was computed. `pooled`: there are too few repeated answers, so all answers count as one sample. */
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
 * Returns the equal-weight mean over cells with a 95 % interval. A basket of fixed prompts is a stratified
 * sample: the interval is that of Wilson, for the sample size with the same variance as inside the cells.
 */
export function estimate(cells: Iterable<Cell>): Estimate {
  const moments = momentsOf(cells)
  return moments ? estimateOf(moments) : nothing
}

/** Like `estimate`, but from the moments of the cells. */
export function estimateOf(moments: Moments): Estimate {
  const { mean, cells, n, k, rounds } = moments
  const isStratified = moments.repeated >= repeatedMin
  const size = isStratified ? effectiveSize(moments) : n
  return {
    k,
    n,
    rate: round(mean),
    ci95: wilson(mean * size, size),
    interval_basis: isStratified ? 'stratified' : 'pooled',
    cells,
    effective_n: Math.round(size),
    rounds,
  }
}

/**
 * Returns the sample size with the same variance. Cells that never vary say nothing about the variance, so
 * their number of answers is used.
 */
function effectiveSize({ mean, variance, n }: Moments): number {
  const hasSpread = mean > 0 && mean < 1 && variance > 0
  return hasSpread ? Math.min((mean * (1 - mean)) / variance, gainMax * n) : n
}

const round = (value: number) => Math.round(value * 1e6) / 1e6
