import { comparable, type DraftWord } from './tokens'

/** One choice of a part: words or stems in a row. Empty if the part may be left out. */
type Choice = readonly string[]
/** A part of a phrase: its choices, or a gap of a few words. */
type Part = readonly Choice[] | 'gap'

/** A phrase of a list, ready to be compared. */
export type DraftPhrase = readonly Part[]

const gapMax = 5

/** Short words that Arabic joins to the next one. */
const prefixes = ['وال', 'بال', 'فال', 'كال', 'ال', 'لل', 'و', 'ف', 'ب', 'ل', 'س']

/**
 * Reads rows of phrases between commas. `(a|b|)` is one of several choices, `*` ends a stem, and `..` is a gap of up to
 * five words.
 */
export const draftPhrases = (rows: readonly string[], language: string): readonly DraftPhrase[] =>
  rows
    .flatMap((row) => splitOutside(comparable(row, language), ','))
    .map((text) => splitOutside(text, ' ').map(partOf))
    .filter((phrase) => phrase.length > 0)

const partOf = (part: string): Part =>
  part === '..'
    ? 'gap'
    : choicesOf(part).map((choice) => choice.split(/[\s-]+/).filter((word) => word !== ''))

/** Returns each text that a part with groups can be. Groups may contain groups. */
function choicesOf(text: string): readonly string[] {
  const [head = '', ...rest] = splitOutside(text, ' ')
  const firsts = head.startsWith('(') ? splitOutside(head.slice(1, -1), '|').flatMap(choicesOf) : [head]
  if (rest.length === 0) return firsts
  const ends = choicesOf(rest.join(' '))
  return firsts.flatMap((first) => ends.map((end) => `${first} ${end}`))
}

/** Splits a text at a mark that stands outside of groups. A group next to another one is a part of its own. */
function splitOutside(text: string, mark: ',' | ' ' | '|'): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const letter of text) {
    if (letter === '(' && depth === 0 && mark === ' ') {
      parts.push(part)
      part = ''
    }
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0
    if (letter === mark && depth === 0) {
      parts.push(part)
      part = ''
    } else part += letter
  }
  // A choice may be empty, a phrase or a word may not.
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '' || mark === '|')
}

/** Phrases by their first word, so that a text is compared with few of them. */
export class PhraseList {
  readonly #byStart = new Map<string, DraftPhrase[]>()
  readonly #language: string

  constructor(rows: readonly string[], language: string) {
    this.#language = language
    for (const phrase of draftPhrases(rows, language)) {
      const [first] = phrase
      const starts = new Set(
        first === undefined || first === 'gap' ? [] : first.map(([word = '']) => startOf(word)),
      )
      for (const start of starts) this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), phrase])
    }
  }

  /** Returns the number of words from this position that a phrase covers: the longest. 0 if there is none. */
  lengthAt(words: readonly DraftWord[], at: number): number {
    let longest = 0
    for (const form of formsOf(words[at]?.word ?? '', this.#language)) {
      for (const phrase of this.#byStart.get(startOf(form)) ?? []) {
        longest = Math.max(longest, this.#end(phrase, 0, words, at) - at)
      }
    }
    return longest
  }

  /** Returns where a phrase that begins at this word ends, -1 if it does not fit. */
  #end(phrase: DraftPhrase, part: number, words: readonly DraftWord[], at: number): number {
    const wanted = phrase[part]
    if (wanted === undefined) return at
    if (wanted === 'gap') {
      for (let skipped = 0; skipped <= gapMax && at + skipped < words.length; skipped += 1) {
        const end = this.#end(phrase, part + 1, words, at + skipped)
        if (end > 0) return end
      }
      return -1
    }
    for (const choice of wanted) {
      const isThere = choice.every((word, n) => isWord(words[at + n]?.word, word, this.#language))
      const end = isThere ? this.#end(phrase, part + 1, words, at + choice.length) : -1
      if (end > 0) return end
    }
    return -1
  }
}

/** Stems have at least two letters, so two letters find both stems and words. */
const startOf = (word: string) => word.replace(/\*$/, '').slice(0, 2)

function isWord(word: string | undefined, wanted: string, language: string): boolean {
  if (word === undefined) return false
  const isStem = wanted.endsWith('*')
  const stem = isStem ? wanted.slice(0, -1) : wanted
  return formsOf(word, language).some((form) => (isStem ? form.startsWith(stem) : form === stem))
}

const formsOf = (word: string, language: string): readonly string[] =>
  language === 'ar'
    ? [
        word,
        ...prefixes
          .filter((prefix) => word.startsWith(prefix) && word.length > prefix.length + 2)
          .map((prefix) => word.slice(prefix.length)),
      ]
    : [word]
