import * as v from 'valibot'

/**
 * Characters that a name never needs: controls, characters that change the direction of text, tags, private use, and
 * the two that end a line.
 */
const forbidden = /[\p{Cc}\p{Cs}\p{Co}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]/gu
/** Characters without a width. Some scripts and emoji need them between two of their characters. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu
/** White space. A byte order mark counts as white space for JavaScript, and has no width. */
const space = /[^\S\ufeff]+/g
const joiner = /^[\u200c\u200d]$/
/** Scripts whose spelling uses joiners. */
const joined =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}]/u
const emojiEnd = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u
const emojiStart = /^\p{Extended_Pictographic}/u
/** Signs with a form as text and a form as emoji, which a variation selector chooses. */
const hasForms = /\p{Extended_Pictographic}$/u

/**
 * Returns a name that a person typed without characters that nobody can see: they could make two names look the same,
 * or turn the text around a name. Joiners stay where a script or an emoji needs them. Spaces become single spaces.
 */
export function cleanName(typed: string): string {
  const plain = typed.normalize('NFC').replace(space, ' ').replace(forbidden, '')
  return plain
    .replace(invisible, (sign, at: number) =>
      isNeeded(sign, plain.slice(0, at), plain.slice(at + sign.length)) ? sign : '',
    )
    .replace(/ {2,}/g, ' ')
    .trim()
}

function isNeeded(sign: string, before: string, after: string): boolean {
  if (sign === '\ufe0e' || sign === '\ufe0f') return hasForms.test(before)
  if (!joiner.test(sign)) return false
  const last = [...before.slice(-2)].at(-1) ?? ''
  const first = [...after.slice(0, 2)][0] ?? ''
  if (joined.test(last) && joined.test(first)) return true
  return sign === '\u200d' && emojiEnd.test(before) && emojiStart.test(after)
}

/** A name that a person types: not empty, and without characters that nobody can see. */
export const typedName = (
  description: string,
  { max = 200, empty = 'a name' }: { readonly max?: number; readonly empty?: string } = {},
) =>
  v.pipe(
    v.string(),
    v.transform(cleanName),
    v.minLength(1, empty),
    v.maxLength(max, `at most ${max} characters`),
    v.description(description),
  )
