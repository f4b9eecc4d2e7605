import type { ReviewRow } from './reconcile'
import type { SourceReview } from './sources/source'

type Judgement = Partial<
  Pick<ReviewRow, 'sentiment' | 'sentiment_score' | 'needs_response' | 'priority' | 'key_topics' | 'emotion'>
>

/** What is made of a review without a language model: the stars first. */
export function analyse(review: SourceReview, _before?: ReviewRow): Judgement {
  const { recommends, reply } = review
  const stars = review.star_rating ?? (recommends === undefined ? null : recommends ? 5 : 2)
  if (stars === null) return { needs_response: reply === undefined }
  const sentiment = stars <= 2 ? 'negative' : stars === 3 ? 'neutral' : 'positive'
  const priority = stars === 1 ? 'urgent' : stars === 2 ? 'high' : stars === 3 ? 'medium' : 'low'
  return { sentiment, sentiment_score: (stars - 3) / 2, needs_response: reply === undefined, priority }
}
