import type { Features, WordSpan } from './feature'

/** A trained classifier: the weight of each feature, and the sum from which the answer is yes. */
export interface Weights {
  /** The version. It changes with every training. */
  readonly version: string
  readonly bias: number
  /** The sum from which the answer is yes, and the one below which it is no. Between them it stays open. */
  readonly yes: number
  readonly no: number
  readonly weights: Readonly<Record<string, number>>
}

/** How much a feature of a text counts. */
export interface Contribution {
  readonly name: string
  readonly value: number
  readonly evidence?: WordSpan
}

/** Returns the sum of the features of a text, and how much each counts, the strongest first. */
export function weigh(
  features: Features,
  { bias, weights }: Weights,
): { readonly sum: number; readonly contributions: readonly Contribution[] } {
  const contributions: Contribution[] = []
  let sum = bias
  for (const [name, { value, evidence }] of features) {
    const weighed = (weights[name] ?? 0) * value
    if (weighed === 0) continue
    sum += weighed
    contributions.push(evidence ? { name, value: weighed, evidence } : { name, value: weighed })
  }
  contributions.sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || (a.name < b.name ? -1 : 1))
  return { sum, contributions }
}
