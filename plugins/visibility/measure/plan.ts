import { type DayShift, type Estimate, studentT } from 'renown/statistics'

/** When a tracker has enough answers. */
export interface StopRule {
  /** Largest accepted half width of the 95 % interval, such as 0.05 for ± 5 points. */
  readonly half_width: number
  /** Minimum rounds, even if the interval is narrow. */
  readonly min_rounds: number
}

/** Half the width of the interval of an estimate. Null without an interval. */
export const halfWidthOf = ({ ci95 }: Pick<Estimate, 'ci95'>): number | null =>
  ci95 && (ci95[1] - ci95[0]) / 2

/**
 * Whether a tracker may stop. It stops as a whole, because more questions only for wide intervals would bias
 * the mean.
 */
export function isPreciseEnough(estimate: Estimate, { half_width, min_rounds }: StopRule): boolean {
  const width = halfWidthOf(estimate)
  return width !== null && estimate.rounds >= min_rounds && width <= half_width
}

/** The plan of a tracker. */
export interface Plan {
  /** Prompts × engines × countries, without prompts that name the brand. */
  readonly cells: number
  /** Cells of prompts that name the brand. They cost as much, and do not make the rate more precise. Default: 0. */
  readonly brandedCells?: number
  readonly days: number
  /** Price of one answer in US dollars, averaged over the engines. */
  readonly usdPerAnswer: number
  readonly stop: StopRule | null
  /** What was measured. Default: `usualSpread`. */
  readonly spread?: Spread | undefined
}

/** The expected cost and precision of a plan. */
export interface Forecast {
  /** Number of answers if the stop rule never applies. */
  readonly answers: number
  readonly usd: number
  /** Half width of the interval of the mention rate after all days. */
  readonly half_width: number
  /**
   * First day after which the stop rule applies. Null without a rule, or if that is after the end of the
   * plan.
   */
  readonly sure_after_days: number | null
  /** Number of answers until then, or of the whole plan. */
  readonly answers_until_sure: number
  readonly usd_until_sure: number
  readonly basis: 'measured' | 'assumed'
}

/** How much answers and days differ. */
export interface Spread {
  /** Mean variance of one answer inside a cell. */
  readonly inside: number
  /** Variance by which whole days move the mean over the cells. */
  readonly ofDays: number
}

/** Assumed before it is measured. In most cells, nearly all answers agree, and a day moves the rate by two points. */
const usualSpread: Spread = { inside: 0.12, ofDays: 0.0004 }

/** Returns what the rounds of a tracker say about how much answers and days differ. Undefined if that is unknown. */
export function spreadIn(shift: DayShift | null): Spread | undefined {
  if (shift === null || shift.spread <= 0) return undefined
  return { inside: shift.spread, ofDays: Math.max(0, shift.excess * (shift.freedom + 1)) }
}

/** Returns the forecast of a plan with one round a day. */
export function forecast({ cells, brandedCells = 0, days, usdPerAnswer, stop, spread }: Plan): Forecast {
  const { inside, ofDays } = spread ?? usualSpread
  const ofRound = inside / Math.max(1, cells) + ofDays
  const widthAfter = (rounds: number) => studentT(Math.max(1, rounds - 1)) * Math.sqrt(ofRound / rounds)
  const asked = cells + brandedCells
  const last = stop ? firstSureDay(days, stop, widthAfter) : null
  const until = last ?? days
  return {
    answers: asked * days,
    usd: cents(asked * days * usdPerAnswer),
    half_width: Math.min(0.5, widthAfter(days)),
    sure_after_days: last,
    answers_until_sure: asked * until,
    usd_until_sure: cents(asked * until * usdPerAnswer),
    basis: spread === undefined ? 'assumed' : 'measured',
  }
}

function firstSureDay(days: number, stop: StopRule, widthAfter: (rounds: number) => number): number | null {
  for (let day = Math.max(3, stop.min_rounds); day <= days; day++) {
    if (widthAfter(day) <= stop.half_width) return day
  }
  return null
}

const cents = (usd: number) => Math.round(usd * 100) / 100
