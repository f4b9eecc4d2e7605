import { de } from './speech/de'
import { en } from './speech/en'
import { es } from './speech/es'
import { fr } from './speech/fr'
import { it } from './speech/it'
import { nl } from './speech/nl'
import { pl } from './speech/pl'
import { pt } from './speech/pt'
import type { SafeSpeech } from './speech/speech'
import { sv } from './speech/sv'
import { tr } from './speech/tr'

const written = { de, en, es, fr, it, nl, pl, pt, sv, tr } as const
/** A language in which replies can be written without a person. */
export type ReplyLanguage = keyof typeof written
/** Every language in which replies can be written without a person. */
export const replyLanguages = Object.keys(written) as readonly ReplyLanguage[]

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
  const speech = compile(language, written[language])
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
  const regrets = listed(given.regrets).flatMap(expand)
  for (const text of listed(given.acts).flatMap(expand)) add(text, true)
  for (const text of regrets) add(text, true)
  for (const text of listed(given.phrases).flatMap(expand)) add(text, false)
  for (const text of given.words.split(/\s+/)) add(text, false)
  return {
    language,
    phrases,
    regrets: new Set(regrets.map((text) => wordsOfPhrase(text).join(' '))),
    things: listed(given.things).map((text) => wordsOfPhrase(text.toLowerCase())),
    determiners: spaced(given.determiners),
    titles: spaced(given.titles),
    comparisons: spaced(given.comparisons),
    praises: given.praises.split(' '),
    futures: given.futures.split(' '),
    shortfalls: given.shortfalls.split(' '),
    people: given.people.split(' '),
  }
}

/** Whether a word is one of these words, or starts with one of these stems. */
export const isAmong = (word: string, stems: readonly string[]): boolean =>
  stems.some((stem) => (stem.endsWith('*') ? word.startsWith(stem.slice(0, -1)) : word === stem))

const listed = (text: string) =>
  text
    .split(';')
    .map((each) => each.trim().replace(/\s+/g, ' '))
    .filter((each) => each !== '')
const spaced = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))
const wordsOfPhrase = (text: string) => text.split(/[\s-]+/).filter((word) => word !== '')

/** Returns every text of `(a|b|)` alternatives. Alternatives cannot be nested. */
function expand(text: string): readonly string[] {
  const group = /\(([^()]*)\)/.exec(text)
  if (!group) return [text.replace(/\s+/g, ' ').trim()]
  const before = text.slice(0, group.index)
  const after = text.slice(group.index + group[0].length)
  return (group[1] ?? '').split('|').flatMap((choice) => expand(`${before}${choice}${after}`))
}
