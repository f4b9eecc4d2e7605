import { type Cell, commonBasket } from './cells'

/** The comparison of the answers since a reference period. You can look at it after every round. */
export interface Watch {
  /**
   * `up` or `down` if the rate changed since the reference. `unchanged` also means that it is too early to
   * know.
   */
  readonly verdict: 'up' | 'down' | 'unchanged' | 'not_comparable'
  /** The rates in the reference and since then, over their common cells. Null when not comparable. */
  readonly before: number | null
  readonly now: number | null
  /** `now - before`. Null when not comparable. */
  readonly difference: number | null
  /** Half the width of the confidence band, which is valid at all times together. */
  readonly margin: number | null
  /** Cells that both periods have. */
  readonly common: number
}

/** The probability of any false alarm while nothing changes. */
const alpha = 0.05
/** The number of answers at which the band is narrowest. */
const tunedFor = 400
/** Minimum answers of a cell in the reference. Cells with fewer are left out. */
const referenceRoundsMin = 3

/**
 * Decides whether a rate changed since a reference period. You can call it after each round, because the
 * chance of a false alarm is limited over all calls together. Half of that chance goes to the reference,
 * whose error is fixed, and half to the asymptotic confidence sequence of the answers since then.
 * Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic
 * confidence sequences", 2021, theorem 2.2.
 */
export function watchChange(since: readonly Cell[], reference: readonly Cell[]): Watch {
  const known = reference.filter(({ n }) => n >= referenceRoundsMin)
  const basket = commonBasket(since, known)
  const later = smoothed(basket.now)
  const earlier = smoothed(basket.before)
  if (!later || !earlier) return nothing
  const difference = later.mean - earlier.mean
  const margin = zHalf * Math.sqrt(earlier.variance) + sequenceWidth(later.variance * later.n, later.n)
  const isChanged = Math.abs(difference) > margin
  const verdict = isChanged ? (difference > 0 ? 'up' : 'down') : 'unchanged'
  const common = basket.now.length
  return { verdict, before: earlier.mean, now: later.mean, difference, margin, common }
}

const nothing: Watch = {
  verdict: 'not_comparable',
  before: null,
  now: null,
  difference: null,
  margin: null,
  common: 0,
}

/** Two-sided normal quantile for alpha / 2. */
const zHalf = 2.241402727604947

/** Returns half the width after `n` answers of this variance each, with alpha / 2. */
function sequenceWidth(variancePerAnswer: number, n: number): number {
  const level = alpha / 2
  const log = -2 * Math.log(level)
  const rho2 = (log + Math.log(log) + 1) / tunedFor
  const growth = n * rho2 + 1
  return Math.sqrt(variancePerAnswer * ((2 * growth) / (n * n * rho2)) * Math.log(Math.sqrt(growth) / level))
}

/**
 * Returns the mean over cells and its variance. Uses (k + 1/2) of (n + 1) inside a cell, so that cells that
 * agreed in a few rounds do not count as certain.
 */
function smoothed(cells: readonly Cell[]): { mean: number; variance: number; n: number } | null {
  if (cells.length === 0) return null
  let rates = 0
  let variances = 0
  let n = 0
  for (const cell of cells) {
    rates += cell.k / cell.n
    const rate = (cell.k + 0.5) / (cell.n + 1)
    variances += (rate * (1 - rate)) / cell.n
    n += cell.n
  }
  return { mean: rates / cells.length, variance: variances / cells.length ** 2, n }
}
