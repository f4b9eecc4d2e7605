import { givenNames } from 'renown/sending'
import { originalOf } from '../analysis/translation'
import { harmfulWord } from './harmful-words'
import type { RepliedTo, ReplyingBusiness } from './reply-parties'
import { type Token, tokensOf } from './reply-tokens'
import type { Speech } from './safe-phrases'

/** The words of a review that a reply may repeat. */
export interface Echo {
  /**
   * Returns the number of words, from this position, of a thing that the review or the category of the
   * business names. 0 if there is none.
   */
  thingAt(tokens: readonly Token[], at: number): number
  /**
   * Whether a word is the name of a person whom the review praises or, in a form of address, of the reviewer.
   */
  isName(tokens: readonly Token[], at: number, isAddressed: boolean): boolean
  /** Whether a word of the review may be used after a determiner. */
  isWord(token: Token, before: Token | undefined): boolean
  /** Whether the review has a word that is neither written as a name nor that of another business. */
  isSaid(token: Token): boolean
}

/** Returns the words of a review that a reply may repeat. */
export function echoOf(review: RepliedTo, business: ReplyingBusiness, speech: Speech): Echo {
  const said = tokensOf(originalOf(review.review_text), speech.language)
  const category = tokensOf(business.business_category ?? '', speech.language)
  const evidence = [...said, ...category].map(({ word }) => word)
  const things = speech.things.filter((stems) => evidence.some((_, at) => fits(stems, evidence, at)))
  const staff = staffOf(said, speech)
  const own = tokensOf(review.reviewer_name ?? '', speech.language)
    .filter(({ raw, word }) => /^\p{Lu}\p{Ll}+$/u.test(raw) && !harmfulWord(word))
    .map(({ word }) => word)
  const banned = bannedIn(said, speech)
  const words = wordsTaken(said, speech, banned)
  const common = new Set(evidence.filter((word) => !banned.has(word)))
  return {
    thingAt: (tokens, at) => {
      const list = tokens.map(({ word }) => word)
      return Math.max(0, ...things.filter((stems) => fits(stems, list, at)).map(({ length }) => length))
    },
    isName: (tokens, at, isAddressed) => {
      const token = tokens[at]
      if (!token || !/^\p{Lu}/u.test(token.raw)) return false
      if (
        staff.has(token.word) ||
        own.some((name) => givenNames.has(name) && isForm(token.word, name, speech))
      ) {
        return true
      }
      const beside = [tokens[at - 1]?.word, tokens[at + 1]?.word]
      const isTitled = beside.some((word) => word !== undefined && speech.titles.has(word))
      const isCalled = isAddressed || token.isLast || isTitled
      return isCalled && own.some((name) => isForm(token.word, name, speech))
    },
    isWord: ({ word }, before) =>
      before !== undefined && speech.determiners.has(before.word) && hasForm(words, word),
    isSaid: ({ raw, word }) => (speech.language === 'de' || !/^\p{Lu}/u.test(raw)) && isFormOf(common, word),
  }
}

const fits = (stems: readonly string[], words: readonly string[], at: number) =>
  stems.every((stem, n) => {
    const word = words[at + n]
    if (word === undefined) return false
    return stem.endsWith('*') ? word.startsWith(stem.slice(0, -1)) : word === stem
  })

/** Whether the words contain this word, or one with a different ending of up to three letters, and it does no harm. */
const hasForm = (words: ReadonlySet<string>, word: string): boolean =>
  words.has(word) || (!harmfulWord(word) && isFormOf(words, word))

/** Whether the words contain this word, or one with a different ending of up to three letters. */
function isFormOf(words: ReadonlySet<string>, word: string): boolean {
  if (words.has(word)) return true
  if (word.length < stemMin) return false
  return [...words].some(
    (one) =>
      one.length >= stemMin &&
      Math.abs(one.length - word.length) <= 3 &&
      (one.startsWith(word) || word.startsWith(one)),
  )
}

/** Polish changes the ending of a name in a form of address. */
function isForm(word: string, name: string, { language }: Speech): boolean {
  if (word === name) return true
  if (language !== 'pl') return false
  const stem = name.slice(0, Math.max(3, name.length - 2))
  return word.startsWith(stem) && Math.abs(word.length - name.length) <= 2
}

/** Returns people whom the review names: by a common given name, or by a name next to a title. */
function staffOf(said: readonly Token[], { titles, comparisons }: Speech): ReadonlySet<string> {
  const staff = new Set<string>()
  said.forEach(({ raw, word }, at) => {
    if (!/^\p{Lu}\p{Ll}+$/u.test(raw) || harmfulWord(word)) return
    const before = said[at - 1]?.word
    const after = said[at + 1]
    if (before !== undefined && comparisons.has(before) && !titles.has(before)) return
    const isTitled = [before, after?.word].some((one) => one !== undefined && titles.has(one))
    // Two names in a row are as often a company's as a person's.
    const isAlone = after === undefined || !/^\p{Lu}/u.test(after.raw) || titles.has(after.word)
    if (isTitled || (givenNames.has(word) && isAlone)) staff.add(word)
  })
  return staff
}

const wordMin = 4
const stemMin = 5

/**
 * Returns the words of the review that are common nouns: in German after a determiner, in other languages in
 * lower case.
 */
function wordsTaken(
  said: readonly Token[],
  speech: Speech,
  banned: ReadonlySet<string>,
): ReadonlySet<string> {
  const taken = new Set<string>()
  const isGerman = speech.language === 'de'
  said.forEach(({ raw, word }, at) => {
    const before = said[at - 1]?.word
    const isCapital = /^\p{Lu}/u.test(raw)
    const isNoun = isGerman ? isCapital && before !== undefined && speech.determiners.has(before) : !isCapital
    if (word.length >= wordMin && isNoun && !/\d/.test(word) && !harmfulWord(word)) taken.add(word)
  })
  for (const word of banned) taken.delete(word)
  return taken
}

/** Returns the words of the review that may name another business: those after “than” and the like. */
function bannedIn(said: readonly Token[], { comparisons }: Speech): ReadonlySet<string> {
  const banned = new Set<string>()
  said.forEach(({ raw, word }, at) => {
    const before = said[at - 1]?.word
    if (before === undefined) return
    const followsName = /^\p{Lu}/u.test(raw) && banned.has(before)
    if (comparisons.has(before) || followsName) banned.add(word)
  })
  return banned
}
