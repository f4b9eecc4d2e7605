import { characterAt, isUnspaced, isWord } from './characters'
import { fold } from './fold'
import { declined } from './inflections'
import { isGeneric } from './signals'

/** A brand or a competitor, with all of its names. */
export interface Entity {
  readonly id: string
  readonly names: readonly string[]
  /** Whether its names count only in this spelling, because they are also common words, such as Target. */
  readonly isCaseSensitive?: boolean
}

/** One spelling of one name. */
export interface Variant {
  readonly entity: string
  readonly name: string
  /** A folded text that every occurrence contains. */
  readonly anchor: string
  /** Matches the name in folded text, without checking the characters around it. */
  readonly pattern: RegExp
  /** Number of letters and digits. If names overlap, the longest counts. */
  readonly size: number
  readonly isCaseSensitive: boolean
  /** Whether the name is so short that it counts only if the answer has another name of the entity. */
  readonly needsContext: boolean
  /** Whether these are the declined forms of a name of Latin letters, which count only in a text that declines names. */
  readonly isDeclined: boolean
  /** Whether the name lacks words, and where it counts then: wherever a name can stand, or only between quotes. */
  readonly short: 'no' | 'free' | 'quoted'
  /** Words of the name that begin with a capital. */
  readonly capitals: number
}

/** Returns all spellings of the entities' names, longest first. */
export function variantsOf(entities: readonly Entity[]): Variant[] {
  return entities
    .flatMap(({ id, names, isCaseSensitive = false }) =>
      names
        .flatMap(spellings)
        .flatMap((name) => [
          ...variantOf(id, name, isCaseSensitive, 'no'),
          ...shortsOf(name).flatMap((short) => variantOf(id, short, isCaseSensitive, 'free')),
          ...quotedOf(name).flatMap((short) => variantOf(id, short, isCaseSensitive, 'quoted')),
        ]),
    )
    .sort((a, b) => b.size - a.size)
}

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' }

/** Adds the common German spelling without umlauts. */
function spellings(name: string): string[] {
  const composed = name.normalize('NFC').trim()
  const written = composed.replace(/[äöüÄÖÜ]/g, (letter) => umlauts[letter] as string)
  return written === composed ? [composed] : [composed, written]
}

/** Between the words of a name: a space, a line break inside a sentence, a dash, quotes, or Markdown marks. */
const gap = '[\\s*_~`"«»“”„-]+'
const optionalGap = '[\\s*_~`-]*'

/** Letters that a name needs without the words that only say what the business is. */
const shortMin = 3
/** Words that may be left out at either end of a name. */
const leftOutMax = 3

/** Returns a name without words that only say what the business is, as in "Vulcano" for "Pizzeria Vulcano". */
function shortsOf(name: string): string[] {
  const words = name.split(/\s+/)
  const isLeftOut = (word: string) => isGeneric(word) || /^\p{Ll}\p{L}{0,2}$/u.test(word)
  const firstKept = words.findIndex((word) => !isLeftOut(word))
  const lastKept = words.findLastIndex((word) => !isLeftOut(word))
  if (firstKept < 0) return []
  const found: string[] = []
  for (let from = 0; from <= Math.min(firstKept, leftOutMax); from++)
    for (let to = Math.max(lastKept + 1, words.length - leftOutMax); to <= words.length; to++) {
      const short = words.slice(from, to).join(' ')
      const letters = short.match(/\p{L}/gu)?.length ?? 0
      if (short !== name && letters >= shortMin && /^(?:\p{Lu}|\p{Lo})/u.test(short)) found.push(short)
    }
  return found
}

/** Returns a name without its first words, whatever they are. Quotes often hold only the rest: школа «Биг Бен». */
function quotedOf(name: string): string[] {
  const words = name.split(/\s+/)
  const known = new Set(shortsOf(name))
  return [1, 2]
    .map((from) => words.slice(from).join(' '))
    .filter((short) => !known.has(short) && (short.match(/\p{L}/gu)?.length ?? 0) >= quotedMin)
}
const quotedMin = 5

function variantOf(
  entity: string,
  name: string,
  isCaseSensitive: boolean,
  short: Variant['short'],
): Variant[] {
  const folded = fold(name).text.replace(/\s+/g, ' ').trim()
  const parts = folded.match(/[^\s&+'-]+|[\s&+'-]+/g) ?? []
  const words = parts.filter((part) => !/^[\s&+'-]+$/.test(part))
  const anchor = words.reduce((longest, one) => (one.length > longest.length ? one : longest), '')
  const size = [...folded].filter(isWord).length
  if (size === 0 || anchor === '') return []
  const form = {
    entity,
    name,
    size,
    isCaseSensitive,
    needsContext: isUnspaced(characterAt(folded, 0)) ? size < 2 : size < 3,
    short,
    capitals: name.match(capitalWord)?.length ?? 0,
  }
  const patternBy = (wordPattern: (part: string) => string) =>
    new RegExp(
      parts.map((part, at) => patternOf(part, at > 0 && at < parts.length - 1, wordPattern)).join(''),
      'g',
    )
  const plain = { ...form, anchor, pattern: patternBy(literally), isDeclined: false }
  const forms = declined(anchor)
  if (!forms || isCaseSensitive) return [plain]
  const pattern = patternBy((part) => declined(part)?.pattern ?? literally(part))
  return [plain, { ...form, anchor: forms.beginning, pattern, isDeclined: true }]
}

/** A word that begins with a capital. */
export const capitalWord: RegExp = /(?<![\p{L}\p{N}'’])\p{Lu}/gu

/** Escapes the words of a name. The parts between them may be written in several ways. */
function patternOf(part: string, isBetween: boolean, wordPattern: (part: string) => string): string {
  if (!/^[\s&+'-]+$/.test(part)) return wordPattern(part)
  if (isBetween && /^\s*[&+]\s*$/.test(part)) return `${optionalGap}(?:[&+]|and|und|et|y|e|en)${optionalGap}`
  if (part.trim() === "'") return "'?"
  if (part.includes('+') || part.includes('&'))
    return literally(part.trimEnd()) + (/\s$/.test(part) ? gap : '')
  return /^\s+$/.test(part) ? gap : optionalGap
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
