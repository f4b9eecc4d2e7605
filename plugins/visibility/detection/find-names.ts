import { blankLinks } from './blank-links'
import { characterAt, characterBefore, isUnspaced, isWord } from './characters'
import { type Folded, fold, originalSpan } from './fold'
import { isPolish } from './inflections'
import { capitalWord, type Entity, type Variant, variantsOf } from './names'
import { isGeneric, isGenericForm } from './signals'

/** The position of an entity's name in an answer, in UTF-16 units of the unchanged answer. */
export interface Occurrence {
  readonly entity: string
  readonly start: number
  readonly end: number
}

/** Finds names in an answer, in order. */
export type NameFinder = (text: string) => Occurrence[]

/**
 * Creates a finder for these entities. It ignores accents, dashes and apostrophes. It finds declined names in Polish
 * and Russian, and names without words that only say what the business is. A name with capitals counts only with capitals, unless the text has none: "an anchor" is not the business
 * "Anchor". It does not find names inside words, addresses, handles and domains. If names overlap, only the longest
 * counts, whichever entity it belongs to.
 */
export function createNameFinder(entities: readonly Entity[]): NameFinder {
  const variants = variantsOf(entities)
  return (text) => {
    const shown = blankLinks(text)
    const folded = fold(shown)
    const found: (Occurrence & { readonly variant: Variant })[] = []
    const taken: [start: number, end: number][] = []
    const looks = looksOf(shown)
    for (const variant of variants) {
      if (variant.isDeclined && !(looks.isPolish || cyrillic.test(variant.name))) continue
      if (!folded.text.includes(variant.anchor)) continue
      for (const [start, end] of spansOf(variant, folded, shown, looks)) {
        if (taken.some(([from, to]) => start < to && from < end)) continue
        taken.push([start, end])
        const [first, last] = originalSpan(folded, start, end)
        found.push({ entity: variant.entity, start: first, end: last, variant })
      }
    }
    return inContext(found).sort((a, b) => a.start - b.start)
  }
}

/** What a text tells about how names are written in it. */
interface Looks {
  readonly isPolish: boolean
  readonly isGerman: boolean
  readonly hasCapitals: boolean
}

const cyrillic = /\p{Script=Cyrillic}/u
const germanWord = /(?<!\p{L})(?:der|die|das|und|ist|für|nicht|eine?|bei)(?!\p{L})/iu
const looksOf = (text: string): Looks => ({
  isPolish: isPolish(text),
  isGerman: germanWord.test(text),
  hasCapitals: /\p{Lu}/u.test(text),
})

/** Drops names of one or two letters, unless the answer also has a longer name of the same entity. */
function inContext(found: readonly (Occurrence & { readonly variant: Variant })[]): Occurrence[] {
  const certain = new Set(found.filter(({ variant }) => !variant.needsContext).map(({ entity }) => entity))
  return found
    .filter(({ variant, entity }) => !variant.needsContext || certain.has(entity))
    .map(({ entity, start, end }) => ({ entity, start, end }))
}

/**
 * Maximum occurrences of one name in one answer that are examined. A hostile answer may contain tens of
 * thousands.
 */
const occurrencesMax = 100

function spansOf(
  variant: Variant,
  folded: Folded,
  shown: string,
  looks: Looks,
): [start: number, end: number][] {
  const spans: [number, number][] = []
  const { pattern } = variant
  pattern.lastIndex = 0
  for (let match = pattern.exec(folded.text); match; match = pattern.exec(folded.text)) {
    if (spans.length === occurrencesMax) break
    const start = match.index
    const end = genitiveEnd(folded.text, match.index + match[0].length, looks)
    if (isFree(folded.text, start, end) && isWrittenSo(variant, folded, shown, [start, end], looks))
      spans.push([start, end])
    else pattern.lastIndex = start + 1
  }
  return spans
}

/** German puts the "s" of the genitive behind a name without an apostrophe. */
const genitiveEnd = (text: string, end: number, { isGerman }: Looks): number =>
  isGerman && text[end] === 's' && text[end - 1] !== 's' && !isWord(characterAt(text, end + 1))
    ? end + 1
    : end

/** Whether the case fits the name. */
function isWrittenSo(
  variant: Variant,
  folded: Folded,
  shown: string,
  [start, end]: readonly [number, number],
  looks: Looks,
): boolean {
  const [first, last] = originalSpan(folded, start, end)
  const written = shown.slice(first, last).normalize('NFC')
  if (variant.isCaseSensitive || variant.needsContext) return written === variant.name
  if (variant.short !== 'no' && !isShortName(variant, shown, [first, last], looks)) return false
  return !looks.hasCapitals || hasCapitals(variant, written)
}

