import { fold } from './fold'
import ar from './signals/ar.json'
import de from './signals/de.json'
import en from './signals/en.json'
import es from './signals/es.json'
import fr from './signals/fr.json'
import it from './signals/it.json'
import nl from './signals/nl.json'
import pl from './signals/pl.json'
import ru from './signals/ru.json'
import tr from './signals/tr.json'

/** What words can tell about a name near them. Each has a list of phrases in each language. */
export const signalNames = [
  'not',
  'recommend',
  'praise',
  'blame',
  'avoid',
  'unknown',
  'fact',
  'mixed',
  'but',
  'disclaim',
  'alternative',
  'other',
  'echo',
  'one',
  'two',
  'three',
  'fallback',
  'fits',
  'all',
  'compared',
  'beside',
  'past',
  'now',
  'only',
] as const
/** One of the things that words can tell. */
export type SignalName = (typeof signalNames)[number]

/**
 * The words of a language, as a speaker of it can read and change them. `*` at the end of a word matches words that
 * begin so. `_` matches up to three words.
 */
type SignalWords = Readonly<Record<SignalName | 'frequent' | 'generic', readonly string[]>>

/** The languages whose verdicts are measured, with their words. */
const languages = { en, de, fr, es, it, nl, pl, tr, ru, ar } as const satisfies Record<string, SignalWords>
/** A language whose verdicts are measured. */
export type JudgedLanguage = keyof typeof languages
/** The languages whose verdicts are measured. */
export const judgedLanguages = Object.keys(languages) as readonly JudgedLanguage[]

/** A word of an answer, folded, and its place in UTF-16 units of the unchanged answer. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

/** Returns the words of a text. Apostrophes and dashes end a word. */
export function wordsOf(text: string): Word[] {
  const found: Word[] = []
  for (const { 0: word, index } of text.matchAll(wordPattern))
    found.push({ text: plainArabic(fold(word).text), start: index, end: index + word.length })
  return found
}

const arabic = /^\p{Script=Arabic}/u

