/** Base letters of characters that do not decompose. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
}

/** Emoji that express a subject. */
const pictures: Readonly<Record<string, string>> = {
  '🚑': 'ambulance',
  '🏥': 'hospital',
  '🤕': 'injury',
  '🩸': 'blood',
  '🤮': 'vomiting',
  '🤢': 'nausea',
  '🚓': 'police',
  '🚔': 'police',
  '👮': 'police',
  '🔪': 'weapon',
  '🔫': 'weapon',
  '👶': 'baby',
}

/**
 * Returns lower case letters without accents. Keeps the marks of other scripts, where they are separate
 * letters.
 */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\p{Cf}]/gu, '')
    .replace(/[ßıłøæœđ]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[🚑🏥🤕🩸🤮🤢🚓🚔👮🔪🔫👶]/gu, (picture) => ` ${pictures[picture] ?? ''} `)

/** Returns the words of a folded text. */
export const foldedWords = (folded: string): string[] => folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
