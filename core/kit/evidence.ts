import { hourMs } from '../contracts/time'

/** What a platform must say before a conclusion counts. Platforms declare one for each conclusion. */
export interface EvidenceRule {
  /** The positive statement that is needed for one thing, such as an error code. */
  readonly statement: string
  /** Where that is documented, or when it was seen. */
  readonly source: string
  /**
   * Number of readings that must agree. With 1, a conclusion about many things at once still needs a second reading, because an
   * outage affects all of them.
   */
  readonly readings: 1 | 2
  /** Minimum milliseconds between two readings. Default: one hour. */
  readonly apartMs?: number
}

/** One reading, and how much a conclusion from it would change. */
export interface Reading {
  /** When this reading began. */
  readonly at: string
  /** When an earlier reading led to the same conclusion. Absent if none did. */
  readonly firstAt?: string | undefined
  /** Number of things that the conclusion is about. */
  readonly touched: number
  /** Number of things that the location, account or platform holds. */
  readonly held: number
}

/** More than this many things at once, and more than this part of all, need a second reading. */
const manyMin = 5
const manyPart = 1 / 10

/** Whether a conclusion changes so much at once that it may be an outage. */
export const isManyAtOnce = ({ touched, held }: Pick<Reading, 'touched' | 'held'>): boolean =>
  touched > manyMin && touched > held * manyPart

/** Whether the readings so far are enough for a conclusion. The only function that decides this, for all platforms. */
export function isProven(rule: Pick<EvidenceRule, 'readings' | 'apartMs'>, reading: Reading): boolean {
  if (rule.readings === 1 && !isManyAtOnce(reading)) return true
  if (reading.firstAt === undefined) return false
  return Date.parse(reading.at) - Date.parse(reading.firstAt) >= (rule.apartMs ?? hourMs)
}
