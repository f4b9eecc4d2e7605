import type { Business } from './business'
import { findName, type NameHit } from './find-name'
import { type JudgedLanguage, type LanguageWords, languageWords } from './languages'
import type { Word } from './read-text'
import type { ListHit } from './word-list'

/** A post that is compared with a business. */
export interface ReadPost {
  readonly words: readonly Word[]
  readonly text: string
  readonly language: JudgedLanguage
  readonly business: Business
  readonly places: readonly NameHit[]
  /** Whether a word is part of the name. */
  readonly isName: (at: number) => boolean
  readonly topics: ReadonlyMap<string, readonly ListHit[]>
  readonly signals: ReadonlyMap<string, readonly ListHit[]>
}

/** Finds the name of the business and the words of the lists in a post. */
export function readPost(
  words: readonly Word[],
  text: string,
  business: Business,
  language: JudgedLanguage,
  isSkipped?: (key: string) => boolean,
): ReadPost {
  const lists: LanguageWords = languageWords(language)
  const places = findName(words, business, language)
  return {
    words,
    text,
    language,
    business,
    places,
    isName: (at) => places.some((place) => place.at <= at && at < place.to),
    topics: lists.topics.find(words, isSkipped),
    signals: lists.signals.find(words, isSkipped),
  }
}
