import type { Business } from './business'
import { isFormOf } from './business'
import type { JudgedLanguage } from './languages'
import type { Word } from './read-text'

/** How the name of the business stands in a text. */
export interface NameHit {
  readonly at: number
  readonly to: number
  /** `whole`: as it is. `form`: with another ending. `within`: as a part of a longer word. */
  readonly as: 'whole' | 'form' | 'within'
}

/** Letters that a form of a name may have more. In the other languages names keep their form. */
const endings: Readonly<Partial<Record<JudgedLanguage, number>>> = { pl: 3, ru: 3, tr: 6 }
const plainEndings = 3
const withinMin = 5

const prefixes = ['ب', 'ل', 'و', 'لل', 'ال', 'بال', 'وال', 'ف', 'ك', 'عال']

/** Finds the name of a business in the words of a text. */
export function findName(
  words: readonly Word[],
  { core }: Business,
  language: JudgedLanguage | null,
): readonly NameHit[] {
  const places: NameHit[] = []
  for (let at = 0; at < words.length; at++) {
    const place = placeAt(words, at, core, language)
    if (!place) continue
    places.push(place)
    at = place.to - 1
  }
  return places
}

function placeAt(
  words: readonly Word[],
  at: number,
  core: readonly string[],
  language: JudgedLanguage | null,
): NameHit | undefined {
  const word = words[at]?.plain ?? ''
  const last = core.length - 1
  const endingMax = (language && endings[language]) ?? plainEndings
  if (core.length === 1) {
    const [name = ''] = core
    if (word === name) return { at, to: at + 1, as: 'whole' }
    if (prefixes.some((prefix) => word === prefix + name)) return { at, to: at + 1, as: 'form' }
    if (name.length >= 4 && isFormOf(word, name, endingMax)) return { at, to: at + 1, as: 'form' }
    if (name.length >= withinMin && word.length > name.length && word.includes(name))
      return { at, to: at + 1, as: 'within' }
    return undefined
  }
  if (word === core.join('')) return { at, to: at + 1, as: 'whole' }
  if (!core.slice(0, last).every((part, n) => words[at + n]?.plain === part)) return undefined
  const end = words[at + last]?.plain ?? ''
  const name = core[last] as string
  if (end === name) return { at, to: at + core.length, as: 'whole' }
  return name.length >= 4 && isFormOf(end, name, endingMax)
    ? { at, to: at + core.length, as: 'form' }
    : undefined
}

/** The name with its neighbours in the same line. */
export function withNeighbours(
  words: readonly Word[],
  { at, to }: NameHit,
): { readonly at: number; readonly to: number } {
  const isNear = (word: Word | undefined) => word !== undefined && !word.gap.includes('\n')
  return { at: at > 0 && isNear(words[at]) ? at - 1 : at, to: isNear(words[to]) ? to + 1 : to }
}
