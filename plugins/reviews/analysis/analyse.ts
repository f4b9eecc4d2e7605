import type { SourceReview } from '../contract'
import type { Topic } from './lexicon'
import type { ReviewRow } from './reconcile'
import { balanceOf, scoreOf, sentimentOf } from './sentiment'
import { originalOf } from './translation'
import { languageOf, languages, type Words, wordsOf } from './words'

/** The result of analysing a review. */
export type Judgement = Pick<
  ReviewRow,
  | ('sentiment' | 'sentiment_score' | 'needs_response' | 'priority' | 'key_topics' | 'emotion')
  | ('review_language' | 'analysis_method' | 'analysis_version')
>

/**
 * The version of these rules and word lists. An analysis of another version cannot be repeated. Increase it
 * with each change.
 */
export const analysisVersion = 1

const topicsMax = 5
const none = { good: 0, bad: 0 }

/**
 * Analyzes a review without a language model, by its stars or recommendation, and by word lists in a known
 * language. Leaves out unknown parts. `analysis_method` says what was used.
 */
export function analyse(review: SourceReview): Judgement {
  const { review_language: told, recommends, reply } = review
  const text = originalOf(review.review_text)
  const stars = review.star_rating ?? (recommends === undefined ? null : recommends ? 5 : 1)
  const found = text === '' ? { language: null, near: null } : languageOf(text)
  const words = wordsOfText(text, told, found.near)
  const balance = words ? balanceOf(text, words) : none
  const sentiment = sentimentOf(stars, balance)
  const language = told ?? found.language
  const basis = review.star_rating !== null ? ['stars'] : recommends === undefined ? [] : ['recommendation']
  const method = [...basis, ...(words ? ['lexicon'] : [])].join('+')
  return {
    needs_response: reply === undefined,
    // Clears values from the words of an earlier text, its language too.
    review_language: language ?? undefined,
    sentiment: sentiment ?? undefined,
    priority: priorityOf(review.star_rating, sentiment),
    sentiment_score: sentiment === null ? undefined : scoreOf(stars, balance),
    emotion: words ? emotionOf(text, words, sentiment) : undefined,
    key_topics: words ? topicsOf(text, words) : undefined,
    ...(method === '' ? { analysis_method: undefined } : { analysis_method: method }),
    analysis_version: analysisVersion,
  }
}

/** Nothing follows from a language without words. */
const wordsOfText = (text: string, told: string | undefined, near: Words | null) =>
  text === '' ? null : ((told === undefined ? undefined : known(told)) ?? near)

const known = (tag: string): Words | undefined =>
  languages.find(({ language }) => language === tag.slice(0, 2).toLowerCase())

/** Returns the word list for a text, by its stated or detected language. */
export function wordsFor(text: string, told: string | undefined): Words | null {
  if (text === '') return null
  return (told === undefined ? undefined : known(told)) ?? languageOf(text).near
}

/** Returns how soon to answer: by the stars, or by the sentiment if there are none. */
export function priorityOf(
  stars: number | null,
  sentiment: Judgement['sentiment'] | null,
): Judgement['priority'] {
  if (stars === 1) return 'urgent'
  if (stars === 2 || (stars === null && sentiment === 'negative')) return 'high'
  if (stars === 3 || sentiment === 'mixed') return 'medium'
  return stars === null && (sentiment ?? null) === null ? undefined : 'low'
}

/**
 * Returns the emotion that most words express. If no word expresses one: joy for a text that praises,
 * otherwise neutral.
 */
function emotionOf(text: string, words: Words, sentiment: Judgement['sentiment'] | null) {
  const spoken = wordsOf(text)
  let best: NonNullable<Judgement['emotion']> = 'neutral'
  let most: number = 0
  for (const [emotion, isOne] of words.emotions) {
    const count = spoken.filter(isOne).length
    if (count > most) [best, most] = [emotion, count]
  }
  const isGlad = sentiment === 'positive' && best !== 'surprise'
  if (!isGlad) return best
  return balanceOf(text, words).good >= 1 ? 'joy' : 'neutral'
}

function topicsOf(text: string, words: Words): Topic[] {
  const spoken = wordsOf(text)
  return words.topics
    .map(([topic, isOne]) => ({ topic, count: spoken.filter(isOne).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, topicsMax)
    .map(({ topic }) => topic)
}
