import { wilson } from '../../../core/kit/statistics/wilson'
import { type Half, halfOf } from './corpora'

/** A text with its label and what a judge said of it. */
export interface JudgedText {
  readonly id: string
  readonly language: string
  readonly label: string
  /** Null if the judge did not judge it. */
  readonly verdict: string | null
}

/** What counts as found: `isWanted` labels are what the judge looks for. `isFound` verdicts say that it found it. */
export interface Measure {
  readonly name: string
  readonly isWanted: (label: string) => boolean
  readonly isFound: (verdict: string) => boolean
  /** Whether a verdict that found something found the right thing. Without it every found one of a wanted text is right. */
  readonly isRight?: (label: string, verdict: string) => boolean
}

/** A share k of n with its 95 % interval. */
export interface Share {
  readonly k: number
  readonly n: number
  readonly ci95: readonly [low: number, high: number] | null
}

/** How good a judge is on some texts. */
export interface Measured {
  readonly texts: number
  readonly judged: number
  /** Right among those that it found. */
  readonly precision: Share
  /** Right among those that it should find. One that it did not judge is missed. */
  readonly recall: Share
  /** Found among those in which there is nothing to find. */
  readonly falseAlarms: Share
}

/** Measures a judge. */
export function measure(texts: readonly JudgedText[], { isWanted, isFound, isRight }: Measure): Measured {
  let judged = 0
  let found = 0
  let right = 0
  let wanted = 0
  let alarms = 0
  for (const { label, verdict } of texts) {
    const isOne = isWanted(label)
    if (isOne) wanted++
    if (verdict === null) continue
    judged++
    if (!isFound(verdict)) continue
    found++
    if (!isOne) alarms++
    else if (isRight?.(label, verdict) ?? true) right++
  }
  return {
    texts: texts.length,
    judged,
    precision: share(right, found),
    recall: share(right, wanted),
    falseAlarms: share(alarms, texts.length - wanted),
  }
}

const share = (k: number, n: number): Share => ({ k, n, ci95: wilson(k, n) })

/** Returns the texts of a half, or all. */
export const textsOf = (texts: readonly JudgedText[], half: Half | 'all'): readonly JudgedText[] =>
  half === 'all' ? texts : texts.filter((text) => halfOf(text) === half)

/** Prints a share, such as `0.81 (0.74 to 0.87), 101 of 125`. */
export const printedShare = ({ k, n, ci95 }: Share): string =>
  ci95 === null ? '–' : `${(k / n).toFixed(2)} (${ci95[0].toFixed(2)} to ${ci95[1].toFixed(2)}), ${k} of ${n}`
