import { judgedLanguageOf, languageOf, likelyLanguages } from '../judging/features/languages'
import { wordsOf } from '../judging/features/read-text'

const lettersMin = 12
/** Words of a text in which letters alone show a language. */
const wordsMin = 8
/**
 * How far the letters of a shorter text must point to one language more than to the next, in scores of the detector: less if the
 * text also has small words of that language, which others have too. Chosen on the first words of the labelled texts.
 */
const leadMin = { alone: 0.1, withWords: 0.03 } as const
const textMax = 2_000

/**
 * Returns the BCP 47 language tag of a text, or `und` if the text does not show its language. The small words of a text come
 * first: the detector compares letters, and sees Tagalog or Italian in few of them. In a short text, letters count only if they
 * point clearly to one language, and small words only if the letters do not contradict. The detector is loaded with the
 * first text that needs it, because that takes about a second.
 */
export async function detectLanguage(text: string): Promise<string> {
  const plain = text.replace(/https?:\S+|[@#]\S+/g, ' ').slice(0, textMax)
  if ((plain.match(/\p{L}/gu)?.length ?? 0) < lettersMin) return 'und'
  const words = wordsOf(plain)
  const isShort = words.length < wordsMin
  const shown = languageOf(words)
  if (shown !== null && !isShort) return shown
  const { eld } = await import('eld/extrasmall')
  const found = eld.detect(plain)
  const isClear = found.isReliable() && found.language !== ''
  if (shown !== null) return isClear && found.language !== shown ? 'und' : shown
  if (!isClear) return 'und'
  if (!isShort) return found.language
  const isJudged = judgedLanguageOf(found.language) !== null
  const isLatin = words.every(({ plain: word }) => /^[\p{Script=Latin}\p{N}]+$/u.test(word))
  if (isLatin && !isJudged) return 'und'
  const hasWords = isJudged && likelyLanguages(words).includes(found.language)
  return leadOf(found.getScores()) < leadMin[hasWords ? 'withWords' : 'alone'] ? 'und' : found.language
}

/** Returns by how much the best score is above the next one. */
function leadOf(scores: Readonly<Record<string, number>>): number {
  const [best = 0, next = 0] = Object.values(scores).toSorted((a, b) => b - a)
  return best - next
}
