import { type ClaimList, type CompiledWords, claimWordsOf } from './claim-words'
import { givenNames } from './given-names'
import { factsOf } from './stated-facts'
import { beforeApostrophe, type DraftWord, sentencesIn } from './tokens'

/** The kinds of what a draft may not say unless it is known. */
export const claimKinds = [
  'address',
  'telephone',
  'number',
  'price',
  'deal',
  'time',
  'street',
  'name',
  'guarantee',
  'compensation',
  'promise',
  'admission',
  'rival',
  'dispute',
  'rating',
  'law',
  'contact',
  'practice',
  'credential',
  'private',
  'machine',
] as const
/** One value of `claimKinds`. */
export type ClaimKind = (typeof claimKinds)[number]

/** What a draft says that somebody may act on or be harmed by. */
export interface DraftClaim {
  readonly kind: ClaimKind
  /** The words of the text, as they are written there. */
  readonly quote: string
  /** The same claim has the same key in every spelling that is known. */
  readonly key: string
}

/** Lists of words by the kind of claim that each shows. */
const kindOfList: readonly (readonly [ClaimList, ClaimKind])[] = [
  ['deals', 'deal'],
  ['guarantees', 'guarantee'],
  ['compensation', 'compensation'],
  ['promises', 'promise'],
  ['admissions', 'admission'],
  ['rivals', 'rival'],
  ['disputes', 'dispute'],
  ['ratings', 'rating'],
  ['law', 'law'],
  ['contact', 'contact'],
  ['times', 'time'],
  ['practices', 'practice'],
  ['credentials', 'credential'],
  ['private', 'private'],
  ['machine', 'machine'],
]

/** Which words in capitals count as names: all inside a sentence, or only those of people. */
export type NameRule = 'all' | 'people'

/**
 * Returns what a text claims, with its words. Numbers, addresses, prices and days are found in every language, all else in those
 * that are given.
 */
export function claimsIn(
  text: string,
  languages: readonly string[],
  names: NameRule = 'people',
): readonly DraftClaim[] {
  const claims: DraftClaim[] = factsOf(text).map(({ kind, quote, key }) => ({ kind, quote, key }))
  for (const language of new Set(languages)) {
    const words = claimWordsOf(language)
    if (words === null) continue
    for (const sentence of sentencesIn(text, words.language))
      claims.push(...claimsOf(text, sentence, words, names))
  }
  return claims
}

/** Three words for numbers in a row are a telephone number. */
const readAloudMin = 3

function claimsOf(
  text: string,
  sentence: readonly DraftWord[],
  words: CompiledWords,
  names: NameRule,
): DraftClaim[] {
  const claims: DraftClaim[] = []
  const add = (kind: ClaimKind, at: number, length: number, key?: string) => {
    const quote = text.slice(sentence[at]?.start ?? 0, sentence[at + length - 1]?.end ?? 0)
    claims.push({ kind, quote, key: key ?? `${kind} ${sentence[at]?.word ?? ''}` })
  }
  const isFine = fineWords(sentence, words)
  for (const [list, kind] of kindOfList) {
    for (let at = 0; at < sentence.length; at += 1) {
      const length = words.lists[list].lengthAt(sentence, at)
      if (length > 0 && !isFine[at]) add(kind, at, length)
    }
  }
  sentence.forEach(({ word }, at) => {
    const value = words.numbers.get(word)
    if (value === undefined) return
    const read = sentence.slice(at, at + readAloudMin)
    if (read.length === readAloudMin && read.every((one) => words.numbers.has(one.word))) {
      add('telephone', at, readAloudMin, `telephone ${value}`)
    }
    if (Number(value) < 2) return
    const unit = [1, 2].find((after) => words.lists.units.lengthAt(sentence, at + after) > 0)
    if (unit !== undefined) add('number', at, unit + 1, `number ${value}`)
  })
  for (const at of namesIn(sentence, words, names)) add('name', at, 1)
  return claims
}

/** Returns which words belong to a phrase that is harmless as a whole. */
function fineWords(sentence: readonly DraftWord[], { lists }: CompiledWords): readonly boolean[] {
  const fine = sentence.map(() => false)
  sentence.forEach((_, at) => {
    const length = lists.fine.lengthAt(sentence, at)
    for (let n = at; n < at + length; n += 1) fine[n] = true
  })
  return fine
}

/** Returns the places of words that name somebody or something. German writes every noun with a capital. */
function namesIn(
  sentence: readonly DraftWord[],
  { language, titles, polite }: CompiledWords,
  rule: NameRule,
): number[] {
  return sentence.flatMap(({ raw, word }, at) => {
    if (!/^\p{Lu}\p{Ll}+/u.test(raw) && language !== 'ar') return []
    if (polite.has(word) || titles.has(word)) return []
    const before = sentence[at - 1]
    const isTitled = before !== undefined && titles.has(before.word)
    if (language === 'ar') return isTitled ? [at] : []
    if (isTitled || givenNames.has(bareName(word))) return [at]
    const after = sentence[at + 1]
    const isInside = at > 0 && language !== 'de'
    if (!isInside) return []
    if (rule === 'all') return [at]
    // Two capitals in a row inside a sentence are a name, one may be a product or a heading.
    const isPair = [before, after].some(
      (one, n) => (n === 1 || at > 1) && one !== undefined && /^\p{Lu}\p{Ll}/u.test(one.raw),
    )
    return isPair ? [at] : []
  })
}

const bareName = (word: string) =>
  beforeApostrophe(word).replace(/s$/u, (s) => (givenNames.has(word) ? s : ''))

/** The first words of a text that take up praise, regret or understand, or regret where there is nothing to regret. */
export interface DraftTone {
  readonly glad: string | null
  readonly care: string | null
  readonly mismatch: string | null
}

/** Returns how a text sounds in a language. */
export function toneOf(text: string, language: string): DraftTone {
  const words = claimWordsOf(language)
  if (words === null) return { glad: null, care: null, mismatch: null }
  const sentences = sentencesIn(text, words.language)
  const find = (list: ClaimList): string | null => {
    for (const sentence of sentences) {
      for (let at = 0; at < sentence.length; at += 1) {
        const length = words.lists[list].lengthAt(sentence, at)
        if (length > 0) return text.slice(sentence[at]?.start, sentence[at + length - 1]?.end)
      }
    }
    return null
  }
  return { glad: find('glad'), care: find('care'), mismatch: find('mismatch') }
}