/** Writes letters of Arabic alike that writers exchange, and drops the joined "and" and "so". */
function plainArabic(word: string): string {
  if (!arabic.test(word)) return word
  const alike = word
    .replace(/[أإآٱ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه')
  return alike.length > 4 && /^[وف]/.test(alike) ? alike.slice(1) : alike
}

/** One phrase: its words, the last of which may be only a beginning. `null` stands for up to three words. */
interface Phrase {
  /** The signal and the phrase as the list has it. */
  readonly key: string
  readonly signal: SignalName
  readonly parts: readonly (Part | null)[]
}
interface Part {
  readonly text: string
  readonly isBeginning: boolean
}

/** Finds the phrases of a language. */
interface SignalFinder {
  /** Phrases by their first word, or by its beginning. */
  readonly whole: ReadonlyMap<string, readonly Phrase[]>
  readonly beginnings: ReadonlyMap<string, readonly Phrase[]>
}

const phrasePart = /_|[\p{L}\p{N}\p{M}]+\*?/gu

function partsOf(phrase: string): (Part | null)[] {
  return (phrase.match(phrasePart) ?? []).map((part) => {
    if (part === '_') return null
    const isBeginning = part.endsWith('*')
    const text = plainArabic(fold(isBeginning ? part.slice(0, -1) : part).text)
    return { text, isBeginning }
  })
}

const finderOf = (words: SignalWords): SignalFinder => {
  const whole = new Map<string, Phrase[]>()
  const beginnings = new Map<string, Phrase[]>()
  for (const signal of signalNames) {
    for (const phrase of words[signal]) {
      const parts = partsOf(phrase)
      const [first] = parts
      if (!first) continue
      const index = first.isBeginning ? beginnings : whole
      const known = index.get(first.text)
      if (known) known.push({ key: `${signal}:${phrase}`, signal, parts })
      else index.set(first.text, [{ key: `${signal}:${phrase}`, signal, parts }])
    }
  }
  return { whole, beginnings }
}

const finders = Object.fromEntries(
  Object.entries(languages).map(([language, words]) => [language, finderOf(words)]),
) as Readonly<Record<JudgedLanguage, SignalFinder>>

/** What some words tell, by the places of its first and last word. */
export interface Signal {
  readonly signal: SignalName
  readonly from: number
  readonly to: number
  /** The entry of the list that was found. */
  readonly key: string
}

/** Maximum characters of a word's beginning that are looked up. */
const beginningMax = 16
const gapMax = 3

/** Returns what the words of an answer tell, in the order of the words. Entries that are skipped do not count. */
export function signalsIn(
  words: readonly Word[],
  language: JudgedLanguage,
  isSkipped?: (key: string) => boolean,
): Signal[] {
  const { whole, beginnings } = finders[language]
  const found: Signal[] = []
  const tryAll = (phrases: readonly Phrase[] | undefined, from: number) => {
    for (const { signal, parts, key } of phrases ?? []) {
      const to = endOf(parts, words, from)
      if (to >= 0 && isSkipped?.(key) !== true) found.push({ signal, from, to, key })
    }
  }
  for (let at = 0; at < words.length; at++) {
    const { text } = words[at] as Word
    tryAll(whole.get(text), at)
    const most = Math.min(text.length, beginningMax)
    for (let length = 1; length <= most; length++) tryAll(beginnings.get(text.slice(0, length)), at)
  }
  return found
}

/** Returns the place of the last word of a phrase that begins at a place, or -1. */
function endOf(parts: readonly (Part | null)[], words: readonly Word[], from: number): number {
  let at = from
  let isGap = false
  for (const part of parts) {
    if (part === null) {
      isGap = true
      continue
    }
    const last = isGap ? Math.min(at + gapMax, words.length - 1) : at
    while (at <= last && !fits(part, words[at])) at++
    if (at > last || at >= words.length) return -1
    at++
    isGap = false
  }
  return at - 1
}

const fits = (part: Part, word: Word | undefined): boolean =>
  word !== undefined && (part.isBeginning ? word.text.startsWith(part.text) : word.text === part.text)

/** Words of a language that most of its texts have. */
export const frequentWords: Readonly<Record<JudgedLanguage, ReadonlySet<string>>> = listed('frequent')
/** Words that only say what a business is, such as "hotel". People leave them out of its name. */
export const genericWords: Readonly<Record<JudgedLanguage, ReadonlySet<string>>> = listed('generic')

function listed(name: 'frequent' | 'generic') {
  return Object.fromEntries(
    Object.entries(languages).map(([language, words]) => [
      language,
      new Set(words[name].flatMap((word) => wordsOf(word).map(({ text }) => text))),
    ]),
  ) as unknown as Record<JudgedLanguage, ReadonlySet<string>>
}

const generic = new Set(Object.values(genericWords).flatMap((words) => [...words]))
/** German and Dutch make one word of what a business is, such as "Fahrradwerkstatt". */
const genericEnd =
  /^\p{L}{3,}(?:haus|huis|hotel|praxis|praktijk|werkstatt|werkplaats|schule|school|laden|winkel|handlung|handel|betrieb|bedrijf|buro|bureau|kantoor|kanzlei|dienst|klinik|kliniek|studio|salon|zentrum|centrum|garten|verein|service|restaurant|cafe|markt|heim|agentur|verleih|verhuur|meister)$/u
/** Whether a word only says what a business is. */
export const isGeneric = (word: string): boolean =>
  word !== '' && wordsOf(word).every(({ text }) => generic.has(text) || genericEnd.test(text))

/** Letters at the end of a word that endings may replace, and letters that they have. */
const genericStemMin = 4
const endingMax = 5
const genericStems = new Set(
  [...generic]
    .filter((word) => word.length > genericStemMin)
    .map((word) => word.slice(0, Math.max(genericStemMin, word.length - 2))),
)
/** Whether a word only says what a business is, in any of its forms. */
export function isGenericForm(word: string): boolean {
  const text = wordsOf(word)[0]?.text ?? ''
  if (generic.has(text)) return true
  for (let length = Math.max(genericStemMin, text.length - endingMax); length <= text.length; length++)
    if (genericStems.has(text.slice(0, length))) return true
  return false
}
