/** A word of a sentence, as it is compared, with its place in the text. */
export interface DraftWord {
  /** In lower case and in one spelling, as in the lists of words. */
  readonly word: string
  readonly raw: string
  readonly start: number
  readonly end: number
}

const joined = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*['’]?/gu
/** Languages that join short words to the next one with an apostrophe. */
const eliding = new Set(['fr', 'it'])
const sentenceEnd = /[.!?…;\n؟。！？]+|:(?=\s)/gu

/** Returns a text in the spelling in which words are compared: Arabic without vowel signs, Russian without ё. */
export function comparable(text: string, language: string): string {
  const lower = language === 'tr' ? text.toLocaleLowerCase('tr') : text.toLowerCase()
  return lower
    .normalize('NFC')
    .replaceAll('’', "'")
    .replace(/[\u064b-\u0652\u0640]/gu, '')
    .replace(/[أإآ]/gu, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ё', 'е')
}

/** Returns a word without what follows an apostrophe, such as an ending that Turkish adds to names. */
export const beforeApostrophe = (word: string): string => word.split("'", 1)[0] ?? ''

/** Returns the sentences of a text, each as its words. */
export function sentencesIn(text: string, language: string): readonly (readonly DraftWord[])[] {
  const sentences: DraftWord[][] = []
  let from = 0
  const add = (to: number) => {
    const words = wordsIn(text.slice(from, to), from, language)
    if (words.length > 0) sentences.push(words)
  }
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) {
    // A dot between digits or letters ends no sentence.
    const isInside = mark === '.' && /[\p{L}\p{N}]/u.test(text[index + 1] ?? '')
    if (isInside) continue
    add(index)
    from = index + mark.length
  }
  add(text.length)
  return sentences
}

function wordsIn(text: string, offset: number, language: string): DraftWord[] {
  const words: DraftWord[] = []
  for (const { 0: found, index } of text.matchAll(joined)) {
    let at = offset + index
    const parts = eliding.has(language) ? found.split(/(?<=['’])/) : [found]
    for (const part of parts) {
      const raw = eliding.has(language) ? part : part.replace(/['’]$/, '')
      words.push({ raw, word: comparable(raw, language), start: at, end: at + raw.length })
      at += part.length
    }
  }
  return words
}
