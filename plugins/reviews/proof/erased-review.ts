import { type ErasedPeople, moveState, type Row } from 'renown'
import type { SourceReview } from '../contract'
import { autoResponse } from '../records/autoResponse'
import type { Review } from '../records/Review'
import { onlyRecommendation } from '../sources/verdict'

/** The text of a reply to a review whose author was erased. */
export const erasedReply = '[erased]'

/** Returns a review with what figures need, and without its author, their words and the words of the reply. */
export function withoutAuthor({
  source_id,
  google_review_id,
  star_rating,
  recommends,
  review_language,
  review_created_at,
  review_updated_at,
  reply,
}: SourceReview): SourceReview {
  const kept = { google_review_id, recommends, review_language, review_created_at, review_updated_at }
  const given = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
  return {
    source_id,
    star_rating,
    ...given,
    ...(reply === undefined
      ? {}
      : { reply: { text: erasedReply, ...(reply.at === undefined ? {} : { at: reply.at }) } }),
  }
}

/** Returns the changes of a row whose author is erased. Nothing is sent to it any more. */
export const rowWithoutAuthor = (
  { reply_text, source_metadata, auto_response_status }: Row<typeof Review>,
  now: Date,
): Partial<Row<typeof Review>> => ({
  reviewer_name: undefined,
  reviewer_photo_url: undefined,
  reviewer_is_local_guide: undefined,
  review_text: undefined,
  source_metadata: onlyRecommendation(source_metadata),
  ...(reply_text === undefined ? {} : { reply_text: erasedReply }),
  ai_suggested_response: undefined,
  previous_draft: undefined,
  notes: undefined,
  is_flagged: false,
  flag_reason: undefined,
  needs_response: false,
  analysis_due: undefined,
  ...(auto_response_status === 'pending'
    ? moveState(autoResponse, 'pending', 'skipped', { now, with: { auto_response_reason: 'erased' } })
    : {}),
})

/** What identifies a review outside. The second finds it again if another source has it with another id. */
export function outsideKeys(
  { source, location_id }: { readonly source: string; readonly location_id: string },
  review: Pick<SourceReview, 'source_id' | 'reviewer_name' | 'review_created_at'>,
): string[] {
  const { source_id, reviewer_name, review_created_at } = review
  const own = [`review ${source} ${location_id} ${source_id}`]
  if (reviewer_name === undefined || review_created_at === undefined) return own
  const name = reviewer_name.normalize('NFKC').trim().toLowerCase()
  return [...own, `review ${source} ${location_id} ${name} ${review_created_at.slice(0, 10)}`]
}

/** Returns a review as it may be stored: without its author, if they were erased, and without the names of erased people. */
export function storable(
  erased: ErasedPeople,
  at: { readonly source: string; readonly location_id: string },
  review: SourceReview,
): SourceReview {
  if (erased.isEmpty) return review
  if (outsideKeys(at, review).some((key) => erased.isBlocked(key))) return withoutAuthor(review)
  return erased.redact(review)
}
