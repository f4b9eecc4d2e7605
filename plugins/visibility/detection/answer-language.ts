import foreign from './foreign-words.json'
import { frequentWords, type JudgedLanguage, judgedLanguages, signalsIn, type Word } from './signals'

/** The language of an answer: one that is measured, another one, or unknown because the answer has too few words. */
export type AnswerLanguage = JudgedLanguage | 'other' | 'unknown'

const foreignWords = Object.values(foreign).map((words) => new Set(words.split(' ')))
/** Scripts of languages that are not measured. */
const otherScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Hebrew}\p{Script=Greek}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Georgian}\p{Script=Armenian}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u
const cyrillic = /\p{Script=Cyrillic}/u
const arabic = /\p{Script=Arabic}/u
/** Letters that Russian and Arabic do not have. */
const otherCyrillic = /[іїєґўјљњћђџқғңұүөһ]/iu
const otherArabic = /[پچژگکیےںٹڈڑ]/u

/** Words that are examined. */
const wordsMax = 400

/**
 * Returns the language of an answer, by its words that are not part of a name. The script decides where only one
 * measured language uses it.
 */
export function languageOfAnswer(words: readonly Word[]): AnswerLanguage {
  const seen = words.slice(0, wordsMax)
  const letters = (script: RegExp) => seen.filter(({ text }) => script.test(text)).length
  if (letters(otherScript) * 3 > seen.length) return 'other'
  if (letters(cyrillic) * 2 > seen.length) return letters(otherCyrillic) > 0 ? 'other' : 'ru'
  if (letters(arabic) * 2 > seen.length) return letters(otherArabic) > 0 ? 'other' : 'ar'
  let best: AnswerLanguage = 'unknown'
  let most = 0
  for (const language of judgedLanguages) {
    const hits = hitsOf(seen, frequentWords[language])
    if (hits > most) [best, most] = [language, hits]
  }
  if (most < surely) [best, most] = bySignals(seen)
  const others = Math.max(...foreignWords.map((known) => hitsOf(seen, known)))
  const own = best === 'unknown' || best === 'other' ? 0 : hitsOf(seen, frequentWords[best])
  return others > own ? 'other' : best
}

/** Frequent words from which the language is sure. */
const surely = 3

/** A short answer may have only words that tell something: "Polecam Acme". */
function bySignals(words: readonly Word[]): [AnswerLanguage, number] {
  let best: AnswerLanguage = 'unknown'
  let most = 0
  for (const language of judgedLanguages) {
    const hits = hitsOf(words, frequentWords[language]) + signalsIn(words, language).length
    if (hits > most) [best, most] = [language, hits]
  }
  return [best, most]
}

const hitsOf = (words: readonly Word[], known: ReadonlySet<string>): number => {
  let hits = 0
  for (const { text } of words) if (known.has(text)) hits++
  return hits
}
