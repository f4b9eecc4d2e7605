import type { Comparison } from 'renown/statistics'

/** The part of a comparison that its words need. */
export type Compared = Pick<Comparison, 'difference' | 'change_significant' | 'common'>

/** A change in words. */
export interface ChangeWords {
  readonly word: 'up' | 'down' | 'no change shown' | 'not comparable'
  /** The word with the size of the change, such as “up 6 points”. */
  readonly text: string
  readonly tone: 'plain' | 'good' | 'bad'
}

/** Returns the words for a change of a rate of which more is better. */
export function changeWords({ difference, change_significant }: Compared): ChangeWords {
  if (difference === null || change_significant === null)
    return { word: 'not comparable', text: 'not comparable', tone: 'plain' }
  if (!change_significant) return { word: 'no change shown', text: 'no change shown', tone: 'plain' }
  const word = difference > 0 ? 'up' : 'down'
  return { word, text: `${word} ${pointsOf(Math.abs(difference))}`, tone: difference > 0 ? 'good' : 'bad' }
}

/** A difference of shares in points: 6 points, 1 point, less than 1 point. */
export function pointsOf(difference: number): string {
  const points = Math.round(Math.abs(difference) * 100)
  if (points === 0) return 'less than 1 point'
  return points === 1 ? '1 point' : `${points} points`
}

/** A difference of shares in points with its sign: +6 points, −1 point. One that rounds to 0 has none. */
export function signedPoints(difference: number): string {
  if (difference === 0) return '0 points'
  if (Math.round(Math.abs(difference) * 100) === 0) return 'less than 1 point'
  return `${difference > 0 ? '+' : '−'}${pointsOf(difference)}`
}

/** Stands before a percent sign, so that lines do not break there. */
const space = '\u00a0'

/** A share as text: 42 %. A share that only rounds to 0 or 100 is written as less than 1 % or more than 99 %. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100)
  if (rounded === 0 && share > 0) return `<1${space}%`
  if (rounded === 100 && share < 1) return `>99${space}%`
  return `${rounded}${space}%`
}

/** An interval as text: 37 to 47 %. */
export const intervalWords = ([low, high]: readonly [number, number] | readonly number[]): string =>
  `${Math.floor(percentOf(low ?? 0))} to ${Math.ceil(percentOf(high ?? 1))}${space}%`

/** A share in percent, without the error of binary fractions: 0.07 is 7, not 7.000000000000001. */
const percentOf = (share: number) => Math.round(share * 1e8) / 1e6
