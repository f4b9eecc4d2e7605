import { characterAt, isUnspaced, isWord } from './characters'
import { fold } from './fold'

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
}

/** Returns all spellings of the entities' names, longest first. */
export function variantsOf(entities: readonly Entity[]): Variant[] {
  return entities
    .flatMap(({ id, names, isCaseSensitive = false }) =>
      names.flatMap(spellings).flatMap((name) => variantOf(id, name, isCaseSensitive)),
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

/** Between the words of a name: a space, a line break inside a sentence, a dash, or Markdown marks. */
const gap = '[\\s*_~`-]+'
const optionalGap = '[\\s*_~`-]*'

function variantOf(entity: string, name: string, isCaseSensitive: boolean): Variant[] {
  const folded = fold(name).text.replace(/\s+/g, ' ').trim()
  const parts = folded.match(/[^\s&+'-]+|[\s&+'-]+/g) ?? []
  const words = parts.filter((part) => !/^[\s&+'-]+$/.test(part))
  const anchor = words.reduce((longest, one) => (one.length > longest.length ? one : longest), '')
  const size = [...folded].filter(isWord).length
  if (size === 0 || anchor === '') return []
  return [
    {
      entity,
      name,
      anchor,
      pattern: new RegExp(
        parts.map((part, at) => patternOf(part, at > 0 && at < parts.length - 1)).join(''),
        'g',
      ),
      size,
      isCaseSensitive,
      needsContext: isUnspaced(characterAt(folded, 0)) ? size < 2 : size < 3,
    },
  ]
}

/** Escapes the words of a name. The parts between them may be written in several ways. */
function patternOf(part: string, isBetween: boolean): string {
  if (!/^[\s&+'-]+$/.test(part)) return literally(part)
  if (isBetween && /^\s*[&+]\s*$/.test(part)) return `${optionalGap}(?:[&+]|and|und|et|y|e|en)${optionalGap}`
  if (part.trim() === "'") return "'?"
  if (part.includes('+') || part.includes('&'))
    return literally(part.trimEnd()) + (/\s$/.test(part) ? gap : '')
  return /^\s+$/.test(part) ? gap : optionalGap
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
