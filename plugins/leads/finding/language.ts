import { judgedLanguageOf, languageOf } from '../judging/features/languages'
import { wordsOf } from '../judging/features/read-text'

const lettersMin = 12
/** Words from which letters alone tell a language that is rare here. */
const wordsMin = 8
const textMax = 2_000

/**
 * Returns the BCP 47 language tag of a text, or `und` if the text is too short to know. The small words of a text come first: the
 * detector compares letters, and sees Tagalog in few of them. It is loaded with the first text that needs it, because
 * that takes about a second.
 */
export async function detectLanguage(text: string): Promise<string> {
  const plain = text.replace(/https?:\S+|[@#]\S+/g, ' ').slice(0, textMax)
  if ((plain.match(/\p{L}/gu)?.length ?? 0) < lettersMin) return 'und'
  const words = wordsOf(plain)
  const shown = languageOf(words)
  if (shown !== null) return shown
  const { eld } = await import('eld/extrasmall')
  const found = eld.detect(plain)
  if (!found.isReliable() || found.language === '') return 'und'
  const isShort =
    words.length < wordsMin && words.every(({ plain: word }) => /^[\p{Script=Latin}\p{N}]+$/u.test(word))
  return isShort && judgedLanguageOf(found.language) === null ? 'und' : found.language
}
