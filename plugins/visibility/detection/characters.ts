/** Scripts without spaces between words: Han, kana, Thai, Lao, Khmer, Burmese. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\u3005]/u
const word = /[\p{L}\p{N}\p{M}]/u

/** Whether words of this character's script are written without spaces. */
export const isUnspaced = (character: string): boolean => character > '\u0e00' && unspaced.test(character)

/** Whether a character can be part of a word. */
export function isWord(character: string): boolean {
  const code = character.charCodeAt(0)
  if (code < 128)
    return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)
  return word.test(character)
}

/** Returns the character that begins at an index, or the one that ends there. */
export const characterAt = (text: string, at: number): string =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at) as number) : ''
export function characterBefore(text: string, at: number): string {
  if (at <= 0) return ''
  const low = text.charCodeAt(at - 1)
  return low >= 0xdc00 && low <= 0xdfff && at > 1 ? text.slice(at - 2, at) : text.charAt(at - 1)
}
