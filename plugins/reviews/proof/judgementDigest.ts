import type { Row } from 'renown'
import type { Review } from '../records/Review'
import { sha256 } from './digest'

type Judged = Partial<
  Pick<
    Row<typeof Review>,
    'sentiment' | 'sentiment_score' | 'emotion' | 'key_topics' | 'priority' | 'analysis_method'
  >
>

/** Returns the digest of the analysis of a review. */
export const judgementDigest = ({
  sentiment,
  sentiment_score,
  emotion,
  key_topics,
  priority,
  analysis_method,
}: Judged): string =>
  sha256(
    JSON.stringify([
      sentiment ?? null,
      sentiment_score ?? null,
      emotion ?? null,
      key_topics ?? null,
      priority ?? null,
      analysis_method ?? null,
    ]),
  )
