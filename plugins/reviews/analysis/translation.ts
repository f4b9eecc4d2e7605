/** The author's own text and Google's translation. */
export interface SplitText {
  readonly original: string
  readonly translation?: string
}

/** Google's label for a translation, in the languages of its profiles. */
const translatedBy =
  /\((?:translated by|übersetzt von|traduit par|traducido por|tradotto da|traduzione di|vertaald door|traduzido (?:pelo|por)) google\)/i
/** Google's label for the original. */
const original = /\((?:original|originale|origineel|texte original|avis d[’']origine)\)/gi

/**
 * Splits a text from Google into original and translation. Google returns both in one text: `(Translated by
 * Google) … (Original) …`, or the original first. The stored text stays unchanged. The analysis and the
 * comparison of reviews use the author's own words.
 */
export function splitText(text: string): SplitText {
  const mark = translatedBy.exec(text)
  if (!mark) return { original: text }
  const before = text.slice(0, mark.index)
  const behind = text.slice(mark.index + mark[0].length)
  if (before.trim() === '') {
    const at = [...behind.matchAll(original)].find(({ index }) => endsLine(behind.slice(0, index)))
    if (!at) return { original: text }
    return split(behind.slice(at.index + at[0].length), behind.slice(0, at.index), text)
  }
  // A label in the middle of a line is part of the author's text.
  return endsLine(before) ? split(before, behind, text) : { original: text }
}

/** Whether the text ends with a line break, apart from other white space. */
const endsLine = (text: string) => text.slice(text.trimEnd().length).includes('\n')

/** Returns only the author's own words. */
export const originalOf = (text: string | undefined): string => splitText(text ?? '').original

function split(own: string, translation: string, whole: string): SplitText {
  const said = own.trim()
  const told = translation.trim()
  return said === '' ? { original: whole } : { original: said, ...(told === '' ? {} : { translation: told }) }
}
