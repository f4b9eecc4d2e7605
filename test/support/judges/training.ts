import {
  examplesOf,
  intentCases,
  intentTexts,
  type LabelledText,
  learnedExamples,
  type Reader,
  readIntent,
  readRelevance,
  relevanceCases,
  relevanceTexts,
} from './examples'
import { learn, type SignOf, sumOf } from './logistic'
import type { JudgedText } from './measure'

/** How the weights of a judge are learned. */
export interface Training {
  readonly file: string
  readonly version: string
  readonly texts: () => readonly LabelledText[]
  readonly read: Reader
  readonly penalty: number
  readonly signOf: SignOf
  /** Whether texts are also learned from as they are, beside the form without words that no other text uses. */
  readonly isWholeToo: boolean
  /** The sum from which the answer is yes, and the one below which it is no. */
  readonly yes: number
  readonly no: number
}

const speaksFor =
  /^(?:capital|g_at|g_of|g_or|g_me|g_they|g_then_they|g_past|g_price|tr_marked|acts|first_acts|(?:service|staff|visit|bad|good|they)(?:_near)?|ask_near|possessive|own|own_near|own_after|own_before|own_kind|tagged|addressed|form_free|town_beside|town|pain)$/
const speaksAgainst =
  /^(?:small|small_text|kind_.*|after_.*|owned|other_place|topics|topic_.*|(?:meta|elsewhere|seller|job|news|idle)(?:_near)?|explained|listed|quoted|capital_(?:after|before)|trade_.*|tr_bare_ending|ar_article|number_.*|within|hyphen|own_none|other_trade|g_my|no_place)$/

/** Whether a post is about the business, whose name is also a common word. */
export const relevanceTraining: Training = {
  file: 'relevance.json',
  version: 'relevance.words@1',
  texts: () => [
    ...relevanceTexts('build'),
    ...relevanceCases('relevance'),
    ...relevanceCases('plain-relevance'),
  ],
  read: readRelevance,
  penalty: 6,
  signOf: (feature) => (speaksFor.test(feature) ? 1 : speaksAgainst.test(feature) ? -1 : null),
  isWholeToo: true,
  yes: 0.2,
  no: -0.2,
}

/** Whether the author of a post may become a customer. */
export const intentTraining: Training = {
  file: 'intent.json',
  version: 'intent.words@1',
  texts: () => [...intentTexts('build'), ...intentCases('intent'), ...intentCases('plain-intent')],
  read: readIntent,
  penalty: 20,
  signOf: () => 0,
  isWholeToo: true,
  yes: 0.7,
  no: 0.7,
}

const decimals = 1_000

/** Returns the file of weights. */
export function train(training: Training): string {
  const { version, penalty, signOf, yes, no } = training
  const learnt = learn(trainingExamples(training), penalty, signOf)
  const rounded = (value: number) => Math.round(value * decimals) / decimals
  const weights = [...learnt.weights].map(([name, weight]) => [name, rounded(weight)] as const)
  const file = {
    version,
    bias: rounded(learnt.bias),
    yes,
    no,
    weights: Object.fromEntries(weights.filter(([, weight]) => weight !== 0)),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

const trainingExamples = ({ texts, read, isWholeToo }: Training) => [
  ...learnedExamples(texts(), read),
  ...(isWholeToo ? examplesOf(texts(), read) : []),
]

const folds = 20

/**
 * Judges each text by weights that were learned without its business. This is the figure for a new business, as far as
 * texts can give it whose words the authors of the lists knew: a word of a list that only this text uses does not count.
 */
export function crossed(training: Training, wanted: string, other: string): readonly JudgedText[] {
  const texts = training.texts()
  const examples = trainingExamples(training)
  const learned = examples.slice(0, texts.length)
  const groups = [...new Set(texts.map(({ group }) => group))]
  const foldOf = ({ group }: LabelledText) => groups.indexOf(group) % folds
  const verdicts: JudgedText[] = []
  for (let fold = 0; fold < folds; fold++) {
    const others = examples.filter((text) => foldOf(text) !== fold)
    const learnt = learn(others, training.penalty, training.signOf)
    for (const text of learned.filter((one) => foldOf(one) === fold)) {
      const sum = sumOf(learnt, text.features)
      const verdict = sum >= training.yes ? wanted : sum < training.no ? other : null
      verdicts.push({ id: text.id, language: 'all', label: text.isYes ? wanted : other, verdict })
    }
  }
  return verdicts
}
