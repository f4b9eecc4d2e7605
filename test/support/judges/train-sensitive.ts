import { hintsOf } from '../../../plugins/reviews/analysis/hints'
import { sensitiveFeatures, type Weights } from '../../../plugins/reviews/analysis/sensitive-features'
import { heldOut } from '../../plugins/reviews/support/examples'
import { halfOf, readCorpus } from './corpora'

/** A labelled text for training. */
export interface TrainingText {
  readonly features: ReadonlySet<string>
  readonly isSensitive: boolean
}

const lengthOfFit = { rounds: 300, rate: 5, slowing: 0.02, decay: 0.02, textsMin: 3 } as const

/** Returns the texts that the classifier is trained on: the build half of the corpus and the examples of the word lists. */
export function trainingTexts(): readonly TrainingText[] {
  const built = readCorpus('sensitive')
    .filter((line) => halfOf(line) === 'build' && line.label !== 'unclear')
    .map(({ language, text, stars, label }) => ({
      language,
      text,
      stars,
      isSensitive: label === 'sensitive',
    }))
  const examples = (['serious', 'harmless'] as const).flatMap((kind) =>
    heldOut[kind].map(([language, text]) => ({
      language,
      text,
      stars: null,
      isSensitive: kind === 'serious',
    })),
  )
  return [...built, ...examples].flatMap(({ language, text, stars, isSensitive }) => {
    const hints = hintsOf(text, language)
    return hints ? [{ features: sensitiveFeatures(hints, stars), isSensitive }] : []
  })
}

/** Trains the classifier by gradient descent in a fixed order, so that the same texts give the same weights. */
export function trainSensitive(texts: readonly TrainingText[] = trainingTexts()): Weights {
  const counts = new Map<string, number>()
  for (const { features } of texts) for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1)
  const weights = new Map<string, number>(
    [...counts]
      .filter(([, count]) => count >= lengthOfFit.textsMin)
      .map(([name]) => [name, 0] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
  let bias = 0
  for (let round = 0; round < lengthOfFit.rounds; round += 1) {
    const rate = 1 / (1 + round * lengthOfFit.slowing)
    const slopes = new Map<string, number>()
    let slope = 0
    for (const { features, isSensitive } of texts) {
      let sum = bias
      for (const name of features) sum += weights.get(name) ?? 0
      const error = 1 / (1 + Math.exp(-sum)) - (isSensitive ? 1 : 0)
      slope += error
      for (const name of features) slopes.set(name, (slopes.get(name) ?? 0) + error)
    }
    bias -= (rate * lengthOfFit.rate * slope) / texts.length
    for (const [name, weight] of weights) {
      const step = (rate * lengthOfFit.rate * (slopes.get(name) ?? 0)) / texts.length
      weights.set(name, weight * (1 - rate * 0.5 * lengthOfFit.decay) - step)
    }
  }
  const rounded = (weight: number) => Math.round(weight * 1e4) / 1e4
  return {
    bias: rounded(bias),
    features: Object.fromEntries([...weights].map(([name, weight]) => [name, rounded(weight)])),
  }
}
