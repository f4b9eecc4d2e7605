import { frequentWords, type Lexicon, lexicons, type Topic } from './lexicon'
import { type Rows, wordsIn } from './word-rows'

/** The words of a language, prepared for lookup. */
export interface Words {
  readonly language: string
  /** Returns the weight of a word from −2 to 2. Neutral words have 0. */
  weight(word: string): number
  isNot(word: string): boolean
  isBut(word: string): boolean
  isCommon(word: string): boolean
  readonly emotions: readonly (readonly [keyof Lexicon['emotions'], Matcher])[]
  readonly topics: readonly (readonly [Topic, Matcher])[]
}

export type Matcher = (word: string) => boolean

/** All languages with word lists. */
export const languages: readonly Words[] = Object.entries(lexicons).map(([language, lexicon]) => {
  const good = weigher(lexicon.good)
  const bad = weigher(lexicon.bad)
  return {
    language,
    weight: (word) => good(word) || -bad(word),
    isNot: matcher(lexicon.not),
    isBut: matcher(lexicon.but),
    isCommon: matcher(lexicon.common),
    emotions: pairs(lexicon.emotions),
    topics: pairs(lexicon.topics),
  }
})

function pairs<K extends string>(given: Readonly<Partial<Record<K, Rows>>>) {
  return (Object.entries(given) as [K, Rows][]).map(([name, words]) => [name, matcher(words)] as const)
}

function matcher(list: Rows): Matcher {
  const weigh = weigher(list)
  return (word) => weigh(word) > 0
}

function weigher(list: Rows): (word: string) => number {
  const whole = new Map<string, number>()
  const beginnings = new Map<string, number>()
  for (const entry of wordsIn(list)) {
    const isStrong = entry.endsWith('!')
    const word = isStrong ? entry.slice(0, -1) : entry
    const weight = isStrong ? 2 : 1
    if (word.endsWith('*')) beginnings.set(word.slice(0, -1), weight)
    else whole.set(word, weight)
  }
  const lengths = [...new Set([...beginnings.keys()].map(({ length }) => length))]
  return (word) => {
    const known = whole.get(word)
    if (known !== undefined) return known
    for (const length of lengths) {
      const weight = word.length >= length ? beginnings.get(word.slice(0, length)) : undefined
      if (weight !== undefined) return weight
    }
    return 0
  }
}

/** Returns lower-case words, with their inner apostrophes and hyphens. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{M}]+(?:['-][\p{L}\p{M}]+)*/gu) ?? []

const lettersMin = 12

const markers: readonly (readonly [string, ReadonlySet<string>])[] = Object.entries(frequentWords).map(
  ([language, rows]) => [language, new Set(wordsIn(rows))],
)

/** Scripts that only one language of reviews uses. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Thai}/gu, 'th'],
]

/**
 * Returns the language of a text, or null if it is uncertain: too short, unknown, or similar to two
 * languages. `near` is the word list of the most similar language, if it has one.
 */
export function languageOf(text: string): { readonly language: string | null; readonly near: Words | null } {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  for (const [script, language] of scripts) {
    const count = text.match(script)?.length ?? 0
    // Japanese text consists mostly of characters that Chinese uses too.
    if (count >= 2 && count >= letters * (language === 'ja' ? 0.2 : 0.5)) return { language, near: null }
  }
  const words = wordsOf(text)
  const weighed = languages.map((one) => ({
    language: one.language,
    near: one as Words | null,
    hits: hitsOf(words, one),
  }))
  const marked = markers.map(([language, known]) => ({
    language,
    near: null,
    hits: words.filter((word) => known.has(word)).length,
  }))
  const ranked = [...weighed, ...marked].sort((a, b) => b.hits - a.hits)
  const [first, second] = ranked
  if (!first || first.hits < 1) return { language: null, near: null }
  const isAlone = first.hits > (second?.hits ?? 0)
  const isSure =
    letters >= lettersMin &&
    first.hits >= Math.max(2, words.length * 0.2) &&
    first.hits >= (second?.hits ?? 0) * 1.4
  return { language: isSure ? first.language : null, near: isAlone ? first.near : null }
}

/**
 * Counts frequent words, negations and words with a weight. A word of several languages counts for each of
 * them.
 */
const hitsOf = (words: readonly string[], one: Words) =>
  words.filter((word) => one.isCommon(word) || one.isNot(word) || one.isBut(word) || one.weight(word) !== 0)
    .length
