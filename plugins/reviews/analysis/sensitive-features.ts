import type { Hints } from './hints'
import type { HintClass } from './hints/lexicon'

/** Classes that the classifier weighs also without a pair. */
const weighed: readonly HintClass[] = [
  'minor',
  'relative',
  'body',
  'harm',
  'unwell',
  'equipment',
  'failing',
  'denial',
  'secrecy',
  'lost',
  'treatment',
  'mistake',
  'drink',
]

/** Returns the features of a review for the classifier. They name no language, so that all languages train one set of weights. */
export function sensitiveFeatures(hints: Hints, stars: number | null): ReadonlySet<string> {
  const isLow = stars !== null && stars <= 2
  const isHigh = stars !== null && stars >= 4
  const suffix = isHigh ? ' in praise' : ''
  const found = new Set<string>()
  if (hints.strong.size > 0) found.add(`strong${suffix}`)
  if (hints.strong.size > 1) found.add('several')
  if (hints.soft.size > 0) found.add(`soft${suffix}`)
  if (hints.pairs.size > 0) found.add(`pair${suffix}`)
  for (const pair of hints.pairs.keys()) found.add(`pair ${pair}`)
  for (const name of weighed) if (hints.classes.has(name)) found.add(`class ${name}${suffix}`)
  const isOrdinary = hints.classes.has('ordinary')
  if (isOrdinary) found.add('ordinary')
  if (stars === 1) found.add('one star')
  if (isLow) found.add('low')
  if (isHigh) found.add('high')
  if (isLow && !isOrdinary) found.add('low without an ordinary complaint')
  return found
}

/** The weights of a logistic classifier. */
export interface Weights {
  readonly bias: number
  readonly features: Readonly<Record<string, number>>
}

/** Returns the probability that a text with these features is of the class. */
export function probability({ bias, features }: Weights, found: ReadonlySet<string>): number {
  let sum = bias
  for (const name of found) sum += features[name] ?? 0
  return 1 / (1 + Math.exp(-sum))
}
