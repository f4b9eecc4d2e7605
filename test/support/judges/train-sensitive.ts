import { hintsOf } from '../../../plugins/reviews/analysis/hints'
import { sensitiveTopicsOf } from '../../../plugins/reviews/analysis/sensitive'
import {
  isWordFeature,
  sensitiveFeatures,
  type Weights,
} from '../../../plugins/reviews/analysis/sensitive-features'
import { heldOut } from '../../plugins/reviews/support/examples'
import { halfOf, readCorpus } from './corpora'
import { learn } from './logistic'

/** A labelled text for training. */
export interface TrainingText {
  readonly features: ReadonlySet<string>
  readonly isSensitive: boolean
}

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
  const uses = new Map<string, number>()
  for (const { language, text } of [...built, ...examples]) {
    const own = new Set<string>()
    hintsOf(text, language, (key) => {
      own.add(`${language} ${key}`)
      return false
    })
    for (const key of own) uses.set(key, (uses.get(key) ?? 0) + 1)
  }
  return [...built, ...examples].flatMap(({ language, text, stars, isSensitive }) => {
    const hints = hintsOf(text, language, (key) => (uses.get(`${language} ${key}`) ?? 0) < usesMin)
    return hints
      ? [{ features: sensitiveFeatures(hints, stars, sensitiveTopicsOf(text, language)), isSensitive }]
      : []
  })
}

/**
 * Texts that must use the words of a list, so that they count in training. Who wrote the lists knew these texts. In a new text
 * words that one of them alone uses would be missing.
 */
const usesMin = 2
/** Texts that must have a feature, so that it is learned. */
const textsMin = 3
const penalty = 1
/** A word of one language counts less than a hint, because there are so many of them. */
const wordScale = 0.3

/** Trains the classifier. The same texts give the same weights. */
export function trainSensitive(texts: readonly TrainingText[] = trainingTexts()): Weights {
  const counts = new Map<string, number>()
  for (const { features } of texts) for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1)
  const scaleOf = (name: string) => (isWordFeature(name) ? wordScale : 1)
  const examples = texts.map(({ features, isSensitive }) => ({
    features: new Map(
      [...features]
        .filter((name) => (counts.get(name) ?? 0) >= textsMin)
        .map((name) => [name, scaleOf(name)]),
    ),
    isYes: isSensitive,
  }))
  const { bias, weights } = learn(examples, penalty, () => 0)
  const rounded = (weight: number) => Math.round(weight * 1e3) / 1e3 + 0
  const stored = [...weights].map(([name, weight]) => [name, rounded(weight * scaleOf(name))] as const)
  return { bias: rounded(bias), features: Object.fromEntries(stored.filter(([, weight]) => weight !== 0)) }
}
