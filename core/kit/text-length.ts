/** What counts as one in the length of a text: a code point, a visible character, or a byte of UTF-8. */
export type TextUnit = 'characters' | 'graphemes' | 'bytes'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Returns the length of a text as a platform counts it. */
export function textLength(text: string, countedIn: TextUnit): number {
  if (countedIn === 'bytes') return Buffer.byteLength(text)
  return countedIn === 'characters' ? [...text].length : [...segmenter.segment(text)].length
}
