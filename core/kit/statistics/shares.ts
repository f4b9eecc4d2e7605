import { sizeOf } from './estimate'
import { wilson } from './wilson'

/** What one assistant answered on one day, for a share of counts. */
export interface ShareRound {
  readonly series: string
  readonly day: string
  readonly answers: number
  /** What the share counts, such as the namings of one brand. */
  readonly k: number
  /** What it is a share of, such as the namings of all brands. One answer can have several, or none. */
  readonly n: number
}

/** A share k of n with its 95 % interval. */
export interface Share {
  readonly k: number
  readonly n: number
  readonly rate: number | null
  readonly ci95: number[] | null
}

/** With fewer rounds, it is not known how much days differ. */
const roundsMin = 2.5

/**
 * Returns a share of counts with its interval. The unit is the day: the variance is that of a ratio whose numerator and
 * denominator are sums over days. Cochran, W. G. (1977), Sampling techniques, chapters 6 and 9A. With fewer than three
 * rounds it is the Wilson interval, as if each count were an observation of its own.
 */
export function shareOf(rounds: readonly ShareRound[]): Share {
  const k = rounds.reduce((sum, round) => sum + round.k, 0)
  const n = rounds.reduce((sum, round) => sum + round.n, 0)
  if (n <= 0) return { k, n, rate: null, ci95: null }
  const rate = k / n
  const size = sizeIn(rounds, rate, n)
  return { k, n, rate: Math.round(rate * 1e6) / 1e6, ci95: wilson(rate * size, size) }
}

function sizeIn(rounds: readonly ShareRound[], rate: number, n: number): number {
  const series = Map.groupBy(rounds, (round) => round.series)
  // What an answer of each series adds on average: the basket of questions is fixed, so chance has no part in it.
  const usual = new Map([...series].map(([name, own]) => [name, meanResidual(own, rate)]))
  const days = [...Map.groupBy(rounds, ({ day }) => day).values()].map((own) => ({
    answers: own.reduce((sum, { answers }) => sum + answers, 0),
    residual: own.reduce(
      (sum, one) => sum + one.k - rate * one.n - one.answers * (usual.get(one.series) ?? 0),
      0,
    ),
  }))
  const answers = days.reduce((sum, day) => sum + day.answers, 0)
  const effective = answers ** 2 / days.reduce((sum, day) => sum + day.answers ** 2, 0)
  if (!(effective >= roundsMin)) return n
  const squares = days.reduce((sum, { residual }) => sum + (residual / n) ** 2, 0)
  const variance = (squares * effective) / (effective - 1)
  return rate > 0 && rate < 1 && variance > 0 ? sizeOf(rate, variance, effective - 1, n) : n
}

function meanResidual(rounds: readonly ShareRound[], rate: number): number {
  const answers = rounds.reduce((sum, round) => sum + round.answers, 0)
  const residual = rounds.reduce((sum, { k, n }) => sum + k - rate * n, 0)
  return answers === 0 ? 0 : residual / answers
}
