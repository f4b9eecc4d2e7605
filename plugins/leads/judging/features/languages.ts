import otherLanguages from './other-languages.json'
import { plainOf, type Word } from './read-text'
import arSignals from './signals/ar.json'
import deSignals from './signals/de.json'
import enSignals from './signals/en.json'
import esSignals from './signals/es.json'
import frSignals from './signals/fr.json'
import itSignals from './signals/it.json'
import nlSignals from './signals/nl.json'
import plSignals from './signals/pl.json'
import ruSignals from './signals/ru.json'
import trSignals from './signals/tr.json'
import arTopics from './topics/ar.json'
import deTopics from './topics/de.json'
import enTopics from './topics/en.json'
import esTopics from './topics/es.json'
import frTopics from './topics/fr.json'
import itTopics from './topics/it.json'
import nlTopics from './topics/nl.json'
import plTopics from './topics/pl.json'
import ruTopics from './topics/ru.json'
import trTopics from './topics/tr.json'
import { createListFinder, type ListFinder, type ListForm } from './word-list'

/** The languages in which posts are judged: those with a measured judge. */
export const judgedLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'tr', 'ru', 'ar'] as const
/** One of them. */
export type JudgedLanguage = (typeof judgedLanguages)[number]

/** The lists of a language, ready to be found in texts. */
export interface LanguageWords {
  readonly topics: ListFinder
  readonly signals: ListFinder
}

const arabicPrefixes = [
  'ال',
  'وال',
  'بال',
  'لل',
  'فال',
  'كال',
  'و',
  'ب',
  'ل',
  'ف',
  'ك',
  'عال',
  'هال',
  'ول',
  'وب',
]
const lists = {
  en: [enTopics, enSignals, { endingMax: 3 }],
  de: [deTopics, deSignals, { endingMax: 4, isCompound: true }],
  fr: [frTopics, frSignals, { endingMax: 3 }],
  es: [esTopics, esSignals, { endingMax: 3 }],
  it: [itTopics, itSignals, { endingMax: 3 }],
  nl: [nlTopics, nlSignals, { endingMax: 3, isCompound: true }],
  pl: [plTopics, plSignals, { endingMax: 4 }],
  tr: [trTopics, trSignals, { endingMax: 6 }],
  ru: [ruTopics, ruSignals, { endingMax: 5 }],
  ar: [arTopics, arSignals, { endingMax: 3, prefixes: arabicPrefixes }],
} as const

const wordsOfLanguage = new Map<JudgedLanguage, LanguageWords>()

/** Returns the words of a language. They are built with the first text of the language. */
export function languageWords(language: JudgedLanguage): LanguageWords {
  const known = wordsOfLanguage.get(language)
  if (known) return known
  const [topics, { stop: _stop, ...signals }, form] = lists[language]
  const exact: ListForm = { endingMax: 0, ...('prefixes' in form ? { prefixes: form.prefixes } : {}) }
  const built = {
    topics: createListFinder(topics, form),
    signals: createListFinder(signals, exact),
  }
  wordsOfLanguage.set(language, built)
  return built
}

const isJudged = (language: string): language is JudgedLanguage =>
  (judgedLanguages as readonly string[]).includes(language)

const otherMin = 2
const surelyOther = 5
const isTied = (counts: readonly Counted[], { language, count }: Counted) =>
  counts.some((one) => one.count === count && one.language !== language && isJudged(one.language))

interface Counted {
  readonly language: string
  readonly count: number
}

const stopsOf = (row: string) =>
  new Set(row.split(',').flatMap((word) => plainOf(word.trim()).split(/[^\p{L}\p{N}]+/u)))

/** The most frequent words of each language that the small words of a text show, those without a judge too. */
const frequent: readonly (readonly [language: string, words: ReadonlySet<string>])[] = [
  ...judgedLanguages.map((language) => [language, stopsOf(lists[language][1].stop)] as const),
  ...Object.entries(otherLanguages).map(([language, row]) => [language, stopsOf(row)] as const),
]

const countsOf = (words: readonly Word[]): Counted[] =>
  frequent
    .map(([language, stops]) => ({ language, count: words.filter(({ plain }) => stops.has(plain)).length }))
    .toSorted((a, b) => b.count - a.count)

/** Returns the languages that have most frequent words in a text: several if they have equally many, none without any. */
export function likelyLanguages(words: readonly Word[]): readonly string[] {
  const counts = countsOf(words)
  const most = counts[0]?.count ?? 0
  return most === 0 ? [] : counts.filter(({ count }) => count === most).map(({ language }) => language)
}

/** Returns the language of words by its most frequent words. Null: none stands out. */
export function languageOf(words: readonly Word[]): string | null {
  const counts = countsOf(words)
  const [first, second] = counts
  if (!first || first.count === 0 || first.count === second?.count) return null
  const best = counts.find(({ language }) => isJudged(language))
  if (best && !isJudged(first.language) && first.count - best.count < 2 && first.count < surelyOther) {
    return best.count > 0 && !isTied(counts, best) ? best.language : null
  }
  // One small word is no evidence for a language that is rare here: Tagalog has "at" and "sa" too.
  if (!isJudged(first.language) && first.count < otherMin) return null
  return first.language
}

/** Returns the judged language of a tag such as `de-AT`. Null: it is none. */
export function judgedLanguageOf(tag: string | undefined): JudgedLanguage | null {
  const [language = ''] = (tag ?? '').toLowerCase().split('-')
  return isJudged(language) ? language : null
}
