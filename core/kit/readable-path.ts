/** Bytes beyond ASCII, as an address contains them. */
const encoded = /(?:%[89A-F][0-9A-F])+/gi

/**
 * Returns a path or an address for people to read, with the letters of other alphabets decoded. Everything else stays
 * encoded: ASCII, bytes that are no text, and characters that nobody sees, that turn the direction of a text, or that
 * look like a part of an address. So the text still names exactly one page. Escape it like any text of a stranger.
 */
export const readablePath = (path: string): string => path.replace(encoded, (run) => decodedRun(run))

function decodedRun(run: string): string {
  let text = ''
  let isLetter = false
  for (let at = 0; at < run.length; ) {
    const { text: one, end } = characterAt(run, at)
    const isMark = /^\p{M}$/u.test(one)
    const isShown: boolean = isReadable(one) && (!isMark || isLetter)
    // A letter has two marks at most, because piled marks cover what is around them.
    isLetter = isShown && (!isMark || !endsInMark.test(text))
    text += isShown ? one : run.slice(at, end)
    at = end
  }
  return text
}

const endsInMark = /\p{M}$/u

/** Reads one character from bytes of UTF-8. Its text is empty if they are none. */
function characterAt(run: string, at: number): { readonly text: string; readonly end: number } {
  const first = Number.parseInt(run.slice(at + 1, at + 3), 16)
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  const end = at + length * 3
  try {
    if (length > 0 && end <= run.length) return { text: decodeURIComponent(run.slice(at, end)), end }
  } catch {
    // Not a character. The first byte stays as it is.
  }
  return { text: '', end: at + 3 }
}

/** Characters that look like a part of an address when they are written in their plain form, such as a wide slash. */
const likeAscii = /[\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/

/** The sign of Braille without dots, which nobody sees. */
const blank = '\u2800'

const isReadable = (text: string): boolean =>
  /^[\p{L}\p{M}\p{N}\p{P}\p{So}\p{Sc}]$/u.test(text) &&
  !/\p{Default_Ignorable_Code_Point}/u.test(text) &&
  text !== blank &&
  !likeAscii.test(text.normalize('NFKC'))