/** Letters from which a short name counts without quotes. */
const shortSurely = 4
const around = 24
const quoteBefore = /["“„«»‘*_]$/u
const quoteAfter = /^["“”»«’]/u

/** Whether a name can stand here without the words that say what the business is: quoted, or not as a part of another name. */
function isShortName(
  { size, short }: Variant,
  shown: string,
  [first, last]: readonly [number, number],
  { isGerman, hasCapitals }: Looks,
): boolean {
  const before = shown.slice(Math.max(0, first - around), first)
  if (quoteBefore.test(before)) return short === 'free' || quoteAfter.test(shown.slice(last, last + 1))
  if (short === 'quoted' || size < shortSurely) return false
  if (isGerman) return germanBefore.test(before) || !germanNoun.test(before)
  if (!hasCapitals) return true
  const after = shown.slice(last, last + around)
  return (
    !isNamePart(/[\p{L}\p{N}'’] (\p{Lu}[\p{L}'’]*) $/u.exec(before)?.[1]) &&
    !isNamePart(/^ (\p{Lu}\p{L}*)/u.exec(after)?.[1])
  )
}

/** Whether a word next to a short name makes it another name. */
const isNamePart = (word: string | undefined): boolean => word !== undefined && !isGenericForm(word)

/** German writes all nouns with a capital. A short name counts where a name can stand, and not behind what only a noun has. */
const germanBefore =
  /(?<!\p{L})(?:im|beim|zum|zur|vom|bei|von|der|die|das|den|dem|in|und|oder|mit)\s[*_„"»]{0,3}$/iu
const germanNoun =
  /(?<!\p{L})(?:(?:ein|kein|mein|dein|sein|ihr|unser|euer|jed|dies|welch|manch)(?:e[rsmn]?)?|\p{Ll}{2,20}e[rsmn]?|ohne|als|\p{N}{1,6})\s$/iu

/** Whether more than half of the words with a capital have it. Words such as "hotel" need none. */
function hasCapitals({ capitals }: Variant, written: string): boolean {
  if (capitals === 0) return true
  const has = written.match(capitalWord)?.length ?? 0
  if (has * 2 > capitals) return true
  const generic = written.split(/[\s-]+/).filter((word) => /^\p{Ll}/u.test(word) && isGeneric(word)).length
  return has > 0 && (has + generic) * 2 > capitals
}

function isFree(text: string, start: number, end: number): boolean {
  return isFreeBefore(text, start) && isFreeAfter(text, end)
}

function isFreeBefore(text: string, start: number): boolean {
  const before = characterBefore(text, start)
  if (before === '' || before === ' ') return true
  const first = characterAt(text, start)
  if (arabicLetter.test(first) && arabicLetter.test(before))
    return arabicPrefix.test(text.slice(Math.max(0, start - 5), start))
  if (isUnspaced(first) || isUnspaced(before)) return true
  if (hangul.test(before)) return !hangul.test(first)
  if (before === '@' || before === '#') return false
  // Underscores around a name are emphasis. Inside a snake case word they are not.
  if (before === '_') return !isWord(characterBefore(text, start - 1))
  if (before === '.' || before === '/') return !isWord(characterBefore(text, start - 1)) || before === '/'
  return !isWord(before)
}

const arabicLetter = /^\p{Script=Arabic}/u
/** Arabic joins "and", "so", "in", "for", "like" and "the" to the next word. */
const arabicPrefix = /(?<!\p{L})[وف]?[بلك]?(?:ال)?$/u
const hangul = /^\p{Script=Hangul}/u
/** Korean particles follow a name without a space. */
const particle =
  /^(?:은|는|이|가|을|를|의|에|와|과|도|로|으로|에서|에게|보다|만|까지|부터|라는|이라는|처럼|께서|하고|랑|이랑|나|이나|에는|에도|와의|과의)(?!\p{Script=Hangul})/u

const domainEnd = /^\.(?:[a-z0-9-]+\.)*[a-z]{2,}(?![\p{L}\p{N}])/u

function isFreeAfter(text: string, end: number): boolean {
  const after = characterAt(text, end)
  if (after === '' || after === ' ') return true
  const last = characterBefore(text, end)
  if (isUnspaced(after) || isUnspaced(last)) return true
  if (hangul.test(after)) return !hangul.test(last) || particle.test(text.slice(end, end + 8))
  if (after === '_') return !isWord(characterAt(text, end + 1))
  if (after === '@') return false
  if (after === '.' && domainEnd.test(text.slice(end, end + 40))) return false
  return !isWord(after)
}
