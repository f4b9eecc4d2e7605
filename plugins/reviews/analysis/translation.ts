/** A review's own text, and Google's translation. */
export interface SplitText {
  readonly original: string
  readonly translation?: string
}

/** Google's label for a translation, in the languages of profiles. */
const translatedBy =
  /\((?:translated by|übersetzt von|traduit par|traducido por|tradotto da|traduzione di|vertaald door|traduzido (?:pelo|por)) google\)/i
/** Google's label for the original. */
const original = /\((?:original|originale|origineel|texte original|avis d[’']origine)\)/gi

/**
 * Google returns both texts in one: `(Translated by Google) … (Original) …`, or the original first. The stored text
 * is unchanged. The analysis, and matching a review, use the writer's own words.
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
  // In the middle of a line it is the writer who says it.
  return endsLine(before) ? split(before, behind, text) : { original: text }
}

/** Whether only white space follows the last line break. */
const endsLine = (text: string) => text.slice(text.trimEnd().length).includes('\n')

/** Returns only the author's own words. */
export const originalOf = (text: string | undefined): string => splitText(text ?? '').original

function split(own: string, translation: string, whole: string): SplitText {
  const [said, told] = [own.trim(), translation.trim()]
  return said === '' ? { original: whole } : { original: said, ...(told === '' ? {} : { translation: told }) }
}
