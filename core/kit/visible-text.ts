/**
 * Characters that cannot be seen but can contain words for a model: controls, zero-width and bidirectional marks, byte
 * order marks, tag characters.
 */
const invisible = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\n\t]]/gv

/** Matches texts without any special character, which most texts are. */
const plain = /^[\n\t -~]*$/

/** Scripts in which a joiner between two letters changes how they look. */
const joining =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]$/v
const picture = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/v
const keyLike = /^[\p{Extended_Pictographic}0-9#*]$/v

/**
 * Returns a text without what cannot be seen. A joiner stays between two letters of a script that uses it, and between two
 * pictures of a family. Several in a row, which could hold a message, go.
 */
export const visible = (text: string): string =>
  plain.test(text)
    ? text
    : text.replace(invisible, (sign, at: number) => (shapes(sign, at, text) ? sign : ''))

function shapes(sign: string, at: number, text: string): boolean {
  if (sign !== '\u200c' && sign !== '\u200d' && sign !== '\ufe0f') return false
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ''
  if (sign === '\ufe0f') return keyLike.test(before)
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0)
  if (joining.test(before) && joining.test(after)) return true
  return sign === '\u200d' && picture.test(before) && picture.test(after) && after !== '\ufe0f'
}
