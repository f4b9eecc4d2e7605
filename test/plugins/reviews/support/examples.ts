import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Topic } from '../../../../plugins/reviews/analysis/lexicon'

const folder = join(import.meta.dir, '../examples')
const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))
const byLanguage = <T>(kind: string): (readonly [language: string, examples: T])[] =>
  readdirSync(join(folder, kind)).map((name) => [name.replace('.json', ''), read(kind, name) as T])

/** A review without stars, and what a reader of its language says of it. */
export interface AnalysisExample {
  readonly language: string
  readonly text: string
  readonly sentiment: 'positive' | 'negative' | 'mixed' | 'neutral'
  readonly topics: readonly Topic[]
  /** The lists of words are known to say something else. Remove it with the fault. */
  readonly missed?: true
}

/** Reviews with their sentiment and topics, in each language with lists of words. */
export const analysisExamples: readonly AnalysisExample[] = byLanguage<Omit<AnalysisExample, 'language'>[]>(
  'analysis',
).flatMap(([language, examples]) => examples.map((example) => ({ ...example, language })))

/** Texts by their language. Those under `unknown` are too short, or similar to two languages. */
export const languageExamples: readonly (readonly [language: string | null, text: string])[] = Object.entries(
  read('languages.json') as Readonly<Record<string, readonly string[]>>,
).flatMap(([language, texts]) =>
  texts.map((text) => [language === 'unknown' ? null : language, text] as const),
)

type Sentence = readonly [language: string, text: string]
const sentences = byLanguage<Readonly<Record<'serious' | 'harmless', readonly string[]>>>('sensitive')
const ofKind = (kind: 'serious' | 'harmless'): readonly Sentence[] =>
  sentences.flatMap(([language, told]) => told[kind].map((text) => [language, text] as const))

/**
 * Sentences of reviews that nobody looked at while the lists of words were written. A person must answer the serious ones.
 * The harmless ones sound like them.
 */
export const heldOut = { serious: ofKind('serious'), harmless: ofKind('harmless') }
