import { wordsIn } from '../analysis/word-rows'
import names from './given-names.json'

/** Common given names in the languages of replies, in lower case. A reply may repeat one if the review praises somebody so named. */
export const givenNames: ReadonlySet<string> = new Set(wordsIn(names))
