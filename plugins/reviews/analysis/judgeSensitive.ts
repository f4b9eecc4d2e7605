import { fold, foldedWords } from './fold'
import { type Hints, hintsOf } from './hints'
import { type HintTopic, hints, hintTopics } from './hints/lexicon'
import { sensitiveTopicsOf } from './sensitive'
import { probability, sensitiveFeatures } from './sensitive-features'
import weights from './sensitive-weights.json'
import { originalOf } from './translation'
import { wordsIn } from './word-rows'
import { languageOf } from './words'

/** What the judge says of a review: whether a person must answer it. */
export interface SensitiveVerdict {
  readonly verdict: 'sensitive' | 'ordinary' | 'not_judged'
  readonly topics: readonly HintTopic[]
  /** Words of the review that the verdict rests on, in lower case and without accents. */
  readonly quotes: readonly string[]
}

/** A review that is judged. */
export interface JudgedReview {
  readonly review_text?: string | undefined
  readonly review_language?: string | undefined
  readonly star_rating?: number | null | undefined
}

/** The languages in which the judge is measured. In all others it does not judge. */
export const judgedLanguages: readonly string[] = Object.keys(hints)

/** From this probability a person must answer. It was chosen by cross-validation on the build half of the corpus. */
const threshold = 0.22

/**
 * Judges whether a person must answer a review. A text without words is ordinary. A text whose language is unknown, or in
 * which the judge was not measured, is not judged.
 */
export function judgeSensitive(review: JudgedReview): SensitiveVerdict {
  const text = originalOf(review.review_text)
  if (!/\p{L}/u.test(text)) return { verdict: 'ordinary', topics: [], quotes: [] }
  const judged = languagesOf(text, review.review_language)
    .map((language) => hintsOf(text, language))
    .filter((found) => found !== null)
    .map((found) => judge(found, review.star_rating ?? null, text))
  return (
    judged.find(({ verdict }) => verdict === 'sensitive') ??
    judged[0] ?? { verdict: 'not_judged', topics: [], quotes: [] }
  )
}

/** Fewer words without a hint say too little to be more than a bad rating. */
const telling = 6

function judge(found: Hints, stars: number | null, text: string): SensitiveVerdict {
  const listed = sensitiveTopicsOf(text, found.language)
  // No stars outweigh words that name a subject plainly, such as the police or an illness.
  const isNamed = [...found.strong.keys()].some((topic) => !found.negated.has(topic))
  const isSensitive = isNamed || probability(weights, sensitiveFeatures(found, stars, listed)) >= threshold
  const isHint = found.strong.size + found.pairs.size + found.soft.size > 0
  const isTelling = isHint || foldedWords(fold(text)).length >= telling
  if (!isSensitive || !isTelling) return { verdict: 'ordinary', topics: [], quotes: [] }
  const named = new Map<HintTopic, string>(found.strong)
  for (const [topic, quote] of found.pairs.values()) if (!named.has(topic)) named.set(topic, quote)
  for (const [topic, quote] of found.soft) if (!named.has(topic)) named.set(topic, quote)
  const topics = hintTopics.filter((topic) => named.has(topic))
  return { verdict: 'sensitive', topics, quotes: topics.map((topic) => named.get(topic) ?? '') }
}

const shortWords = 4
const latin = judgedLanguages.filter((language) => language !== 'ar' && language !== 'ru')

/** Returns the judged languages that a text may be in. Several if they are equally likely. */
function languagesOf(text: string, tag: string | undefined): readonly string[] {
  const told = tag?.slice(0, 2).toLowerCase()
  if (told !== undefined && told !== '') return judgedLanguages.filter((language) => language === told)
  if (/[іїєґ]/iu.test(text) || /[پچگ]/u.test(text)) return []
  if (/\p{Script=Cyrillic}/u.test(text)) return ['ru']
  if (/\p{Script=Arabic}/u.test(text)) return ['ar']
  if (/[ğıİ]/u.test(text)) return ['tr']
  const { language, near } = languageOf(text)
  const words = foldedWords(fold(text))
  const hits = commonWords().map(([name, common]) => ({
    name,
    count: words.filter((word) => common.has(word)).length,
  }))
  const most = Math.max(...hits.map(({ count }) => count))
  // Short texts look like several languages.
  const isForeign = language !== null && !judgedLanguages.includes(language)
  if (isForeign && most * 2 < words.length) return []
  // A few words in an unknown language are compared with all lists.
  const isShort = words.length <= shortWords && /^[\p{Script=Latin}\P{L}]*$/u.test(text)
  const likely =
    most === 0 ? (isShort ? latin : []) : hits.filter(({ count }) => count === most).map(({ name }) => name)
  const known = language ?? near?.language
  return known !== undefined && known !== null && judgedLanguages.includes(known)
    ? [...new Set([known, ...likely])]
    : likely
}

let known: readonly (readonly [language: string, words: ReadonlySet<string>])[] | undefined

/** Returns the frequent words of the languages. They are prepared at the first use, because a start does not need them. */
function commonWords() {
  known ??= Object.entries(hints).map(
    ([language, { common }]) => [language, new Set(wordsIn(common).map(fold))] as const,
  )
  return known
}
