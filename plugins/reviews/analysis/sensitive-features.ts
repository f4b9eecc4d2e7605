import type { Hints } from './hints'
import type { HintClass, HintTopic } from './hints/lexicon'
import type { SensitiveTopic } from './sensitive/lexicon'

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

/**
 * Returns the features of a review for the classifier. Those of hints name no language, so that all languages train one set of
 * weights. Those of words have a language and a space before them. `listed` are the subjects that the plain lists of words find.
 */
export function sensitiveFeatures(
  hints: Hints,
  stars: number | null,
  listed: readonly SensitiveTopic[],
): ReadonlySet<string> {
  const isLow = stars !== null && stars <= 2
  const isHigh = stars !== null && stars >= 4
  const suffix = isHigh ? ' in praise' : ''
  const found = new Set<string>()
  const happened = (topics: Iterable<HintTopic>) => [...topics].filter((topic) => !hints.negated.has(topic))
  const strong = happened(hints.strong.keys())
  if (strong.length > 0) found.add(`strong${suffix}`)
  if (strong.length > 1) found.add('several')
  if (happened(hints.soft.keys()).length > 0) found.add(`soft${suffix}`)
  for (const topic of strong) found.add(`topic ${topic}`)
  if (hints.negated.size > 0) found.add(`negated${suffix}`)
  if (hints.pairs.size > 0) found.add(`pair${suffix}`)
  for (const pair of hints.pairs.keys()) found.add(`pair ${pair}`)
  for (const name of weighed) if (hints.classes.has(name)) found.add(`class ${name}${suffix}`)
  if (listed.length > 0) found.add(`listed${suffix}`)
  if (listed.length > 1) found.add('listed several')
  for (const topic of listed) found.add(`listed ${topic}${suffix}`)
  if (listed.length > 0 && hints.negated.size === 0) found.add(`listed happened${suffix}`)
  if (listed.length > 0 && hints.strong.size === 0) found.add(`only listed${suffix}`)
  const isOrdinary = hints.classes.has('ordinary')
  if (isOrdinary) found.add('ordinary')
  if (stars === 1) found.add('one star')
  if (isLow) found.add('low')
  if (isHigh) found.add('high')
  if (isLow && !isOrdinary) found.add('low without an ordinary complaint')
  for (const stem of hints.stems) found.add(`${hints.language} ${stem}`)
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

/** Whether a feature is a word of one language. */
export const isWordFeature = (feature: string): boolean => feature[2] === ' '
