import { featuresOf, type ReadAnswer } from './features'
import type { Occurrence } from './find-names'
import learned from './learned.json'
import { wordFeaturesOf } from './word-features'

/** What an answer says of a name: it does not mean or know it, recommends it, names it, or advises against it. */
export const answerClasses = ['none', 'positive', 'neutral', 'negative'] as const
/** One of the classes. */
export type AnswerClass = (typeof answerClasses)[number]

/** The chance of each class, from 0 to 1. */
export type Chances = Readonly<Record<AnswerClass, number>>

/** Weights of a feature, in hundredths, in the order of the classes. */
const weights = new Map<string, readonly number[]>(Object.entries(learned.weights))
const { recommendedMin } = learned

/** Features that words of one language make have a language and a space in their name. They are held back. */
export const isWordFeature = (feature: string): boolean => feature[2] === ' '

/** Returns a function that classifies the names of one answer. What all names share is read once. */
export function createClassifier(
  answer: ReadAnswer,
  all: readonly Occurrence[],
): (own: readonly Occurrence[]) => { readonly said: AnswerClass; readonly chances: Chances } {
  let shared: readonly number[] | null = null
  return (own) => {
    shared ??= sumOf(wordFeaturesOf(answer, all), [0, 0, 0, 0])
    const chances = chancesOf(sumOf(featuresOf(answer, own, all), shared))
    return { said: likeliest(chances), chances }
  }
}

function sumOf(features: Iterable<string>, start: readonly number[]): number[] {
  const sums = [...start]
  for (const feature of features) {
    const weight = weights.get(feature)
    if (weight === undefined) continue
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + (weight[at] ?? 0)
  }
  return sums
}

function chancesOf(hundredths: readonly number[]): Chances {
  const most = Math.max(...hundredths)
  const powers = hundredths.map((sum) => Math.exp((sum - most) / 100))
  const all = powers.reduce((sum, power) => sum + power, 0)
  return Object.fromEntries(
    answerClasses.map((name, at) => [name, (powers[at] ?? 0) / all]),
  ) as unknown as Chances
}

/** Returns the likeliest class. "Recommended" needs more than that, so that it is seldom wrong. */
function likeliest(chances: Chances): AnswerClass {
  const [first = 'none', second = 'none'] = answerClasses.toSorted((a, b) => chances[b] - chances[a])
  return first === 'positive' && chances.positive < recommendedMin ? second : first
}
