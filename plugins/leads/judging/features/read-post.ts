import type { Business } from './business'
import { collectFeatures, type Feature, type Features } from './feature'
import { findName, type NamePlace } from './find-name'
import { grammarFeatures } from './grammar-features'
import { type JudgedLanguage, type LanguageWords, languageWords } from './languages'
import { nameFeatures } from './name-features'
import { placeFeatures } from './places'
import type { Word } from './read-text'
import { signalFeatures, topicFeatures } from './topic-features'
import type { ListHit } from './word-list'

/** A post that is compared with a business. */
export interface ReadPost {
  readonly words: readonly Word[]
  readonly text: string
  readonly language: JudgedLanguage
  readonly business: Business
  readonly places: readonly NamePlace[]
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

const shortMax = 8
const longMin = 31

/** Returns what a post shows about its name, its subject and its writer. */
export function featuresOf(post: ReadPost): Features {
  const { features, set } = collectFeatures()
  topicFeatures(post, set)
  signalFeatures(post, set)
  nameFeatures(post, set)
  placeFeatures(post, set)
  grammarFeatures(post, set)
  set('short', post.words.length <= shortMax ? 1 : 0)
  set('long', post.words.length >= longMin ? 1 : 0)
  return features
}

/** Returns the features for the intent of a writer: those of a post, and which of them occur together. */
export function intentFeaturesOf(post: ReadPost, shown: Features, lexicon: readonly string[]): Features {
  const features = new Map<string, Feature>(shown)
  const has = (name: string) => features.has(name)
  const both = (name: string, isShown: boolean, of: string) => {
    const evidence = features.get(of)?.evidence
    if (isShown) features.set(name, evidence ? { value: 1, evidence } : { value: 1 })
  }
  const isQuestion = has('g_question')
  both('question_own', isQuestion && has('own'), 'own')
  both('question_town', isQuestion && has('town'), 'town')
  both('question_ask', isQuestion && has('ask'), 'ask')
  both('question_name', isQuestion && post.places.length > 0, 'first')
  both('question_small', isQuestion && has('small'), 'small')
  both('question_last', /[?？؟]\P{L}*$/u.test(post.text.slice(-20)), 'g_question')
  both('ask_own', has('ask') && has('own'), 'ask')
  both('pain_own', has('pain') && has('own'), 'pain')
  both('need_own', has('need') && has('own'), 'need')
  both('pain_told', has('pain') && !isQuestion, 'pain')
  both('past_told', has('past') && !isQuestion, 'past')
  for (const kind of lexicon) features.set(`rule_${kind}`, { value: 1 })
  return features
}
