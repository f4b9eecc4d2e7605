import { blankLinks } from './blank-links'
import { characterAt, characterBefore, isUnspaced, isWord } from './characters'
import { type Folded, fold, originalSpan } from './fold'
import type { Entity, Variant } from './names'
import { variantsOf } from './names'

/** The position of an entity's name in an answer, in UTF-16 units of the unchanged answer. */
export interface Occurrence {
  readonly entity: string
  readonly start: number
  readonly end: number
}

/** Finds names in an answer, in order. */
export type NameFinder = (text: string) => Occurrence[]

/**
 * Creates a finder for these entities. It ignores case, accents, dashes and apostrophes. It does not find
 * names inside words, addresses, handles and domains. If names overlap, only the longest counts, whichever
 * entity it belongs to.
 */
export function createNameFinder(entities: readonly Entity[]): NameFinder {
  const variants = variantsOf(entities)
  return (text) => {
    const shown = blankLinks(text)
    const folded = fold(shown)
    const found: (Occurrence & { readonly variant: Variant })[] = []
    const taken: [start: number, end: number][] = []
    for (const variant of variants) {
      if (!folded.text.includes(variant.anchor)) continue
      for (const [start, end] of spansOf(variant, folded, shown)) {
        if (taken.some(([from, to]) => start < to && from < end)) continue
        taken.push([start, end])
        const [first, last] = originalSpan(folded, start, end)
        found.push({ entity: variant.entity, start: first, end: last, variant })
      }
    }
    return inContext(found).sort((a, b) => a.start - b.start)
  }
}

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

function spansOf(variant: Variant, folded: Folded, shown: string): [start: number, end: number][] {
  const spans: [number, number][] = []
  const { pattern } = variant
  pattern.lastIndex = 0
  for (let match = pattern.exec(folded.text); match; match = pattern.exec(folded.text)) {
    if (spans.length === occurrencesMax) break
    const start = match.index
    const end = match.index + match[0].length
    if (isFree(folded.text, start, end) && isWrittenSo(variant, folded, shown, start, end))
      spans.push([start, end])
    else pattern.lastIndex = start + 1
  }
  return spans
}

/** Whether the case matches, for a name that is a common word or very short. Other names always match. */
function isWrittenSo(variant: Variant, folded: Folded, shown: string, start: number, end: number): boolean {
  if (!variant.isCaseSensitive && !variant.needsContext) return true
  const [first, last] = originalSpan(folded, start, end)
  return shown.slice(first, last).normalize('NFC') === variant.name
}

function isFree(text: string, start: number, end: number): boolean {
  return isFreeBefore(text, start) && isFreeAfter(text, end)
}

function isFreeBefore(text: string, start: number): boolean {
  const before = characterBefore(text, start)
  if (before === '' || before === ' ') return true
  const first = characterAt(text, start)
  if (isUnspaced(first) || isUnspaced(before)) return true
  if (hangul.test(before)) return !hangul.test(first)
  if (before === '@' || before === '#') return false
  // Underscores around a name are emphasis. Inside a snake case word they are not.
  if (before === '_') return !isWord(characterBefore(text, start - 1))
  if (before === '.' || before === '/') return !isWord(characterBefore(text, start - 1)) || before === '/'
  return !isWord(before)
}

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
