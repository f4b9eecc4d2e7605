import type { SourceReview } from '../contract'
import { recommendsOf } from '../sources/verdict'
import type { ReviewContent } from './digest'

/** Returns a stored review as its platform returned it. Sample reviews were never read from one. */
export function asReadReview(
  row: ReviewContent & { readonly google_review_id?: string; readonly review_language?: string },
): SourceReview {
  const { source_id, google_review_id, reviewer_name, star_rating = null, review_text } = row
  const { review_language, review_created_at, review_updated_at, reply_text, reply_created_at } = row
  const fields = {
    google_review_id,
    reviewer_name,
    review_text,
    review_language,
    review_created_at,
    review_updated_at,
    reply:
      reply_text === undefined
        ? undefined
        : { text: reply_text, ...(reply_created_at === undefined ? {} : { at: reply_created_at }) },
    recommends: recommendsOf(row.source_metadata) ?? undefined,
  }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { source_id, star_rating, ...(Object.fromEntries(given) as Partial<SourceReview>) }
}
