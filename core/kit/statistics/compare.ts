import { type Cell, commonBasket } from './cells'
import type { DayShift } from './day-shift'
import { type Estimate, estimate } from './estimate'
import { differenceInterval } from './wilson'

/** The cells of a period, and how much its days differ. */
export interface Basket<C extends Cell = Cell> {
  readonly cells: readonly C[]
  readonly shift: DayShift | null
}

/** The comparison of two periods, over the cells that both have. */
export interface Comparison {
  readonly now: Estimate
  readonly before: Estimate
  /** `now.rate - before.rate`. Null if either has no answers. */
  readonly difference: number | null
  /** 95 % interval of the difference. */
  readonly ci95: readonly [low: number, high: number] | null
  /** Whether 0 is outside the interval. Null if the periods cannot be compared. */
  readonly change_significant: boolean | null
  /** Number of cells in both periods, only in the later one, and only in the earlier one. */
  readonly common: number
  readonly came: number
  readonly left: number
}

/**
 * Compares two periods that were chosen beforehand. Do not use it every day: repeated looks find changes that
 * do not exist. Use `watchRounds` for that. The interval of the difference is that of Newcombe (1998),
 * method 10, from the intervals of both periods.
 */
export function compare(now: Basket, before: Basket): Comparison {
  const basket = commonBasket(now.cells, before.cells)
  const later = estimate(basket.now, now.shift)
  const earlier = estimate(basket.before, before.shift)
  const ci95 = differenceInterval(later, earlier)
  return {
    now: later,
    before: earlier,
    difference: later.rate === null || earlier.rate === null ? null : round(later.rate - earlier.rate),
    ci95,
    change_significant: ci95 && (ci95[0] > 0 || ci95[1] < 0),
    common: basket.now.length,
    came: basket.came,
    left: basket.left,
  }
}

const round = (value: number) => Math.round(value * 1e6) / 1e6
