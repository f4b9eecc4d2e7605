import { collectFeatures, type Feature, type Features } from './feature'
import { grammarFeatures } from './grammar-features'
import { nameFeatures } from './name-features'
import type { ReadPost } from './read-post'
import { signalFeatures, topicFeatures } from './topic-features'
import { townFeatures } from './towns'

const shortMax = 8
const longMin = 31

/** Returns what a post shows about its name, its subject and its writer. */
export function featuresOf(post: ReadPost): Features {
  const { features, set } = collectFeatures()
  topicFeatures(post, set)
  signalFeatures(post, set)
  nameFeatures(post, set)
  townFeatures(post, set)
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
  both('question_last', /[?？؟]/.test(post.text.slice(post.words.at(-1)?.end ?? 0)), 'g_question')
  both('ask_own', has('ask') && has('own'), 'ask')
  both('pain_own', has('pain') && has('own'), 'pain')
  both('need_own', has('need') && has('own'), 'need')
  both('pain_told', has('pain') && !isQuestion, 'pain')
  both('past_told', has('past') && !isQuestion, 'past')
  for (const kind of lexicon) features.set(`rule_${kind}`, { value: 1 })
  return features
}
