import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageOfAnswer } from '../../../plugins/visibility/detection/answer-language'
import { answerClasses, isWordFeature } from '../../../plugins/visibility/detection/classify'
import { featuresOf, readAnswer, readQuestion } from '../../../plugins/visibility/detection/features'
import { createNameFinder } from '../../../plugins/visibility/detection/find-names'
import { brandId, entitiesOf, type Tracked } from '../../../plugins/visibility/detection/judge-answer'
import { signalsIn, wordsOf } from '../../../plugins/visibility/detection/signals'
import { wordFeaturesOf } from '../../../plugins/visibility/detection/word-features'
import { halfOf, readCorpus } from './corpora'
import { learn, type Sample } from './softmax'

/** An answer to learn from. */
export interface Example {
  readonly id: string
  /** Examples of one group are left out together when the learning is tried. */
  readonly group: string
  readonly label: number
  readonly features: readonly string[]
}

const labelOf = (stance: string): number => answerClasses.indexOf(classOf[stance] ?? 'none')
const classOf: Readonly<Record<string, (typeof answerClasses)[number]>> = {
  positive: 'positive',
  r: 'positive',
  recommended: 'positive',
  neutral: 'neutral',
  l: 'neutral',
  c: 'neutral',
  listed: 'neutral',
  compared: 'neutral',
  negative: 'negative',
  d: 'negative',
  discouraged: 'negative',
}

/** Texts of different groups that must have an entry of the lists, so that it counts in training. */
const entryGroupsMin = 2

/**
 * Returns which entries of the lists do not count in training: those that the texts of one group alone have. Who wrote
 * the lists knew these texts. In a new text such words would be missing, so weights must not rely on them.
 */
function rareEntries(): (language: string, key: string) => boolean {
  const groups = new Map<string, Set<string>>()
  for (const { brand, text } of buildLines()) {
    const words = wordsOf(text)
    const language = languageOfAnswer(words)
    if (language === 'other' || language === 'unknown') continue
    for (const { key } of signalsIn(words, language)) {
      const name = `${language} ${key}`
      const known = groups.get(name)
      if (known) known.add(brand)
      else groups.set(name, new Set([brand]))
    }
  }
  return (language, key) => (groups.get(`${language} ${key}`)?.size ?? 0) < entryGroupsMin
}

const buildLines = () => readCorpus('answers').filter((line) => halfOf(line) === 'build')

interface Reading {
  readonly question?: string | undefined
  readonly isRare?: ReturnType<typeof rareEntries>
}

/** Reads the features of an answer that names the brand in a measured language. */
function exampleOf(
  id: string,
  group: string,
  tracked: Tracked,
  text: string,
  stance: string,
  { question, isRare }: Reading = {},
): Example[] {
  const find = createNameFinder(entitiesOf(tracked))
  const all = find(text)
  const own = all.filter(({ entity }) => entity === brandId)
  const words = wordsOf(text)
  const language = languageOfAnswer(words)
  if (own.length === 0 || language === 'other') return []
  const read = readAnswer(
    text,
    words,
    language === 'unknown' ? null : language,
    question === undefined ? null : readQuestion(question, find(question.toLowerCase())),
    isRare && ((key) => isRare(language, key)),
  )
  const features = [...featuresOf(read, own, all), ...wordFeaturesOf(read, all)].sort()
  return [{ id, group, label: labelOf(stance), features }]
}

/** How often a short text counts. There are few, and they are the plainest. */
const shortTimes = 3

/** Returns the examples: the build half of the labelled answers, and the short texts of the tests. */
export function answerExamples(): readonly Example[] {
  const isRare = rareEntries()
  const build = buildLines().flatMap(({ id, brand, question, text, label }) =>
    // Once with its question and once without: the judge is not always told it.
    [question, undefined].flatMap((asked) =>
      exampleOf(id, brand, { brand: { names: [brand] }, competitors: [] }, text, label.stance, {
        question: asked,
        isRare,
      }),
    ),
  )
  const short = shortExamples()
  return [...build, ...Array.from({ length: shortTimes }, () => short).flat()]
}

