import { wordsIn } from '../analysis/word-rows'
import { languages } from '../analysis/words'
import listed from './harmful-stems.json'

/**
 * Word stems that a reply never repeats from a review: money, law, health, harm and commands. Those of every language count in
 * all of them.
 */
const stems = Object.values(listed).flatMap(wordsIn)

const short = new Set(stems.filter(({ length }) => length <= 4))
const long = stems.filter(({ length }) => length > 4)

/** Whether a reply must not repeat this word, in any language. */
export const harmfulWord = (word: string): boolean =>
  short.has(word) ||
  long.some((stem) => word.startsWith(stem)) ||
  languages.some(
    (one) =>
      one.weight(word) < 0 || one.isNot(word) || one.emotions.some(([, holdsEmotion]) => holdsEmotion(word)),
  )
