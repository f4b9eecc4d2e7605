import type { Occurrence } from './find-names'
import type { JudgedLanguage, Word } from './signals'
import type { Unit } from './units'

/** The words and units of an answer. */
export interface ReadWords {
  readonly words: readonly Word[]
  readonly units: readonly Unit[]
}

/** Parts of an answer, as seen from a name. */
export type NameInText =
  | 'clause'
  | 'before'
  | 'own'
  | 'next'
  | 'previous'
  | 'lead'
  | 'first'
  | 'last'
  | 'rest'
  | 'item'

/** Whether a span lies in a name. */
export const isInName = (names: readonly Occurrence[], start: number, end: number): boolean =>
  names.some((name) => start < name.end && name.start < end)

/** Characters of a word that count. Languages with endings share them so. */
export const stemMax = 6

/** Returns the words of an answer, and each two that follow each other, as the names of features. Names count as none. */
export function wordFeaturesOf(
  { words, units, language }: ReadWords & { readonly language: JudgedLanguage | null },
  all: readonly Occurrence[],
): Set<string> {
  const features = new Set<string>()
  if (language === null) return features
  let at = 0
  let last = ''
  for (const word of words.slice(0, wordsMax)) {
    if (isInName(all, word.start, word.end)) continue
    while (at < units.length - 1 && (units[at]?.end ?? 0) <= word.start) {
      at++
      last = ''
    }
    const stem = word.text.slice(0, stemMax)
    features.add(`${language} ${stem}`)
    if (last !== '') features.add(`${language} ${last} ${stem}`)
    last = stem
  }
  return features
}

/** Words of an answer that count. */
const wordsMax = 2_000

/** Adds the words near a name as the names of features. */
export function addNearWords(
  features: Set<string>,
  { words, units }: ReadWords,
  language: JudgedLanguage,
  { own, all, places }: Around,
): void {
  let at = 0
  for (const word of words) {
    while (at < units.length - 1 && (units[at]?.end ?? 0) <= word.start) at++
    const place = places[at]
    if ((place === 'own' || place === 'next') && !isInName(all, word.start, word.end))
      features.add(`${language} near ${word.text.slice(0, stemMax)}`)
  }
  const [first] = own
  if (!first) return
  const before = words.findLast(({ end }) => end <= first.start)
  const after = words.find(({ start }) => start >= first.end)
  if (before) features.add(`${language} < ${before.text}`)
  if (after) features.add(`${language} > ${after.text.slice(0, stemMax)}`)
}

/** What there is around an entity: its names, all names, and the place of each unit. */
export interface Around {
  readonly own: readonly Occurrence[]
  readonly all: readonly Occurrence[]
  readonly places: readonly NameInText[]
}
