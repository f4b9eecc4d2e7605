import { type Cell, type Moments, momentsOf } from './cells'

/** What one assistant answered on one day: one round. */
export interface Round {
  /** The series of its cells. */
  readonly series: string
  /** Day in the time zone of the workspace, `YYYY-MM-DD`. */
  readonly day: string
  readonly k: number
  readonly n: number
}

/**
 * How much the answers of one day move together. An assistant has good and bad days, and all of them can have the same
 * one. So a hundred answers of a day say less than a hundred answers of a hundred days.
 */
export interface DayShift {
  /** Variance of the mean over the cells, from how much the means of days differ. */
  readonly variance: number
  /** What is left of it without the variance inside cells. Below 0 by chance. */
  readonly excess: number
  /** How strongly a shift of a day moves the mean of these cells. */
  readonly weight: number
  /** Degrees of freedom of `variance`. */
  readonly freedom: number
  /** Mean number of answers of a cell. */
  readonly perCell: number
  /** Mean variance of one answer inside a cell. */
  readonly spread: number
}

/** With fewer rounds, it is not known how much days differ. */
const roundsMin = 2.5

/**
 * Learns from the rounds of a period how much its days differ. Returns null for fewer than three rounds. The means of
 * days are the unit, so it does not matter whether one assistant or all of them have a bad day.
 */
export function dayShiftOf(cells: readonly Cell[], rounds: readonly Round[]): DayShift | null {
  const moments = momentsOf(cells)
  if (!moments) return null
  const { sum, days } = dayResiduals(cells, moments, rounds)
  const weights = days.map(({ weight }) => weight)
  const effective = sum ** 2 / weights.reduce((total, weight) => total + weight ** 2, 0)
  if (!(effective >= roundsMin)) return null
  const squares = days.reduce((total, { residual }) => total + residual ** 2, 0)
  const variance = (squares * effective) / (effective - 1)
  return {
    variance,
    excess: variance - moments.variance,
    weight: weightOf(moments, 0),
    freedom: effective - 1,
    perCell: moments.n / moments.cells,
    spread: spreadOf(moments),
  }
}

/** Returns by how much each day moves the mean over the cells. */
function dayResiduals(cells: readonly Cell[], { cells: all }: Moments, rounds: readonly Round[]) {
  const shares = new Map<string, number>()
  for (const { series, n } of cells) if (n > 0) shares.set(series, (shares.get(series) ?? 0) + 1 / all)
  const totals = new Map<string, { k: number; n: number }>()
  for (const { series, k, n } of rounds) {
    const total = totals.get(series) ?? { k: 0, n: 0 }
    totals.set(series, { k: total.k + k, n: total.n + n })
  }
  const days = new Map<string, { residual: number; weight: number }>()
  let sum = 0
  for (const { series, day, k, n } of rounds) {
    const share = shares.get(series) ?? 0
    const total = totals.get(series)
    if (share === 0 || !total || total.n === 0) continue
    const known = days.get(day) ?? { residual: 0, weight: 0 }
    const weight = (share * n) / total.n
    const residual = (share * (k - (n * total.k) / total.n)) / total.n
    days.set(day, { residual: known.residual + residual, weight: known.weight + weight })
    sum += weight
  }
  return { sum, days: [...days.values()] }
}

const spreadOf = ({ spread, repeated, cells }: Moments) =>
  repeated === 0 ? 0 : spread / Math.round(repeated * cells)

/** Two cells of one day share its shift, and one cell alone has it in its own variance. */
function weightOf({ cells, repeated, spread, spreadSquares }: Moments, usual: number): number {
  const single = cells - Math.round(repeated * cells)
  const sum = spread + single * usual
  return (sum ** 2 - spreadSquares - single * usual ** 2) / cells ** 2
}

/**
 * Returns the variance of the mean over cells, and its degrees of freedom. `within` is the variance if all answers were
 * independent. The cells can be some of those that the shift was learned from.
 */
export function varianceWith(shift: DayShift | null, moments: Moments, within: number) {
  const independent = { variance: within, freedom: Number.POSITIVE_INFINITY }
  // The answers of one cell are of different days.
  if (!shift || moments.cells === 1) return independent
  const share = shareOfShift(shift, moments)
  if (share <= 0) return independent
  if (Math.abs(share - 1) < 1e-9) return shift
  const variance = Math.max(within + share * shift.excess, within / 10)
  // The part of the days was learned from few days, and the part inside cells from many answers.
  const freedom = shift.freedom * Math.max(1, (variance / (share * shift.variance)) ** 2)
  return { variance, freedom }
}

/** Returns how strongly the shift moves the mean of these cells, as a share of how it moves those it was learned from. */
function shareOfShift(shift: DayShift, moments: Moments): number {
  const weight = weightOf(moments, shift.spread)
  if (shift.weight <= 0) return weight <= 0 ? 1 : 0
  return (weight / shift.weight) * (shift.perCell / (moments.n / moments.cells))
}
