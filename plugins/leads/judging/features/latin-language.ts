import { type JudgedLanguage, languageWords } from './languages'
import type { Word } from './read-text'

/** Letters that tell a language among the judged ones of Latin letters. English comes first: it has none of its own. */
const letters: readonly (readonly [language: JudgedLanguage, own: RegExp | null])[] = [
  ['en', null],
  ['de', /[äß]/giu],
  ['fr', /[èêëîïùûœ]|[jldcnmtsq][’'](?=[aeiouyhéèê])/giu],
  ['es', /[ñ¿¡]|[áíóú]/giu],
  ['it', /[ìò]|(?:ll|d|l|un)[’'](?=[aeiou])/giu],
  ['nl', /ij(?=\p{L})|[aeou]{2}(?=[bdfgklmnprst]\b)/giu],
  ['pl', /[ąćęłńśźż]/giu],
  ['tr', /[ğışİ]/gu],
]

/** How much letters of its own tell, compared with a word of its lists. */
const letterPoints = 2

/**
 * Returns the language of a text of Latin letters that has none of the frequent words, by its letters and by the lists of words.
 * Without either it is English.
 */
export function latinLanguage(words: readonly Word[], text: string): JudgedLanguage {
  let best: JudgedLanguage = 'en'
  let most = 0
  for (const [language, own] of letters) {
    const points = pointsOf(words, language) + letterPoints * (own ? (text.match(own)?.length ?? 0) : 0)
    if (points > most) [best, most] = [language, points]
  }
  return best
}

function pointsOf(words: readonly Word[], language: JudgedLanguage): number {
  const { topics, signals } = languageWords(language)
  const found = new Set<number>()
  for (const lists of [topics, signals])
    for (const hits of lists.find(words).values()) for (const { at } of hits) found.add(at)
  return found.size
}
