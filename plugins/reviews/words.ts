import { type Lexicon, lexicons, type Topic } from './lexicon'

/** A language's words, ready to be looked up. */
export interface Words {
  readonly language: string
  /** From −2 to 2; 0 for words that judge nothing. */
  weight(word: string): number
  isNot(word: string): boolean
  isBut(word: string): boolean
  isCommon(word: string): boolean
  readonly emotions: readonly (readonly [keyof Lexicon['emotions'], Matcher])[]
  readonly topics: readonly (readonly [Topic, Matcher])[]
}

export type Matcher = (word: string) => boolean

/** Every language that is known here. */
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

function pairs<K extends string>(given: Readonly<Partial<Record<K, string>>>) {
  return (Object.entries(given) as [K, string][]).map(([name, words]) => [name, matcher(words)] as const)
}

function matcher(list: string): Matcher {
  const weigh = weigher(list)
  return (word) => weigh(word) > 0
}

function weigher(list: string): (word: string) => number {
  const whole = new Map<string, number>()
  const beginnings = new Map<string, number>()
  for (const entry of list.split(' ')) {
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

/** Words in small letters, with their inner apostrophes and hyphens. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{M}]+(?:['-][\p{L}\p{M}]+)*/gu) ?? []

const lettersMin = 12

/** Writing that only one language of reviews uses. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Thai}/gu, 'th'],
]

/**
 * The language of a text, or null where that is not sure: too short, foreign to the lists here, or near two of them. `near`
 * are the words of the one that it looks like most, sure or not.
 */
export function languageOf(text: string): { readonly language: string | null; readonly near: Words | null } {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  for (const [script, language] of scripts) {
    const count = text.match(script)?.length ?? 0
    // Japanese is mostly written in characters that it shares.
    if (count >= 2 && count >= letters * (language === 'ja' ? 0.2 : 0.5)) return { language, near: null }
  }
  const words = wordsOf(text)
  const ranked = languages.map((one) => ({ one, hits: hitsOf(words, one) })).sort((a, b) => b.hits - a.hits)
  const [first, second] = ranked
  if (!first || first.hits < 1) return { language: null, near: null }
  const isAlone = first.hits > (second?.hits ?? 0)
  const isSure =
    letters >= lettersMin &&
    first.hits >= Math.max(2, words.length * 0.2) &&
    first.hits >= (second?.hits ?? 0) * 1.4
  return { language: isSure ? first.one.language : null, near: isAlone ? first.one : null }
}

/** Frequent words, negations and words that judge; one that several languages have counts for each. */
const hitsOf = (words: readonly string[], one: Words) =>
  words.filter((word) => one.isCommon(word) || one.isNot(word) || one.isBut(word) || one.weight(word) !== 0)
    .length
