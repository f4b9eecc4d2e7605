/** A word of a text. */
export interface Word {
  /** In small letters, without accents and marks. */
  readonly plain: string
  readonly start: number
  readonly end: number
  /** What stands between the word before and this one. */
  readonly gap: string
  /** Whether a sentence begins with it. */
  readonly isFirst: boolean
  readonly isCapital: boolean
}

/** The most of a text that is read. */
const textMax = 4_000
const foreign: Readonly<Record<string, string>> = { ł: 'l', ı: 'i', ß: 'ss', ø: 'o', æ: 'ae', ى: 'ي', ة: 'ه' }

/** Returns a word in the form in which words are compared. */
export const plainOf = (word: string): string => {
  const lower = word.toLowerCase()
  // Most words are plain already.
  if (/^[a-z0-9]*$/.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łıßøæىة]/g, (letter) => foreign[letter] as string)
}

/** Returns the words of a text in their order. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = []
  let before = 0
  for (const found of text.slice(0, textMax).matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const [written] = found
    const gap = text.slice(before, found.index)
    before = found.index + written.length
    words.push({
      plain: plainOf(written),
      start: found.index,
      end: before,
      gap,
      isFirst: words.length === 0 || /[.!?…:\n¿¡;]|\p{Extended_Pictographic}/u.test(gap),
      isCapital: /^\p{Lu}/u.test(written),
    })
  }
  return words
}
