/** Leaves out what no PDF can show: control characters, lone surrogates and marks that change the order of other text. */
export const clean = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\t\r\n\u2028\u2029]+/g, ' ')
    .replaceAll(/[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu, '')

/** Joins letters with their marks where that is one character, and leaves out other marks, joiners and variations. */
export const withoutMarks = (text: string): string =>
  clean(text)
    .normalize('NFC')
    .replaceAll(/[\p{M}\u200c\u200d]/gu, '')

/** Letters that are written without joins, so that a word of them can be broken anywhere. */
const part = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{N}\p{P}\p{Sm}\p{Sc}]`
const longWord = new RegExp(`${part}{25,}`, 'gu')
const longCellWord = new RegExp(`${part}{16,}`, 'gu')

/** Allows to break words that are too long for a line, such as addresses, by a space without width. */
export const breakable = (text: string): string => withBreaks(text, longWord, 12)

/** Allows to break words that are too long for a cell of a table. */
export const breakableCell = (text: string): string => withBreaks(text, longCellWord, 6)

const withBreaks = (text: string, words: RegExp, size: number) =>
  text.replaceAll(words, (word) => {
    const letters = Array.from(word)
    const starts = Array.from({ length: Math.ceil(letters.length / size) }, (_, n) => n * size)
    return starts.map((start) => letters.slice(start, start + size).join('')).join('\u200b')
  })