const examplesFolder = join(import.meta.dir, '../../plugins/visibility/examples')
const read = (name: string) => JSON.parse(readFileSync(join(examplesFolder, name), 'utf8'))

interface Case {
  readonly names: readonly string[]
  readonly case_sensitive?: boolean
  readonly competitors: Tracked['competitors']
  readonly text: string
  readonly stance: string
}

function shortExamples(): Example[] {
  const { cases } = read('answers-of-assistants.json') as { cases: readonly Case[] }
  const acme = {
    brand: { names: ['Acme', 'Acme Rohrbau'] },
    competitors: [{ name: 'Beta' }, { name: 'Gamma Plumbing', aliases: ['Gamma'] }, { name: 'Acme Plus' }],
  }
  const own = Object.values(read('stances.json') as Record<string, [string | null, string][]>).flat()
  return [
    ...cases.flatMap(({ names, case_sensitive, competitors, text, stance }, at) => {
      const brand = { names, isCaseSensitive: case_sensitive === true }
      return exampleOf(`case ${at}`, `case ${at}`, { brand, competitors }, text, stance)
    }),
    ...own.flatMap(([stance, text], at) =>
      exampleOf(`short ${at}`, `short ${at}`, acme, text, stance ?? 'none'),
    ),
  ]
}

/** What was learned, as it is stored. */
export interface Learned {
  readonly recommendedMin: number
  readonly weights: Readonly<Record<string, readonly number[]>>
}

/** Groups that must have a feature, so that it is learned. */
const groupsMin = { word: 3, other: 2 }
/** How fast the weight of a feature grows. That of a single word grows slowly, because there are so many of them. */
const scale = { word: 0.3, other: 1 }
const learning = { penalty: 5, rounds: 300 }
/** The chance from which an answer recommends. Chosen on the build half, each brand judged by weights learned without it. */
const recommendedMin = 0.5

/** Learns the weights. The same examples give the same weights. */
export function learnAnswers(examples: readonly Example[]): Learned {
  const groups = new Map<string, Set<string>>()
  for (const { features, group } of examples)
    for (const feature of features) {
      const known = groups.get(feature)
      if (known) known.add(group)
      else groups.set(feature, new Set([group]))
    }
  const names = [...groups]
    .filter(([name, { size }]) => size >= groupsMin[isWordFeature(name) ? 'word' : 'other'])
    .map(([name]) => name)
    .sort()
  const places = new Map(names.map((name, at) => [name, at]))
  const scales = Float64Array.from(names, (name) => scale[isWordFeature(name) ? 'word' : 'other'])
  const samples = examples.map(
    ({ features, label }): Sample => ({
      features: Int32Array.from(features.flatMap((name) => places.get(name) ?? [])),
      label,
    }),
  )
  const weights = learn(samples, answerClasses.length, scales, learning)
  const stored = names.flatMap((name, at) => {
    const own = answerClasses.map(
      (_, one) => Math.round((weights[at * answerClasses.length + one] ?? 0) * (scales[at] ?? 0) * 100) + 0,
    )
    return own.every((weight) => weight === 0) ? [] : [[name, own] as const]
  })
  return { recommendedMin, weights: Object.fromEntries(stored) }
}

/** The file with what was learned. */
export const learnedFile = join(import.meta.dir, '../../../plugins/visibility/detection/learned.json')

/** Prints what was learned, one feature a line. */
export const printedLearned = ({ recommendedMin: min, weights }: Learned): string =>
  `{\n"recommendedMin": ${min},\n"weights": {\n${Object.entries(weights)
    .map(([name, own]) => `${JSON.stringify(name)}: [${own.join(',')}]`)
    .join(',\n')}\n}\n}\n`
