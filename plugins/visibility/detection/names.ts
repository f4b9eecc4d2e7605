import { characterAt, isUnspaced, isWord } from './characters'
import { fold } from './fold'

/** A brand or a competitor, by all names that count as it. */
export interface Entity {
  readonly id: string
  readonly names: readonly string[]
  /** Names that are also common words, such as Target, count only as they are written here. */
  readonly isCaseSensitive?: boolean
}

/** One way to write one name. */
export interface Variant {
  readonly entity: string
  readonly name: string
  /** A part that every occurrence has, folded. */
  readonly anchor: string
  /** Matches it in folded text, whatever is around it. */
  readonly pattern: RegExp
  /** Number of letters and digits. The longest name wins where names overlap. */
  readonly size: number
  readonly isCaseSensitive: boolean
  /** Whether it is too short to count without another name of the entity in the same answer. */
  readonly needsContext: boolean
}

/** Returns how the names of entities can be written, the longest first. */
export function variantsOf(entities: readonly Entity[]): Variant[] {
  return entities
    .flatMap(({ id, names, isCaseSensitive = false }) =>
      names.flatMap(spellings).flatMap((name) => variantOf(id, name, isCaseSensitive)),
    )
    .sort((a, b) => b.size - a.size)
}

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' }

/** A German name is often written without its umlauts. */
function spellings(name: string): string[] {
  const composed = name.normalize('NFC').trim()
  const written = composed.replace(/[äöüÄÖÜ]/g, (letter) => umlauts[letter] as string)
  return written === composed ? [composed] : [composed, written]
}

/** Between the words of a name: a space, a line break inside a sentence, a dash, or marks of Markdown. */
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

/** Words stand as they are; what joins them may be written in more than one way. */
function patternOf(part: string, isBetween: boolean): string {
  if (!/^[\s&+'-]+$/.test(part)) return literally(part)
  if (isBetween && /^\s*[&+]\s*$/.test(part)) return `${optionalGap}(?:[&+]|and|und|et|y|e|en)${optionalGap}`
  if (part.trim() === "'") return "'?"
  if (part.includes('+') || part.includes('&'))
    return literally(part.trimEnd()) + (/\s$/.test(part) ? gap : '')
  return /^\s+$/.test(part) ? gap : optionalGap
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
