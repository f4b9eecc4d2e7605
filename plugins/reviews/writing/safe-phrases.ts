import { phrasesIn, wordsIn } from '../analysis/word-rows'
import { type SafeSpeech, safeSpeech } from './speech'

/** A language in which replies can be written without a person. */
export type ReplyLanguage = keyof typeof safeSpeech
/** Every language in which replies can be written without a person. */
export const replyLanguages = Object.keys(safeSpeech) as readonly ReplyLanguage[]

/** Returns the language of a BCP 47 tag, if automatic replies support it. */
export function replyLanguageOf(tag: string | undefined): ReplyLanguage | null {
  const language = tag?.split(/[-_]/)[0]?.toLowerCase()
  return replyLanguages.find((one) => one === language) ?? null
}

/** An allowed phrase of a sentence. */
export interface Phrase {
  readonly words: readonly string[]
  readonly isAct: boolean
}

/** The allowed words of one language, prepared for lookup. */
export interface Speech {
  readonly language: ReplyLanguage
  /** Phrases by their first word. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>
  /** Every word of a phrase. */
  readonly words: ReadonlySet<string>
  readonly regrets: ReadonlySet<string>
  /** Nouns as sequences of words or stems. */
  readonly things: readonly (readonly string[])[]
  readonly determiners: ReadonlySet<string>
  readonly titles: ReadonlySet<string>
  readonly comparisons: ReadonlySet<string>
  readonly praises: readonly string[]
  readonly futures: readonly string[]
  readonly shortfalls: readonly string[]
  readonly people: readonly string[]
}

const made = new Map<ReplyLanguage, Speech>()

/** Returns the allowed words of a language. */
export function speechOf(language: ReplyLanguage): Speech {
  const known = made.get(language)
  if (known) return known
  const speech = compile(language, safeSpeech[language])
  made.set(language, speech)
  return speech
}

function compile(language: ReplyLanguage, given: SafeSpeech): Speech {
  const phrases = new Map<string, Phrase[]>()
  const seen = new Set<string>()
  const add = (text: string, isAct: boolean) => {
    if (seen.has(text)) return
    seen.add(text)
    const words = wordsOfPhrase(text)
    const [first] = words
    if (first !== undefined) phrases.set(first, [...(phrases.get(first) ?? []), { words, isAct }])
  }
  const regrets = phrasesIn(given.regrets).flatMap(expand)
  for (const text of phrasesIn(given.acts).flatMap(expand)) add(text, true)
  for (const text of regrets) add(text, true)
  for (const text of phrasesIn(given.phrases).flatMap(expand)) add(text, false)
  for (const text of wordsIn(given.words)) add(text, false)
  return {
    language,
    phrases,
    words: new Set([...phrases.values()].flat().flatMap(({ words }) => words)),
    regrets: new Set(regrets.map((text) => wordsOfPhrase(text).join(' '))),
    things: phrasesIn(given.things).map((text) => wordsOfPhrase(text.toLowerCase())),
    determiners: new Set(wordsIn(given.determiners)),
    titles: new Set(wordsIn(given.titles)),
    comparisons: new Set(wordsIn(given.comparisons)),
    praises: wordsIn(given.praises),
    futures: wordsIn(given.futures),
    shortfalls: wordsIn(given.shortfalls),
    people: wordsIn(given.people),
  }
}

/** Whether a word is one of these words, or starts with one of these stems. */
export const isAmong = (word: string, stems: readonly string[]): boolean =>
  stems.some((stem) => (stem.endsWith('*') ? word.startsWith(stem.slice(0, -1)) : word === stem))

const wordsOfPhrase = (text: string) => text.split(/[\s-]+/).filter((word) => word !== '')

/** Returns every text of `(a|b|)` alternatives. Alternatives cannot be nested. */
function expand(text: string): readonly string[] {
  const group = /\(([^()]*)\)/.exec(text)
  if (!group) return [text.replace(/\s+/g, ' ').trim()]
  const before = text.slice(0, group.index)
  const after = text.slice(group.index + group[0].length)
  return (group[1] ?? '').split('|').flatMap((choice) => expand(`${before}${choice}${after}`))
}
