import { fold, foldedWords } from './fold'
import { type TokenTest, tokenTest } from './phrases'
import { type SensitiveTopic, sensitiveTopics, sensitiveWords } from './sensitive/lexicon'
import { splitText } from './translation'
import { phrasesIn, type Rows, wordsIn } from './word-rows'

/** The languages in which sensitive subjects are recognized. */
export const sensitiveLanguages: readonly string[] = Object.keys(sensitiveWords)

/** One entry of a list, prepared for comparison. */
interface Phrase {
  readonly tokens: readonly TokenTest[]
  readonly topic: SensitiveTopic | null
  /** The only language in which it counts. Null for all. */
  readonly only: string | null
  /** Letters that a text must contain if it contains the phrase. */
  readonly probe: string
}

/**
 * Phrases by the first two letters of their first word. Those that can begin with any letter are under the
 * empty text.
 */
type PhraseIndex = ReadonlyMap<string, readonly Phrase[]>

const anyStart = ''

/**
 * Returns the sensitive subjects of a review, which only a person may answer: injury, illness, the police,
 * legal action, discrimination and children. Checks both the author's words and the platform's translation.
 * Prefers a false alarm to missing one.
 */
export function sensitiveTopicsOf(text: string | undefined, language?: string): readonly SensitiveTopic[] {
  const { original, translation } = splitText(text ?? '')
  const found = new Set<SensitiveTopic>()
  collect(original, language, found)
  if (translation !== undefined) collect(translation, undefined, found)
  return sensitiveTopics.filter((topic) => found.has(topic))
}

function collect(text: string, language: string | undefined, found: Set<SensitiveTopic>): void {
  const folded = fold(text)
  const tokens = foldedWords(folded)
  const spoken = spokenLanguages(tokens, language)
  const masked = maskHarmless(tokens)
  const anywhere = (index.get(anyStart) ?? []).filter(({ probe }) => folded.includes(probe))
  for (const [at, token] of masked.entries()) {
    if (token === '') continue
    for (const phrase of [...(index.get(firstOf(token)) ?? []), ...anywhere]) {
      if (phrase.topic === null || found.has(phrase.topic)) continue
      if (phrase.only !== null && !spoken.has(phrase.only)) continue
      if (isAt(phrase, masked, at)) found.add(phrase.topic)
    }
  }
}

/** Removes phrases that only sound serious, such as "to die for". */
function maskHarmless(tokens: readonly string[]): readonly string[] {
  const masked = [...tokens]
  for (const [at, token] of tokens.entries()) {
    for (const phrase of harmlessIndex.get(firstOf(token)) ?? []) {
      if (isAt(phrase, tokens, at)) masked.fill('', at, at + phrase.tokens.length)
    }
  }
  return masked
}

const isAt = ({ tokens }: Phrase, words: readonly string[], at: number): boolean =>
  tokens.every((test, n) => test(words[at + n] ?? ''))

const firstOf = (text: string): string => text.slice(0, 2)

/**
 * Returns the languages that a text may be in, by its tag or by frequent words. Several if they are equally
 * likely.
 */
function spokenLanguages(tokens: readonly string[], tag: string | undefined): ReadonlySet<string> {
  const told = tag?.slice(0, 2).toLowerCase()
  const scores = [...commonWords].map(([name, common]) => ({
    name,
    hits: tokens.reduce((sum, token) => sum + (common.has(token) ? 1 : 0), 0),
  }))
  const most = Math.max(1, ...scores.map(({ hits }) => hits))
  const spoken = scores.filter(({ hits }) => hits === most).map(({ name }) => name)
  return new Set([...spoken, ...(told === undefined ? [] : [told === 'no' ? 'nb' : told])])
}

const commonWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(sensitiveWords).flatMap(([name, { common }]) =>
    common === undefined ? [] : [[name, new Set(wordsIn(common))] as const],
  ),
)

function phrasesOf(
  list: Rows,
  topic: SensitiveTopic | null,
  language: string,
): (readonly [string, Phrase])[] {
  return phrasesIn(list).flatMap((entry) => {
    const words = entry.split(' ')
    const isOnly = words.some((word) => word.includes('~'))
    const plain = words.map((word) => fold(word.replace('~', '')))
    const [first = ''] = plain
    const probe = first.includes('|') ? '' : first.replace(/[*#]/g, '')
    const phrase: Phrase = { tokens: plain.map(tokenTest), topic, only: isOnly ? language : null, probe }
    return firstLetters(first).map((letter) => [letter, phrase] as const)
  })
}

/** Returns the letters under which an entry is indexed. */
const firstLetters = (word: string): string[] => [
  ...new Set(word.split('|').map((one) => (/^[*#]/.test(one) ? anyStart : firstOf(one)))),
]

function indexOf(phrases: readonly (readonly [string, Phrase])[]): PhraseIndex {
  const made = new Map<string, Phrase[]>()
  for (const [letter, phrase] of phrases) {
    const own = made.get(letter) ?? []
    own.push(phrase)
    made.set(letter, own)
  }
  return made
}

const index = indexOf(
  Object.entries(sensitiveWords).flatMap(([name, words]) =>
    sensitiveTopics.flatMap((topic) => phrasesOf(words[topic], topic, name)),
  ),
)

const harmlessIndex = indexOf(
  Object.entries(sensitiveWords).flatMap(([name, { harmless = [] }]) => phrasesOf(harmless, null, name)),
)
