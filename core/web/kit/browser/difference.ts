/**
 * The one place that puts a difference between two periods into words. No table, page, file, mail or tool of the product
 * prints the size of a difference that chance can make. A test finds other ways to write one.
 */

/** A difference between a period and the one before it. */
export interface Difference {
  /** Now less before. Null if either is unknown. */
  readonly difference: number | null
  /** Whether chance alone hardly makes it. Null if the periods cannot be compared, or if nobody can judge it. */
  readonly change_significant: boolean | null
}

/** What the difference is one of: a share from 0 to 1, stars from 1 to 5, or a count. */
export type DifferenceUnit = 'share' | 'stars' | 'count'

/** A difference in words. */
export interface DifferenceWords {
  readonly word: 'up' | 'down' | 'no change shown' | 'not comparable'
  /** The word with the size of the difference, such as “up 6 points”. The size stands only where chance does not make it. */
  readonly text: string
  readonly tone: 'plain' | 'good' | 'bad'
}

const plain = (word: 'no change shown' | 'not comparable', more = ''): DifferenceWords => ({
  word,
  text: `${word}${more}`,
  tone: 'plain',
})

/** Returns the words for a difference of a figure of which more is better. `why` says why it is not comparable. */
export function differenceWords(
  { difference, change_significant }: Difference,
  unit: DifferenceUnit = 'share',
  why?: string | null,
): DifferenceWords {
  if (difference === null || change_significant === null)
    return plain('not comparable', typeof why === 'string' ? `: ${why}` : '')
  if (!change_significant || difference === 0) return plain('no change shown')
  const word = difference > 0 ? 'up' : 'down'
  return { word, text: `${word} ${sizes[unit](difference)}`, tone: difference > 0 ? 'good' : 'bad' }
}

const sizes: Readonly<Record<DifferenceUnit, (difference: number) => string>> = {
  share: pointsOf,
  stars: (difference) => `${Math.abs(difference).toFixed(2)} stars`,
  count: (difference) => whole.format(Math.abs(difference)),
}

/** A difference of shares in points: 6 points, 1 point, less than 1 point. */
export function pointsOf(difference: number): string {
  const points = Math.round(Math.abs(difference) * 100)
  if (points === 0) return 'less than 1 point'
  return points === 1 ? '1 point' : `${points} points`
}

/** Returns the 95 % interval of a difference of shares in words: “between −3 points and +9 points”. */
export const differenceRange = ([low = 0, high = 0]: readonly number[]): string =>
  `between ${signedPoints(low)} and ${signedPoints(high)}`

/**
 * A difference in points between two ways to count the same answers, with its sign: +6 points, −1 point. No chance is in
 * it. Never use it for two periods.
 */
export const countedOtherwise = signedPoints

/**
 * A difference between two counts of the same things, such as the count of a platform and ours, with its sign: +3, −1. No
 * chance is in it. Never use it for two periods.
 */
export const countedMore = (count: number): string =>
  count === 0 ? '0' : `${count > 0 ? '+' : '−'}${whole.format(Math.abs(count))}`

const whole = new Intl.NumberFormat('en-GB')

function signedPoints(difference: number): string {
  if (difference === 0) return '0 points'
  if (Math.round(Math.abs(difference) * 100) === 0) return 'less than 1 point'
  return `${difference > 0 ? '+' : '−'}${pointsOf(difference)}`
}
